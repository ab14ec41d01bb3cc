//===- ScheduleGenerator.cpp - Seeded schedules over payload --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleGenerator.h"

#include "test/lib/schedules/SchedulePayload.h"
#include "test/lib/schedules/ScheduleWriter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork::testing;

std::string ScheduleText::print(bool consumesRoot) const {
  std::string text = "module attributes {transform.with_named_sequence} {" +
                     getSharedSequences().str() +
                     "  transform.named_sequence @__transform_main(%module: "
                     "!transform.any_op {transform.";
  text += consumesRoot ? "consumed}) {\n" : "readonly}) {\n";
  for (const std::string &step : steps)
    text += "    " + step + "\n";
  return text + "    transform.yield\n  }\n}\n";
}

OwningOpRef<ModuleOp>
formwork::testing::parseSchedule(MLIRContext *context,
                                 const ScheduleText &text) {
  // A verifier that warns would be run to print the warning, without end.
  context->printOpOnDiagnostic(false);
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  for (bool consumesRoot : {false, true})
    if (auto module = parseSourceString<ModuleOp>(text.print(consumesRoot),
                                                  ParserConfig(context)))
      return module;
  return nullptr;
}

GeneratedPair formwork::testing::generatePair(MLIRContext *context,
                                              uint64_t seed) {
  // Text that does not parse is thrown away; the next stream is tried.
  for (uint64_t stream = 0;; ++stream) {
    Random random = Random::forStream(seed, stream);
    GeneratedPair pair;
    pair.payload = makeSchedulePayload(context, random);
    pair.text = ScheduleWriter(*pair.payload, random).write();
    pair.schedule = parseSchedule(context, pair.text);
    if (!pair.schedule)
      continue;
    pair.entry = pair.schedule->lookupSymbol<transform::NamedSequenceOp>(
        transform::TransformDialect::kTransformEntryPointSymbolName);
    return pair;
  }
}
