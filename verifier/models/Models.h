//===- Models.h - All models of steps ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the functions that register models, one a file of models. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_MODELS_H
#define FORMWORK_VERIFIER_MODELS_MODELS_H

#include "normalforms/Coverage.h"
#include "verifier/step/ModelRegistry.h"

namespace formwork::verifier {

/// The models of Formwork. Thread-safe.
const ModelRegistry &getModels();
/// The model `name`, of Formwork or registered in `context`; null without one.
const Model *findModel(llvm::StringRef name, mlir::MLIRContext *context);
/// The claims of that model about itself; empty without one.
normalforms::ModelClaims getModelClaims(llvm::StringRef name,
                                        mlir::MLIRContext *context);

#define FORMWORK_MODELS(FILE)                                                  \
  void register##FILE##Models(ModelRegistry &models);
#include "verifier/models/Models.def"

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MODELS_H
