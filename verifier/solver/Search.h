//===- Search.h - Exact search by backtracking ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumerates the assignments of a component: exact, without Z3, and fast where
// its domains are small. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SEARCH_H
#define FORMWORK_VERIFIER_SOLVER_SEARCH_H

#include "verifier/solver/Budget.h"
#include "verifier/solver/Components.h"
#include "verifier/solver/Evaluator.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <random>

namespace formwork::verifier::solver {

struct SearchLimits {
  /// How many values may be tried: deterministic.
  uint64_t nodes = UINT64_MAX;
  Deadline deadline;
};

enum class SearchEnd : uint8_t { Exhausted, Stopped, NodeLimit, TimeOut };

/// Depth-first enumeration. Variables are ordered so that constraints become
/// decidable early: size-1 domains, then the leading ones that the caller
/// names, then knobs, then auxiliaries, each by the constraint with the fewest
/// open combinations. A constraint is evaluated as soon as its last variable
/// has a value; one over a single variable thins out that domain once,
/// beforehand. Deterministic. With two or more values a variable, at most twice
/// as many nodes as points.
class Search {
public:
  struct Options {
    /// Values instead of the domain.
    Assignment fixed;
    /// Assigned first, in this order.
    llvm::SmallVector<VarId> leading;
    /// Values are tried by distance from these (from 0 for others).
    Assignment centers;
    /// At most that many values of each domain, the nearest: then Exhausted
    /// means nothing. `isClipped` says whether it mattered.
    uint64_t maxValues = UINT64_MAX;
    /// Report each combination of knobs once instead of each assignment.
    bool projectOnKnobs = false;
  };

  Search(const Problem &problem, const Component &component);
  Search(const Problem &problem, const Component &component,
         const Options &options);

  /// Calls `found` with a table indexed by variable (of this component; other
  /// entries are 0) at each assignment, until it returns false.
  SearchEnd run(const SearchLimits &limits,
                llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> found);

  /// Puts the values of each variable in a random order.
  void shuffle(std::mt19937_64 &random);

  /// Some constraint could not be evaluated in 128 bits at a point that was
  /// therefore skipped.
  bool sawOverflow() const { return overflow; }
  bool isClipped() const { return clipped; }
  /// The constraints that excluded something so far, ascending. When exhausted
  /// without an assignment, they alone exclude everything.
  llvm::SmallVector<ConstraintId> getUsedConstraints() const;
  /// Values tried by the last run.
  uint64_t getNumNodes() const { return nodes; }

private:
  struct Level {
    VarId variable;
    std::vector<int64_t> values;
    /// Indices of `checks` that are decidable from here on.
    llvm::SmallVector<unsigned> checks;
  };
  struct Check {
    ConstraintId id;
    Evaluator evaluator;
    bool used = false;
  };

  void chooseOrder(const Problem &problem, llvm::ArrayRef<VarId> leading);
  void filterDomains();
  void placeChecks();
  bool passes(Check &check);
  /// How a subtree ended: all of it, or what stops its ancestors as well.
  enum class Walk : uint8_t { Done, NextProjection, Stop };
  Walk walk(unsigned depth);

  std::vector<Level> levels;
  std::vector<Check> checks;
  /// The depth at which all knobs have values, if projecting.
  std::optional<unsigned> projection;
  bool project;
  std::vector<int64_t> table;
  bool overflow = false;
  bool clipped = false;

  // The run under way.
  uint64_t nodes = 0;
  SearchLimits limits;
  SearchEnd end = SearchEnd::Exhausted;
  llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> found = nullptr;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SEARCH_H
