//===- Suggestions.cpp - Fix-its of the verifier ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Suggestions: the notes and the edits that several models have in common.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/findings/Suggestions.h"
#include "verifier/source/StepText.h"
#include "verifier/spaces/Tiling.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The kind of the payload of `handle`, if it is one kind and known.
static std::optional<OperationName> getKind(const State &state,
                                            const HandleState &handle) {
  std::optional<OperationName> kind;
  for (NodeId node : handle.nodes) {
    if (!state.payload[node].kind ||
        (kind && *kind != state.payload[node].kind))
      return std::nullopt;
    kind = state.payload[node].kind;
  }
  return kind;
}

/// Whether `value` can be named as an operand of `op`.
static bool isVisible(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return value.getParentRegion()->isAncestor(op->getParentRegion());
  Operation *at = definition->getBlock()->findAncestorOpInBlock(*op);
  return at && definition->isBeforeInBlock(at);
}

void formwork::verifier::suggestLiveHandle(const Step &step, Finding &finding,
                                           Value dead, Operation *by) {
  std::optional<OperationName> kind = getKind(step.state, step.lookup(dead));
  std::string name = ("'" + by->getName().getStringRef() + "'").str();
  // A handle that may be valid is not replaced without a look at it.
  bool isDead = finding.severity == DiagnosticSeverity::Error;
  // A later step may consume the result of the step, and return a replacement
  // in turn.
  Operation *last = by;
  for (unsigned steps = 0; last && steps < 16; ++steps) {
    Operation *next = nullptr;
    for (Value result : last->getResults()) {
      if (result.getType() != dead.getType() || !isVisible(result, step.op) ||
          !kind || getKind(step.state, step.lookup(result)) != kind ||
          llvm::is_contained(step.op->getOperands(), result))
        continue;
      if (step.analysis.isUsable(result)) {
        finding.note(
            NoteKind::FixIt, step.op->getLoc(),
            "use a handle that '" + last->getName().getStringRef() +
                "' returns, such as " + step.nameOf(result) +
                ", or match the payload again",
            isDead ? step.analysis.fixes.replaceUses(step.op, dead, result)
                   : TextEdits());
        return;
      }
      next = step.lookup(result).consumedBy;
      break;
    }
    last = next == last ? nullptr : next;
  }
  if (by->getNumResults() != 0 && isVisible(by->getResult(0), step.op) &&
      step.analysis.isUsable(by->getResult(0)))
    finding.note(NoteKind::FixIt, step.op->getLoc(),
                 "match the payload again in " + step.nameOf(by->getResult(0)) +
                     ", which " + name + " returns");
  else
    finding.note(NoteKind::FixIt, step.op->getLoc(),
                 "match the payload again after " + name);
}

void formwork::verifier::suggestNormalize(const Step &step, Finding &finding,
                                          Value handle, const Form &form,
                                          bool around) {
  std::string name = step.nameOf(handle), type, before;
  llvm::raw_string_ostream(type) << handle.getType();
  // A form is established at its anchor; what is no anchor lies in one.
  bool isAnchor =
      !around && (form.anchor == AnchorKind::LoopNest ||
                  llvm::all_of(step.lookup(handle).nodes, [&](NodeId node) {
                    return node == step.root ||
                           step.payload[node].kind.isIsolated();
                  }));
  bool isInReach = llvm::all_of(step.lookup(handle).nodes, [&](NodeId node) {
    return step.analysis.mayRewrite(node, !isAnchor);
  });
  if (!isInReach) {
    finding.note(NoteKind::FixIt, step.op->getLoc(),
                 "normalize to @" + form.name +
                     " before the 'transform.foreach_match' that runs this "
                     "step: its actions may change nothing outside of what was "
                     "matched");
    return;
  }
  if (!isAnchor) {
    std::string parent = step.analysis.fixes.makeName("%anchor");
    before = writeIsolatedParent(parent, name, type);
    name = parent;
    type = "!transform.any_op";
  }
  std::string line = writeNormalize(name, form.name, type);
  finding.note(
      NoteKind::FixIt, step.op->getLoc(),
      "insert '" +
          (isAnchor ? "" : StringRef(before).rtrim().str() + "' and '") + line +
          "' before this op" +
          (isAnchor ? ""
                    : ", for the isolated parent " + name + " of " +
                          step.nameOf(handle)),
      step.analysis.fixes.insertBefore(step.op, before + line + "\n"));
}

void formwork::verifier::explainTile(Analysis &analysis, Finding &finding,
                                     const DynamicReason &reason) {
  if (reason.tile == 0) {
    finding.note(NoteKind::Lost, reason.tiledBy->getLoc(),
                 "the scalable tile size of dimension " + Twine(reason.dim) +
                     " is known to the machine only");
    return;
  }
  finding.note(
      NoteKind::Lost, reason.tiledBy->getLoc(),
      "tile size " + Twine(reason.tile) + " does not divide dimension " +
          Twine(reason.dim) + " of size " + Twine(reason.size) +
          ", which leaves a last tile of " + Twine(reason.size % reason.tile));
  finding.note(
      NoteKind::FixIt, reason.tiledBy->getLoc(),
      "use a tile size that divides " + Twine(reason.size) + ": " +
          getDividingSizes(reason.size, reason.tile),
      analysis.fixes.replaceElement(
          reason.tiledBy, "tile_sizes", reason.dim, std::to_string(reason.tile),
          std::to_string(getNearestDividingSize(reason.size, reason.tile))));
}

void formwork::verifier::suggestDeduplicate(Analysis &analysis,
                                            Finding &finding, Value value) {
  auto merge = value.getDefiningOp<transform::MergeHandlesOp>();
  Operation *origin = analysis.lookup(value).origin;
  finding.note(NoteKind::Established,
               origin ? origin->getLoc() : value.getLoc(),
               "handle " + analysis.nameOf(value) + " is set here");
  if (merge && !merge.getDeduplicate())
    finding.note(NoteKind::FixIt, merge.getLoc(), "add 'deduplicate'",
                 analysis.fixes.insertBehindName(merge, "deduplicate"));
}
