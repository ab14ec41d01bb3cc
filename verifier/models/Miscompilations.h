//===- Miscompilations.h - Steps that change what is computed ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warns of steps that MLIR 22.1 carries out so that the payload computes
// something else. It calls that success. Each was seen by executing the payload
// (run --after-each-step). Each file of models adds the steps that it knows.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_MISCOMPILATIONS_H
#define FORMWORK_VERIFIER_MODELS_MISCOMPILATIONS_H

#include "verifier/step/Step.h"

#include "llvm/ADT/StringMap.h"

namespace formwork::verifier {

/// How a step makes something else of a payload op.
struct Miscompiled {
  std::string why;
  /// The way around it; empty if none is known.
  llvm::StringRef fix = {};
  /// It accesses elements out of bounds, whatever it computes.
  bool reachesOut = false;
  /// The op below the target; null for the target itself.
  mlir::Operation *op = nullptr;
};

/// Tells how a step, from the state in front of it, makes something else of a
/// target or of an op below it; none if it does not, as far as is known.
using FindMiscompiled = std::optional<Miscompiled> (*)(const Step &step,
                                                       NodeId target);

/// The functions by the names of transform ops.
class MiscompilationRegistry {
public:
  void add(llvm::StringRef opName, FindMiscompiled find) {
    known[opName].push_back(find);
  }
  template <typename... Ops> void add(FindMiscompiled find) {
    (add(Ops::getOperationName(), find), ...);
  }
  llvm::ArrayRef<FindMiscompiled> lookup(mlir::Operation *step) const {
    auto found = known.find(step->getName().getStringRef());
    if (found == known.end())
      return {};
    return found->second;
  }

private:
  llvm::StringMap<llvm::SmallVector<FindMiscompiled, 2>> known;
};

void addMiscompiledBodies(MiscompilationRegistry &registry);
void addMiscompiledLoops(MiscompilationRegistry &registry);
void addMiscompiledRewrites(MiscompilationRegistry &registry);
void addMiscompiledTiles(MiscompilationRegistry &registry);

/// Warns if `step`, from the state in front of it, changes what one of its
/// targets computes (fw-step-miscompiles). Cost: constant for most steps, and a
/// copy of each target for those that look at what is made of it.
void warnOfMiscompilation(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MISCOMPILATIONS_H
