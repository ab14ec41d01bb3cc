//===- Flops.cpp - The arithmetic of a payload, counted ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Flops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;

std::optional<double> formwork::transforms::countFlops(func::FuncOp entry) {
  double flops = 0;
  if (!entry.getBody().hasOneBlock())
    return std::nullopt;
  for (Operation &op : entry.getBody().front()) {
    if (isa<linalg::FillOp, linalg::CopyOp>(op))
      continue;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured) {
      if (op.getNumRegions() != 0 || isa<CallOpInterface>(op))
        return std::nullopt;
      continue;
    }
    if (!linalg::isaContractionOpInterface(structured))
      return std::nullopt;
    double iterations = 1;
    for (int64_t extent : structured.getStaticLoopRanges()) {
      if (ShapedType::isDynamic(extent))
        return std::nullopt;
      iterations *= static_cast<double>(extent);
    }
    flops += 2 * iterations;
  }
  if (flops == 0)
    return std::nullopt;
  return flops;
}
