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
#include "verifier/models/gpu/DynamicMemory.h"

using namespace formwork;
using namespace formwork::verifier;

const ModelRegistry &formwork::verifier::getModels() {
  static const ModelRegistry registry = [] {
    ModelRegistry models;
    registerAllocationModels(models);
    registerAnnotationModels(models);
    registerAssertionsModels(models);
    registerBufferizationModels(models);
    registerContractOnTensorCoresModels(models);
    registerControlModels(models);
    registerCopiesModels(models);
    registerDeadBuffersModels(models);
    registerDecompositionModels(models);
    registerUnfoldingModels(models);
    registerDistributeVectorsModels(models);
    registerForeachModels(models);
    registerForeachMatchModels(models);
    registerFunctionsModels(models);
    registerFusionModels(models);
    registerGroupsModels(models);
    registerHandlesModels(models);
    registerLoopsModels(models);
    registerMapBlocksModels(models);
    registerMapCopyModels(models);
    registerMapDynamicBlocksModels(models);
    registerMapThreadsModels(models);
    registerMatchersModels(models);
    registerMatchingModels(models);
    registerNormalizationModels(models);
    registerOperandsModels(models);
    registerPackingModels(models);
    registerPaddingModels(models);
    registerParametersModels(models);
    registerParentsModels(models);
    registerPassesModels(models);
    registerPipelineCopiesModels(models);
    registerProducersModels(models);
    registerPromotionModels(models);
    registerQueriesModels(models);
    registerOnlineSoftmaxModels(models);
    registerReductionsModels(models);
    registerTileReductionModels(models);
    registerRephrasingModels(models);
    registerReplacementModels(models);
    registerRewritingModels(models);
    registerScalarLoopsModels(models);
    registerStageModels(models);
    registerDynamicMemoryModels(models);
    registerStepsModels(models);
    registerStructuredModels(models);
    registerTensorCoresModels(models);
    registerTileAndFuseModels(models);
    registerTileForModels(models);
    registerTileForallModels(models);
    registerTuneAlternativesModels(models);
    registerVectorizationModels(models);
    registerVectorizeTilesModels(models);
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
