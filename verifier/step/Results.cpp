//===- Results.cpp - What handles hold --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handles that steps return and use. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

HandleState &Analysis::bind(Value value, Operation *origin,
                            ArrayRef<NodeId> nodes) {
  // They may be those of a handle.
  NodeList own(nodes);
  HandleState &handle = state.setHandle(value);
  handle.kind = kindOfHandle(value.getType());
  if (handle.kind != HandleState::Params)
    handle.nodes = std::move(own);
  // The consumptions of this very step are older than what it returns.
  handle.since = state.payload.time() + 1;
  handle.origin = origin;
  return handle;
}

HandleState &Analysis::lookup(Value value) {
  if (HandleState *handle = state.handles.find(value))
    return *handle;
  // A value from a region that is not modelled.
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), nullptr);
  return bind(value, nullptr, any);
}

/// Adds the note that gives `value` the type of payload of `kind`.
static void suggestKind(Analysis &analysis, Finding &finding, Value value,
                        OperationName kind) {
  std::string was, is;
  llvm::raw_string_ostream(was) << value.getType();
  llvm::raw_string_ostream(is)
      << transform::OperationType::get(value.getContext(), kind.getStringRef());
  // Who uses the value repeats its type.
  TextEdits edits = analysis.fixes.replaceWords(value.getDefiningOp(), was, is);
  bool complete = !edits.empty();
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Operation *user : value.getUsers())
    if (seen.insert(user).second) {
      TextEdits more = analysis.fixes.replaceWords(user, was, is);
      complete &= !more.empty();
      edits.append(std::move(more));
    }
  finding.note(NoteKind::FixIt, value.getLoc(), "use the type " + is,
               complete ? edits : TextEdits());
}

HandleState &Step::setResult(unsigned index, ArrayRef<NodeId> nodes,
                             bool ordered) const {
  Value value = op->getResult(index);
  HandleState &handle = analysis.bind(value, op, nodes);
  handle.ordered = ordered;
  auto type = dyn_cast<transform::OperationType>(value.getType());
  if (!type)
    return handle;
  auto describe = [&](bool has, const Twine &kind) {
    return ("requires payload of kind '" + type.getOperationName() +
            "' for result #" + Twine(index) + " but " +
            (has ? "has '" : "may have '") + kind + "'")
        .str();
  };
  NodeList open;
  for (NodeId id : nodes) {
    const Node &node = state.payload[id];
    if (node.kind && node.kind->getStringRef() == type.getOperationName())
      continue;
    if (!node.kind) {
      open.push_back(id);
      continue;
    }
    bool definite = node.isSurelyThere();
    Finding &finding =
        report("fw-kind-mismatch",
               describe(definite, node.kind->getStringRef()), definite);
    if (definite)
      suggestKind(analysis, finding, value, *node.kind);
    return analysis.lookup(value);
  }
  // Nothing speaks against it.
  if (!open.empty())
    unprove(describe(/*has=*/false, "any op"));
  // Nor does anything run where it is of another kind.
  if (state.certain && !state.survivesFailures())
    for (NodeId id : open)
      if (!state.payload[id].exact)
        state.payload.edit(id).kind =
            OperationName(type.getOperationName(), op->getContext());
  return analysis.lookup(value);
}

void Step::setOpaque(unsigned index) const {
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), op);
  setResult(index, any, /*ordered=*/false);
}

void Step::mayDangle(unsigned index) const {
  HandleState &result = lookup(op->getResult(index));
  result.consumedBy = op;
  result.consumedForSure = false;
}

void Step::setEmpty() const {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setResult(i, {});
}

bool Analysis::isUsable(Value value) const {
  const HandleState *handle = state.handles.find(value);
  if (!handle || handle->consumedBy || handle->kind != HandleState::Ops ||
      handle->nodes.empty())
    return false;
  return llvm::all_of(handle->nodes, [&](NodeId node) {
    return state.payload.getInvalidation(node, handle->since).certainty ==
           Certainty::No;
  });
}

NodeList Analysis::getAnchors(Value value, AtomId form, bool around) const {
  NodeList anchors;
  const HandleState *handle = state.handles.find(value);
  if (!handle)
    return anchors;
  bool isSmall = forms.getForm(form).anchor == AnchorKind::LoopNest;
  for (NodeId node : handle->nodes) {
    NodeId anchor = node;
    if (!isSmall)
      anchor =
          state.payload.getAncestor(node, around, {"$isolated"}).value_or(node);
    else if (around)
      anchor = state.payload
                   .getAncestor(node, /*proper=*/true, {"$loop", "$isolated"})
                   .value_or(root);
    if (!llvm::is_contained(anchors, anchor))
      anchors.push_back(anchor);
  }
  return anchors;
}
