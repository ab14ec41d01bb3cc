//===- Run.cpp - A program run in this process ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "transforms/program/IndexInputs.h"
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
  /// Calls the function of `code`, and says how many seconds that took.
  /// Returns what `Jit::call` does.
  std::optional<Finding> call(const Jit &code, double &seconds) {
    std::vector<void *> arguments;
    for (auto &buffer : buffers)
      arguments.push_back(buffer->getArgument());
    auto start = std::chrono::steady_clock::now();
    std::optional<Finding> fault = code.call(arguments.data());
    seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    return fault;
  }
};
} // namespace

static Finding makeTooLarge(const EntryPoint &entry,
                            const EntryParameter &parameter) {
  return Finding(entry.loc, "fw-entry-too-large",
                 llvm::formatv("requires buffers of at most {0} bytes at the "
                               "entry but '{1}' is {2}",
                               maxByteSize, parameter.name,
                               parameter.getTypeText()));
}

/// For each parameter, the file that `options` names for it; empty for the
/// others.
static FailureOr<SmallVector<StringRef>>
assignInputs(const EntryPoint &entry, const RunOptions &options) {
  SmallVector<unsigned> inputs;
  for (auto [i, parameter] : llvm::enumerate(entry.parameters))
    if (parameter.role != FwRoleOutput)
      inputs.push_back(i);

  SmallVector<StringRef> paths(entry.parameters.size());
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
    if (!paths[number].empty())
      return emitFinding(
          Finding(entry.loc, "fw-input-mismatch",
                  llvm::formatv("requires one input for '{0}' but has another: "
                                "'{1}'",
                                entry.parameters[number].name, path)));
    paths[number] = path;
  }
  return paths;
}

/// Gives the arguments the sizes that their types leave open: those of their
/// files, or that of `options`.
static LogicalResult sizeArguments(EntryPoint &entry, const RunOptions &options,
                                   ArrayRef<StringRef> paths) {
  for (unsigned i = 0; i < entry.numArguments; ++i) {
    EntryParameter &parameter = entry.parameters[i];
    if (!parameter.hasOpenSize())
      continue;
    std::string type = parameter.getTypeText();
    SmallVector<int64_t> given;
    if (!paths[i].empty()) {
      FailureOr<SmallVector<int64_t>> shape = readNpyShape(paths[i], entry.loc);
      if (failed(shape))
        return failure();
      given = std::move(*shape);
      if (given.size() != parameter.shape.size())
        return emitFinding(
            Finding(entry.loc, "fw-input-mismatch",
                    llvm::formatv("requires {0} dimensions for '{1}', which is "
                                  "{2}, but '{3}' has {4}",
                                  parameter.shape.size(), parameter.name, type,
                                  paths[i], given.size())));
    } else if (options.openSize) {
      given.assign(parameter.shape.size(), *options.openSize);
    } else {
      return emitFinding(
          Finding(entry.loc, "fw-entry-dynamic-shape",
                  llvm::formatv("requires a size for each '?' of '{0}', which "
                                "is {1}, but none is given",
                                parameter.name, type))
              .note(NoteKind::FixIt, entry.loc,
                    llvm::formatv("give the array with --input={0}=FILE, or "
                                  "all such sizes with --open-size=N",
                                  parameter.name)));
    }
    for (auto [size, own] : llvm::zip_equal(parameter.shape, given))
      if (ShapedType::isDynamic(size))
        size = own;
    if (parameter.isTooLarge())
      return emitFinding(makeTooLarge(entry, parameter));
  }
  limitByKnownSizes(
      MutableArrayRef(entry.parameters).take_front(entry.numArguments));
  return success();
}

/// Gives the results the sizes that the payload computes from the arguments in
/// `frame`, in which it may compute.
static LogicalResult sizeResults(EntryPoint &entry, const Program &program,
                                 CallFrame &frame) {
  FailureOr<Jit> shapes = Jit::create(*program.shapes, referenceTrampoline);
  if (failed(shapes))
    return failure();
  EntryParameter all;
  all.type = FwElementIndex;
  all.shape = {0};
  for (unsigned number : entry.resultParameters)
    all.shape.front() += entry.parameters[number].shape.size();
  ArgumentBuffer *sizes = frame.add(all);
  FW_CHECK(sizes, "out of memory for a few numbers");
  double seconds;
  if (std::optional<Finding> fault = frame.call(*shapes, seconds))
    return emitFinding(std::move(*fault));
  std::vector<int64_t> values(all.shape.front());
  std::memcpy(values.data(), sizes->getBytes().data(),
              sizes->getBytes().size());
  frame.buffers.pop_back();
  ArrayRef<int64_t> rest = values;
  for (unsigned number : entry.resultParameters) {
    EntryParameter &parameter = entry.parameters[number];
    for (int64_t &size : parameter.shape) {
      if (ShapedType::isDynamic(size))
        size = rest.front();
      rest = rest.drop_front();
    }
    if (parameter.isTooLarge())
      return emitFinding(makeTooLarge(entry, parameter));
  }
  return success();
}

/// Overwrites the inputs in `frame` that have a file.
static LogicalResult readInputs(const EntryPoint &entry,
                                ArrayRef<StringRef> paths, CallFrame &frame) {
  for (auto [i, path] : llvm::enumerate(paths))
    if (!path.empty() &&
        failed(readNpy(path, entry.parameters[i], frame.buffers[i]->getBytes(),
                       entry.loc)))
      return failure();
  return success();
}

bool RunReport::passed() const {
  return !fault && llvm::all_of(results, [](const ResultComparison &result) {
    return result.passed();
  });
}

void RunReport::print(llvm::raw_ostream &os) const {
  for (const ResultComparison &result : results)
    result.print(os);
}

/// Sizes what the types of `entry` leave open, fills both sides with the same
/// inputs and poisons all results.
static LogicalResult prepare(EntryPoint &entry, const Program &program,
                             const RunOptions &options, CallFrame &actual,
                             CallFrame &expected) {
  auto failToAllocate = [&](const EntryParameter &parameter) {
    return emitFinding(
        Finding(entry.loc, "fw-run-out-of-memory",
                llvm::formatv("cannot allocate {0} bytes for '{1}'",
                              parameter.getByteSize(), parameter.name)));
  };
  FailureOr<SmallVector<StringRef>> paths = assignInputs(entry, options);
  if (failed(paths) || failed(sizeArguments(entry, options, *paths)))
    return failure();
  MutableArrayRef<EntryParameter> arguments =
      MutableArrayRef(entry.parameters).take_front(entry.numArguments);
  for (auto [i, parameter] : llvm::enumerate(arguments)) {
    ArgumentBuffer *buffer = actual.add(parameter);
    if (!buffer)
      return failToAllocate(parameter);
    buffer->fill(options.seed, i);
  }
  if (failed(readInputs(entry, *paths, actual)))
    return failure();
  for (EntryParameter &parameter : arguments)
    if (!expected.add(parameter))
      return failToAllocate(parameter);
  auto copyArguments = [&] {
    for (auto [from, to] : llvm::zip_equal(actual.buffers, expected.buffers))
      to->copyFrom(*from);
  };
  copyArguments();
  if (program.shapes) {
    if (failed(sizeResults(entry, program, expected)))
      return failure();
    copyArguments();
  }
  for (EntryParameter &parameter :
       MutableArrayRef(entry.parameters).drop_front(entry.numArguments)) {
    ArgumentBuffer *buffer = actual.add(parameter);
    if (!buffer)
      return failToAllocate(parameter);
    buffer->poison();
  }
  for (unsigned number : entry.resultParameters) {
    ArgumentBuffer *buffer = expected.add(entry.parameters[number]);
    if (!buffer)
      return failToAllocate(entry.parameters[number]);
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
  EntryPoint entry = program.entry;
  CallFrame actual, expected;
  if (failed(prepare(entry, program, options, actual, expected)))
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
  report.fault = actual.call(*run, report.runSeconds);
  if (options.onRun)
    options.onRun();
  if (!report.fault)
    report.fault = expected.call(*reference, report.referenceSeconds);
  if (report.fault)
    return report;
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
