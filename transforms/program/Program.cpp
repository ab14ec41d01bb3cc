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
                                   StringRef entry,
                                   const KernelImages &images) {
  FailureOr<EntryPoint> entryPoint = inferEntryPoint(payload, lowered, entry);
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
  std::optional<double> flops =
      countFlops(payload.lookupSymbol<func::FuncOp>(entryPoint->name));
  return Program{std::move(*entryPoint), std::move(*host),
                 std::move(*reference), flops};
}
