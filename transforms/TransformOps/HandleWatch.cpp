//===- HandleWatch.cpp - Reports what rewriting did to handles --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/HandleWatch.h"

#include "engine/RuleSet.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace formwork::transforms;

/// Whether `value` has a use after `op`, in the block of `op` or in an
/// enclosing one.
static bool isUsedAfter(Value value, Operation *op) {
  for (Operation *user : value.getUsers()) {
    for (Operation *scope = op; scope; scope = scope->getParentOp()) {
      if (!scope->getBlock())
        break;
      Operation *inBlock = scope->getBlock()->findAncestorOpInBlock(*user);
      if (!inBlock)
        continue;
      if (scope != inBlock && scope->isBeforeInBlock(inBlock))
        return true;
      break;
    }
  }
  return false;
}

static Operation *getLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>();
}

/// Finds the op that replaced `op` when some results were dropped. `values` are
/// null for the dropped results. Upstream's listener looks for the new op at
/// the other values, and crashes if there are none. The rewriter creates the
/// new op directly in front of the old one. Returns null if something else
/// replaced `op`.
static Operation *findOpWithoutResults(Operation *op, ValueRange values) {
  Operation *previous = op->getPrevNode();
  if (!previous || previous->getName() != op->getName() ||
      llvm::any_of(values, [&](Value value) {
        return value && value.getDefiningOp() != previous;
      }))
    return nullptr;
  return previous;
}

HandleWatch::HandleWatch(transform::TransformState &state, Operation *op,
                         transform::TransformRewriter &rewriter)
    : RewriterBase::ForwardingListener(rewriter.getListener()), state(state),
      transformOp(op), rewriter(rewriter) {}

void HandleWatch::watch(Operation *anchor) {
  anchor->walk([&](Operation *op) {
    if (op == anchor)
      return;
    SmallVector<Value> found;
    if (failed(state.getHandlesForPayloadOp(op, found)))
      return;
    for (Value handle : found) {
      if (!isUsedAfter(handle, transformOp) || handles.contains(handle))
        continue;
      auto &ops = handles[handle];
      llvm::append_range(ops, state.getPayloadOps(handle));
    }
  });
  if (handles.empty())
    return;
  // Upstream may hand back what it erased.
  llvm::DenseSet<Operation *> present;
  state.getTopLevel()->walk([&](Operation *op) { present.insert(op); });
  for (auto &[handle, ops] : handles)
    for (Operation *op : ops) {
      if (!present.contains(op)) {
        watched.try_emplace(op, Watched());
        continue;
      }
      Operation *loop = getLoop(op);
      watched.try_emplace(
          op, Watched{op->getName().getStringRef().str(), loop,
                      loop ? loop->getName().getStringRef().str() : "", "", "",
                      ""});
    }
}

std::string HandleWatch::getRule() const {
  if (!procedure.empty())
    return "procedure '" + procedure + "'";
  return "rule '" +
         (pattern ? engine::getRuleName(pattern->getDebugName()) : "driver") +
         "'";
}

void HandleWatch::notifyPatternBegin(const Pattern &p, Operation *op) {
  pattern = &p;
  ForwardingListener::notifyPatternBegin(p, op);
}

void HandleWatch::notifyPatternEnd(const Pattern &p, LogicalResult status) {
  ForwardingListener::notifyPatternEnd(p, status);
  pattern = nullptr;
}

void HandleWatch::notifyOperationReplaced(Operation *op, ValueRange values) {
  auto it = watched.find(op);
  if (it != watched.end() && it->second.erasedBy.empty())
    it->second.replacedBy = getRule();
  SmallVector<Value> holders;
  (void)state.getHandlesForPayloadOp(op, holders, /*includeOutOfScope=*/true);
  bool untracked = false;
  if (llvm::any_of(values, [](Value value) { return !value; })) {
    Operation *replacement = findOpWithoutResults(op, values);
    (void)rewriter.notifyPayloadOperationReplaced(op, replacement);
    untracked = !replacement && !holders.empty();
  }
  bool failedBefore = rewriter.hasTrackingFailures();
  ForwardingListener::notifyOperationReplaced(op, values);
  bool failed = rewriter.hasTrackingFailures() && !failedBefore;
  if (lost || !(failed || (untracked && llvm::any_of(holders, [&](Value value) {
                             return isUsedAfter(value, transformOp);
                           }))))
    return;
  lost = LostOp{op->getName().getStringRef().str(), getRule(), op->getLoc(),
                std::nullopt};
  for (Value handle : holders)
    if (isUsedAfter(handle, transformOp))
      lost->handle = handle.getLoc();
}

void HandleWatch::notifyOperationReplaced(Operation *op,
                                          Operation *replacement) {
  notifyOperationReplaced(op, replacement->getResults());
}

void HandleWatch::notifyOperationErased(Operation *op) {
  auto it = watched.find(op);
  if (it != watched.end() && it->second.erasedBy.empty())
    it->second.erasedBy = getRule();
  ForwardingListener::notifyOperationErased(op);
}

void HandleWatch::notifyOperationInserted(Operation *op,
                                          OpBuilder::InsertPoint previous) {
  auto it = watched.find(op);
  if (previous.isSet() && it != watched.end() && it->second.erasedBy.empty())
    it->second.movedBy = getRule();
  ForwardingListener::notifyOperationInserted(op, previous);
}

void HandleWatch::explainHandles(engine::Findings &findings) {
  for (auto &[handle, before] : handles) {
    SmallVector<Operation *> after =
        llvm::to_vector(state.getPayloadOps(handle));
    auto remark = [&](StringRef id, const Twine &message, StringRef rule) {
      engine::Finding finding(transformOp->getLoc(), id, message,
                              DiagnosticSeverity::Remark);
      finding.note(engine::NoteKind::Established, handle.getLoc(),
                   "the handle is defined here");
      finding.note(engine::NoteKind::Lost, transformOp->getLoc(), "by " + rule);
      findings.add(std::move(finding));
    };

    if (after.size() < before.size()) {
      std::string rule = "an unknown rule", name = "an op";
      for (Operation *op : before) {
        const Watched &w = watched.find(op)->second;
        if (!w.erasedBy.empty() && !llvm::is_contained(after, op)) {
          rule = w.erasedBy;
          name = "'" + w.name + "'";
          if (w.replacedBy.empty())
            break;
        }
      }
      remark("fw-handle-shrunk",
             "a handle that is used later had " + Twine(before.size()) +
                 " ops and has " + Twine(after.size()) + ": " + name +
                 " was erased",
             rule);
      continue;
    }

    llvm::SmallPtrSet<Operation *, 8> distinctBefore(before.begin(),
                                                     before.end());
    llvm::SmallPtrSet<Operation *, 8> distinctAfter(after.begin(), after.end());
    bool duplicated = distinctAfter.size() < distinctBefore.size();
    for (Operation *op : before) {
      const Watched &w = watched.find(op)->second;
      if (!w.replacedBy.empty()) {
        if (duplicated)
          remark("fw-handle-duplicated",
                 "a handle that is used later holds one op twice: '" + w.name +
                     "' was merged with another of its ops",
                 w.replacedBy);
        else
          remark("fw-handle-retargeted",
                 "a handle that is used later holds another op: '" + w.name +
                     "' was replaced",
                 w.replacedBy);
        break;
      }
    }
    for (Operation *op : before) {
      const Watched &w = watched.find(op)->second;
      if (w.erasedBy.empty() && w.loop && getLoop(op) != w.loop) {
        remark("fw-handle-moved",
               "a handle that is used later holds an op that left its loop: '" +
                   w.name + "' was in '" + w.movedFrom + "'",
               w.movedBy.empty() ? "a rule that moved the ops around it"
                                 : w.movedBy);
        break;
      }
    }
  }
}
