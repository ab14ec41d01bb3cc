//===- Schedules.cpp - Schedules of a campaign ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Schedules.h"

#include "embedded/campaignSteps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <deque>
#include <map>

using namespace formwork;
using namespace formwork::campaign;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {
struct Template {
  enum Kind { Step, Query, Around, Predicate } kind;
  StringRef text;
};

/// Writes the steps of one sequence, or of one body in it.
class Writer {
public:
  /// Named sequences that steps call are added to `library`.
  Writer(const Vocabulary &vocabulary, Random &random, unsigned &next,
         std::string &library)
      : vocabulary(vocabulary), random(random), next(next), library(library) {}

  void setRoot(StringRef name, StringRef role) {
    root = name.str();
    rootRole = role.str();
    add(name, role);
  }
  void add(StringRef name, StringRef role) {
    handles.push_back({name.str(), role.str()});
  }
  void write(unsigned length, unsigned depth);
  /// Adds a handle that is made before the steps, to be used after them.
  void watch();
  /// Writes a query of each handle that was made to be used later.
  void useWatched();
  /// Adds up to `length` steps, each only if `accepts` what is written then.
  void grow(unsigned length, llvm::function_ref<bool()> accepts);
  std::string text;

private:
  struct Handle {
    std::string name, role;
  };

  void writeOne(Template::Kind kind, unsigned depth);
  void writeOne(const Template &one, unsigned depth);
  const Template &pickStep(Template::Kind kind);
  bool hasPayloadFor(StringRef text) const;
  std::string drawOp();
  void drawFunction();
  std::string placeholder(StringRef name, StringRef argument, unsigned depth);
  std::string writePredicates();
  std::string writeMatcher();
  std::string addSequence(StringRef text);
  std::string getHandle(StringRef role, bool consumes);
  std::string makeHandle(StringRef role);
  std::string fresh() { return "%h" + std::to_string(next++); }
  int64_t drawNumber();
  std::string drawNumbers();
  std::string drawPermutation(unsigned rank);
  void drawTiles();
  std::string drawPass();

  const Vocabulary &vocabulary;
  Random &random;
  unsigned &next;
  std::string &library;
  std::string root, rootRole;
  std::deque<Handle> handles;
  SmallVector<Handle> watched;
  /// Of the step that is being written.
  std::string before, tiles, lastType;
  const Vocabulary::Function *function = nullptr;
  /// Taken for the first handle of its kind.
  const Handle *preferred = nullptr;
  unsigned numLoops = 0;
  bool isGrowing = false;
};
} // namespace

static constexpr StringLiteral anyOp = "!transform.any_op";

static SmallVector<Template, 0> readTemplates() {
  SmallVector<StringRef, 0> parts;
  StringRef(embedded::campaignSteps).split(parts, "\n==== ");
  SmallVector<Template, 0> templates;
  for (StringRef part : llvm::drop_begin(parts)) {
    auto [kind, text] = part.split('\n');
    templates.push_back({kind == "step"        ? Template::Step
                         : kind == "query"     ? Template::Query
                         : kind == "predicate" ? Template::Predicate
                                               : Template::Around,
                         text});
  }
  return templates;
}

void Vocabulary::read(mlir::ModuleOp payload) {
  payload.walk([&](mlir::Operation *op) {
    payloadOps.push_back(op->getName().getStringRef().str());
    if (auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op))
      functions.push_back({function.getName().str(), function.getNumArguments(),
                           function.getNumResults()});
  });
  llvm::sort(payloadOps);
  payloadOps.erase(llvm::unique(payloadOps), payloadOps.end());
}

static const Template &pickTemplate(Template::Kind kind, Random &random) {
  static const SmallVector<Template, 0> templates = readTemplates();
  while (true) {
    const Template &one = templates[random.below(templates.size())];
    if (one.kind == kind)
      return one;
  }
}

static std::string replaceAny(StringRef text) {
  std::string result;
  while (true) {
    auto [before, after] = text.split("!any");
    result += before;
    if (before.size() == text.size())
      return result;
    result += anyOp;
    text = after;
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

int64_t Writer::drawNumber() {
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

std::string Writer::drawNumbers() {
  std::string list;
  unsigned length = random.chance(0.05) ? 0 : random.between(1, 4);
  for (unsigned i = 0; i < length; ++i)
    list += (i ? ", " : "") + std::to_string(drawNumber());
  return list;
}

std::string Writer::drawPermutation(unsigned rank) {
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

void Writer::drawTiles() {
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

std::string Writer::drawPass() {
  const std::string &pass =
      vocabulary.passes[random.below(vocabulary.passes.size())];
  return "\"" + pass + "\"";
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

std::string Writer::makeHandle(StringRef role) {
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

std::string Writer::getHandle(StringRef role, bool consumes) {
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

std::string Writer::placeholder(StringRef name, StringRef argument,
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
    Writer inner(vocabulary, random, next, library);
    inner.setRoot("%each", argument == "t" ? "module" : argument);
    if (argument == "t")
      inner.add("%each", "t");
    inner.write(random.between(1, 2), depth + 1);
    return inner.text;
  }
  llvm::report_fatal_error("steps.txt has a placeholder $" + name);
}

/// What a matcher asks of `%s`.
std::string Writer::writePredicates() {
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

/// What makes `%ok`, the op or one near it, of the op `%op` that a matcher
/// sees.
std::string Writer::writeMatcher() {
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
std::string Writer::addSequence(StringRef text) {
  std::string name = "@part" + std::to_string(next++);
  auto [before, after] = text.split("@it");
  library += before.str() + name + after.str() + "\n";
  return name;
}

std::string Writer::drawOp() {
  if (vocabulary.payloadOps.empty())
    return "no.such";
  return vocabulary.payloadOps[random.below(vocabulary.payloadOps.size())];
}

void Writer::drawFunction() {
  if (!function && !vocabulary.functions.empty())
    function = &vocabulary.functions[random.below(vocabulary.functions.size())];
}

/// Whether the payload has an op of a kind that the template `text` asks for,
/// or a step may have made one.
bool Writer::hasPayloadFor(StringRef text) const {
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
const Template &Writer::pickStep(Template::Kind kind) {
  while (true) {
    const Template &one = pickTemplate(kind, random);
    if (hasPayloadFor(one.text) || (!isGrowing && random.chance(0.3)))
      return one;
  }
}

void Writer::watch() {
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

void Writer::useWatched() {
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

void Writer::writeOne(Template::Kind kind, unsigned depth) {
  writeOne(pickStep(kind), depth);
}

void Writer::writeOne(const Template &one, unsigned depth) {
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

void Writer::grow(unsigned length, llvm::function_ref<bool()> accepts) {
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

void Writer::write(unsigned length, unsigned depth) {
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

/// The handles to ops that `step` declares, where it says so in one word.
static void addResults(StringRef step, Writer &writer) {
  auto [names, rest] = step.split(" = ");
  if (!names.starts_with("%") || rest.empty() ||
      !step.trim().ends_with(anyOp) || names.contains(','))
    return;
  if (!names.contains(':'))
    writer.add(names, rest.contains("structured.match") ? "t" : "any");
}

namespace {
/// What is around the steps of a schedule.
struct Surroundings {
  static Surroundings draw(Random &random) {
    Surroundings drawn;
    drawn.type = anyOp.str();
    if (random.chance(0.01))
      drawn.type = random.chance(0.6) ? "!transform.op<\"builtin.module\">"
                                      : "!transform.op<\"func.func\">";
    drawn.access =
        random.chance(0.9) ? " {transform.consumed}" : " {transform.readonly}";
    if (random.chance(0.04))
      drawn.mode = random.chance(0.6) ? "propagate" : "suppress";
    return drawn;
  }

  /// A module of `steps` and the sequences of `library`.
  std::string wrap(StringRef steps, StringRef library) const {
    std::string body = replaceAny(steps);
    std::string head = "module attributes {transform.with_named_sequence} {\n" +
                       replaceAny(library);
    if (!mode.empty()) {
      head += "transform.named_sequence @part(%module: " + anyOp.str() +
              access + ") {\n" + body + "transform.yield\n}\n";
      body = "transform.include @part failures(" + mode + ") (%module) : (" +
             anyOp.str() + ") -> ()\n";
    }
    std::string argument = "%module";
    if (type != anyOp) {
      argument = "%root";
      body = "%module = transform.cast %root : " + type + " to " + anyOp.str() +
             "\n" + body;
    }
    return head + "transform.named_sequence @__transform_main(" + argument +
           ": " + type + access + ") {\n" + body + "transform.yield\n}\n}\n";
  }

  std::string type, access;
  /// Of failures of an include of the steps; none if it is empty.
  std::string mode;
};
} // namespace

std::string
formwork::campaign::writeSchedule(llvm::ArrayRef<std::string> steps,
                                  unsigned length, const Vocabulary &vocabulary,
                                  Random &random,
                                  llvm::function_ref<bool(StringRef)> accepts) {
  unsigned next = 0;
  std::string library;
  Writer writer(vocabulary, random, next, library);
  writer.setRoot("%module", "module");
  auto query = [&] {
    if (random.chance(0.1))
      writer.write(0, 0);
  };
  for (unsigned i = random.chance(0.25) ? random.between(1, 2) : 0; i > 0; --i)
    writer.watch();
  for (const std::string &step : steps) {
    query();
    writer.text += step + "\n";
    addResults(step, writer);
  }
  auto finish = [&, surroundings = std::optional<Surroundings>()]() mutable {
    if (!surroundings)
      surroundings = Surroundings::draw(random);
    return surroundings->wrap(writer.text, library);
  };
  if (accepts) {
    writer.grow(length, [&] { return accepts(finish()); });
    // What a verdict refuses is told apart behind steps that it proves.
    length = random.chance(0.25) ? 1 : 0;
  }
  if (!accepts || length > 0)
    writer.write(length, 0);
  writer.useWatched();
  return finish();
}
