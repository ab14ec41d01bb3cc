//===- FileAccess.cpp - Steps that reach beyond the payload -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/FileAccess.h"

#include "embedded/harmlessPasses.h"
#include "engine/AnyBelow.h"
#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

/// Whether `pass` stands in harmless-passes.txt: the passes of LLVM 22 and of
/// Formwork without an option that names a file, a program, or another pass.
static bool isHarmless(StringRef pass) {
  static const llvm::StringSet<> passes = [] {
    llvm::StringSet<> names;
    names.insert_range(
        llvm::split(formwork::embedded::harmlessPasses.trim(), '\n'));
    return names;
  }();
  return passes.contains(pass);
}

namespace {
/// A pass with harmless and other options; `options` lists the harmless ones.
/// `decider`, if not empty, is an option whose default value lets the pass run
/// the programs of a toolkit; with one of `values` it does not.
struct MixedPass {
  StringLiteral name;
  ArrayRef<StringLiteral> options;
  StringLiteral decider = "";
  ArrayRef<StringLiteral> values = {};
};
} // namespace

static constexpr StringLiteral kInline[] = {"inlining-threshold",
                                            "max-iterations"};
static constexpr StringLiteral kAttachTarget[] = {
    "O",   "chip",   "fast",   "features",
    "ftz", "module", "triple", "verify-target-arch"};
static constexpr StringLiteral kToBinary[] = {"format", "section"};
static constexpr StringLiteral kLowerToNVVM[] = {
    "allow-pattern-rollback",
    "cubin-chip",
    "cubin-features",
    "cubin-format",
    "cubin-triple",
    "host-bare-ptr-calling-convention",
    "index-bitwidth",
    "kernel-bare-ptr-calling-convention",
    "opt-level"};

/// The formats of code for which no assembler is run.
static constexpr StringLiteral kText[] = {"assembly", "isa", "llvm",
                                          "offloading"};

static constexpr MixedPass kMixed[] = {
    {"gpu-lower-to-nvvm-pipeline", kLowerToNVVM, "cubin-format", kText},
    {"gpu-module-to-binary", kToBinary, "format", kText},
    {"inline", kInline},
    {"nvvm-attach-target", kAttachTarget},
};

/// The part of `step` that is not known to be harmless, if any.
static std::optional<std::string>
findUnknown(transform::ApplyRegisteredPassOp step) {
  StringRef pass = step.getPassName();
  if (isHarmless(pass))
    return std::nullopt;
  const auto *mixed = llvm::find_if(
      kMixed, [&](const MixedPass &known) { return known.name == pass; });
  if (mixed == std::end(kMixed))
    return "the pass '" + pass.str() + "'";
  for (NamedAttribute option : step.getOptions())
    if (!llvm::is_contained(mixed->options, option.getName().strref()))
      return "the option '" + option.getName().str() + "' of the pass '" +
             pass.str() + "'";
  if (mixed->decider.empty())
    return std::nullopt;
  // A parameter may hold any value.
  auto value = step.getOptions().getAs<StringAttr>(mixed->decider);
  if (value && llvm::is_contained(mixed->values, value.getValue()))
    return std::nullopt;
  return "the pass '" + pass.str() + "' with another '" + mixed->decider.str() +
         "' than " + llvm::join(mixed->values, ", ");
}

LogicalResult formwork::engine::checkFileAccess(Operation *schedule) {
  Findings findings;
  schedule->walk([&](transform::ApplyRegisteredPassOp step) {
    if (std::optional<std::string> unknown = findUnknown(step))
      findings
          .add(Finding(step.getLoc(), "fw-file-access",
                       "requires passes and options that are known to open no "
                       "file and to run no program but has " +
                           *unknown))
          .note(NoteKind::FixIt, step.getLoc(),
                "if you trust the schedule, run it with --allow-file-access");
  });
  bool isRefused = findings.hasErrors();
  findings.emit();
  return failure(isRefused);
}

bool formwork::engine::isKnownHarmless(Operation *schedule) {
  return !engine::anyBelow(schedule, [](transform::ApplyRegisteredPassOp step) {
    return findUnknown(step).has_value();
  });
}
