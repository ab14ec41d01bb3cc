//===- Replay.cpp - A step, tried where it stands -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/Replay.h"

#include "engine/ChildServer.h"
#include "engine/FindingTransfer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
namespace json = llvm::json;

static constexpr StringLiteral kEarlier =
    "comes after a step that fails when the schedule runs";
static constexpr StringLiteral kInside =
    "may run several times, or not at all, when the schedule runs";

/// The bytes of the buffers of workgroup memory in `launch`, and those that it
/// requests.
static int64_t countBytes(gpu::LaunchOp launch) {
  Value asked = launch.getDynamicSharedMemorySize();
  int64_t bytes = asked ? getConstantIntValue(asked).value_or(0) : 0;
  launch.walk([&](memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) &&
        type.hasStaticShape() && type.getElementType().isIntOrIndexOrFloat())
      bytes += type.getNumElements() *
               (type.getElementType().isIndex()
                    ? 8
                    : llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  });
  return bytes;
}

/// The kernels at or around the payload of the first operand of `step`; null
/// for payload outside of one, and where an earlier one is in the same kernel.
static SmallVector<gpu::LaunchOp>
getLaunches(Operation *step, transform::TransformState &state) {
  SmallVector<gpu::LaunchOp> launches;
  for (Operation *target : state.getPayloadOps(step->getOperand(0))) {
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch)
      launch = target->getParentOfType<gpu::LaunchOp>();
    launches.push_back(llvm::is_contained(launches, launch) ? gpu::LaunchOp()
                                                            : launch);
  }
  return launches;
}

namespace {
/// In the child: the state behind the steps that ran.
class Run {
public:
  Run(Block *block, Operation *payload)
      : block(block), payload(payload),
        state(transform::detail::makeTransformStateForTesting(
            block->getParent(), payload)),
        next(block->begin()) {
    hasFailed =
        failed(state.mapBlockArgument(block->getArgument(0), {payload}));
  }

  /// Runs the steps up to the last of `way`, which did not run before; returns
  /// its effects.
  json::Object answer(ArrayRef<Operation *> way);

private:
  /// Runs the steps up to `step`, or its copy; false where one of them fails.
  bool runTo(Operation *step);
  /// Takes each step in `copy` for that in `step`, of which it is a copy.
  void follow(Operation *step, Operation *copy);
  /// Puts copies of the steps in the next one in its place; false where it does
  /// not run them once, and passes on their failures.
  bool unfoldNext();
  DiagnosedSilenceableFailure applyNext() {
    auto transform = dyn_cast<transform::TransformOpInterface>(*next++);
    return transform ? state.applyTransform(transform)
                     : DiagnosedSilenceableFailure::success();
  }

  Block *block;
  Operation *payload;
  transform::TransformState state;
  Block::iterator next;
  /// The latest copies of steps that stood inside of others, and what they are
  /// copies of.
  llvm::DenseMap<Operation *, Operation *> copies, originals;
  /// The steps that copies of those in them have replaced.
  llvm::DenseSet<Operation *> unfolded;
  bool hasFailed;
};
} // namespace

/// Whether a step in `body` names a symbol, as far as that is known.
static bool namesSymbols(Block &body) {
  return llvm::any_of(body, [](Operation &step) {
    auto uses = SymbolTable::getSymbolUses(&step);
    return !uses || !uses->empty();
  });
}

/// The body that `step` runs, once; null where it may run it in another way.
static Block *getBodyRunOnce(Operation *step) {
  if (auto include = dyn_cast<transform::IncludeOp>(step)) {
    if (include.getFailurePropagationMode() !=
        transform::FailurePropagationMode::Propagate)
      return nullptr;
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
            step, include.getTarget());
    if (!callee || callee.isExternal())
      return nullptr;
    // A symbol may be another one where the copies stand.
    Block &body = callee.getBody().front();
    bool isNear = SymbolTable::getNearestSymbolTable(callee) ==
                  SymbolTable::getNearestSymbolTable(step);
    return isNear || !namesSymbols(body) ? &body : nullptr;
  }
  if (auto sequence = dyn_cast<transform::SequenceOp>(step)) {
    bool isPlain = sequence.getFailurePropagationMode() ==
                       transform::FailurePropagationMode::Propagate &&
                   sequence->getNumOperands() ==
                       sequence.getBodyBlock()->getNumArguments();
    return isPlain ? sequence.getBodyBlock() : nullptr;
  }
  if (auto each = dyn_cast<transform::ForeachOp>(step))
    return &each.getBody().front();
  return nullptr;
}

bool formwork::verifier::canReplayInside(Operation *step) {
  return getBodyRunOnce(step) != nullptr;
}

void Run::follow(Operation *step, Operation *copy) {
  // A copied step may be in a copy itself.
  Operation *original = originals.contains(step) ? originals[step] : step;
  copies[original] = copy;
  originals[copy] = original;
  for (auto [region, ofCopy] :
       llvm::zip_equal(step->getRegions(), copy->getRegions()))
    for (auto [inner, innerCopy] :
         llvm::zip_equal(region.getOps(), ofCopy.getOps()))
      follow(&inner, &innerCopy);
}

bool Run::unfoldNext() {
  Operation *outer = &*next;
  Block *found = getBodyRunOnce(outer);
  if (!found)
    return false;
  Block &body = *found;
  if (isa<transform::ForeachOp>(outer))
    for (Value operand : outer->getOperands())
      if (!isa<transform::TransformHandleTypeInterface>(operand.getType()) ||
          !llvm::hasSingleElement(state.getPayloadOps(operand)))
        return false;
  // MLIR looks at the types of handles where they are bound.
  if (!llvm::equal(outer->getOperandTypes(), body.getArgumentTypes()))
    return false;
  IRMapping mapping;
  mapping.map(body.getArguments(), outer->getOperands());
  OpBuilder builder(outer);
  Operation *first = nullptr;
  for (Operation &step : body.without_terminator()) {
    Operation *copy = builder.clone(step, mapping);
    follow(&step, copy);
    if (!first)
      first = copy;
  }
  for (auto [result, yielded] : llvm::zip_equal(
           outer->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(yielded));
  Block::iterator behind = std::next(next);
  // Its address is that of no other step.
  outer->remove();
  outer->dropAllReferences();
  unfolded.insert(outer);
  next = first ? first->getIterator() : behind;
  return true;
}

bool Run::runTo(Operation *step) {
  while (!hasFailed && next != block->end()) {
    auto copy = copies.find(step);
    if (&*next == step || (copy != copies.end() && copy->second == &*next))
      return true;
    DiagnosedSilenceableFailure result = applyNext();
    hasFailed = !result.succeeded();
    (void)result.silence();
  }
  return false;
}

json::Object Run::answer(ArrayRef<Operation *> way) {
  json::Object answer;
  std::string message;
  ScopedDiagnosticHandler capture(payload->getContext(), [&](Diagnostic &diag) {
    if (message.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      message = diag.str();
    return success();
  });
  for (Operation *outer : way.drop_back()) {
    // An earlier request may have come through it.
    if (unfolded.contains(copies.contains(outer) ? copies.lookup(outer)
                                                 : outer))
      continue;
    if (!runTo(outer)) {
      answer["unknown"] = kEarlier;
      return answer;
    }
    if (!unfoldNext()) {
      answer["unknown"] = kInside;
      return answer;
    }
  }
  if (!runTo(way.back())) {
    answer["unknown"] = kEarlier;
    return answer;
  }
  Operation *step = &*next;
  SmallVector<gpu::LaunchOp> launches = getLaunches(step, state);
  SmallVector<int64_t> before;
  for (gpu::LaunchOp launch : launches)
    before.push_back(launch ? countBytes(launch) : 0);
  DiagnosedSilenceableFailure result = applyNext();
  if (!result.succeeded()) {
    hasFailed = true;
    answer["silenceable"] = result.isSilenceableFailure();
    if (result.isSilenceableFailure()) {
      message = result.getMessage();
      SmallVector<Diagnostic> diagnostics;
      result.takeDiagnostics(diagnostics);
      for (Diagnostic &note : diagnostics.front().getNotes()) {
        answer["note"] = json::fixUTF8(note.str());
        answer["where"] = engine::writeLocation(note.getLocation());
        break;
      }
    }
    answer["failure"] = json::fixUTF8(StringRef(message).split('\n').first);
    return answer;
  }
  if (failed(verify(payload))) {
    answer["unknown"] = "leaves invalid IR";
    return answer;
  }
  json::Array bytes;
  for (auto [launch, had] : llvm::zip_equal(launches, before))
    bytes.push_back(launch ? countBytes(launch) - had : 0);
  answer["bytes"] = std::move(bytes);
  return answer;
}

static engine::ChildLimits getReplayLimits(const solver::Deadline &deadline) {
  engine::ChildLimits limits;
  limits.deadline = deadline;
  limits.time = std::chrono::seconds(10);
  limits.memory = uint64_t(4) << 30;
  limits.output = uint64_t(1) << 20;
  limits.fileSize = 0;
  return limits;
}

/// A request is the addresses of the steps of a way.
static std::string writeWay(ArrayRef<Operation *> way) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      way, os,
      [&](Operation *step) { os << reinterpret_cast<uintptr_t>(step); }, ",");
  return text;
}

static SmallVector<Operation *> readWay(StringRef text) {
  SmallVector<Operation *> way;
  for (StringRef one : llvm::split(text, ',')) {
    uintptr_t address = 0;
    one.getAsInteger(10, address);
    way.push_back(reinterpret_cast<Operation *>(address));
  }
  return way;
}

/// Whether `step` is behind `last`.
static bool isBehind(ArrayRef<Operation *> step, ArrayRef<Operation *> last) {
  for (auto [mine, other] : llvm::zip(step, last))
    if (mine != other)
      return other->isBeforeInBlock(mine);
  return false;
}

struct ReplaySession::Child {
  Child(Block *block, Operation *payload, const solver::Deadline &deadline)
      : payload(payload), deadline(deadline),
        server(
            *payload->getContext(),
            [block, payload,
             run = std::shared_ptr<Run>()](StringRef request) mutable {
              if (!run)
                run = std::make_shared<Run>(block, payload);
              return llvm::formatv("{0}",
                                   json::Value(run->answer(readWay(request))))
                  .str();
            },
            getReplayLimits(deadline)) {}

  Operation *payload;
  solver::Deadline deadline;
  engine::ChildServer server;
  /// The way to the last requested step.
  SmallVector<Operation *> last;
  /// Why no step behind the last one is come to; empty while that may be.
  std::string ended;
};

ReplaySession::ReplaySession(Block *block, Operation *payload,
                             const solver::Deadline &deadline)
    : child(std::make_unique<Child>(block, payload, deadline)) {}

ReplaySession::~ReplaySession() = default;

/// The answer of the child, which is that of Run::answer.
static Replay readAnswer(const json::Object &answer, MLIRContext *context) {
  Replay replay;
  if (std::optional<StringRef> unknown = answer.getString("unknown"))
    replay.unknown = unknown->str();
  if (std::optional<StringRef> failure = answer.getString("failure")) {
    auto [text, id] = engine::splitId(*failure);
    replay.failure = text.str();
    replay.id = id.str();
    if (std::optional<StringRef> note = answer.getString("note"))
      replay.note = {engine::readLocation(answer.get("where"), context),
                     note->str()};
    replay.isSilenceable = answer.getBoolean("silenceable").value_or(false);
  }
  if (const json::Array *bytes = answer.getArray("bytes"))
    for (const json::Value &one : *bytes)
      replay.bytes.push_back(one.getAsInteger().value_or(0));
  return replay;
}

Replay ReplaySession::replayTo(ArrayRef<Operation *> way) {
  if (!child->last.empty() && !isBehind(way, child->last)) {
    child->server.stop();
    child->ended.clear();
  }
  child->last = llvm::to_vector(way);
  Replay replay;
  replay.unknown = child->ended;
  if (!replay.unknown.empty())
    return replay;
  engine::ServedAnswer served = child->server.ask(writeWay(way));
  if (!served.text) {
    child->ended =
        solver::hasPassed(child->deadline)
            ? ("is not tried to the end: " + solver::kBudgetIsSpent).str()
            : "is not reached when the schedule runs: " + served.end.explain();
    replay.unknown = child->ended;
    return replay;
  }
  llvm::Expected<json::Value> parsed = json::parse(*served.text);
  if (!parsed) {
    replay.unknown = llvm::toString(parsed.takeError());
    return replay;
  }
  return readAnswer(*parsed->getAsObject(), child->payload->getContext());
}
