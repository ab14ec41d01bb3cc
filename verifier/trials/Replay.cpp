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

  /// Runs the steps up to `step`, which did not run before, and says what it
  /// does.
  json::Object answer(Operation *step);

private:
  DiagnosedSilenceableFailure applyNext() {
    auto transform = dyn_cast<transform::TransformOpInterface>(*next++);
    return transform ? state.applyTransform(transform)
                     : DiagnosedSilenceableFailure::success();
  }

  Block *block;
  Operation *payload;
  transform::TransformState state;
  Block::iterator next;
  bool hasFailed;
};
} // namespace

json::Object Run::answer(Operation *step) {
  json::Object answer;
  std::string message;
  ScopedDiagnosticHandler capture(payload->getContext(), [&](Diagnostic &diag) {
    if (message.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      message = diag.str();
    return success();
  });
  while (!hasFailed && next != block->end() && &*next != step) {
    DiagnosedSilenceableFailure result = applyNext();
    hasFailed = !result.succeeded();
    (void)result.silence();
  }
  if (hasFailed || next == block->end()) {
    answer["unknown"] = kEarlier;
    return answer;
  }
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

/// A request is the address of a step.
static std::string writeStep(Operation *step) {
  return std::to_string(reinterpret_cast<uintptr_t>(step));
}

static Operation *readStep(StringRef text) {
  uintptr_t address = 0;
  text.getAsInteger(10, address);
  return reinterpret_cast<Operation *>(address);
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
                                   json::Value(run->answer(readStep(request))))
                  .str();
            },
            getReplayLimits(deadline)) {}

  Operation *payload;
  solver::Deadline deadline;
  engine::ChildServer server;
  /// The last requested step.
  Operation *last = nullptr;
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
    StringRef text = *failure;
    if (text.ends_with("]")) {
      auto [before, id] = text.drop_back().rsplit(" [");
      if (id.starts_with("fw-")) {
        replay.id = id.str();
        text = before;
      }
    }
    replay.failure = text.str();
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

Replay ReplaySession::replayTo(Operation *step) {
  if (child->last && !child->last->isBeforeInBlock(step)) {
    child->server.stop();
    child->ended.clear();
  }
  child->last = step;
  Replay replay;
  replay.unknown = child->ended;
  if (!replay.unknown.empty())
    return replay;
  engine::ServedAnswer served = child->server.ask(writeStep(step));
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
