//===- ScheduleEdit.cpp - Steps, handles and simple edits -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork::testing;

bool formwork::testing::isOpHandle(Value value) {
  return isa<transform::TransformHandleTypeInterface>(value.getType());
}

bool formwork::testing::consumes(Operation *op, Value value) {
  auto transformOp = dyn_cast<transform::TransformOpInterface>(op);
  return transformOp && transform::isHandleConsumed(value, transformOp);
}

Uses formwork::testing::getHandleUses(transform::NamedSequenceOp entry) {
  Uses uses;
  for (Operation *op : getSteps(entry))
    for (OpOperand &operand : op->getOpOperands())
      if (isOpHandle(operand.get()))
        uses.push_back(&operand);
  return uses;
}

Uses formwork::testing::getGuessedUses(transform::NamedSequenceOp entry) {
  Uses uses = getHandleUses(entry);
  llvm::erase_if(uses,
                 [](OpOperand *use) { return guessKind(use->get()).empty(); });
  return uses;
}

Uses formwork::testing::getUsesOfMatched(transform::NamedSequenceOp entry) {
  Uses uses = getGuessedUses(entry);
  llvm::erase_if(
      uses, [](OpOperand *use) { return isScopeKind(guessKind(use->get())); });
  return uses;
}

Ops formwork::testing::getCleanUps(transform::NamedSequenceOp entry) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::ApplyPatternsOp,
            transform::ApplyCommonSubexpressionEliminationOp,
            transform::ApplyDeadCodeEliminationOp,
            transform::ApplyLoopInvariantCodeMotionOp>(op))
      found.push_back(op);
  return found;
}

std::string formwork::testing::listNumbers(ArrayRef<int64_t> numbers) {
  std::string list;
  llvm::raw_string_ostream os(list);
  llvm::interleaveComma(numbers, os);
  return list;
}

static void collect(Block &block, Ops &steps) {
  for (Operation &op : block.without_terminator()) {
    if (!isa<transform::TransformOpInterface>(op))
      continue;
    steps.push_back(&op);
    if (isa<transform::SequenceOp, transform::ForeachOp,
            transform::AlternativesOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (inner.mightHaveTerminator())
            collect(inner, steps);
  }
}

Ops formwork::testing::getSteps(transform::NamedSequenceOp entry) {
  Ops steps;
  collect(entry.getBody().front(), steps);
  return steps;
}

Ops formwork::testing::getOuterSteps(transform::NamedSequenceOp entry) {
  Ops steps;
  for (Operation &op : entry.getBody().front().without_terminator())
    steps.push_back(&op);
  return steps;
}

Operation *formwork::testing::pickStep(ArrayRef<Operation *> steps,
                                       Random &random) {
  return steps.empty() ? nullptr : random.oneOf(steps);
}

std::optional<Spot>
formwork::testing::pickSpot(transform::NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  Values visible = op ? getVisibleHandles(op) : Values();
  if (visible.empty())
    return std::nullopt;
  Value handle = random.oneOf(ArrayRef<Value>(visible));
  return Spot{op, handle, getTypeText(handle)};
}

Values formwork::testing::getVisibleHandles(Operation *op) {
  Values handles;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isOpHandle(value))
        handles.push_back(value);
  };
  for (; op && op->getBlock(); op = op->getParentOp()) {
    for (Operation &before : *op->getBlock()) {
      if (&before == op)
        break;
      add(before.getResults());
    }
    add(op->getBlock()->getArguments());
    if (isa<transform::NamedSequenceOp>(op->getParentOp()))
      break;
  }
  return handles;
}

Operation *formwork::testing::pickPlaceBehind(Operation *op, Random &random) {
  Ops places;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    places.push_back(next);
  return random.oneOf(ArrayRef<Operation *>(places));
}

StringRef formwork::testing::guessKind(Value handle) {
  if (auto type = dyn_cast<transform::OperationType>(handle.getType()))
    return type.getOperationName();
  auto result = dyn_cast<OpResult>(handle);
  if (!result)
    return "builtin.module";
  Operation *op = result.getOwner();
  if (auto match = dyn_cast<transform::MatchOp>(op)) {
    std::optional<ArrayAttr> names = match.getOps();
    return names && names->size() == 1
               ? cast<StringAttr>((*names)[0]).getValue()
               : "linalg.generic";
  }
  if (isa<transform::CastOp, transform::MergeHandlesOp,
          transform::SplitHandleOp>(op))
    return guessKind(op->getOperand(0));
  if (isa<transform::TileUsingForOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.for";
  if (isa<transform::TileUsingForallOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.forall";
  if (isa<transform::FuseIntoContainingOp>(op))
    return result.getResultNumber() == 0 ? guessKind(op->getOperand(0))
                                         : "scf.forall";
  if (isa<transform::GetParentOp>(op))
    return "func.func";
  return "";
}

std::string formwork::testing::getTypeText(Value handle) {
  std::string text;
  llvm::raw_string_ostream(text) << handle.getType();
  return text;
}

StringRef formwork::testing::pickText(Random &random,
                                      ArrayRef<StringRef> texts) {
  return random.oneOf(texts);
}

std::string formwork::testing::fillIn(StringRef text, char sign,
                                      StringRef with) {
  std::string filled;
  for (char c : text)
    filled += c == sign ? with.str() : std::string(1, c);
  return filled;
}

std::string formwork::testing::pickNumbers(Random &random, unsigned number,
                                           ArrayRef<int64_t> choices) {
  std::string list;
  for (unsigned i = 0; i < number; ++i)
    list += (i ? ", " : "") + std::to_string(random.oneOf(choices));
  return list;
}

Value formwork::testing::pickVisible(Operation *op, Random &random,
                                     llvm::function_ref<bool(StringRef)> fits) {
  Values found;
  bool isLive = random.chance(0.85);
  for (Value handle : getVisibleHandles(op))
    if (fits(guessKind(handle)) &&
        !(isLive && llvm::any_of(handle.getUsers(), [&](Operation *user) {
            Operation *before = op->getBlock()->findAncestorOpInBlock(*user);
            return before && before->isBeforeInBlock(op) &&
                   consumes(user, handle);
          })))
      found.push_back(handle);
  return found.empty() ? Value() : random.oneOf(ArrayRef<Value>(found));
}

bool formwork::testing::isStructuredKind(StringRef kind) {
  return kind.starts_with("linalg.");
}

bool formwork::testing::isLoopKind(StringRef kind) {
  return kind == "scf.for" || kind == "scf.forall";
}

bool formwork::testing::isScopeKind(StringRef kind) {
  return kind == "func.func" || kind == "builtin.module";
}

std::optional<Spot>
formwork::testing::pickSpotOf(transform::NamedSequenceOp entry, Random &random,
                              llvm::function_ref<bool(StringRef)> fits) {
  Operation *place = pickStep(getSteps(entry), random);
  Value handle = place ? pickVisible(place, random, fits) : Value();
  if (!handle)
    return std::nullopt;
  return Spot{place, handle, getTypeText(handle)};
}

std::optional<ScopedUse>
formwork::testing::pickScopedUse(transform::NamedSequenceOp entry,
                                 Random &random) {
  Uses uses = getUsesOfMatched(entry);
  if (uses.empty())
    return std::nullopt;
  OpOperand *use = uses[random.below(uses.size())];
  Value scope = pickVisible(use->getOwner(), random, isScopeKind);
  if (!scope)
    return std::nullopt;
  return ScopedUse{use, scope};
}

/// The first place behind all that reads `handle`, in its block.
static Operation *getPlaceBehindUses(Value handle) {
  Block *block = handle.getParentBlock();
  Operation *last = handle.getDefiningOp();
  for (Operation *user : handle.getUsers()) {
    Operation *step = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(step))
      last = step;
  }
  if (!last)
    return &block->front();
  return last->hasTrait<OpTrait::IsTerminator>() ? last : last->getNextNode();
}

Value formwork::testing::getRootBefore(Operation *place) {
  Block &block = *place->getBlock();
  if (block.getNumArguments() == 0)
    return Value();
  Value root = block.getArgument(0);
  for (Operation &op : llvm::make_range(block.begin(), place->getIterator()))
    if (llvm::is_contained(op.getOperands(), root) && consumes(&op, root))
      root = op.getNumResults() != 0 && isOpHandle(op.getResult(0))
                 ? op.getResult(0)
                 : Value();
  return root;
}

Value formwork::testing::getRootAtEnd(transform::NamedSequenceOp entry) {
  return getRootBefore(entry.getBody().front().getTerminator());
}

std::optional<Spot>
formwork::testing::pickSpotToAppend(transform::NamedSequenceOp entry,
                                    Random &random,
                                    llvm::function_ref<bool(StringRef)> fits) {
  if (random.chance(0.5)) {
    Operation *end = entry.getBody().front().getTerminator();
    Value handle = pickVisible(end, random, fits);
    if (!handle)
      return std::nullopt;
    Value root = getRootAtEnd(entry);
    if (root && random.chance(0.6) && !isScopeKind(guessKind(handle))) {
      Operation *match = insertText(
          end, root,
          "%m = transform.structured.match ops{[\"" + guessKind(handle) +
              "\"]} in %h : (" + getTypeText(root) + ") -> !transform.any_op");
      if (!match)
        return std::nullopt;
      handle = match->getResult(0);
    }
    return Spot{end, handle, getTypeText(handle)};
  }
  std::optional<Spot> spot = pickSpotOf(entry, random, fits);
  if (spot && random.chance(0.5))
    spot->place = getPlaceBehindUses(spot->handle);
  return spot;
}

bool formwork::testing::rebindToResult(Operation *step, Value handle,
                                       unsigned number) {
  Value result = step->getResult(number);
  return result.getType() == handle.getType() &&
         rebindBehind(step, handle, result);
}

bool formwork::testing::goOnWith(Operation *step, Value handle, double share,
                                 Random &random, unsigned number) {
  if (!step)
    return false;
  if (random.chance(share))
    rebindToResult(step, handle, number);
  return true;
}

bool formwork::testing::rebindBehind(Operation *step, Value handle,
                                     Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : handle.getUses()) {
    Operation *user = step->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user && step->isBeforeInBlock(user))
      uses.push_back(&use);
  }
  for (OpOperand *use : uses)
    use->set(value);
  return !uses.empty();
}

bool formwork::testing::insertSequences(transform::NamedSequenceOp entry,
                                        const Twine &text) {
  std::string module =
      ("module attributes {transform.with_named_sequence} {\n" + text + "\n}")
          .str();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(
      module, ParserConfig(entry.getContext(), /*verifyAfterParse=*/false));
  if (!parsed)
    return false;
  for (Operation &op : llvm::make_early_inc_range(*parsed->getBody())) {
    op.moveBefore(entry);
    op.walk([&](Operation *inner) { inner->setLoc(entry.getLoc()); });
  }
  return true;
}

Operation *formwork::testing::insertText(Operation *place,
                                         ArrayRef<Value> handles,
                                         const Twine &text) {
  std::string arguments;
  for (auto [number, handle] : llvm::enumerate(handles))
    arguments += (number ? ", %h" + std::to_string(number) : "%h") + ": " +
                 getTypeText(handle) + " {transform.consumed}";
  std::string module = ("module attributes {transform.with_named_sequence} {\n"
                        "transform.named_sequence @m(" +
                        arguments + ") {\n" + text + "\ntransform.yield\n}\n}")
                           .str();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(
      module, ParserConfig(place->getContext(), /*verifyAfterParse=*/false));
  if (!parsed)
    return nullptr;
  auto sequence = *parsed->getOps<transform::NamedSequenceOp>().begin();
  Block &body = sequence.getBody().front();
  for (auto [argument, handle] : llvm::zip_equal(body.getArguments(), handles))
    argument.replaceAllUsesWith(handle);
  Operation *last = nullptr;
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    op.moveBefore(place);
    op.walk([&](Operation *inner) { inner->setLoc(place->getLoc()); });
    last = &op;
  }
  return last;
}

Value formwork::testing::insertFunctions(Operation *place, Value handle) {
  StringRef kind = guessKind(handle);
  if (kind == "func.func")
    return handle;
  std::string type = " : (" + getTypeText(handle) + ") -> !transform.any_op";
  Operation *step = insertText(
      place, handle,
      (kind == "builtin.module"
           ? "%f = transform.structured.match ops{[\"func.func\"]} in %h"
           : "%f = transform.get_parent_op %h {isolated_from_above, "
             "deduplicate}") +
          type);
  return step ? Value(step->getResult(0)) : Value();
}

void formwork::testing::insertUse(Operation *place, Value handle) {
  insertText(place, handle,
             "transform.debug.emit_remark_at %h, \"use\" : " +
                 getTypeText(handle));
}

Operation *formwork::testing::insertConsumer(Operation *place, Value handle,
                                             Random &random) {
  std::string type = getTypeText(handle);
  StringRef kind = guessKind(handle);
  std::string any = "(" + type + ") -> !transform.any_op";
  std::string tile = "%t, %l = transform.structured.tile_using_for %h "
                     "tile_sizes [1] : (" +
                     type + ") -> (!transform.any_op, !transform.any_op)";
  std::string pass =
      "%p = transform.apply_registered_pass \"canonicalize\" to %h : " + any;
  if (kind.starts_with("linalg.")) {
    if (random.chance(0.3) && kind != "linalg.generic")
      return insertText(place, handle,
                        "%g = transform.structured.generalize %h : " + any);
    return insertText(place, handle, tile);
  }
  if (kind == "scf.forall")
    return insertText(place, handle,
                      "%f = transform.loop.forall_to_for %h : " + any);
  if (kind == "func.func" || kind == "builtin.module")
    return insertText(place, handle, pass);
  if (kind == "scf.for")
    return insertText(place, handle,
                      "%c = transform.loop.coalesce %h : " + any);
  return insertText(place, handle, random.chance(0.5) ? tile : pass);
}

/// Says of the argument that holds the payload that it is consumed.
static void markRootConsumed(transform::NamedSequenceOp entry) {
  entry.removeArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName);
  entry.setArgAttr(0, transform::TransformDialect::kArgConsumedAttrName,
                   UnitAttr::get(entry.getContext()));
}

Operation *
formwork::testing::insertBufferization(transform::NamedSequenceOp entry,
                                       Operation *place, Value root,
                                       Random &random) {
  if (isa<BlockArgument>(root))
    markRootConsumed(entry);
  StringRef options =
      pickText(random, {"{bufferize_function_boundaries = true}",
                        "{bufferize_function_boundaries = true}",
                        "{bufferize_function_boundaries = true, "
                        "allow_return_allocs_from_loops = true}",
                        ""});
  return insertText(place, root,
                    "%b = transform.bufferization.one_shot_bufferize "
                    "layout{IdentityLayoutMap} %h " +
                        options + " : (" + getTypeText(root) + ") -> " + anyOp);
}

Value formwork::testing::bufferizeAtEnd(transform::NamedSequenceOp entry,
                                        double share, Random &random) {
  Value root = getRootAtEnd(entry);
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return {};
  if (!random.chance(share))
    return root;
  Operation *bufferize = insertBufferization(
      entry, entry.getBody().front().getTerminator(), root, random);
  return bufferize ? bufferize->getResult(0) : Value();
}

SmallVector<transform::MatchOp>
formwork::testing::getStructuredMatches(transform::NamedSequenceOp entry) {
  SmallVector<transform::MatchOp> matches;
  for (Operation *step : getOuterSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(step))
      if (isStructuredKind(guessKind(match.getResult())) &&
          isa<transform::AnyOpType>(match.getResult().getType()))
        matches.push_back(match);
  return matches;
}
