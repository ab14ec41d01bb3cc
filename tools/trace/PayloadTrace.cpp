//===- PayloadTrace.cpp - The payload behind each step ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/trace/PayloadTrace.h"

#include "tools/report/Report.h"
#include "verifier/source/UnifiedDiff.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace formwork::tools;
namespace json = llvm::json;

/// A browser opens a page of this size without delay.
static constexpr size_t kMaxBytes = size_t(64) << 20;

/// At most so many operations of one handle are shown.
static constexpr size_t kMaxOperations = 1000;

PayloadTrace::PayloadTrace(ModuleOp payload) : payload(payload) { print(); }

void PayloadTrace::print() {
  printed.clear();
  lines.clear();
  llvm::raw_string_ostream os(printed);
  AsmState::LocationMap places;
  // In the middle of a run, it need not verify.
  AsmState state(payload,
                 OpPrintingFlags().assumeVerified().elideLargeElementsAttrs(),
                 &places);
  payload->print(os, state);
  for (auto [op, place] : places)
    lines[op] = place.first;
}

bool PayloadTrace::take(size_t size) {
  isCut |= numBytes + size > kMaxBytes;
  if (!isCut)
    numBytes += size;
  return !isCut;
}

json::Object PayloadTrace::describeBegin() {
  json::Object object{{"lines", StringRef(printed).count('\n')}};
  if (take(printed.size()))
    object["text"] = toUtf8(printed);
  return object;
}

json::Array PayloadTrace::findHandles(const transform::TransformState &state,
                                      NumbersOf numbersOf) {
  llvm::MapVector<unsigned, llvm::SmallVector<unsigned>> found;
  auto add = [&](ArrayRef<Value> handles, unsigned line) {
    for (Value handle : handles)
      for (unsigned number : numbersOf(handle))
        if (auto &of = found[number];
            of.size() < kMaxOperations && (of.empty() || of.back() != line))
          of.push_back(line);
  };
  payload->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto line = lines.find(op);
    if (line == lines.end())
      return;
    SmallVector<Value> handles;
    (void)state.getHandlesForPayloadOp(op, handles);
    for (Value result : op->getResults())
      (void)state.getHandlesForPayloadValue(result, handles);
    add(handles, line->second);
  });
  json::Array handles;
  for (auto &[number, of] : found)
    handles.push_back(json::Array{number, json::Array(of)});
  return handles;
}

json::Object PayloadTrace::describeStep(const transform::TransformState &state,
                                        NumbersOf numbersOf) {
  std::string before = std::move(printed);
  print();
  unsigned numOps = 0;
  payload->walk([&](Operation *) { ++numOps; });
  json::Object object{{"operations", numOps},
                      {"lines", StringRef(printed).count('\n')}};
  std::string difference =
      isCut ? "" : verifier::printUnifiedDiff("payload", before, printed);
  if (!take(difference.size())) {
    object["isCut"] = true;
    return object;
  }
  if (!difference.empty())
    object["difference"] = toUtf8(difference);
  object["handles"] = findHandles(state, numbersOf);
  return object;
}
