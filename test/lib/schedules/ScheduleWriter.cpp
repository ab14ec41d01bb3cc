//===- ScheduleWriter.cpp - Steps that fit their operands -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

ScheduleWriter::ScheduleWriter(ModuleOp payload, Random &random)
    : random(random) {
  payload.walk([&](Operation *op) {
    if (op != payload.getOperation())
      ++present[op->getName().getStringRef()];
  });
  for (const auto &entry : present)
    if (StringRef(entry.getKey()) != "func.return")
      names.push_back(entry.getKey().str());
  llvm::sort(names);
  handles.push_back({"%module", "builtin.module"});
}

ScheduleText ScheduleWriter::write() {
  unsigned wanted = random.between(2, 14);
  for (unsigned tries = 0; text.steps.size() < wanted && tries < 200; ++tries)
    step();
  return std::move(text);
}

void ScheduleWriter::add(StringRef name, StringRef kind, int64_t count,
                         bool many) {
  handles.push_back({name.str(), kind.str(), count, many});
}

const ScheduleWriter::Handle *
ScheduleWriter::pick(llvm::function_ref<bool(const Handle &)> fits) {
  SmallVector<const Handle *> found;
  for (const Handle &handle : handles)
    if (fits(handle))
      found.push_back(&handle);
  return found.empty() ? nullptr : found[random.below(found.size())];
}

const ScheduleWriter::Handle *
ScheduleWriter::pickOrMatch(llvm::function_ref<bool(StringRef)> fits) {
  auto holds = [&](const Handle &handle) { return fits(handle.kind); };
  const Handle *found = pick(holds);
  SmallVector<StringRef> kinds;
  for (const std::string &name : names)
    if (fits(name))
      kinds.push_back(name);
  if (found || kinds.empty() || random.chance(0.3))
    return found;
  matchKind(kinds[random.below(kinds.size())]);
  return &handles.back();
}

const ScheduleWriter::Handle *ScheduleWriter::pickKind(StringRef kind) {
  return pickOrMatch([&](StringRef name) { return name == kind; });
}

const ScheduleWriter::Handle *ScheduleWriter::pickLinalg() {
  return pickOrMatch([](StringRef name) {
    return name.starts_with("linalg.") && !name.ends_with("yield") &&
           !name.ends_with("index");
  });
}

const ScheduleWriter::Handle *ScheduleWriter::pickLoop() {
  return pickOrMatch(
      [](StringRef name) { return name == "scf.for" || name == "scf.forall"; });
}

void ScheduleWriter::forget(StringRef kind) {
  if (random.chance(0.06))
    return;
  // The root stays: what else is known comes from it.
  auto isGone = [&](const Handle &handle) {
    return handle.kind == kind || handle.kind.empty() ||
           StringRef(handle.kind).starts_with("arith.");
  };
  handles.erase(std::remove_if(handles.begin() + 1, handles.end(), isGone),
                handles.end());
}

void ScheduleWriter::forgetAll() {
  if (random.chance(0.06))
    return;
  handles.erase(handles.begin() + 1, handles.end());
}

void ScheduleWriter::step() {
  using Step = void (ScheduleWriter::*)();
  // Steps that find payload come more often, or there is nothing to work on.
  static constexpr Step steps[] = {
      &ScheduleWriter::match, &ScheduleWriter::match, &ScheduleWriter::match,
      &ScheduleWriter::match, &ScheduleWriter::match,
      &ScheduleWriter::matchClass, &ScheduleWriter::tileFor,
      &ScheduleWriter::tileFor, &ScheduleWriter::tileForall,
      &ScheduleWriter::tileForall, &ScheduleWriter::fuse,
      &ScheduleWriter::fuseNest, &ScheduleWriter::tileReduction,
      &ScheduleWriter::cleanUp, &ScheduleWriter::cleanUp,
      &ScheduleWriter::cleanUp, &ScheduleWriter::convert,
      &ScheduleWriter::parent, &ScheduleWriter::producer,
      &ScheduleWriter::navigate, &ScheduleWriter::castOrMerge,
      &ScheduleWriter::split, &ScheduleWriter::rewriteOne,
      &ScheduleWriter::rewriteOne, &ScheduleWriter::rewriteMore,
      &ScheduleWriter::loopOp, &ScheduleWriter::loopOp,
      &ScheduleWriter::loopMore, &ScheduleWriter::mapToGPU,
      &ScheduleWriter::vectorize, &ScheduleWriter::bufferize,
      &ScheduleWriter::memory, &ScheduleWriter::pass, &ScheduleWriter::foreach,
      &ScheduleWriter::foreachSeveral, &ScheduleWriter::alternatives,
      &ScheduleWriter::alternativesWithResults, &ScheduleWriter::sequence,
      &ScheduleWriter::sequenceWithResults, &ScheduleWriter::include,
      &ScheduleWriter::includeMore, &ScheduleWriter::annotate,
      &ScheduleWriter::parameters, &ScheduleWriter::use, &ScheduleWriter::use,
      &ScheduleWriter::values, &ScheduleWriter::collect,
      &ScheduleWriter::foreachMatch, &ScheduleWriter::tuneAlternatives,
      // Once more, beside all those with regions.
      &ScheduleWriter::tileFor, &ScheduleWriter::tileForall,
      &ScheduleWriter::fuse, &ScheduleWriter::fuseNest,
      &ScheduleWriter::cleanUp, &ScheduleWriter::convert,
      &ScheduleWriter::rewriteOne, &ScheduleWriter::rewriteMore,
      &ScheduleWriter::loopOp, &ScheduleWriter::loopMore,
      &ScheduleWriter::mapToGPU, &ScheduleWriter::vectorize,
      &ScheduleWriter::bufferize, &ScheduleWriter::memory,
      &ScheduleWriter::pass, &ScheduleWriter::pass,
      &ScheduleWriter::alternativesWithResults, &ScheduleWriter::include};
  (this->*steps[random.below(std::size(steps))])();
}
