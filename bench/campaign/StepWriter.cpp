//===- StepWriter.cpp - Steps of schedules --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/StepWriter.h"

#include "embedded/campaignSteps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
using namespace formwork;
using namespace formwork::campaign;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

static SmallVector<Template, 0> readTemplates() {
  SmallVector<Template, 0> templates;
  for (StringRef part :
       llvm::drop_begin(llvm::split(embedded::campaignSteps, "\n==== "))) {
    auto [kind, text] = part.split('\n');
    templates.push_back({kind == "step"        ? Template::Step
                         : kind == "query"     ? Template::Query
                         : kind == "predicate" ? Template::Predicate
                                               : Template::Around,
                         text});
  }
  return templates;
}

static const Template &pickTemplate(Template::Kind kind, Random &random) {
  static const SmallVector<Template, 0> templates = readTemplates();
  while (true) {
    const Template &one = templates[random.below(templates.size())];
    if (one.kind == kind)
      return one;
  }
}

void StepWriter::setRoot(StringRef name, StringRef role) {
  root = name.str();
  rootRole = role.str();
  add(name, role);
}

void StepWriter::add(StringRef name, StringRef role) {
  handles.push_back({name.str(), role.str()});
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

int64_t StepWriter::drawNumber() {
  static constexpr int64_t edges[] = {0,
                                      -1,
                                      -2,
                                      1,
                                      5,
                                      63,
                                      1000,
                                      2147483647,
                                      2147483648,
                                      4294967296,
                                      std::numeric_limits<int64_t>::max(),
                                      std::numeric_limits<int64_t>::min()};
  static constexpr int64_t usual[] = {1,  2, 2, 4, 4, 8, 16,
                                      32, 3, 5, 7, 0, 0, 1};
  return random.chance(0.06) ? edges[random.below(std::size(edges))]
                             : usual[random.below(std::size(usual))];
}

std::string StepWriter::drawNumbers() {
  std::string list;
  unsigned length = random.chance(0.05) ? 0 : random.between(1, 4);
  for (unsigned i = 0; i < length; ++i)
    list += (i ? ", " : "") + std::to_string(drawNumber());
  return list;
}

std::string StepWriter::drawPermutation(unsigned rank) {
  SmallVector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  for (unsigned i = rank; i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  std::string list;
  for (unsigned i = 0; i < rank; ++i)
    list +=
        (i ? ", " : "") + (random.chance(0.03) ? std::to_string(drawNumber())
                                               : std::to_string(order[i]));
  return list;
}

void StepWriter::drawTiles() {
  if (!tiles.empty())
    return;
  numLoops = 0;
  unsigned length = random.between(1, 4);
  for (unsigned i = 0; i < length; ++i) {
    int64_t size = drawNumber();
    if (i + 1 == length && numLoops == 0 && size == 0)
      size = 2;
    numLoops += size != 0;
    tiles += (i ? ", " : "") + std::to_string(size);
  }
}

std::string StepWriter::drawPass() {
  const std::string &pass =
      vocabulary.passes[random.below(vocabulary.passes.size())];
  return "\"" + pass + "\"";
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

std::string StepWriter::makeHandle(StringRef role) {
  std::string name = fresh();
  if (role == "param" && random.chance(0.25)) {
    std::string options = std::to_string(drawNumber());
    std::string selected = random.chance(0.6) ? " = " + options + " from" : "";
    for (unsigned i = random.below(3); i > 0; --i)
      options += ", " + std::to_string(drawNumber());
    before += name + " = transform.tune.knob<\"k" + name.substr(2) + "\">" +
              selected + " options = [" + options +
              "] -> !transform.param<i64>\n";
    return name;
  }
  if (role == "param") {
    before += name + " = transform.param.constant " +
              std::to_string(drawNumber()) +
              " : i64 -> !transform.param<i64>\n";
    return name;
  }
  if (role == "value") {
    std::string op =
        getHandle(random.chance(0.6) ? StringRef("t") : "any", false);
    before += name +
              (random.chance(0.5) ? " = transform.get_operand " + op + "[0]"
                                  : " = transform.get_result " + op + "[0]") +
              " : (!any) -> !transform.any_value\n";
    return name;
  }
  StringRef kind = role;
  bool isTyped = kind.consume_front("typed:");
  std::string what;
  if (role == "func")
    what = "ops{[\"func.func\"]}";
  else if (kind.contains('.'))
    what = "ops{[\"" + kind.str() + "\"]}";
  else
    what = "attributes {" + kind.str() + "}";
  before += name + " = transform.structured.match " + what + " in " + root +
            " : (!any) -> " +
            (isTyped ? "!transform.op<\"" + kind.str() + "\">\n" : "!any\n");
  return name;
}

std::string StepWriter::getHandle(StringRef role, bool consumes) {
  lastType = "!any";
  if (role.starts_with("typed:"))
    lastType = "!transform.op<\"" + role.drop_front(6).str() + "\">";
  if (role == "module" && rootRole == "module")
    return root;
  if (role == "module")
    role = rootRole;
  if (preferred && (preferred->role == "value") == (role == "value") &&
      role != "param") {
    lastType = preferred->role == "value" ? "!transform.any_value" : "!any";
    return std::exchange(preferred, nullptr)->name;
  }
  if (role == "any" && random.chance(0.15)) {
    std::string name = makeHandle(drawOp());
    if (!consumes)
      add(name, "any");
    return name;
  }
  if (role == "any") {
    SmallVector<const Handle *> ops;
    for (const Handle &handle : handles)
      if (handle.role != "value" && handle.role != "param" &&
          !StringRef(handle.role).starts_with("typed:"))
        ops.push_back(&handle);
    if (!ops.empty() && random.chance(0.8))
      return ops[random.below(ops.size())]->name;
    role = "t";
  }
  SmallVector<size_t> fitting;
  for (auto [i, handle] : llvm::enumerate(handles))
    if (handle.role == role)
      fitting.push_back(i);
  std::string name;
  if (fitting.empty() || random.chance(0.1)) {
    name = makeHandle(role);
    if (!consumes)
      add(name, role);
    return name;
  }
  size_t at = fitting[random.chance(0.8) ? fitting.size() - 1
                                         : random.below(fitting.size())];
  name = handles[at].name;
  if (consumes && random.chance(0.95) && name != root) {
    std::string kind = handles[at].role;
    // Others of the role may point at the same ops.
    std::erase_if(handles, [&](const Handle &handle) {
      return handle.role == kind && handle.name != root;
    });
  }
  return name;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

std::string StepWriter::placeholder(StringRef name, StringRef argument,
                                    unsigned depth) {
  if (name == "h" || name == "k")
    return getHandle(argument, name == "k");
  if (name == "int")
    return std::to_string(drawNumber());
  if (name == "ints")
    return drawNumbers();
  if (name == "perm")
    return drawPermutation(random.between(1, 4));
  if (name == "op")
    return drawOp();
  if (name == "function" || name == "arguments" || name == "results") {
    drawFunction();
    if (name == "function")
      return function ? function->name : "f";
    return function
               ? drawPermutation(name == "arguments" ? function->numArguments
                                                     : function->numResults)
               : "0";
  }
  if (name == "opType")
    return lastType;
  if (name == "pass")
    return drawPass();
  if (name == "group")
    return vocabulary.groups[random.below(vocabulary.groups.size())];
  if (name == "tiles") {
    drawTiles();
    return tiles;
  }
  if (name == "types") {
    std::string types;
    for (unsigned i = 0; i < numLoops; ++i)
      types += ", !any";
    return types;
  }
  if (name == "predicates")
    return writePredicates();
  if (name == "matcher")
    return writeMatcher();
  if (name == "sequence")
    return addSequence(argument);
  if (name == "convert")
    return vocabulary.conversions[random.below(vocabulary.conversions.size())];
  if (name == "body") {
    StepWriter inner(vocabulary, random, next, library);
    inner.setRoot("%each", argument == "t" ? "module" : argument);
    if (argument == "t")
      inner.add("%each", "t");
    inner.write(random.between(1, 2), depth + 1);
    return inner.text;
  }
  llvm::report_fatal_error("steps.txt has a placeholder $" + name);
}

/// The conditions of a matcher on `%s`.
std::string StepWriter::writePredicates() {
  std::string predicates;
  for (unsigned i = random.between(0, 3); i > 0; --i) {
    llvm::StringMap<std::string> own;
    predicates += expand(pickTemplate(Template::Predicate, random).text, random,
                         [&](StringRef name, StringRef argument) {
                           if (name == "int")
                             return std::to_string(drawNumber());
                           if (name != "v")
                             llvm::report_fatal_error(
                                 "a predicate of steps.txt has $" + name);
                           auto [it, isNew] = own.try_emplace(argument);
                           if (isNew)
                             it->second = fresh();
                           return it->second;
                         }) +
                  "\n";
  }
  return predicates;
}

/// Steps that set `%ok`, the op or one near it, from the op `%op` that a
/// matcher sees.
std::string StepWriter::writeMatcher() {
  static constexpr StringLiteral names[] = {
      "linalg.matmul", "linalg.generic", "linalg.fill", "scf.for",
      "func.func",     "arith.constant", "no.such"};
  std::string text;
  if (random.chance(0.5))
    text += "transform.match.operation_name %op [\"" +
            pick(random, names).str() + "\", \"" + pick(random, names).str() +
            "\"] : !any\n";
  if (random.chance(0.2))
    text +=
        "%around = transform.get_parent_op %op {op_name = \"" +
        pick(random, names).str() + "\"" +
        (random.chance(0.5) ? ", allow_empty_results" : "") +
        "} : (!any) -> !any\n" +
        (random.chance(0.5) ? "transform.match.operation_empty %around : !any\n"
                            : "");
  if (random.chance(0.2))
    text += "%value = transform.get_" +
            std::string(random.chance(0.5) ? "operand" : "result") + " %op[" +
            (random.chance(0.5) ? "0" : "all") +
            "] : (!any) -> !transform.any_value\n";
  if (random.chance(0.6))
    return text + "%ok = transform.match.structured failures(" +
           (random.chance(0.8) ? "propagate" : "suppress") +
           ") %op : (!any) -> !any {\n^bb0(%s: !any):\n" + writePredicates() +
           "transform.match.structured.yield %s : !any\n}";
  if (random.chance(0.3))
    return text + "%ok = transform.get_parent_op %op : (!any) -> !any";
  if (random.chance(0.2))
    return text +
           "%ok = transform.get_producer_of_operand %op[0] : (!any) -> !any";
  return text + "%ok = transform.merge_handles %op : !any";
}

/// Adds a named sequence, which calls itself `@it`; returns its name.
std::string StepWriter::addSequence(StringRef text) {
  std::string name = "@part" + std::to_string(next++);
  auto [before, after] = text.split("@it");
  library += before.str() + name + after.str() + "\n";
  return name;
}

std::string StepWriter::drawOp() {
  if (vocabulary.payloadOps.empty())
    return "no.such";
  return vocabulary.payloadOps[random.below(vocabulary.payloadOps.size())];
}

void StepWriter::drawFunction() {
  if (!function && !vocabulary.functions.empty())
    function = &vocabulary.functions[random.below(vocabulary.functions.size())];
}

/// Whether the payload has an op of a kind that the template `text` asks for,
/// or a step may have made one.
bool StepWriter::hasPayloadFor(StringRef text) const {
  bool asks = false;
  for (StringRef sign : {"$k(", "$h("}) {
    for (size_t at = text.find(sign); at != StringRef::npos;
         at = text.find(sign, at + 1)) {
      StringRef role =
          text.substr(at + 3).take_until([](char c) { return c == ')'; });
      SmallVector<StringRef> names;
      llvm::SplitString(role, names, "$<>~");
      for (StringRef name : names) {
        name.consume_front("typed:");
        bool isKind = name.contains('.');
        asks |= isKind;
        if (!isKind || llvm::is_contained(vocabulary.payloadOps, name) ||
            llvm::any_of(handles, [&](const Handle &handle) {
              return handle.role == name;
            }))
          return true;
      }
    }
  }
  return !asks;
}

/// A template, mostly one that the payload has something for.
const Template &StepWriter::pickStep(Template::Kind kind) {
  while (true) {
    const Template &one = pickTemplate(kind, random);
    if (hasPayloadFor(one.text) || (!isGrowing && random.chance(0.3)))
      return one;
  }
}

void StepWriter::watch() {
  before.clear();
  StringRef role = random.chance(0.5) ? "value" : "any";
  std::string op = makeHandle(drawOp());
  std::string name = op;
  if (role == "value") {
    name = fresh();
    before += name +
              (random.chance(0.7) ? " = transform.get_result " + op + "[all]"
                                  : " = transform.get_operand " + op + "[0]") +
              " : (!any) -> !transform.any_value\n";
  }
  text += before;
  watched.push_back({name, role.str()});
}

void StepWriter::useWatched() {
  for (const Handle &handle : watched) {
    StringRef sign = handle.role == "value" ? "$h(value)" : "$h($<t~any$>)";
    const Template *one = nullptr;
    for (unsigned i = 0; i < 100 && !one; ++i) {
      const Template &next = pickTemplate(Template::Query, random);
      if (next.text.contains(sign) ||
          (handle.role == "any" && next.text.contains("$h(any)")))
        one = &next;
    }
    if (!one)
      continue;
    preferred = &handle;
    writeOne(*one, 0);
    preferred = nullptr;
  }
}

void StepWriter::writeOne(Template::Kind kind, unsigned depth) {
  writeOne(pickStep(kind), depth);
}

void StepWriter::writeOne(const Template &one, unsigned depth) {
  before.clear();
  tiles.clear();
  function = nullptr;
  // Results are there only behind their step.
  std::vector<Handle> results;
  std::string step = expand(
      one.text, random, [&](StringRef name, StringRef argument) -> std::string {
        if (name == "r") {
          results.push_back({fresh(), argument.str()});
          return results.back().name;
        }
        if (name == "loops") {
          drawTiles();
          std::string loop = fresh();
          for (unsigned i = 0; i < numLoops; ++i)
            results.push_back({loop + "#" + std::to_string(i), argument.str()});
          return numLoops ? ", " + loop + ":" + std::to_string(numLoops)
                          : std::string();
        }
        // A name that templates declare themselves.
        return placeholder(name, argument, depth);
      });
  std::string own = "%q" + std::to_string(next) + "_";
  std::string renamed;
  StringRef rest = step;
  for (size_t at; (at = rest.find_first_of('%')) != StringRef::npos;) {
    renamed += rest.take_front(at);
    rest = rest.drop_front(at);
    if (rest.starts_with("%q") || rest.starts_with("%w")) {
      renamed += own + rest[1];
      rest = rest.drop_front(2);
    } else {
      renamed += '%';
      rest = rest.drop_front(1);
    }
  }
  ++next;
  renamed += rest;
  text += before + renamed + "\n";
  for (Handle &result : results)
    handles.push_back(std::move(result));
}

void StepWriter::grow(unsigned length, llvm::function_ref<bool()> accepts) {
  constexpr unsigned kTriesPerStep = 6;
  isGrowing = true;
  for (unsigned tries = length * kTriesPerStep; tries > 0 && length > 0;
       --tries) {
    auto before = std::tuple(text, library, handles);
    writeOne(random.chance(0.25)   ? Template::Query
             : random.chance(0.08) ? Template::Around
                                   : Template::Step,
             0);
    if (accepts())
      --length;
    else
      std::tie(text, library, handles) = std::move(before);
  }
}

void StepWriter::write(unsigned length, unsigned depth) {
  auto query = [&] {
    if (random.chance(0.15))
      writeOne(Template::Query, depth);
  };
  for (unsigned i = 0; i < length; ++i) {
    query();
    writeOne(depth == 0 && random.chance(0.06) ? Template::Around
                                               : Template::Step,
             depth);
  }
  query();
}
