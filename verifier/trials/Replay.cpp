//===- Replay.cpp - A step, tried where it stands -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/Replay.h"

#include "engine/Child.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
namespace json = llvm::json;

static constexpr StringLiteral kEarlier =
    "comes after a step that fails when the schedule runs";

/// The bytes of the buffers of workgroup memory in `launch`.
static int64_t countBytes(gpu::LaunchOp launch) {
  int64_t bytes = 0;
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

static std::string writeLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  loc.print(os);
  return json::fixUTF8(text);
}

static std::optional<Location> readLocation(StringRef text,
                                            MLIRContext *context) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  auto loc = dyn_cast_or_null<LocationAttr>(parseAttribute(text, context));
  return loc ? std::optional<Location>(loc) : std::nullopt;
}

/// In a child: what `step` does to `payload`, which is changed.
static json::Object replayHere(Operation *step, Operation *payload) {
  json::Object answer;
  std::string message;
  ScopedDiagnosticHandler capture(payload->getContext(), [&](Diagnostic &diag) {
    if (message.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      message = diag.str();
    return success();
  });
  Block *block = step->getBlock();
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(block->getParent(),
                                                      payload);
  if (failed(state.mapBlockArgument(block->getArgument(0), {payload}))) {
    answer["unknown"] = kEarlier;
    return answer;
  }
  for (Operation &op : *block) {
    auto transform = dyn_cast<transform::TransformOpInterface>(op);
    if (!transform)
      continue;
    bool isStep = &op == step;
    SmallVector<gpu::LaunchOp> launches;
    SmallVector<int64_t> before;
    if (isStep) {
      launches = getLaunches(step, state);
      for (gpu::LaunchOp launch : launches)
        before.push_back(launch ? countBytes(launch) : 0);
    }
    DiagnosedSilenceableFailure result = state.applyTransform(transform);
    bool isSilenceable = result.isSilenceableFailure();
    bool succeeds = result.succeeded();
    if (isSilenceable) {
      message = result.getMessage();
      SmallVector<Diagnostic> diagnostics;
      result.takeDiagnostics(diagnostics);
      for (Diagnostic &note : diagnostics.front().getNotes()) {
        answer["note"] = json::fixUTF8(note.str());
        answer["where"] = writeLocation(note.getLocation());
        break;
      }
    }
    if (!isStep && !succeeds) {
      answer["unknown"] = kEarlier;
      return answer;
    }
    if (!isStep)
      continue;
    if (!succeeds) {
      answer["failure"] = json::fixUTF8(StringRef(message).split('\n').first);
      answer["silenceable"] = isSilenceable;
      return answer;
    }
    if (failed(verify(payload))) {
      answer["unknown"] = "leaves what is not valid";
      return answer;
    }
    json::Array bytes;
    for (auto [launch, had] : llvm::zip_equal(launches, before))
      bytes.push_back(launch ? countBytes(launch) - had : 0);
    answer["bytes"] = std::move(bytes);
    return answer;
  }
  answer["unknown"] = kEarlier;
  return answer;
}

Replay formwork::verifier::replayTo(Operation *step, Operation *payload) {
  engine::ChildLimits limits;
  limits.time = std::chrono::seconds(10);
  limits.memory = uint64_t(4) << 30;
  limits.output = uint64_t(1) << 20;
  limits.fileSize = 0;
  engine::ThreadsStopped alone(*payload->getContext());
  engine::ChildEnd end = engine::runInChild(
      [&](llvm::raw_ostream &os) {
        os << json::Value(replayHere(step, payload));
        return true;
      },
      engine::ChildOutput::Dropped, limits);
  Replay replay;
  if (!end.succeeded) {
    replay.unknown = "is not come to when the schedule runs: " + end.explain();
    return replay;
  }
  llvm::Expected<json::Value> parsed = json::parse(end.text);
  if (!parsed) {
    replay.unknown = llvm::toString(parsed.takeError());
    return replay;
  }
  const json::Object &answer = *parsed->getAsObject();
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
    std::optional<StringRef> note = answer.getString("note"),
                             where = answer.getString("where");
    if (note && where)
      if (std::optional<Location> loc =
              readLocation(*where, payload->getContext()))
        replay.note = {*loc, note->str()};
    replay.isSilenceable = answer.getBoolean("silenceable").value_or(false);
  }
  if (const json::Array *bytes = answer.getArray("bytes"))
    for (const json::Value &one : *bytes)
      replay.bytes.push_back(one.getAsInteger().value_or(0));
  return replay;
}
