//===- HandlesTest.cpp - Handles follow normalization -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what `transform.normalform.normalize` says of handles that are used
// later with what the handles hold afterwards.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "normalforms/Establish.h"

#include "mlir/Dialect/Transform/DebugExtension/DebugExtension.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

#include <map>
#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

/// The remarks while a schedule ran, about the handle defined in each line.
struct Transcript {
  std::map<unsigned, std::set<std::string>> remarks;
  std::map<unsigned, unsigned> counts; ///< from "hN" with the count as value
  std::string errors;
};

class HandlesTest : public PropertyTest {
protected:
  static std::string getId(StringRef message) {
    size_t open = message.rfind('[');
    return open == StringRef::npos
               ? ""
               : message.drop_front(open + 1).drop_back().str();
  }

  LogicalResult run(ModuleOp module, StringRef text, Transcript &transcript) {
    OwningOpRef<ModuleOp> schedule =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!schedule)
      return failure();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      std::string message = diag.str();
      if (diag.getSeverity() == DiagnosticSeverity::Error) {
        transcript.errors += message + "\n";
        for (Diagnostic &note : diag.getNotes())
          transcript.errors += "  " + note.str() + "\n";
      } else if (auto line =
                     diag.getLocation()->findInstanceOf<FileLineColLoc>();
                 line && StringRef(message).starts_with("held")) {
        // "held N : i64", at the line of the count.
        unsigned count;
        if (!StringRef(message).drop_front(5).consumeInteger(10, count))
          transcript.counts[line.getLine()] = count;
      } else {
        for (Diagnostic &note : diag.getNotes())
          if (note.str() == "the handle is defined here")
            if (auto at = note.getLocation()->findInstanceOf<FileLineColLoc>())
              transcript.remarks[at.getLine()].insert(getId(message));
      }
      return success();
    });
    return transform::applyTransformNamedSequence(
        module,
        schedule->lookupSymbol<transform::NamedSequenceOp>("__transform_main"),
        *schedule, transform::TransformOptions());
  }
};

TEST_F(HandlesTest, WhatHappenedToHandlesIsSaid) {
  const FormLibrary &library = getLibrary();
  std::map<std::string, unsigned> said;
  unsigned lost = 0;
  forPayloads(200, [&](ModuleOp module) -> std::optional<std::string> {
    std::mt19937_64 random = getRandom(current);
    const Form &form = library.getForms()[random() % library.getForms().size()];
    if (!form.automatic || !form.hasDriver())
      return std::nullopt;

    // One handle for each kind of op, each in a line of its own.
    std::map<std::string, unsigned> before;
    module->walk([&](Operation *op) {
      if (op->getParentOp() && op->getParentOp() != module)
        ++before[op->getName().getStringRef().str()];
    });
    std::string text =
        "module attributes {transform.with_named_sequence} {\n"
        "transform.named_sequence @__transform_main("
        "%root: !transform.any_op) {\n"
        "%f = transform.structured.match ops{[\"func.func\"]} in %root : "
        "(!transform.any_op) -> !transform.any_op\n";
    constexpr unsigned firstLine = 4;
    std::vector<std::string> names;
    for (const auto &[name, count] : before) {
      text +=
          llvm::formatv("%h{0} = transform.structured.match ops{{[\"{1}\"]} "
                        "in %root : (!transform.any_op) -> "
                        "!transform.any_op\n",
                        names.size(), name);
      names.push_back(name);
    }
    text += "transform.normalform.normalize %f to @" + form.name +
            " : !transform.any_op\n";
    unsigned countLine = firstLine + names.size() + 1;
    for (size_t i = 0; i < names.size(); ++i)
      text += llvm::formatv(
          "%n{0} = transform.num_associations %h{0} : (!transform.any_op) -> "
          "!transform.param<i64> "
          "transform.debug.emit_param_as_remark %n{0}, \"held\" : "
          "!transform.param<i64> "
          "transform.annotate %h{0} \"handle{0}\" : !transform.any_op\n",
          i);
    text += "transform.yield\n}\n}\n";

    Transcript transcript;
    if (failed(run(module, text, transcript))) {
      if (StringRef(transcript.errors).contains("[fw-handle-lost]")) {
        ++lost;
        return std::nullopt;
      }
      if (StringRef(transcript.errors).contains("[fw-form-not-reached]"))
        return std::nullopt;
      return "@" + form.name + " failed: " + transcript.errors;
    }
    for (auto [i, name] : llvm::enumerate(names)) {
      std::string annotation = "handle" + std::to_string(i);
      unsigned distinct = 0;
      std::string other;
      module->walk([&](Operation *op) {
        if (!op->hasAttr(annotation))
          return;
        ++distinct;
        if (op->getName().getStringRef() != name)
          other = op->getName().getStringRef().str();
      });
      unsigned after = transcript.counts[countLine + i];
      const std::set<std::string> &ids = transcript.remarks[firstLine + i];
      for (const std::string &id : ids)
        ++said[id];
      auto wrong = [&](const Twine &what) {
        return ("@" + form.name + ": handle of '" + name + "' (" +
                Twine(before[name]) + " ops, then " + Twine(after) + ", " +
                Twine(distinct) + " distinct) " + what)
            .str();
      };
      // Only a constant may stand for an op of another kind.
      if (!other.empty() &&
          (!StringRef(other).ends_with("constant") || ids.empty()))
        return wrong("holds '" + other + "'");
      if (after > before[name])
        return wrong("has grown");
      if ((after < before[name]) != ids.count("fw-handle-shrunk"))
        return wrong("shrank silently, or is said to have shrunk");
      if (after == before[name] &&
          (distinct < after) != ids.count("fw-handle-duplicated"))
        return wrong("holds an op twice silently, or is said to do so");
    }
    return std::nullopt;
  });
  EXPECT_GT(said["fw-handle-shrunk"], 20u);
  EXPECT_GT(said["fw-handle-duplicated"] + said["fw-handle-retargeted"], 5u);
  EXPECT_GT(lost, 5u);
}

} // namespace
