//===- ModelRegistry.h - The models of steps, by name -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contract names a model where clauses do not suffice: a free function that
// takes the analysis across one step. The registry maps the name to it, and
// tells what it decides and what it leaves open. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_MODELREGISTRY_H
#define FORMWORK_VERIFIER_STEP_MODELREGISTRY_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <initializer_list>

namespace formwork::verifier {

class Walker;
class Step;

/// The ids of the findings that a model reports. Ids that every step may
/// report, fw-kind-mismatch among them, are not listed.
struct decides : llvm::SmallVector<llvm::StringRef, 4> {
  decides(std::initializer_list<llvm::StringRef> ids) : SmallVector(ids) {}
};

/// The ways to fail that a model does not decide, whatever is known of the
/// payload: the reasons that it gives for a step that is not proved.
struct leavesOpen : llvm::SmallVector<llvm::StringRef, 1> {
  leavesOpen(std::initializer_list<llvm::StringRef> reasons)
      : SmallVector(reasons) {}
};

/// A model of an op without regions, or of one whose regions are not walked.
using StepModel = void (*)(const Step &step);
/// A model of an op whose body, or whose callee, the interpreter walks.
using ControlModel = void (*)(const Step &step, Walker &walk);

struct Model {
  /// Exactly one of the two is set.
  StepModel apply = nullptr;
  ControlModel walk = nullptr;
  decides ids = {};
  leavesOpen reasons = {};
  /// It turns what the step requires of open parameters into constraints.
  bool derivesConstraints = false;
  /// The payload model has only the kinds of what it makes. A step behind it
  /// that is not decided is tried, as it is itself.
  bool isTriedFromHere = false;

  /// Whether it says that it reports `id`, or every model may.
  bool isDeclared(llvm::StringRef id) const {
    return id == "fw-kind-mismatch" || llvm::is_contained(ids, id);
  }
};

inline Model makeModel(StepModel apply, decides ids, leavesOpen reasons) {
  return {apply, nullptr, std::move(ids), std::move(reasons)};
}
inline Model makeModel(ControlModel walk, decides ids, leavesOpen reasons) {
  return {nullptr, walk, std::move(ids), std::move(reasons)};
}

class ModelRegistry {
public:
  /// Each name is added once; names are literals.
  template <typename Function>
  Model &add(llvm::StringRef name, Function model, decides ids = {},
             leavesOpen reasons = {}) {
    return models[name] = makeModel(model, std::move(ids), std::move(reasons));
  }
  template <typename Function>
  Model &add(llvm::StringRef name, Function model, leavesOpen reasons) {
    return add(name, model, {}, std::move(reasons));
  }

  /// Null for a name that no model has.
  const Model *lookup(llvm::StringRef name) const {
    auto found = models.find(name);
    return found == models.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Model> models;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_MODELREGISTRY_H
