//===- Models.cpp - All models of steps -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls the functions that register models. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Models.h"
#include "verifier/models/OwnModels.h"

using namespace formwork;
using namespace formwork::verifier;

const ModelRegistry &formwork::verifier::getModels() {
  static const ModelRegistry registry = [] {
    ModelRegistry models;
#define FORMWORK_MODELS(FILE) register##FILE##Models(models);
#include "verifier/models/Models.def"
    return models;
  }();
  return registry;
}

const Model *formwork::verifier::findModel(llvm::StringRef name,
                                           mlir::MLIRContext *context) {
  if (const Model *model = getModels().lookup(name))
    return model;
  const OwnModels *own = OwnModels::get(context);
  return own ? own->lookup(name) : nullptr;
}

normalforms::ModelClaims
formwork::verifier::getModelClaims(llvm::StringRef name,
                                   mlir::MLIRContext *context) {
  if (const Model *model = findModel(name, context))
    return {model->ids, model->reasons};
  return {};
}
