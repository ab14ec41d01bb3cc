//===- ExtractionKinds.cpp - Breakage by extraction -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/ExtractionKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::bundleArguments(NamedSequenceOp entry, Random &random) {
  auto isBundled = [](Value value) {
    return isa<transform::AnyOpType>(value.getType());
  };
  Ops run;
  for (unsigned i = 0;
       i < 8 && llvm::count_if(getReadFromOutside(run), isBundled) < 2; ++i)
    run = pickRun(entry, random, 7);
  Values read = getReadFromOutside(run);
  llvm::erase_if(read, [&](Value value) { return !isBundled(value); });
  if (read.size() < 2)
    return false;
  unsigned first = random.below(read.size() - 1);
  unsigned second = first + 1 + random.below(read.size() - first - 1);
  Value one = read[first], two = read[second];
  transform::IncludeOp include =
      moveIntoSequence(entry, run, "mutant_bundle", /*suppress=*/false);
  NamedSequenceOp callee = getCallee(include);
  unsigned at = llvm::find(include->getOperands(), one).getIndex();
  unsigned gone = llvm::find(include->getOperands(), two).getIndex();

  bool swaps = random.chance(0.12);
  StringRef merge = random.chance(0.15)
                        ? "%m = transform.merge_handles deduplicate %h, %h1 : "
                        : "%m = transform.merge_handles %h, %h1 : ";
  StringRef manner = pickText(random, {"", "", "", "{overflow_result = 1}",
                                       "{fail_on_payload_too_small = false}"});
  Operation *bundle =
      insertText(include, {one, two}, Twine(merge) + anyOp.str());
  BlockArgument argument = callee.getBody().getArgument(at);
  Operation *split =
      insertText(&callee.getBody().front().front(), argument,
                 ("%a, %b = transform.split_handle %h " + manner + " : (" +
                  anyOp + ") -> (" + anyOp + ", " + anyOp + ")")
                     .str());
  if (!bundle || !split)
    return false;
  argument.replaceAllUsesExcept(split->getResult(swaps ? 1 : 0), split);
  callee.getBody().getArgument(gone).replaceAllUsesWith(
      split->getResult(swaps ? 0 : 1));
  StringRef consumed = transform::TransformDialect::kArgConsumedAttrName;
  // The parts of a handle are consumed apart from it; mostly one says so.
  if (callee.getArgAttr(gone, consumed) && random.chance(0.8)) {
    callee.removeArgAttr(at, transform::TransformDialect::kArgReadOnlyAttrName);
    callee.setArgAttr(at, consumed, UnitAttr::get(entry.getContext()));
  }
  if (failed(callee.eraseArgument(gone)))
    return false;
  include->setOperand(at, bundle->getResult(0));
  include->eraseOperand(gone);
  return true;
}

bool formwork::testing::isolatedSequence(NamedSequenceOp entry,
                                         Random &random) {
  Ops run;
  for (unsigned i = 0; i < 8 && getReadFromOutside(run).size() < 2; ++i)
    run = pickRun(entry, random, 6);
  Values read = getReadFromOutside(run);
  if (read.size() < 2)
    return false;
  // The first is the root, which has to hold ops.
  auto root = llvm::find_if(read, isOpHandle);
  if (root == read.end())
    return false;
  std::swap(*root, read.front());
  // One is seldom forgotten, and read from around the sequence.
  if (read.size() > 2 && random.chance(0.15))
    read.erase(read.begin() + random.between(1, read.size() - 1));
  Values handed = read;
  // Or two come in the wrong order.
  if (random.chance(0.15))
    for (unsigned i = 1; i < handed.size(); ++i)
      if (handed[i].getType() == handed.front().getType()) {
        std::swap(handed[i], handed.front());
        break;
      }
  Operation *sequence = moveIntoInnerSequence(run, read, handed,
                                              /*suppress=*/random.chance(0.25));
  if (random.chance(0.15))
    insertUse(pickPlaceBehind(sequence, random),
              random.oneOf(ArrayRef<Value>(handed)));
  return true;
}

/// Whether a phase mostly starts with `step`.
static bool startsPhase(Operation *step) {
  StringRef name = step->getName().getStringRef();
  return isa<transform::OneShotBufferizeOp, transform::VectorizeOp,
             transform::VectorizeChildrenAndApplyPatternsOp,
             transform::ApplyPatternsOp>(step) ||
         name.starts_with("transform.gpu.") ||
         name.starts_with("transform.formwork.");
}

bool formwork::testing::helperPerPhase(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 3 ||
      !llvm::all_of(steps, llvm::IsaPred<transform::TransformOpInterface>))
    return false;
  SmallVector<Ops> phases(1);
  for (Operation *step : steps) {
    double share = startsPhase(step) ? 0.6 : 0.12;
    if (!phases.back().empty() && phases.size() < 4 && random.chance(share))
      phases.emplace_back();
    phases.back().push_back(step);
  }
  if (phases.size() == 1) {
    unsigned half = steps.size() / 2;
    phases = {Ops(steps.begin(), steps.begin() + half),
              Ops(steps.begin() + half, steps.end())};
  }
  SmallVector<transform::IncludeOp> calls;
  for (auto [number, phase] : llvm::enumerate(phases))
    calls.push_back(moveIntoSequence(entry, phase,
                                     "mutant_phase_" + std::to_string(number),
                                     /*suppress=*/random.chance(0.06)));
  switch (random.below(8)) {
  case 0:
    // The last one is called again.
    OpBuilder(calls.back()->getNextNode()).clone(*calls.back());
    break;
  case 1:
    // One is not called, where nothing needs what it makes.
    for (transform::IncludeOp call : llvm::reverse(calls))
      if (call->use_empty()) {
        call.erase();
        break;
      }
    break;
  case 2:
    // Two come in the other order, where they can.
    for (transform::IncludeOp call : ArrayRef(calls).drop_back()) {
      Operation *next = call->getNextNode();
      if (!getNeeded(next).contains(call)) {
        call->moveAfter(next);
        break;
      }
    }
    break;
  case 3: {
    // What a phase got, and may have consumed, is read behind it.
    transform::IncludeOp call = calls[random.below(calls.size())];
    Values handles(call->getOperands());
    llvm::erase_if(handles, [](Value value) { return !isOpHandle(value); });
    if (!handles.empty())
      insertUse(pickPlaceBehind(call, random),
                random.oneOf(ArrayRef<Value>(handles)));
    break;
  }
  default:
    break;
  }
  return true;
}

bool formwork::testing::leftOverHelper(NamedSequenceOp entry, Random &random) {
  // Nobody makes a helper of a step or two.
  Ops run;
  for (unsigned i = 0; i < 4 && run.size() < 3; ++i)
    run = pickRun(entry, random, 8);
  if (run.size() < 3)
    return false;
  IRMapping mapping;
  Ops copies;
  OpBuilder builder(run.back()->getNextNode());
  for (Operation *step : run)
    copies.push_back(builder.clone(*step, mapping));
  transform::IncludeOp include =
      moveIntoSequence(entry, copies, "mutant_unused", /*suppress=*/false);
  NamedSequenceOp callee = getCallee(include);
  include.erase();
  // It was never finished, or has aged since.
  Block &body = callee.getBody().front();
  Values handles;
  for (Value argument : body.getArguments())
    if (isOpHandle(argument))
      handles.push_back(argument);
  if (!handles.empty() && random.chance(0.5)) {
    Value handle = random.oneOf(ArrayRef<Value>(handles));
    if (!insertConsumer(random.chance(0.5) ? &body.front()
                                           : body.getTerminator(),
                        handle, random))
      return false;
    if (random.chance(0.5))
      insertUse(body.getTerminator(), handle);
  }
  if (random.chance(0.25))
    callee.setVisibility(SymbolTable::Visibility::Private);
  return true;
}
