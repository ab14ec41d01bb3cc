//===- NameReader.cpp - What a document names, and where --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/NameReader.h"

#include "tools/service/DocumentDiagnostics.h"
#include "tools/service/Hovers.h"
#include "tools/service/OperationPages.h"
#include "tools/service/TextPositions.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using transforms::ScheduleInput;
namespace lsp = llvm::lsp;

namespace {
/// See `readNames`.
class NameReader {
public:
  NameReader(const ScheduleInput &input, const HandleHistory &history,
             const normalforms::FormLibrary &forms, SourceFiles &files,
             DocumentFacts &facts)
      : input(input), history(history), forms(forms), files(files),
        facts(facts), names(*input.getNames()), positions(names.getText()) {}

  void readHandles();
  void readSymbols();
  void readSteps(const normalforms::ContractLibrary &contracts,
                 const verifier::ParameterModel *parameters);

private:
  lsp::Range toRange(verifier::TextRange range) const {
    return positions.toRange(range.begin, range.end);
  }
  std::optional<verifier::TextRange> toTextRange(llvm::SMRange range) const;
  void addHandle(Value first, unsigned count,
                 const AsmParserState::SMDefinition &definition);
  NamedEntity &findEntity(StringRef kind, StringRef name);
  /// Where the sequence or form called `name` is declared.
  void setDefinition(NamedEntity &entity, Operation *declaration);

  const ScheduleInput &input;
  const HandleHistory &history;
  const normalforms::FormLibrary &forms;
  SourceFiles &files;
  DocumentFacts &facts;
  verifier::SourceNames names;
  TextPositions positions;
};
} // namespace

std::optional<verifier::TextRange>
NameReader::toTextRange(llvm::SMRange range) const {
  StringRef text = names.getText();
  if (!range.isValid() || range.Start.getPointer() < text.begin() ||
      range.End.getPointer() > text.end())
    return std::nullopt;
  return verifier::TextRange{
      static_cast<size_t>(range.Start.getPointer() - text.begin()),
      static_cast<size_t>(range.End.getPointer() - text.begin())};
}

void NameReader::addHandle(Value first, unsigned count,
                           const AsmParserState::SMDefinition &definition) {
  std::optional<verifier::TextRange> range = toTextRange(definition.loc);
  if (!range)
    return;
  NamedEntity entity;
  entity.kind = "handle";
  entity.name = names.getText().slice(range->begin, range->end);
  entity.definition = toRange(*range);
  for (llvm::SMRange use : definition.uses)
    if (std::optional<verifier::TextRange> at = toTextRange(use))
      entity.uses.push_back(toRange(*at));
  Operation *around = first.getParentBlock()->getParentOp();
  if (std::optional<verifier::TextRange> scope = names.getRange(around))
    entity.scopeEnd = positions.toPosition(scope->end);
  std::string label;
  for (unsigned i = 0; i < count; ++i) {
    Value value = first;
    std::string name = entity.name;
    if (count > 1) {
      auto result = cast<OpResult>(first);
      value = result.getOwner()->getResult(result.getResultNumber() + i);
      name += "#" + std::to_string(i);
    }
    ArrayRef<HandleEvent> events = history.get(value);
    entity.hover += describeHandle(name, events);
    if (!events.empty()) {
      const verifier::HandleSummary &last = events.back().summary;
      facts.handles.push_back({name, last.payload, last.forms, last.validity});
    }
    std::string words = history.describeShortly(value);
    if (!words.empty())
      label += (label.empty() ? "" : " | ") + words;
  }
  entity.hint = std::move(label);
  facts.entities.push_back(std::move(entity));
}

void NameReader::readHandles() {
  // The state of the parser also knows operations that are gone by now.
  llvm::DenseSet<Operation *> steps;
  llvm::DenseSet<Block *> blocks;
  input.schedule.get()->walk([&](Operation *op) {
    steps.insert(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.insert(&block);
  });
  const AsmParserState &state = *input.sourceText.state;
  for (const AsmParserState::BlockDefinition &block : state.getBlockDefs()) {
    if (!blocks.contains(block.block))
      continue;
    unsigned count = std::min<size_t>(block.arguments.size(),
                                      block.block->getNumArguments());
    for (unsigned i = 0; i < count; ++i)
      addHandle(block.block->getArgument(i), 1, block.arguments[i]);
  }
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs()) {
    if (!steps.contains(op.op))
      continue;
    for (size_t i = 0; i < op.resultGroups.size(); ++i) {
      unsigned begin = op.resultGroups[i].startIndex;
      unsigned end = i + 1 == op.resultGroups.size()
                         ? op.op->getNumResults()
                         : op.resultGroups[i + 1].startIndex;
      if (begin < end && end <= op.op->getNumResults())
        addHandle(op.op->getResult(begin), end - begin,
                  op.resultGroups[i].definition);
    }
  }
}

NamedEntity &NameReader::findEntity(StringRef kind, StringRef name) {
  for (NamedEntity &entity : facts.entities)
    if (entity.kind == kind && entity.name == name)
      return entity;
  NamedEntity entity;
  entity.kind = kind;
  entity.name = name;
  entity.file = "-";
  facts.entities.push_back(std::move(entity));
  return facts.entities.back();
}

void NameReader::setDefinition(NamedEntity &entity, Operation *declaration) {
  std::optional<Place> place = files.locate(declaration->getLoc());
  if (!place)
    return;
  if (place->file != input.sourceName) {
    // Built-in declarations have no file.
    if (llvm::sys::fs::exists(place->file)) {
      entity.file = place->file;
      entity.definition = tools::toRange(*place);
    }
    return;
  }
  // The name of the sequence is behind that of the operation.
  std::optional<verifier::TextRange> range = names.getRange(declaration);
  size_t at =
      range ? names.getText().find(entity.name, range->begin) : StringRef::npos;
  if (at == StringRef::npos)
    return;
  entity.file = "";
  entity.definition = positions.toRange(at, at + entity.name.size());
}

void NameReader::readSymbols() {
  StringRef text = names.getText();
  input.schedule.get()->walk([&](Operation *op) {
    std::optional<verifier::TextRange> range = names.getRange(op);
    if (!range)
      return;
    if (auto sequence = dyn_cast<transform::NamedSequenceOp>(op)) {
      NamedEntity &entity =
          findEntity("sequence", ("@" + sequence.getSymName()).str());
      setDefinition(entity, op);
      entity.hover = describeSequence(sequence);
    }
    llvm::SmallSetVector<StringRef, 4> symbols;
    AttrTypeWalker walker;
    walker.addWalk([&](SymbolRefAttr symbol) {
      symbols.insert(symbol.getLeafReference());
    });
    for (NamedAttribute attribute : op->getAttrs())
      walker.walk(attribute.getValue());
    for (StringRef symbol : symbols) {
      std::string name = ("@" + symbol).str();
      bool isForm =
          op->getName().getStringRef().starts_with("transform.normalform.") &&
          forms.lookup(symbol);
      Operation *sequence =
          isForm ? nullptr
                 : SymbolTable::lookupSymbolIn(input.schedule.get(), symbol);
      if (!isForm && !sequence)
        continue;
      NamedEntity &entity = findEntity(isForm ? "form" : "sequence", name);
      if (isForm && entity.hover.empty()) {
        const normalforms::Form &form = *forms.lookup(symbol);
        setDefinition(entity, form.declaration);
        entity.hover = describeForm(form, forms);
      } else if (entity.hover.empty()) {
        setDefinition(entity, sequence);
        if (auto named = dyn_cast<transform::NamedSequenceOp>(sequence))
          entity.hover = describeSequence(named);
      }
      for (size_t at = text.find(name, range->begin);
           at != StringRef::npos && at < range->end;
           at = text.find(name, at + name.size())) {
        size_t end = at + name.size();
        if (end < text.size() && verifier::isNameCharacter(text[end]))
          continue;
        lsp::Range use = positions.toRange(at, end);
        if (!llvm::is_contained(entity.uses, use))
          entity.uses.push_back(use);
      }
    }
  });
}

void NameReader::readSteps(const normalforms::ContractLibrary &contracts,
                           const verifier::ParameterModel *parameters) {
  input.schedule.get()->walk([&](Operation *op) {
    std::optional<verifier::TextRange> range = names.getNameRange(op);
    StringRef name = op->getName().getStringRef();
    if (!range || !name.starts_with("transform."))
      return;
    facts.steps.push_back(
        {toRange(*range), name.str(), describeKnob(op, parameters)});
    std::string &text = facts.operations[name.str()];
    if (text.empty())
      text = describeOperation(name, contracts, forms);
  });
}

void formwork::tools::readNames(const ScheduleInput &input,
                                const HandleHistory &history,
                                const normalforms::Libraries &libraries,
                                const verifier::ParameterModel *parameters,
                                SourceFiles &files, DocumentFacts &facts) {
  NameReader names(input, history, *libraries.forms, files, facts);
  names.readHandles();
  names.readSymbols();
  names.readSteps(*libraries.contracts, parameters);
}

void formwork::tools::keepInferred(const DocumentFacts &before,
                                   const ScheduleInput &input,
                                   ArrayRef<Operation *> reached,
                                   DocumentFacts &facts) {
  verifier::SourceNames names = *input.getNames();
  TextPositions positions(names.getText());
  SmallVector<lsp::Range> ranges;
  for (Operation *op : reached)
    if (std::optional<verifier::TextRange> range = names.getRange(op))
      ranges.push_back(positions.toRange(range->begin, range->end));
  auto isReached = [&](const lsp::Range &place) {
    return llvm::any_of(ranges, [&](const lsp::Range &range) {
      return !(place.start < range.start) && place.start < range.end;
    });
  };
  std::map<lsp::Position, const NamedEntity *> handles;
  for (const NamedEntity &entity : before.entities)
    if (entity.kind == "handle")
      handles[entity.definition.start] = &entity;
  for (NamedEntity &entity : facts.entities)
    if (entity.kind == "handle" && isReached(entity.definition)) {
      const NamedEntity &known = *handles.at(entity.definition.start);
      entity.hover = known.hover;
      entity.hint = known.hint;
    }
  std::map<lsp::Position, const StepFacts *> steps;
  for (const StepFacts &step : before.steps)
    steps[step.range.start] = &step;
  for (StepFacts &step : facts.steps)
    if (isReached(step.range))
      step.hover = steps.at(step.range.start)->hover;
  facts.handles = before.handles;
}
