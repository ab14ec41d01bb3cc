//===- ScheduleText.cpp - A solved schedule as text -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/ScheduleText.h"

#include "engine/Diagnostics.h"
#include "verifier/solving/ChosenValues.h"
#include "verifier/source/SourceNames.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using solver::Assignment;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

namespace {
/// `text` goes where [begin, end) was.
struct Replacement {
  size_t begin, end;
  std::string text;
};

class Writer {
public:
  Writer(const ParameterModel &model, const Assignment &assignment,
         const AsmParserState &state, StringRef text)
      : model(model), assignment(assignment), state(state), text(text),
        names(state, text, "-") {}

  FailureOr<std::string> write();

private:
  LogicalResult select(Operation *op, const Twine &inserted);
  LogicalResult writeKnob(const Knob &knob);
  LogicalResult writeOpaqueKnob(const OpaqueKnob &knob);
  LogicalResult writeConstrainParams(ConstrainParamsOp op,
                                     ArrayRef<std::optional<int64_t>> values);
  /// Renames the uses of the results that `group` defines to `newNames`, by
  /// their number in the group.
  void renameUses(
      const AsmParserState::OperationDefinition::ResultGroupDefinition &group,
      ArrayRef<std::string> newNames);
  std::string apply();

  size_t getOffset(llvm::SMLoc loc) const {
    return loc.getPointer() - text.begin();
  }

  const ParameterModel &model;
  const Assignment &assignment;
  const AsmParserState &state;
  StringRef text;
  SourceNames names;
  SmallVector<Replacement> replacements;
  llvm::StringSet<> taken;
};
} // namespace

/// The attribute, without the type that the parser assumes anyway.
static std::string print(Attribute attribute) {
  std::string result;
  llvm::raw_string_ostream os(result);
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (integer && integer.getType().isSignlessInteger(64))
    os << integer.getInt();
  else
    os << attribute;
  return result;
}

/// Behind whitespace and comments.
static size_t skipTrivia(StringRef text, size_t at) {
  while (at < text.size()) {
    if (llvm::isSpace(text[at]))
      ++at;
    else if (text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else
      break;
  }
  return at;
}

/// The offset behind the `<"name">` of the op whose own name begins at `at`;
/// none in generic form.
static std::optional<size_t> findSelectionPlace(StringRef text, size_t at) {
  while (at < text.size() && isNameCharacter(text[at]))
    ++at;
  at = skipTrivia(text, at);
  if (!text.substr(at).starts_with("<"))
    return std::nullopt;
  at = skipTrivia(text, at + 1);
  if (!text.substr(at).starts_with("\""))
    return std::nullopt;
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  at = skipTrivia(text, std::min(at + 1, text.size()));
  if (!text.substr(at).starts_with(">"))
    return std::nullopt;
  return at + 1;
}

LogicalResult Writer::select(Operation *op, const Twine &inserted) {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  if (!definition || !names.getOffset(op))
    return refuseToWrite(op,
                         "requires the source of this op to write its selected "
                         "value but it is not in the file that is edited");
  std::optional<size_t> place =
      findSelectionPlace(text, getOffset(definition->loc.Start));
  if (!place)
    return refuseToWrite(op, "requires this op in its own syntax to write its "
                             "selected value but has the generic form");
  replacements.push_back({*place, *place, inserted.str()});
  return success();
}

LogicalResult Writer::writeKnob(const Knob &knob) {
  if (knob.selected)
    return success();
  int64_t value = *assignment.get(knob.term.getVariable());
  if (isa<AlternativesOp>(knob.op))
    return select(knob.op, " selected_region = " + Twine(value));
  auto op = cast<KnobOp>(knob.op);
  return select(op, " = " + print(getSelectedAttribute(op, value)) + " from");
}

LogicalResult Writer::writeOpaqueKnob(const OpaqueKnob &knob) {
  KnobOp op = knob.op;
  if (op.getSelected())
    return success();
  return select(op, " = " + print(getFirstOption(op)) + " from");
}

void Writer::renameUses(
    const AsmParserState::OperationDefinition::ResultGroupDefinition &group,
    ArrayRef<std::string> newNames) {
  for (llvm::SMRange use : group.definition.uses) {
    size_t begin = getOffset(use.Start), end = getOffset(use.End);
    unsigned number = 0;
    // The range ends before the `#1`.
    StringRef rest = text.substr(end);
    if (rest.consume_front("#") && !rest.consumeInteger(10, number))
      end = text.size() - rest.size();
    if (number < newNames.size())
      replacements.push_back({begin, end, newNames[number]});
  }
}

LogicalResult
Writer::writeConstrainParams(ConstrainParamsOp op,
                             ArrayRef<std::optional<int64_t>> values) {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  std::optional<size_t> begin = names.getOffset(op);
  if (!definition || !begin)
    return refuseToWrite(
        op, "requires the source of this op to replace it but it is "
            "not in the file that is edited");
  size_t end = getOffset(definition->scopeLoc.End);
  StringRef line = text.take_front(*begin);
  line = line.substr(line.rfind('\n') + 1);
  StringRef indent = line.take_while([](char c) { return llvm::isSpace(c); });

  SmallVector<std::string> constants;
  for (auto [i, group] : llvm::enumerate(definition->resultGroups)) {
    unsigned last = i + 1 < definition->resultGroups.size()
                        ? definition->resultGroups[i + 1].startIndex
                        : op->getNumResults();
    size_t nameBegin = getOffset(group.definition.loc.Start);
    StringRef name = text.slice(nameBegin, getOffset(group.definition.loc.End));
    SmallVector<std::string> newNames;
    for (unsigned number = group.startIndex; number < last; ++number) {
      Value result = op->getResult(number);
      bool single = last - group.startIndex == 1;
      newNames.push_back(
          single ? name.str()
                 : makeUniqueName(
                       (name + "_" + Twine(number - group.startIndex)).str(),
                       text, taken));
      if (result.use_empty())
        continue;
      std::string type = debugString(result.getType());
      std::string value = debugString(
          makeParameterAttribute(result.getType(), *values[number]));
      constants.push_back(newNames.back() + " = transform.param.constant " +
                          value + " -> " + type);
    }
    if (newNames.size() > 1)
      renameUses(group, newNames);
  }

  if (constants.empty()) {
    // The whole line goes, if nothing else is on it.
    size_t behind = text.find_first_not_of(" \t\r", end);
    if (line == indent && behind != StringRef::npos && text[behind] == '\n')
      replacements.push_back({*begin - indent.size(), behind + 1, ""});
    else
      replacements.push_back({*begin, end, ""});
    return success();
  }
  replacements.push_back(
      {*begin, end, llvm::join(constants, "\n" + indent.str())});
  return success();
}

std::string Writer::apply() {
  llvm::stable_sort(replacements, [](const auto &a, const auto &b) {
    return a.begin < b.begin;
  });
  std::string result;
  size_t done = 0;
  for (const Replacement &replacement : replacements) {
    // A use in an op that is replaced as a whole is gone.
    if (replacement.begin < done)
      continue;
    result += text.slice(done, replacement.begin);
    result += replacement.text;
    done = replacement.end;
  }
  return result + text.substr(done).str();
}

FailureOr<std::string> Writer::write() {
  for (const Knob &knob : model.knobs)
    if (failed(writeKnob(knob)))
      return failure();
  for (const OpaqueKnob &knob : model.opaqueKnobs)
    if (failed(writeOpaqueKnob(knob)))
      return failure();

  FailureOr<ConstrainedValues> constrained =
      getConstrainedValues(model, assignment);
  if (failed(constrained))
    return failure();
  for (auto &[op, values] : *constrained)
    if (failed(writeConstrainParams(cast<ConstrainParamsOp>(op), values)))
      return failure();
  return apply();
}

FailureOr<std::string> formwork::verifier::writeSolvedSchedule(
    const ParameterModel &model, const Assignment &assignment,
    const AsmParserState &state, StringRef text) {
  return Writer(model, assignment, state, text).write();
}
