//===- OwnModels.h - Models of operations of others -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool or a plugin that adds a transform operation may add a model of it. A
// contract of `--contracts` names the model, as a built-in contract names one
// of Formwork's; docs/extending.md has an example. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_OWNMODELS_H
#define FORMWORK_VERIFIER_MODELS_OWNMODELS_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/IR/ModelNames.h"
#include "verifier/step/ModelRegistry.h"
#include "verifier/step/Step.h"

#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace formwork::verifier {

/// Differs between versions of what a model and its host share.
inline constexpr uint64_t modelLayout = [] {
  uint64_t sum = 0;
  for (uint64_t size :
       {sizeof(Model), sizeof(Step), sizeof(Analysis), sizeof(State),
        sizeof(PayloadModel), sizeof(Node), sizeof(HandleState),
        sizeof(LoopFacts), sizeof(IterationSpace), sizeof(Extent),
        sizeof(normalforms::Contract), sizeof(engine::Finding)})
    sum = sum * 1000003 + size;
  return sum;
}();

/// The models that were registered in one context.
class OwnModels : public normalforms::ModelNames {
public:
  using ModelNames::ModelNames;

  /// Adds the model `name` of the transform op `Op`. `apply` may cast the op of
  /// its step to `Op`. The ids are among those of Formwork; where none fits,
  /// "fw-step-fails" does. The process ends if Formwork, or another op, has a
  /// model of that name.
  template <typename Op, typename Function>
  Model &add(llvm::StringRef name, Function apply, decides ids = {},
             leavesOpen reasons = {}) {
    return addFor(Op::getOperationName(), name) =
               makeModel(apply, std::move(ids), std::move(reasons));
  }
  template <typename Op, typename Function>
  Model &add(llvm::StringRef name, Function apply, leavesOpen reasons) {
    return add<Op>(name, apply, {}, std::move(reasons));
  }

  /// The models of `context`; null where there are none.
  static const OwnModels *get(mlir::MLIRContext *context);
  /// The model `name`; null without one.
  const Model *lookup(llvm::StringRef name) const;
  llvm::StringRef lookupName(llvm::StringRef opName) const override;

private:
  Model &addFor(llvm::StringRef opName, llvm::StringRef name);

  llvm::StringMap<Model> models;
  /// By the name of the op.
  llvm::StringMap<std::string> names;
};

/// Calls `add` with the models of each context of `registry`. A plugin calls
/// this where it registers its operations, and leaves `layout` out: the process
/// ends if the tool was compiled against other headers than the plugin.
void registerModels(mlir::DialectRegistry &registry, void (*add)(OwnModels &),
                    uint64_t layout = modelLayout);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_OWNMODELS_H
