//===- GemmSpace.h - A matrix multiplication's parameters -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape of a tuning problem for a matrix multiplication of 4096 x 4096 x
// 4096 on a GPU: 13 knobs, 1399680 raw points for each layer. For tests and
// bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_VERIFIER_SOLVER_GEMMSPACE_H
#define FORMWORK_TEST_UNIT_VERIFIER_SOLVER_GEMMSPACE_H

#include "verifier/solver/Problem.h"

#include "llvm/ADT/Twine.h"

namespace formwork::verifier::solver {

/// Adds one layer: workgroup, subgroup and reduction tiles, load and prefetch
/// tiles, pipelining depth. Knob names start with `prefix`. With `registers`,
/// the accumulator of a subgroup and its loads must fit in so many values; 16
/// makes that impossible.
inline void addGemmLayer(Problem &problem, llvm::StringRef prefix,
                         int64_t registers = 16384) {
  TermContext &t = problem.getContext();
  auto knob = [&](llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return problem.addVariable((prefix + name).str(), Domain::list(values));
  };
  auto c = [&](int64_t value) { return t.constant(value); };
  auto demand = [&](llvm::StringRef id, BoolTerm term) {
    problem.addConstraint((prefix + id).str(), term);
  };
  IntTerm m = c(4096), n = c(4096), k = c(4096);

  IntTerm wgM = knob("wg_m", {64, 96, 128, 192, 256});
  IntTerm wgN = knob("wg_n", {64, 128, 192, 256});
  IntTerm sgM = knob("sg_m", {16, 32, 48, 64});
  IntTerm sgN = knob("sg_n", {16, 32, 64});
  IntTerm kTile = knob("k_tile", {16, 32, 64});
  IntTerm loadAM = knob("load_a_m", {8, 16, 32});
  IntTerm loadAK = knob("load_a_k", {8, 16, 32});
  IntTerm loadBK = knob("load_b_k", {8, 16, 32});
  IntTerm loadBN = knob("load_b_n", {8, 16, 32});
  IntTerm prefetchAM = knob("prefetch_a_m", {8, 16, 32});
  IntTerm prefetchAK = knob("prefetch_a_k", {16, 32});
  IntTerm prefetchBN = knob("prefetch_b_n", {16, 32});
  IntTerm depth = knob("depth", {1, 2});

  demand("wg_m.divides", t.divides(wgM, m));
  demand("wg_n.divides", t.divides(wgN, n));
  demand("k_tile.divides", t.divides(kTile, k));
  demand("sg_m.divides", t.divides(sgM, wgM));
  demand("sg_n.divides", t.divides(sgN, wgN));
  demand("load_a_m.divides", t.divides(loadAM, sgM));
  demand("load_a_k.divides", t.divides(loadAK, kTile));
  demand("load_b_k.divides", t.divides(loadBK, kTile));
  demand("load_b_n.divides", t.divides(loadBN, sgN));
  demand("prefetch_a_m.divides", t.divides(prefetchAM, wgM));
  demand("prefetch_a_k.divides", t.divides(prefetchAK, kTile));
  demand("prefetch_b_n.divides", t.divides(prefetchBN, wgN));
  IntTerm subgroups = t.mul(t.floorDiv(wgM, sgM), t.floorDiv(wgN, sgN));
  demand("threads.least", t.lessEqual(c(4), subgroups));
  demand("threads.most", t.lessEqual(subgroups, c(32)));
  // Each subgroup prefetches one tile of A and of B at most.
  demand("prefetch_a.covered", t.lessEqual(t.mul(t.floorDiv(wgM, prefetchAM),
                                                 t.floorDiv(kTile, prefetchAK)),
                                           subgroups));
  demand("prefetch_b.covered",
         t.lessEqual(t.floorDiv(wgN, prefetchBN), subgroups));
  demand("registers", t.lessEqual(t.sum({t.mul(sgM, sgN), t.mul(loadAM, loadAK),
                                         t.mul(loadBK, loadBN)}),
                                  c(registers)));
  IntTerm elements = t.mul(t.add(wgM, wgN), kTile);
  demand("workgroup_memory",
         t.lessEqual(t.product({elements, depth, c(2)}), c(49152)));
}

} // namespace formwork::verifier::solver

#endif // FORMWORK_TEST_UNIT_VERIFIER_SOLVER_GEMMSPACE_H
