//===- MappedLoops.cpp - Loops that are mapped to a GPU ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MappedLoops.h. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/MappedLoops.h"

#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::verifier;

std::string formwork::verifier::toString(ArrayRef<int64_t> sizes) {
  return llvm::interleaved_array(sizes);
}

std::string formwork::verifier::toString(ArrayRef<solver::IntTerm> sizes) {
  auto texts = llvm::map_range(
      sizes, [](solver::IntTerm size) { return solver::toInfix(size); });
  return llvm::interleaved_array(texts);
}

int64_t formwork::verifier::product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result =
        llvm::SaturatingMultiply<uint64_t>(result, std::max<int64_t>(0, size));
  return result;
}

bool formwork::verifier::isForall(const Node &node) {
  return isKind<scf::ForallOp>(node);
}

MappedLoops formwork::verifier::getMappedLoops(solver::TermContext &terms,
                                               const LoopFacts &facts,
                                               int64_t warpSize) {
  solver::IntTerm one = terms.constant(1);
  auto first = cast<DeviceMappingAttrInterface>(facts.mapping.front());
  MappedLoops mapped{{one, one, one}, one, one, first.isLinearMapping()};
  if (isa<gpu::GPUWarpMappingAttr>(first))
    mapped.factor = warpSize;
  else if (isa<gpu::GPUWarpgroupMappingAttr>(first))
    mapped.factor = warpSize * Target::warpsPerGroup;
  mapped.isToLanes = isa<gpu::GPULaneMappingAttr>(first);
  for (auto [attr, trip] : llvm::zip(facts.mapping, facts.trips)) {
    solver::IntTerm size = *toTerm(terms, trip.size);
    int64_t axis = cast<DeviceMappingAttrInterface>(attr).getRelativeIndex();
    if (axis < 3)
      mapped.axes[axis] = size;
    mapped.steps = terms.mul(mapped.steps, size);
  }
  solver::IntTerm factor = terms.constant(mapped.factor);
  mapped.axes[0] = terms.mul(mapped.axes[0], factor);
  mapped.total = terms.mul(mapped.steps, factor);
  return mapped;
}

void formwork::verifier::replaceForall(PayloadModel &payload, NodeId forall,
                                       NodeId target, NodeId launch) {
  if (payload.isAtOrBelow(forall, target) != Certainty::Yes)
    return payload.mayDissolve(forall);
  // The terminator of the loop's body is not one of a launch.
  for (NodeId id : payload.getDirectlyBelow(forall))
    if (isKind<scf::InParallelOp>(payload[id]) && payload[id].ups.size() == 1 &&
        payload[id].ups.front().node == forall) {
      payload.edit(id).present = Certainty::No;
      payload.edit(id).op = nullptr;
    }
  payload.reparent(forall, launch);
  payload.edit(forall).present = Certainty::No;
}
