//===- ScheduleModel.cpp - A schedule as the verifier sees it ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/ScheduleModel.h"

#include "engine/Diagnostics.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// The start of `module`. A module that the parser adds around a file starts
/// before the first line.
static Location getStart(ModuleOp module) {
  auto loc = dyn_cast<FileLineColLoc>(module.getLoc());
  if (!loc || loc.getLine() != 0)
    return module.getLoc();
  return FileLineColLoc::get(loc.getFilename(), 1, 1);
}

FailureOr<ScheduleModel> ScheduleModel::create(ModuleOp module,
                                               StringRef name) {
  transform::NamedSequenceOp entry;
  module->walk<WalkOrder::PreOrder>([&](transform::NamedSequenceOp sequence) {
    if (sequence.getSymName() != name)
      return WalkResult::advance();
    entry = sequence;
    return WalkResult::interrupt();
  });
  if (!entry || entry.isExternal())
    return engine::emitFinding({getStart(module), "fw-no-entry-point",
                                "requires a transform.named_sequence @" + name +
                                    " with a body but has none"});
  return ScheduleModel(module, entry);
}

/// The names of all symbols that ops at or below `root` refer to.
static void collectSymbols(Operation *root, AttrTypeWalker &walker) {
  root->walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      walker.walk(attribute.getValue());
  });
}

ScheduleModel::ScheduleModel(ModuleOp module, transform::NamedSequenceOp entry)
    : module(module), entry(entry) {
  SmallVector<Operation *> pending, sequences;
  for (Operation &op : *module.getBody()) {
    bool isSequence = &op != entry && isa<transform::NamedSequenceOp>(op);
    (isSequence ? sequences : pending).push_back(&op);
  }
  llvm::DenseSet<Operation *> isReached(pending.begin(), pending.end());
  llvm::DenseSet<StringAttr> named;
  AttrTypeWalker walker;
  walker.addWalk([&](SymbolRefAttr symbol) {
    named.insert(symbol.getRootReference());
    named.insert(symbol.getLeafReference());
  });
  while (!pending.empty() && !sequences.empty()) {
    collectSymbols(pending.pop_back_val(), walker);
    llvm::erase_if(sequences, [&](Operation *sequence) {
      if (!named.contains(SymbolTable::getSymbolName(sequence)))
        return false;
      isReached.insert(sequence);
      pending.push_back(sequence);
      return true;
    });
  }
  for (Operation &op : *module.getBody())
    if (isReached.contains(&op))
      reached.push_back(&op);
}

bool ScheduleModel::hasUnreached() const {
  return reached.size() != module.getBody()->getOperations().size();
}

namespace {
/// A depth-first walk along includes.
class RecursionCheck {
public:
  LogicalResult visit(transform::NamedSequenceOp sequence);

private:
  enum Stage : char { Unseen, Open, Done };
  llvm::DenseMap<Operation *, Stage> stages;
  /// The includes that lead to the sequence that is visited.
  SmallVector<transform::IncludeOp> path;
};
} // namespace

LogicalResult RecursionCheck::visit(transform::NamedSequenceOp sequence) {
  Stage &stage = stages[sequence];
  if (stage != Unseen)
    return success();
  stage = Open;
  WalkResult result = sequence->walk([&](transform::IncludeOp include) {
    transform::NamedSequenceOp callee;
    if (SymbolRefAttr target = include.getTargetAttr())
      callee = SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          include, target);
    if (!callee)
      return WalkResult::advance();
    if (stages.lookup(callee) != Open) {
      path.push_back(include);
      LogicalResult visited = visit(callee);
      path.pop_back();
      return failed(visited) ? WalkResult::interrupt() : WalkResult::advance();
    }
    engine::Finding finding(
        include.getLoc(), "fw-recursive-sequence",
        "requires sequences that do not run themselves but @" +
            callee.getSymName() + " does");
    finding.note(engine::NoteKind::Established, callee.getLoc(),
                 "the sequence is defined here");
    auto *first = llvm::find_if(path, [&](transform::IncludeOp on) {
      return on->getParentOfType<transform::NamedSequenceOp>() == callee;
    });
    for (transform::IncludeOp on : llvm::make_range(first, path.end()))
      finding.note(engine::NoteKind::Evidence, on.getLoc(),
                   "the sequence is run here");
    (void)engine::emitFinding(std::move(finding));
    return WalkResult::interrupt();
  });
  stages[sequence] = Done;
  return failure(result.wasInterrupted());
}

LogicalResult formwork::verifier::checkRecursion(Operation *root) {
  RecursionCheck check;
  WalkResult result = root->walk([&](transform::NamedSequenceOp sequence) {
    return failed(check.visit(sequence)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
