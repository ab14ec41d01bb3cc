//===- Run.cpp - A program run in this process ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "transforms/program/Npy.h"
#include "transforms/program/Program.h"
#include "transforms/program/Reference.h"

#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

namespace {
/// The buffers of one side of the comparison and what the function is passed.
struct CallFrame {
  std::vector<std::unique_ptr<ArgumentBuffer>> buffers;

  /// Null when there is not enough memory.
  ArgumentBuffer *add(const EntryParameter &parameter) {
    buffers.push_back(std::make_unique<ArgumentBuffer>(parameter));
    return buffers.back()->isAllocated() ? buffers.back().get() : nullptr;
  }
  /// Calls `function` and returns the seconds that it took.
  double call(Jit::Function function) {
    std::vector<void *> arguments;
    for (auto &buffer : buffers)
      arguments.push_back(buffer->getArgument());
    auto start = std::chrono::steady_clock::now();
    function(arguments.data());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
};
} // namespace

/// Overwrites the inputs in `frame` for which `options` names a file.
static LogicalResult readInputs(const EntryPoint &entry,
                                const RunOptions &options, CallFrame &frame) {
  SmallVector<unsigned> inputs;
  for (auto [i, parameter] : llvm::enumerate(entry.parameters))
    if (parameter.role != FwRoleOutput)
      inputs.push_back(i);

  SmallVector<bool> taken(entry.parameters.size(), false);
  unsigned next = 0;
  for (StringRef input : options.inputs) {
    auto [name, path] = input.split('=');
    auto *found = llvm::find_if(inputs, [&](unsigned i) {
      return !path.empty() && entry.parameters[i].name == name;
    });
    unsigned number;
    if (found != inputs.end()) {
      number = *found;
    } else {
      // A file name may contain the separator too.
      path = input;
      if (next == inputs.size())
        return emitFinding(Finding(
            entry.loc, "fw-input-mismatch",
            llvm::formatv("requires at most {0} inputs but has more: '{1}'",
                          inputs.size(), input)));
      number = inputs[next++];
    }
    if (taken[number])
      return emitFinding(
          Finding(entry.loc, "fw-input-mismatch",
                  llvm::formatv("requires one input for '{0}' but has another: "
                                "'{1}'",
                                entry.parameters[number].name, path)));
    taken[number] = true;
    if (failed(readNpy(path, entry.parameters[number],
                       frame.buffers[number]->getBytes(), entry.loc)))
      return failure();
  }
  return success();
}

bool RunReport::passed() const {
  return llvm::all_of(
      results, [](const ResultComparison &result) { return result.passed(); });
}

void RunReport::print(llvm::raw_ostream &os) const {
  for (const ResultComparison &result : results)
    result.print(os);
}

/// Fills both sides with the same inputs and poisons all results.
static LogicalResult prepare(const EntryPoint &entry, const RunOptions &options,
                             CallFrame &actual, CallFrame &expected) {
  auto failToAllocate = [&](const EntryParameter &parameter) {
    return emitFinding(
        Finding(entry.loc, "fw-run-out-of-memory",
                llvm::formatv("cannot allocate {0} bytes for '{1}'",
                              parameter.getByteSize(), parameter.name)));
  };
  for (auto [i, parameter] : llvm::enumerate(entry.parameters)) {
    ArgumentBuffer *buffer = actual.add(parameter);
    if (!buffer)
      return failToAllocate(parameter);
    if (parameter.role == FwRoleOutput)
      buffer->poison();
    else
      buffer->fill(options.seed, i);
  }
  if (failed(readInputs(entry, options, actual)))
    return failure();
  for (unsigned i = 0; i < entry.numArguments; ++i) {
    ArgumentBuffer *buffer = expected.add(entry.parameters[i]);
    if (!buffer)
      return failToAllocate(entry.parameters[i]);
    buffer->copyFrom(*actual.buffers[i]);
  }
  for (unsigned parameter : entry.resultParameters) {
    ArgumentBuffer *buffer = expected.add(entry.parameters[parameter]);
    if (!buffer)
      return failToAllocate(entry.parameters[parameter]);
    buffer->poison();
  }
  return success();
}

/// Overwrites the results of the reference for which `options` names a file.
static LogicalResult readExpected(const EntryPoint &entry,
                                  const RunOptions &options,
                                  CallFrame &expected) {
  if (options.expected.size() > entry.resultParameters.size())
    return emitFinding(Finding(
        entry.loc, "fw-input-mismatch",
        llvm::formatv("requires at most {0} expected results but has {1}",
                      entry.resultParameters.size(), options.expected.size())));
  for (auto [i, path] : llvm::enumerate(options.expected)) {
    ArgumentBuffer &buffer = *expected.buffers[entry.numArguments + i];
    if (failed(
            readNpy(path, buffer.getParameter(), buffer.getBytes(), entry.loc)))
      return failure();
  }
  return success();
}

FailureOr<RunReport>
formwork::transforms::runInProcess(const Program &program,
                                   const RunOptions &options) {
  const EntryPoint &entry = program.entry;
  CallFrame actual, expected;
  if (failed(prepare(entry, options, actual, expected)))
    return failure();

  FailureOr<Jit> run =
      Jit::create(*program.host, runTrampoline, options.device);
  if (failed(run))
    return failure();
  FailureOr<Jit> reference =
      Jit::create(*program.reference, referenceTrampoline);
  if (failed(reference))
    return failure();

  if (options.onBuffer)
    for (auto &buffer : actual.buffers)
      if (!buffer->getParameter().byValue)
        options.onBuffer(buffer->getParameter().name, buffer->getBytes());

  RunReport report;
  report.runSeconds = actual.call(run->getFunction());
  if (options.onRun)
    options.onRun();
  report.referenceSeconds = expected.call(reference->getFunction());
  if (failed(readExpected(entry, options, expected)))
    return failure();

  auto compare = [&](unsigned expectedBuffer, unsigned parameter) {
    if (options.onResult)
      options.onResult(actual.buffers[parameter]->getBytes());
    report.results.push_back(compareBuffers(
        *expected.buffers[expectedBuffer], *actual.buffers[parameter],
        fwTolerance(entry.parameters[parameter].type, options.tolerance,
                    entry.parameters[parameter].leastTolerance),
        options.isWritten));
  };
  for (unsigned i = 0; i < entry.numArguments; ++i)
    if (entry.parameters[i].role == FwRoleInOut &&
        !llvm::is_contained(entry.resultParameters, i))
      compare(i, i);
  for (auto [i, parameter] : llvm::enumerate(entry.resultParameters))
    compare(entry.numArguments + i, parameter);
  return report;
}
