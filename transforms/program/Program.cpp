//===- Program.cpp - A compiled schedule as a program -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Program.h"

#include "engine/AnyBelow.h"
#include "transforms/program/Flops.h"
#include "transforms/program/Reference.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace formwork::transforms;

/// See Program::leastTolerance.
static double findLeastTolerance(ModuleOp lowered) {
  bool roundsToTF32 = formwork::engine::anyBelow(lowered, [](Operation *op) {
    return llvm::any_of(op->getAttrDictionary(), [](NamedAttribute attribute) {
      auto type = dyn_cast<NVVM::MMATypesAttr>(attribute.getValue());
      return type && type.getValue() == NVVM::MMATypes::tf32;
    });
  });
  return roundsToTF32 ? 1.0 / 256 : 0;
}

FailureOr<Program>
formwork::transforms::buildProgram(ModuleOp payload, ModuleOp lowered,
                                   StringRef entry,
                                   const KernelImages &images) {
  FailureOr<EntryPoint> entryPoint = inferEntryPoint(payload, lowered, entry);
  if (failed(entryPoint))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> host =
      lowerHost(lowered, entryPoint->name, images);
  if (failed(host))
    return failure();
  FailureOr<OwningOpRef<ModuleOp>> reference =
      lowerReference(payload, entryPoint->name);
  if (failed(reference))
    return failure();
  std::optional<double> flops =
      countFlops(payload.lookupSymbol<func::FuncOp>(entryPoint->name));
  return Program{std::move(*entryPoint), std::move(*host),
                 std::move(*reference), flops, findLeastTolerance(lowered)};
}
