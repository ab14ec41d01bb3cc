//===- SourceNames.cpp - Names and places of a parsed file ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/SourceNames.h"

#include "mlir/IR/Block.h"

using namespace mlir;
using namespace formwork::verifier;

static StringRef toText(llvm::SMRange range) {
  return StringRef(range.Start.getPointer(),
                   range.End.getPointer() - range.Start.getPointer());
}

std::optional<std::string> SourceNames::getName(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const AsmParserState::BlockDefinition *block =
        state.getBlockDef(argument.getOwner());
    if (!block || argument.getArgNumber() >= block->arguments.size())
      return std::nullopt;
    llvm::SMRange range = block->arguments[argument.getArgNumber()].loc;
    if (!contains(range))
      return std::nullopt;
    return toText(range).str();
  }
  auto result = cast<OpResult>(value);
  const AsmParserState::OperationDefinition *op =
      state.getOpDef(result.getOwner());
  if (!op)
    return std::nullopt;
  unsigned number = result.getResultNumber();
  unsigned end = result.getOwner()->getNumResults();
  for (const auto &group : llvm::reverse(op->resultGroups)) {
    if (group.startIndex > number) {
      end = group.startIndex;
      continue;
    }
    if (!contains(group.definition.loc))
      return std::nullopt;
    std::string name = toText(group.definition.loc).str();
    if (end - group.startIndex > 1)
      name += "#" + std::to_string(number - group.startIndex);
    return name;
  }
  return std::nullopt;
}

std::optional<size_t> SourceNames::getOffset(Operation *op) const {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  if (!definition || !contains(definition->loc))
    return std::nullopt;
  const char *begin = definition->loc.Start.getPointer();
  for (const auto &group : definition->resultGroups)
    if (contains(group.definition.loc))
      begin = std::min(begin, group.definition.loc.Start.getPointer());
  return begin - text.begin();
}

std::optional<TextRange> SourceNames::getRange(Operation *op) const {
  std::optional<size_t> begin = getOffset(op);
  if (!begin)
    return std::nullopt;
  llvm::SMRange scope = state.getOpDef(op)->scopeLoc;
  if (!contains(scope))
    return std::nullopt;
  return TextRange{*begin, toRange(scope).end};
}

std::optional<TextRange> SourceNames::getNameRange(Operation *op) const {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  if (!definition || !contains(definition->loc))
    return std::nullopt;
  return toRange(definition->loc);
}

SmallVector<TextRange> SourceNames::getUses(Value value) const {
  SmallVector<TextRange> uses;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const AsmParserState::BlockDefinition *block =
        state.getBlockDef(argument.getOwner());
    if (block && argument.getArgNumber() < block->arguments.size())
      for (llvm::SMRange use : block->arguments[argument.getArgNumber()].uses)
        if (contains(use))
          uses.push_back(toRange(use));
    return uses;
  }
  auto result = cast<OpResult>(value);
  const AsmParserState::OperationDefinition *op =
      state.getOpDef(result.getOwner());
  if (!op)
    return uses;
  const AsmParserState::OperationDefinition::ResultGroupDefinition *group =
      nullptr;
  for (const auto &candidate : op->resultGroups)
    if (candidate.startIndex <= result.getResultNumber())
      group = &candidate;
  if (!group)
    return uses;
  for (llvm::SMRange use : group->definition.uses) {
    if (!contains(use))
      continue;
    // The parser's range ends before the `#1`.
    TextRange range = toRange(use);
    StringRef rest = text.substr(range.end);
    unsigned number = 0;
    if (rest.consume_front("#") && !rest.consumeInteger(10, number))
      range.end = text.size() - rest.size();
    if (group->startIndex + number == result.getResultNumber())
      uses.push_back(range);
  }
  return uses;
}

bool SourceNames::isUnnamed(Operation *op) const {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  return definition && op->getNumResults() != 0 && contains(definition->loc) &&
         definition->resultGroups.empty();
}

bool formwork::verifier::isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

std::string formwork::verifier::makeUniqueName(StringRef base, StringRef text,
                                               llvm::StringSet<> &taken) {
  auto isUsed = [&](StringRef name) {
    if (taken.contains(name))
      return true;
    for (size_t at = text.find(name); at != StringRef::npos;
         at = text.find(name, at + 1)) {
      // A longer name that begins in the same way is another one.
      size_t end = at + name.size();
      if (end == text.size() || !isNameCharacter(text[end]))
        return true;
    }
    return false;
  };
  std::string name = base.str();
  for (unsigned i = 0; isUsed(name); ++i)
    name = (base + "_" + Twine(i)).str();
  taken.insert(name);
  return name;
}
