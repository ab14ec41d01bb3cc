//===- MixedText.cpp - A file with a payload and its schedule ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/MixedText.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/SymbolTable.h"

#include <algorithm>

using namespace mlir;
using namespace formwork::tools;
using formwork::transforms::ScheduleInput;
using formwork::verifier::SourceNames;
using formwork::verifier::TextRange;

/// The text that takes the place of an op of the payload.
static constexpr llvm::StringLiteral kEmptyModule = "module{}";

/// Whether the payload is read with the schedule in view: it may refer to
/// sequences.
static bool mayNeedSchedule(ModuleOp payload) {
  return formwork::engine::anyBelow(payload, [](Operation *op) {
    return isa_and_nonnull<transform::TransformDialect>(op->getDialect());
  });
}

bool MixedText::readSchedule(const ScheduleInput &input) {
  std::optional<SourceNames> source = input.getNames();
  if (!source)
    return false;
  Operation *module = input.schedule.get();
  auto add = [&](Operation *op) {
    std::optional<TextRange> range = source->getRange(op);
    // One of a library is in another file.
    if (!range)
      return;
    StringAttr name =
        op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    names.push_back({op->getName().getStringRef().str(),
                     name ? name.getValue().str() : std::string()});
    schedule.push_back(*range);
  };
  // A module that was made for the sequences is in no file.
  add(module);
  if (schedule.empty())
    for (Operation &op : module->getRegion(0).front())
      add(&op);
  return !schedule.empty();
}

std::optional<MixedText> MixedText::read(const ScheduleInput &input,
                                         StringRef text) {
  std::optional<SourceNames> source = input.getNames();
  // Resources stand at the end of a file, and belong to either part.
  if (!source || !input.payload || input.isSeparate || text.contains("{-#") ||
      mayNeedSchedule(*input.payload))
    return std::nullopt;
  MixedText mixed;
  mixed.text = text;
  ModuleOp module = *input.payload;
  for (Operation &op : *module.getBody()) {
    std::optional<TextRange> range = source->getRange(&op);
    if (!range ||
        text.slice(range->begin, range->end).find('\n') < kEmptyModule.size() ||
        range->end - range->begin < kEmptyModule.size())
      return std::nullopt;
    mixed.payload.push_back(*range);
  }
  if (!mixed.readSchedule(input))
    return std::nullopt;
  return mixed;
}

std::optional<MixedText::Ranges>
MixedText::movePayload(StringRef changed) const {
  if (changed == text)
    return payload;
  size_t least = std::min(text.size(), changed.size());
  size_t begin =
      std::mismatch(text.begin(), text.begin() + least, changed.begin()).first -
      text.begin();
  size_t behind = 0;
  while (behind < least - begin &&
         text[text.size() - 1 - behind] == changed[changed.size() - 1 - behind])
    ++behind;
  size_t end = text.size() - behind, newEnd = changed.size() - behind;
  const TextRange *op =
      std::find_if(schedule.begin(), schedule.end(), [&](TextRange range) {
        return range.begin < begin && end < range.end;
      });
  if (op == schedule.end())
    return std::nullopt;
  Ranges moved;
  for (TextRange part : payload) {
    if (part.end <= op->begin) {
      moved.push_back(part);
      continue;
    }
    StringRef old = text;
    bool keepsPlace = part.begin >= op->end &&
                      old.slice(begin, end).count('\n') ==
                          changed.slice(begin, newEnd).count('\n') &&
                      old.slice(op->end, part.begin).contains('\n');
    if (!keepsPlace)
      return std::nullopt;
    moved.push_back({part.begin + newEnd - end, part.end + newEnd - end});
  }
  return moved;
}

std::optional<std::string> MixedText::blank(StringRef changed) const {
  std::optional<Ranges> parts = movePayload(changed);
  if (!parts)
    return std::nullopt;
  std::string blanked = changed.str();
  for (TextRange part : *parts) {
    std::replace_if(
        blanked.begin() + part.begin, blanked.begin() + part.end,
        [](char c) { return c != '\n'; }, ' ');
    llvm::copy(kEmptyModule, blanked.begin() + part.begin);
  }
  return blanked;
}

static bool isEmptyModule(Operation &op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module && module.getBody()->empty() && op.getAttrs().empty();
}

std::optional<MixedText> MixedText::follow(const ScheduleInput &input,
                                           StringRef changed) const {
  MixedText mixed;
  mixed.text = changed;
  if (!input.payload || !mixed.readSchedule(input) || mixed.names != names)
    return std::nullopt;
  ModuleOp module = *input.payload;
  auto &ops = module.getBody()->getOperations();
  if (ops.size() != payload.size() || !llvm::all_of(ops, isEmptyModule))
    return std::nullopt;
  mixed.payload = *movePayload(changed);
  return mixed;
}
