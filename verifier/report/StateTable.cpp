//===- StateTable.cpp - The state of handles, for people --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/report/StateTable.h"

#include "engine/SourcePlace.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;

static std::string describeLine(Operation *op) {
  FileLineColLoc loc = engine::findSourcePlace(op->getLoc());
  return loc ? std::to_string(loc.getLine()) : "?";
}

static std::string describeValidity(const State &state,
                                    const HandleState &handle,
                                    const HandleInvalidation &found) {
  if (handle.kind == HandleState::Params)
    return "valid";
  if (found.certainty == Certainty::No)
    return handle.count(state.payload).hi == 0 ? "empty" : "valid";
  return (found.certainty == Certainty::Yes ? "dead: " : "dead?: ") +
         describeLine(found.by);
}

static std::string describeCount(Count count) {
  auto number = [](int64_t n) {
    return n == Count::unbounded ? std::string("*") : std::to_string(n);
  };
  return count.isExact() ? number(count.lo)
                         : number(count.lo) + ".." + number(count.hi);
}

static std::string describePayload(const State &state,
                                   const HandleState &handle) {
  if (handle.kind == HandleState::Params) {
    std::string text = "param [";
    llvm::interleave(
        handle.params,
        [&](const ParamValue &value) {
          if (value.size)
            text += std::to_string(*value.size);
          else
            text += value.size.isSymbolic() ? "open" : "?";
        },
        [&] { text += ", "; });
    return text + "]";
  }
  llvm::SmallSetVector<StringRef, 2> kinds;
  for (NodeId node : handle.nodes) {
    const std::optional<OperationName> &kind = state.payload[node].kind;
    kinds.insert(kind ? kind->getStringRef() : "any op");
  }
  std::string text = handle.kind == HandleState::Values ? "values of " : "";
  text += describeCount(handle.count(state.payload));
  if (!kinds.empty())
    text += " " + llvm::join(kinds, ", ");
  return text;
}

static std::string describeForms(const State &state, const FormLibrary &library,
                                 const HandleState &handle) {
  if (handle.kind == HandleState::Params || handle.nodes.empty())
    return "-";
  const FormLattice &lattice = library.lattice();
  FormSet common = state.forms.get(state.payload, handle.nodes.front());
  for (NodeId node : handle.nodes)
    common = lattice.join(common, state.forms.get(state.payload, node));
  SmallVector<AtomId> atoms = common.atoms();
  SmallVector<std::string> least;
  for (AtomId atom : atoms)
    if (llvm::none_of(atoms, [&](AtomId other) {
          return other != atom && lattice.refines(other, atom);
        }))
      least.push_back(("@" + lattice.getName(atom)).str());
  return least.empty() ? "-" : llvm::join(least, ", ");
}

HandleSummary formwork::verifier::summarizeHandle(const State &state,
                                                  const FormLibrary &forms,
                                                  const HandleState &handle) {
  HandleInvalidation found = state.getInvalidation(handle);
  std::string validity = describeValidity(state, handle, found);
  // Nothing else matters for a handle that cannot be used.
  if (found.certainty == Certainty::Yes)
    return {std::move(validity), "-", "-"};
  return {std::move(validity), describePayload(state, handle),
          describeForms(state, forms, handle)};
}

SmallVector<Value> formwork::verifier::getVisibleHandles(Operation *step,
                                                         const State &state) {
  // Blocks from the innermost one, then turned around.
  SmallVector<SmallVector<Value>> blocks;
  for (Operation *at = step; at && at->getBlock(); at = at->getParentOp()) {
    SmallVector<Value> values;
    auto add = [&](Value value) {
      if (state.handles.contains(value))
        values.push_back(value);
    };
    for (Value argument : at->getBlock()->getArguments())
      add(argument);
    for (Operation &op : *at->getBlock()) {
      for (Value result : op.getResults())
        add(result);
      if (&op == at)
        break;
    }
    blocks.push_back(std::move(values));
  }
  SmallVector<Value> visible;
  for (const SmallVector<Value> &values : llvm::reverse(blocks))
    llvm::append_range(visible, values);
  return visible;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// The widths of the columns; the last one takes the rest of the line.
static constexpr size_t kStepWidth = 37;
static constexpr size_t kHandleWidth = 14;
static constexpr size_t kValidityWidth = 12;
static constexpr size_t kPayloadWidth = 22;
static constexpr size_t kFormsWidth = 120 - 4 * 1 - 2 - kStepWidth -
                                      kHandleWidth - kValidityWidth -
                                      kPayloadWidth;

/// The number of columns that `text` takes on a terminal.
static size_t getWidth(StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

/// `text`, or as much of it as fits with an ellipsis, filled up with blanks.
static std::string fit(StringRef text, size_t width) {
  std::string cell = text.str();
  if (getWidth(cell) > width) {
    while (getWidth(cell) > width - 3) {
      // A character of UTF-8 goes as a whole.
      while (!cell.empty() && (cell.back() & 0xC0) == 0x80)
        cell.pop_back();
      cell.pop_back();
    }
    cell += "...";
  }
  return cell + std::string(width - getWidth(cell), ' ');
}

/// `text` in lines of at most `width`, broken behind commas; a word that is
/// longer stays whole.
static SmallVector<std::string> wrap(StringRef text, size_t width) {
  SmallVector<std::string> lines;
  SmallVector<StringRef> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    if (lines.empty() || getWidth(lines.back()) + 1 + getWidth(word) > width)
      lines.push_back(word.str());
    else
      lines.back() += (" " + word).str();
  }
  return lines;
}

StateTable::StateTable(const FormLibrary &forms, const SourceNames *names,
                       std::function<std::string(Value)> nameOf, Rows rows,
                       llvm::raw_ostream &os)
    : forms(forms), names(names), nameOf(std::move(nameOf)), rows(rows),
      os(os) {
  os << fit("step", kStepWidth) << " | " << fit("handle", kHandleWidth) << " "
     << fit("state", kValidityWidth) << " " << fit("payload", kPayloadWidth)
     << " forms\n"
     << std::string(kStepWidth, '-') << "-+-"
     << std::string(120 - kStepWidth - 3, '-') << "\n";
}

std::string StateTable::describeStep(Operation *step, size_t depth) const {
  std::string text;
  if (FileLineColLoc loc = engine::findSourcePlace(step->getLoc()))
    text = std::to_string(loc.getLine()) + ": ";
  text += std::string(2 * depth, ' ');
  std::optional<TextRange> range = names ? names->getRange(step) : std::nullopt;
  if (!range)
    return text + step->getName().getStringRef().str();
  // One line, whatever the layout.
  StringRef source = names->getText().slice(range->begin, range->end);
  SmallVector<StringRef> words;
  for (StringRef rest = source; !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    llvm::SplitString(line.take_front(line.find("//")), words, " \t\r");
    rest = behind;
    // A region is a step of its own.
    if (!words.empty() && words.back() == "{")
      break;
  }
  std::string joined = llvm::join(words, " ");
  // Every step is of that dialect.
  size_t prefix = joined.find(" transform.");
  if (StringRef(joined).starts_with("transform."))
    joined.erase(0, StringRef("transform.").size());
  else if (prefix != std::string::npos)
    joined.erase(prefix + 1, StringRef("transform.").size());
  return text + joined;
}

/// Whether `a` is set before `b`, of two handles that one step can name.
static bool isSetBefore(Value a, Value b) {
  if (a.getParentBlock() != b.getParentBlock())
    return a.getParentRegion()->isProperAncestor(b.getParentRegion());
  auto first = dyn_cast<BlockArgument>(a), second = dyn_cast<BlockArgument>(b);
  if (first && second)
    return first.getArgNumber() < second.getArgNumber();
  if (first || second)
    return bool(first);
  Operation *setter = a.getDefiningOp(), *other = b.getDefiningOp();
  if (setter != other)
    return setter->isBeforeInBlock(other);
  return cast<OpResult>(a).getResultNumber() <
         cast<OpResult>(b).getResultNumber();
}

SmallVector<Value> StateTable::getHandles(Operation *step, const State &state) {
  if (rows == All)
    return getVisibleHandles(step, state);
  SmallVector<Value> handles;
  followed.visit(step, [&](Value value) {
    if (state.handles.contains(value))
      handles.push_back(value);
  });
  llvm::sort(handles, isSetBefore);
  handles.erase(llvm::unique(handles), handles.end());
  return handles;
}

void StateTable::observe(Operation *step, ArrayRef<RegionVisit> path,
                         const State &state) {
  std::string left = describeStep(step, path.size());
  bool any = false;
  auto printLeft = [&] {
    os << fit(any ? "" : left, kStepWidth) << " |";
    any = true;
  };
  for (Value value : getHandles(step, state)) {
    // A value without a name cannot be used.
    if (names && !names->getName(value))
      continue;
    HandleSummary summary =
        summarizeHandle(state, forms, *state.handles.find(value));
    auto [known, isNew] = shown.try_emplace(value, summary);
    bool changed = isNew || !(known->second == summary);
    known->second = summary;
    if (rows == Changed && !changed)
      continue;
    SmallVector<std::string> payload = wrap(summary.payload, kPayloadWidth);
    SmallVector<std::string> formLines = wrap(summary.forms, kFormsWidth);
    for (size_t i = 0; i < std::max(payload.size(), formLines.size()); ++i) {
      printLeft();
      std::string row =
          " " + fit(i == 0 ? nameOf(value) : "", kHandleWidth) + " " +
          fit(i == 0 ? summary.validity : "", kValidityWidth) + " " +
          fit(i < payload.size() ? payload[i] : "", kPayloadWidth) + " " +
          (i < formLines.size() ? formLines[i] : "");
      os << StringRef(row).rtrim() << "\n";
    }
  }
  if (!any) {
    printLeft();
    os << "\n";
  }
}
