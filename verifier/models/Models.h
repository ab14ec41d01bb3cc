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

void registerAllocationModels(ModelRegistry &models);
void registerAnnotationModels(ModelRegistry &models);
void registerAssertionsModels(ModelRegistry &models);
void registerBufferizationModels(ModelRegistry &models);
void registerContractOnTensorCoresModels(ModelRegistry &models);
void registerControlModels(ModelRegistry &models);
void registerCopiesModels(ModelRegistry &models);
void registerDeadBuffersModels(ModelRegistry &models);
void registerDecompositionModels(ModelRegistry &models);
void registerUnfoldingModels(ModelRegistry &models);
void registerDistributeVectorsModels(ModelRegistry &models);
void registerForeachModels(ModelRegistry &models);
void registerForeachMatchModels(ModelRegistry &models);
void registerFunctionsModels(ModelRegistry &models);
void registerFusionModels(ModelRegistry &models);
void registerGroupsModels(ModelRegistry &models);
void registerHandlesModels(ModelRegistry &models);
void registerLoopsModels(ModelRegistry &models);
void registerMapBlocksModels(ModelRegistry &models);
void registerMapCopyModels(ModelRegistry &models);
void registerMapDynamicBlocksModels(ModelRegistry &models);
void registerMapThreadsModels(ModelRegistry &models);
void registerMatchersModels(ModelRegistry &models);
void registerMatchingModels(ModelRegistry &models);
void registerNormalizationModels(ModelRegistry &models);
void registerOperandsModels(ModelRegistry &models);
void registerPackingModels(ModelRegistry &models);
void registerPaddingModels(ModelRegistry &models);
void registerParametersModels(ModelRegistry &models);
void registerParentsModels(ModelRegistry &models);
void registerPassesModels(ModelRegistry &models);
void registerPipelineCopiesModels(ModelRegistry &models);
void registerProducersModels(ModelRegistry &models);
void registerPromotionModels(ModelRegistry &models);
void registerQueriesModels(ModelRegistry &models);
void registerOnlineSoftmaxModels(ModelRegistry &models);
void registerReductionsModels(ModelRegistry &models);
void registerTileReductionModels(ModelRegistry &models);
void registerRephrasingModels(ModelRegistry &models);
void registerReplacementModels(ModelRegistry &models);
void registerRewritingModels(ModelRegistry &models);
void registerScalarLoopsModels(ModelRegistry &models);
void registerStageModels(ModelRegistry &models);
void registerStepsModels(ModelRegistry &models);
void registerStructuredModels(ModelRegistry &models);
void registerTensorCoresModels(ModelRegistry &models);
void registerTileAndFuseModels(ModelRegistry &models);
void registerTileForModels(ModelRegistry &models);
void registerTileForallModels(ModelRegistry &models);
void registerTuneAlternativesModels(ModelRegistry &models);
void registerVectorizationModels(ModelRegistry &models);
void registerVectorizeTilesModels(ModelRegistry &models);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MODELS_H
