//===- SourceEdits.cpp - A plan as edits of the schedule's text -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/SourceEdits.h"

#include "verifier/source/UnifiedDiff.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork;
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
                                    const SourceNames &names) {
  SmallVector<SourceEdit> edits;
  llvm::StringSet<> taken;
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
          {*names.getOffset(op),
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
    std::string type;
    llvm::raw_string_ostream(type) << insertion.handle.getType();
    if (insertion.viaIsolatedParent) {
      std::string parent = makeUniqueName("%anchor", names.getText(), taken);
      os << parent << " = transform.get_parent_op " << *handle
         << " {deduplicate, isolated_from_above} : (" << type
         << ") -> !transform.any_op\n"
         << indent;
      handle = parent;
      type = "!transform.any_op";
    }
    os << "transform.normalform.normalize " << *handle << " to @"
       << forms.getForm(insertion.form).name << " : " << type << "\n"
       << indent;
    if (names.getText().contains("\r\n")) {
      // What is inserted ends its lines as the rest of the file does.
      std::string lines;
      for (char c : text)
        lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
      text = std::move(lines);
    }
    edits.push_back({*offset, std::move(text)});
  }
  return edits;
}

static SmallVector<SourceEdit> sorted(ArrayRef<SourceEdit> edits) {
  SmallVector<SourceEdit> result(edits);
  llvm::stable_sort(result, [](const SourceEdit &a, const SourceEdit &b) {
    return a.offset < b.offset;
  });
  return result;
}

std::string formwork::verifier::applySourceEdits(StringRef text,
                                                 ArrayRef<SourceEdit> edits) {
  std::string result;
  size_t done = 0;
  for (const SourceEdit &edit : sorted(edits)) {
    result += text.slice(done, edit.offset);
    result += edit.text;
    done = edit.offset;
  }
  return result + text.substr(done).str();
}

std::string formwork::verifier::printUnifiedDiff(StringRef name, StringRef text,
                                                 ArrayRef<SourceEdit> edits) {
  return printUnifiedDiff(name, text, applySourceEdits(text, edits));
}
