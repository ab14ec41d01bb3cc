//===- HtmlTrace.cpp - A check as a page to step through --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/trace/HtmlTrace.h"

#include "embedded/stepperPage.h"
#include "tools/report/Report.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using verifier::CheckResult;
using verifier::HandleSummary;
namespace json = llvm::json;

HtmlTrace::HtmlTrace(const normalforms::FormLibrary &forms,
                     const verifier::SourceNames &names, StringRef name,
                     std::function<std::string(Value)> nameOf,
                     llvm::raw_ostream &os)
    : forms(forms), names(names), name(name), nameOf(std::move(nameOf)),
      os(&os) {
  files.add(name, names.getText());
  os << embedded::stepperPage;
  write("begin", json::Object{{"name", toUtf8(name)},
                              {"text", toUtf8(names.getText())},
                              {"version", FORMWORK_VERSION}});
}

void HtmlTrace::write(StringRef function, json::Value argument) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << argument;
  // Nothing in a string of the schedule ends the script or begins a comment.
  std::string escaped;
  for (char c : text)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  *os << "<script>" << function << "(" << escaped << ")</script>\n";
  os->flush();
}

json::Value HtmlTrace::describePlace(Location loc) {
  std::optional<Place> place = files.locate(loc);
  if (!place)
    return nullptr;
  json::Object object{{"line", place->line}, {"column", place->column}};
  if (place->file != name)
    object["file"] = toUtf8(place->file);
  return object;
}

json::Object HtmlTrace::describeStep(Operation *step) {
  json::Object object{{"op", step->getName().getStringRef().str()},
                      {"number", getNumber(step)},
                      {"place", describePlace(step->getLoc())}};
  // A normalization that was put in front of a step has the place of that step.
  std::optional<Place> place = files.locate(step->getLoc());
  if (place && place->file == name && !names.getOffset(step))
    object["isInserted"] = true;
  // A region is steps of its own.
  if (std::optional<verifier::TextRange> range = names.getRange(step)) {
    StringRef text = names.getText().slice(range->begin, range->end);
    object["lines"] = step->getNumRegions() == 0 ? text.count('\n') + 1 : 1;
    object["first"] = names.getText().take_front(range->begin).count('\n') + 1;
  }
  return object;
}

unsigned HtmlTrace::getNumber(Operation *step) {
  return numbers.try_emplace(step, numbers.size()).first->second;
}

std::optional<unsigned> HtmlTrace::getNumber(Value handle) {
  if (auto known = shown.find(handle); known != shown.end())
    return known->second.number;
  std::string called = nameOf(handle);
  if (!StringRef(called).starts_with("%"))
    return std::nullopt;
  auto number = static_cast<unsigned>(shown.size());
  shown.try_emplace(handle, Shown{number, HandleSummary()});
  newNames[std::to_string(number)] = toUtf8(called);
  return number;
}

void HtmlTrace::beginRun(ModuleOp given) {
  payload.emplace(given);
  write("beginRun", payload->describeBegin());
}

void HtmlTrace::run(Operation *step, bool isDone,
                    const transform::TransformState &state,
                    transforms::WrittenValues written) {
  using namespace std::chrono;
  if (!isDone) {
    begun[step] = steady_clock::now();
    return;
  }
  duration<double> time = steady_clock::now() - begun.lookup(step);
  json::Object object = payload->describeStep(state, [&](Value handle) {
    SmallVector<Value, 1> values{handle};
    if (written)
      values = written(handle);
    SmallVector<unsigned, 1> known;
    for (Value value : values)
      if (std::optional<unsigned> number = getNumber(value))
        known.push_back(*number);
    return known;
  });
  // One that the check has not come to, as it is inserted.
  if (!numbers.contains(step))
    object["step"] = describeStep(step);
  object["number"] = getNumber(step);
  object["seconds"] = time.count();
  if (!newNames.empty())
    object["names"] = std::move(newNames);
  newNames.clear();
  write("ran", std::move(object));
}

transforms::RunListener HtmlTrace::listen() {
  return {[this](ModuleOp given, llvm::raw_ostream &stream) {
            os = &stream;
            beginRun(given);
          },
          [this](Operation *step, bool isDone,
                 const transform::TransformState &state,
                 transforms::WrittenValues written) {
            run(step, isDone, state, written);
          }};
}

void HtmlTrace::compare(Operation *step, unsigned visit, bool isSame) {
  write("compared", json::Object{{"number", getNumber(step)},
                                 {"visit", visit},
                                 {"isSame", isSame}});
}

void HtmlTrace::explainNoRun(StringRef why) {
  write("noRun", json::Object{{"why", toUtf8(why)}});
}

void HtmlTrace::append(const engine::ChildEnd &child) {
  StringRef scripts = child.text;
  *os << scripts.take_front(scripts.rfind('\n') + 1);
  os->flush();
  if (!child.succeeded)
    write("runIsCut", json::Object{{"why", toUtf8(child.explain())}});
}

bool HtmlTrace::updateNameable(Operation *step, const verifier::State &state) {
  bool isElsewhere = !last || last->getBlock() != step->getBlock() ||
                     !last->isBeforeInBlock(step);
  auto add = [&](Value value) {
    // A value without a name cannot be used.
    if (state.handles.contains(value) &&
        StringRef(nameOf(value)).starts_with("%"))
      nameable.try_emplace(value, nameable.size());
  };
  if (isElsewhere) {
    nameable.clear();
    for (Value value : verifier::getVisibleHandles(step, state))
      add(value);
  } else {
    while (last != step) {
      last = last->getNextNode();
      for (Value result : last->getResults())
        add(result);
    }
  }
  last = step;
  return isElsewhere;
}

void HtmlTrace::observe(Operation *step, ArrayRef<verifier::RegionVisit> path,
                        const verifier::State &state) {
  json::Object object = describeStep(step);
  json::Array around;
  for (const verifier::RegionVisit &visit : path) {
    json::Object one{{"op", visit.owner->getName().getStringRef().str()},
                     {"place", describePlace(visit.owner->getLoc())}};
    if (visit.last != visit.first) {
      one["first"] = visit.first;
      if (visit.last != verifier::RegionVisit::anyLater)
        one["last"] = visit.last;
    }
    around.push_back(std::move(one));
  }
  object["path"] = std::move(around);

  bool isElsewhere = updateNameable(step, state);
  SmallVector<Value> due, goes;
  followed.visit(
      step,
      [&](Value value) {
        left.erase(value);
        due.push_back(value);
      },
      [&](Value value) {
        left.insert(value);
        goes.push_back(value);
      });
  if (isElsewhere) {
    llvm::append_range(goes, visible);
    for (const auto &[value, place] : nameable)
      if (!visible.contains(value) && !left.contains(value))
        due.push_back(value);
  }
  json::Array set;
  SmallVector<unsigned> numbers;
  for (Value value : goes)
    if ((left.contains(value) || !nameable.contains(value)) &&
        visible.erase(value))
      numbers.push_back(shown.find(value)->second.number);
  llvm::sort(numbers);

  llvm::erase_if(due, [&](Value value) {
    return !nameable.contains(value) || !state.handles.contains(value);
  });
  llvm::sort(due, [&](Value a, Value b) {
    return nameable.find(a)->second < nameable.find(b)->second;
  });
  due.erase(llvm::unique(due), due.end());
  for (Value value : due) {
    const verifier::HandleState &handle = *state.handles.find(value);
    HandleSummary summary = verifier::summarizeHandle(state, forms, handle);
    auto [known, isNew] = shown.try_emplace(
        value, Shown{static_cast<unsigned>(shown.size()), summary});
    bool isSame = !isNew && known->second.summary == summary;
    if (!visible.insert(value).second && isSame)
      continue;
    known->second.summary = summary;
    json::Object one{{"id", known->second.number},
                     {"validity", summary.validity},
                     {"payload", summary.payload},
                     {"forms", summary.forms}};
    // It is seen again, as it was.
    if (isSame)
      one["isBack"] = true;
    // The page knows the rest.
    if (isNew) {
      one["name"] = toUtf8(nameOf(value));
      one["isParameter"] = handle.kind == verifier::HandleState::Params;
    }
    set.push_back(std::move(one));
  }
  if (nameable.size() != visible.size())
    object["numLeft"] = nameable.size() - visible.size();
  object["set"] = std::move(set);
  object["gone"] = json::Array(numbers);
  write("step", std::move(object));
}

void HtmlTrace::finish(const CheckResult &result,
                       const engine::Findings &findings) {
  json::Array all;
  for (const engine::Finding &finding : findings.get()) {
    json::Array notes;
    for (const engine::Note &note : finding.notes)
      notes.push_back(json::Object{{"kind", tools::stringify(note.kind).str()},
                                   {"message", toUtf8(note.message)},
                                   {"place", describePlace(note.loc)}});
    all.push_back(
        json::Object{{"severity", tools::stringify(finding.severity).str()},
                     {"id", finding.id},
                     {"message", toUtf8(finding.message)},
                     {"place", describePlace(finding.loc)},
                     {"notes", std::move(notes)}});
  }
  write("end", json::Object{{"verdict", result.verdict.getName()},
                            {"steps", result.numOps},
                            {"unproved", result.numUnproved},
                            {"findings", std::move(all)}});
}
