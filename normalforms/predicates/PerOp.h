//===- PerOp.h - Predicates that look at one op at a time -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common shape of the built-in predicates: a list of clauses, and a
// function that is called for each op below the anchor. Such a predicate is
// universal over ops. The restriction law holds by construction if the function
// looks only at what the anchor contains. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PREDICATES_PEROP_H
#define FORMWORK_NORMALFORMS_PREDICATES_PEROP_H

#include "normalforms/IR/Predicate.h"

#include <utility>
#include <vector>

namespace formwork::normalforms {

/// Collects the violations of one walk.
class ViolationSink {
public:
  ViolationSink(mlir::StringRef predicate, mlir::Operation *anchor,
                llvm::SmallVectorImpl<Violation> &violations)
      : predicate(predicate), anchor(anchor), violations(violations) {}

  /// Reports that clause `number` (from 1) is violated at `op`.
  void report(mlir::Operation *op, unsigned number,
              const llvm::Twine &message) {
    violations.push_back(
        {op, (predicate + ".c" + llvm::Twine(number)).str(), message.str()});
  }

  mlir::Operation *getAnchor() const { return anchor; }

private:
  mlir::StringRef predicate;
  mlir::Operation *anchor;
  llvm::SmallVectorImpl<Violation> &violations;
};

/// The predicate `name` with one requirement for each clause, numbered from 1.
/// `check` is called for every op strictly below an anchor, outermost first.
inline Predicate createPerOpPredicate(
    llvm::StringRef name, std::vector<std::string> requirements,
    std::function<void(mlir::Operation *, ViolationSink &)> check) {
  Predicate predicate;
  predicate.name = name.str();
  for (auto [i, requirement] : llvm::enumerate(requirements))
    predicate.clauses.push_back(
        {(name + ".c" + llvm::Twine(i + 1)).str(), requirement});
  predicate.check = [name = name.str(), check = std::move(check)](
                        mlir::Operation *anchor,
                        llvm::SmallVectorImpl<Violation> &violations,
                        bool onlyFirst) {
    ViolationSink sink(name, anchor, violations);
    anchor->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (op != anchor)
        check(op, sink);
      return onlyFirst && !violations.empty() ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
    });
  };
  return predicate;
}

/// The printed form of a type, for messages.
inline std::string toText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

/// The quoted name of an op, for messages.
inline std::string toText(mlir::Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// The nearest op of type `OpT` around `op` that is the anchor or lies below
/// it; null when there is none.
template <typename OpT>
OpT getEnclosing(mlir::Operation *op, mlir::Operation *anchor) {
  for (mlir::Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto found = llvm::dyn_cast<OpT>(parent))
      return found;
    if (parent == anchor)
      break;
  }
  return OpT();
}

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PREDICATES_PEROP_H
