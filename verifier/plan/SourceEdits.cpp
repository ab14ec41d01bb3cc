//===- SourceEdits.cpp - A plan as edits of the schedule's text -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/SourceEdits.h"

#include "verifier/plan/Expansion.h"
#include "verifier/source/StepText.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The blanks at the start of the line that holds `offset`.
static StringRef getIndent(StringRef text, size_t offset) {
  StringRef line = text.take_front(offset);
  line = line.substr(line.rfind('\n') + 1);
  return line.take_while([](char c) { return c == ' ' || c == '\t'; });
}

FailureOr<SmallVector<SourceEdit>>
formwork::verifier::planSourceEdits(const Plan &plan, const FormLibrary &forms,
                                    const SourceNames &names,
                                    const ExpansionOptions *expansion) {
  SmallVector<SourceEdit> edits;
  llvm::StringSet<> taken;
  auto makeName = [&](StringRef base) {
    return makeUniqueName(base, names.getText(), taken);
  };
  llvm::DenseMap<Operation *, std::string> named;
  // The name of a handle; results that nobody uses have none yet.
  auto getHandle = [&](Value value) -> std::optional<std::string> {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !names.isUnnamed(result.getOwner()))
      return names.getName(value);
    Operation *op = result.getOwner();
    bool isGroup = op->getNumResults() > 1;
    std::string &name = named[op];
    if (name.empty()) {
      name = makeUniqueName("%handle", names.getText(), taken);
      edits.push_back(
          {{*names.getOffset(op), *names.getOffset(op)},
           name + (isGroup ? ":" + std::to_string(op->getNumResults()) : "") +
               " = "});
    }
    return isGroup ? name + "#" + std::to_string(result.getResultNumber())
                   : name;
  };
  for (const Insertion &insertion : plan.insertions) {
    std::optional<size_t> offset = names.getOffset(insertion.before);
    std::optional<std::string> handle = getHandle(insertion.handle);
    if (!offset || !handle)
      return emitFinding({insertion.before->getLoc(), "fw-no-source",
                          "requires the source of this op and of its handles "
                          "to insert a normalization but it is not in the file "
                          "that is edited; normalize the file that holds it"});
    std::string indent = getIndent(names.getText(), *offset).str();
    std::string text;
    llvm::raw_string_ostream os(text);
    std::string type = debugString(insertion.handle.getType());
    if (insertion.viaIsolatedParent) {
      std::string parent = makeUniqueName("%anchor", names.getText(), taken);
      os << writeIsolatedParent(parent, *handle, type) << indent;
      handle = parent;
      type = "!transform.any_op";
    }
    if (expansion)
      os << expandNormalization({*handle, type, indent,
                                 &forms.getForm(insertion.form),
                                 expansion->ownModule && insertion.onModule},
                                expansion->rounds, makeName);
    else
      os << writeNormalize(*handle, forms.getForm(insertion.form).name, type)
         << "\n";
    os << indent;
    if (names.getText().contains("\r\n")) {
      // Inserted lines end as in the rest of the file.
      std::string lines;
      for (char c : text)
        lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
      text = std::move(lines);
    }
    edits.push_back({{*offset, *offset}, std::move(text)});
  }
  if (!expansion)
    return edits;

  WalkResult expanded = expansion->schedule->walk([&](Operation *op) {
    if (op->getName().getStringRef() != "transform.normalform.normalize")
      return WalkResult::advance();
    std::optional<TextRange> range = names.getRange(op);
    std::optional<std::string> handle = getHandle(op->getOperand(0));
    if (!range || !handle)
      return WalkResult(emitFinding(
          {op->getLoc(), "fw-no-source",
           "requires the source of every normalization to expand it but this "
           "one is not in the file that is edited; normalize the file that "
           "holds it"}));
    std::string type = debugString(op->getOperand(0).getType());
    StringRef form = op->getAttrOfType<FlatSymbolRefAttr>("form").getValue();
    std::string text = expandNormalization(
        {*handle, type, getIndent(names.getText(), range->begin).str(),
         forms.lookup(form),
         expansion->ownModule && isa<BlockArgument>(op->getOperand(0))},
        expansion->rounds, makeName);
    edits.push_back({*range, StringRef(text).rtrim('\n').str()});
    return WalkResult::advance();
  });
  if (expanded.wasInterrupted())
    return failure();
  return edits;
}

FailureOr<SmallVector<SourceEdit>>
formwork::verifier::planRemovalEdits(ArrayRef<Operation *> ops,
                                     const SourceNames &names) {
  SmallVector<SourceEdit> edits;
  StringRef text = names.getText();
  for (Operation *op : ops) {
    std::optional<TextRange> range = names.getRange(op);
    SmallVector<TextRange> uses;
    for (Value result : op->getResults())
      llvm::append_range(uses, names.getUses(result));
    std::optional<std::string> operand;
    if (op->getNumOperands() != 0) {
      // The replacement may be removed as well.
      Value value = op->getOperand(0);
      while (value.getDefiningOp() &&
             llvm::is_contained(ops, value.getDefiningOp()) &&
             value.getDefiningOp()->getNumOperands() != 0)
        value = value.getDefiningOp()->getOperand(0);
      operand = names.getName(value);
    }
    if (!range || (!uses.empty() && !operand))
      return emitFinding({op->getLoc(), "fw-no-source",
                          "requires the source of this op to take it out but "
                          "it is not in the file that is edited; normalize the "
                          "file that holds it"});
    auto [begin, end] = *range;
    size_t lineBegin = text.rfind('\n', begin);
    lineBegin = lineBegin == StringRef::npos ? 0 : lineBegin + 1;
    size_t lineEnd = text.find('\n', end);
    lineEnd = lineEnd == StringRef::npos ? text.size() : lineEnd + 1;
    if (text.slice(lineBegin, begin).trim().empty() &&
        text.slice(end, lineEnd).trim().empty()) {
      begin = lineBegin;
      end = lineEnd;
    }
    edits.push_back({{begin, end}, ""});
    for (TextRange use : uses) {
      // Not where another op that goes uses it.
      bool isGone = llvm::any_of(ops, [&](Operation *other) {
        std::optional<TextRange> around = names.getRange(other);
        return around && around->begin <= use.begin && use.end <= around->end;
      });
      if (!isGone)
        edits.push_back({use, *operand});
    }
  }
  return edits;
}
