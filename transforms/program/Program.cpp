//===- Program.cpp - A compiled schedule as a program -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Program.h"

#include "transforms/program/Flops.h"
#include "transforms/program/Reference.h"
#include "transforms/program/Tolerance.h"

using namespace mlir;
using namespace formwork::transforms;

FailureOr<Program>
formwork::transforms::buildProgram(ModuleOp payload, ModuleOp lowered,
                                   StringRef entry, const KernelImages &images,
                                   bool takesOpenSizes) {
  std::optional<int64_t> openSize;
  if (takesOpenSizes)
    openSize = ShapedType::kDynamic;
  FailureOr<EntryPoint> entryPoint =
      inferEntryPoint(payload, lowered, entry, openSize);
  if (failed(entryPoint))
    return failure();
  setLeastTolerances(*entryPoint, payload, lowered);
  FailureOr<OwningOpRef<ModuleOp>> host =
      lowerHost(lowered, entryPoint->name, images);
  if (failed(host))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> reference =
      lowerReference(payload, entryPoint->name);
  if (failed(reference))
    return failure();
  OwningOpRef<ModuleOp> shapes;
  if (llvm::any_of(entryPoint->parameters, [](const EntryParameter &parameter) {
        return parameter.role == FwRoleOutput && parameter.hasOpenSize();
      })) {
    FailureOr<OwningOpRef<ModuleOp>> lowered =
        lowerShapes(payload, entryPoint->name);
    if (failed(lowered))
      return failure();
    shapes = std::move(*lowered);
  }
  std::optional<double> flops =
      countFlops(payload.lookupSymbol<func::FuncOp>(entryPoint->name));
  return Program{std::move(*entryPoint),        std::move(*host),
                 std::move(*reference),         std::move(shapes),
                 getKernelAssumptions(lowered), flops};
}
