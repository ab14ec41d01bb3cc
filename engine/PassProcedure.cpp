//===- PassProcedure.cpp - Registered passes as procedures ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/PassProcedure.h"

#include "engine/ContextClone.h"
#include "engine/Fingerprint.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace formwork::engine;

FailureOr<bool> formwork::engine::runOnClone(
    RewriterBase &rewriter, Operation *anchor,
    llvm::function_ref<LogicalResult(Operation *)> body) {
  Fingerprinter fingerprinter;
  ContextClone clone(anchor);
  if (failed(body(clone.getAnchor())))
    return failure();
  if (fingerprinter.ofBody(clone.getAnchor()) == fingerprinter.ofBody(anchor))
    return false;
  replaceBody(rewriter, anchor, clone.getAnchor());
  return true;
}

/// Passes that rewrite only below their op, treat all nested scopes alike, and
/// make no choices that belong to the author. Add others only after reading
/// them.
static bool isEligiblePass(StringRef name) {
  static constexpr StringLiteral eligible[] = {
      "affine-loop-normalize",
      "affine-raise-from-memref",
      "affine-scalrep",
      "affine-simplify-structures",
      "arith-expand",
      "arith-int-range-narrowing",
      "arith-unsigned-when-equivalent",
      "canonicalize",
      "control-flow-sink",
      "cse",
      "expand-strided-metadata",
      "fold-memref-alias-ops",
      "gpu-launch-sink-index-computations",
      "int-range-optimizations",
      "linalg-fold-into-elementwise",
      "linalg-fold-unit-extent-dims",
      "loop-invariant-code-motion",
      "loop-invariant-subset-hoisting",
      "lower-affine",
      "math-uplift-to-fma",
      "mem2reg",
      "memref-expand",
      "optimize-allocation-liveness",
      "resolve-ranked-shaped-type-result-dims",
      "resolve-shaped-type-result-dims",
      "sccp",
      "scf-for-loop-canonicalization",
      "sroa"};
  return llvm::is_contained(eligible, name);
}

std::optional<UpstreamPass> formwork::engine::readUpstreamPass(StringRef name) {
  if (!name.consume_front("pass:"))
    return std::nullopt;
  OpPassManager probe;
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  if (failed(parsePassPipeline(name, probe, os)) || probe.size() != 1)
    return std::nullopt;
  UpstreamPass pass;
  pass.anchor = probe.begin()->getOpName().value_or("").str();
  auto [plain, options] = name.split('{');
  pass.name = plain.trim().str();
  options.consume_back("}");
  if (options.find_first_of("{}\"'\\") != StringRef::npos)
    return std::nullopt;
  for (StringRef option : llvm::split(options, ' ')) {
    auto [key, value] = option.split('=');
    if (value.empty() && !key.empty())
      return std::nullopt;
    if (!key.empty())
      pass.options.push_back({key.str(), value.str()});
  }
  return pass;
}

std::optional<Procedure>
formwork::engine::lookupPassProcedure(StringRef pipeline, bool isVouched,
                                      std::string &why) {
  StringRef name = pipeline.take_until([](char c) { return c == '{'; });
  if (!PassInfo::lookup(name)) {
    why = ("no pass is registered under the name '" + name + "'").str();
    return std::nullopt;
  }
  if (!isVouched && !isEligiblePass(name)) {
    why = ("pass '" + name +
           "' may change more than what is inside its anchor; where you know "
           "better, write {vouched = \"WHY\"} after the name")
              .str();
    return std::nullopt;
  }
  std::string text = pipeline.str();
  OpPassManager probe;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(text, probe, os))) {
    // The message has several lines, and some of them may be empty.
    SmallVector<StringRef> lines;
    StringRef(message).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    why = llvm::join(lines, "; ");
    return std::nullopt;
  }
  Procedure procedure;
  procedure.name = "pass:" + text;
  procedure.summary = "the registered pass " + text;
  procedure.replacesBody = true;
  procedure.run = [text](RewriterBase &rewriter, Operation *anchor) {
    return runOnClone(rewriter, anchor, [&](Operation *clone) -> LogicalResult {
      PassManager manager(clone->getContext(), clone->getName().getStringRef());
      manager.enableVerifier(false);
      // The pass may be restricted to another kind of op than this anchor.
      std::string message;
      llvm::raw_string_ostream os(message);
      if (failed(parsePassPipeline(text, manager, os)))
        return anchor->emitError() << StringRef(message).rtrim();
      return manager.run(clone);
    });
  };
  return procedure;
}
