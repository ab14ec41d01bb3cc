//===- PassInput.cpp - The input of a pass over a schedule ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/check/PassInput.h"

#include "normalforms/LibraryFiles.h"

using namespace mlir;
using namespace formwork::transforms;

LogicalResult PassLibraries::install(MLIRContext *context,
                                     const SchedulePassOptions &options) {
  // A plugin that a host loads for its passes alone brings no dialects.
  if (!context->getLoadedDialect("normalform") &&
      !context->getDialectRegistry().getDialectAllocator("normalform"))
    return emitError(UnknownLoc::get(context),
                     "requires Formwork's dialects but the tool has its passes "
                     "alone; give the plugin with --load-dialect-plugin, too");
  if (!options.target.empty() && !verifier::lookupTarget(options.target)) {
    InFlightDiagnostic error = emitError(UnknownLoc::get(context))
                               << "unknown target '" << options.target
                               << "'; one of";
    for (const verifier::Target &target : verifier::getTargets())
      error << " " << target.name;
    return failure();
  }
  return normalforms::addFormFiles(context, options.forms);
}

FailureOr<PassLibraries>
PassLibraries::load(MLIRContext *context, const SchedulePassOptions &options) {
  SmallVector<std::string> files;
  if (const auto *known = normalforms::LibraryFiles::lookup(context))
    files.assign(known->contracts.begin(), known->contracts.end());
  for (const std::string &file : options.contracts)
    if (!llvm::is_contained(files, file))
      files.push_back(file);
  FailureOr<normalforms::Libraries> loaded =
      normalforms::Libraries::load(context, /*formFiles=*/{}, files);
  if (failed(loaded))
    return failure();
  PassLibraries libraries{*loaded};
  if (!options.target.empty())
    libraries.target = verifier::lookupTarget(options.target);
  return libraries;
}

FailureOr<PassInput> PassInput::create(ModuleOp module,
                                       const SchedulePassOptions &options) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(mapping)));
  ScheduleSource source;
  source.entryPoint = options.entryPoint;
  source.libraries = options.libraries;
  FailureOr<ScheduleInput> input =
      takeScheduleInput(std::move(copy), std::move(source));
  if (failed(input))
    return failure();
  PassInput result;
  result.input = std::move(*input);
  for (auto [from, to] : mapping.getOperationMap())
    result.operations[to] = from;
  for (auto [from, to] : mapping.getValueMap())
    result.values[to] = from;
  return result;
}
