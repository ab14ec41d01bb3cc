//===- FormworkTransformOps.cpp - Registers the decision ops --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

/// `swizzle` alone is the choice 1.
static ParseResult
parseSwizzle(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &choice,
             DenseI64ArrayAttr &staticChoice) {
  if (succeeded(parser.parseOptionalEqual()))
    return parseDynamicIndexList(parser, choice, staticChoice);
  staticChoice = parser.getBuilder().getDenseI64ArrayAttr({1});
  return success();
}

static void printSwizzle(OpAsmPrinter &printer, Operation *op,
                         OperandRange choice, DenseI64ArrayAttr staticChoice) {
  if (choice.empty() && staticChoice.asArrayRef() == ArrayRef<int64_t>{1})
    return;
  printer << " = ";
  printDynamicIndexList(printer, op, choice, staticChoice.asArrayRef());
}

#define GET_OP_CLASSES
#include "transforms/TransformOps/FormworkTransformOps.cpp.inc"

namespace {
class DecisionExtension
    : public transform::TransformDialectExtension<DecisionExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecisionExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<LLVM::LLVMDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<nvgpu::NVGPUDialect>();
    declareGeneratedDialect<NVVM::NVVMDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "transforms/TransformOps/FormworkTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void formwork::transforms::registerDecisions(DialectRegistry &registry) {
  registry.addExtensions<DecisionExtension>();
}
