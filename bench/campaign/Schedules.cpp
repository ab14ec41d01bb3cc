//===- Schedules.cpp - Schedules of a campaign ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Schedules.h"

#include "bench/campaign/StepWriter.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace formwork;
using namespace formwork::campaign;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr StringLiteral anyOp = "!transform.any_op";

void Vocabulary::read(mlir::ModuleOp payload) {
  payload.walk([&](mlir::Operation *op) {
    payloadOps.push_back(op->getName().getStringRef().str());
    if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op))
      functions.push_back({function.getName().str(), function.getNumArguments(),
                           function.getNumResults()});
  });
  llvm::sort(payloadOps);
  payloadOps.erase(llvm::unique(payloadOps), payloadOps.end());
}

/// The handles to ops that `step` declares, where it says so in one word.
static void addResults(StringRef step, StepWriter &writer) {
  auto [names, rest] = step.split(" = ");
  if (!names.starts_with("%") || rest.empty() ||
      !step.trim().ends_with(anyOp) || names.contains(','))
    return;
  if (!names.contains(':'))
    writer.add(names, rest.contains("structured.match") ? "t" : "any");
}

namespace {
/// The sequence around the steps of a schedule.
struct Surroundings {
  static Surroundings draw(Random &random) {
    Surroundings drawn;
    drawn.type = anyOp.str();
    if (random.chance(0.01))
      drawn.type = random.chance(0.6) ? "!transform.op<\"builtin.module\">"
                                      : "!transform.op<\"func.func\">";
    drawn.access =
        random.chance(0.9) ? " {transform.consumed}" : " {transform.readonly}";
    if (random.chance(0.04))
      drawn.mode = random.chance(0.6) ? "propagate" : "suppress";
    return drawn;
  }

  /// A module of `steps` and the sequences of `library`.
  std::string wrap(StringRef steps, StringRef library) const {
    std::string body = replaceAll(steps, "!any", anyOp);
    std::string head = "module attributes {transform.with_named_sequence} {\n" +
                       replaceAll(library, "!any", anyOp);
    if (!mode.empty()) {
      head += "transform.named_sequence @part(%module: " + anyOp.str() +
              access + ") {\n" + body + "transform.yield\n}\n";
      body = "transform.include @part failures(" + mode + ") (%module) : (" +
             anyOp.str() + ") -> ()\n";
    }
    std::string argument = "%module";
    if (type != anyOp) {
      argument = "%root";
      body = "%module = transform.cast %root : " + type + " to " + anyOp.str() +
             "\n" + body;
    }
    return head + "transform.named_sequence @__transform_main(" + argument +
           ": " + type + access + ") {\n" + body + "transform.yield\n}\n}\n";
  }

  std::string type, access;
  /// Of failures of an include of the steps; none if it is empty.
  std::string mode;
};
} // namespace

std::string
formwork::campaign::writeSchedule(llvm::ArrayRef<std::string> steps,
                                  unsigned length, const Vocabulary &vocabulary,
                                  Random &random,
                                  llvm::function_ref<bool(StringRef)> accepts) {
  unsigned next = 0;
  std::string library;
  StepWriter writer(vocabulary, random, next, library);
  writer.setRoot("%module", "module");
  auto query = [&] {
    if (random.chance(0.1))
      writer.write(0, 0);
  };
  for (unsigned i = random.chance(0.25) ? random.between(1, 2) : 0; i > 0; --i)
    writer.watch();
  for (const std::string &step : steps) {
    query();
    writer.text += step + "\n";
    addResults(step, writer);
  }
  auto finish = [&, surroundings = std::optional<Surroundings>()]() mutable {
    if (!surroundings)
      surroundings = Surroundings::draw(random);
    return surroundings->wrap(writer.text, library);
  };
  if (accepts) {
    writer.grow(length, [&] { return accepts(finish()); });
    // A refused step is told apart behind steps that are proved.
    length = random.chance(0.25) ? 1 : 0;
  }
  if (!accepts || length > 0)
    writer.write(length, 0);
  writer.useWatched();
  return finish();
}
