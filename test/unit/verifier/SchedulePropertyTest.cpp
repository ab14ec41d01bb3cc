//===- SchedulePropertyTest.cpp - The verifier against the interpreter ----===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differential test: mutants of a running schedule go through the verifier and
// through upstream's interpreter. What is called proved must run; what is
// refused as an error must fail. FORMWORK_TEST_SEED and FORMWORK_TEST_MUTANTS
// choose others.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
/// A schedule that runs on its payload, and what its mutants are made of.
struct Base {
  StringRef payload;
  /// A statement an entry.
  std::vector<std::string> statements;
  /// The structured op that it is about.
  std::string kind;
};
} // namespace

/// The batch matmul with every enabler written out.
static Base getBatchMatmulBase() {
  Base base{getBatchMatmul(), {}, "linalg.batch_matmul"};
  base.statements = {
      R"(%matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op)",
      R"(%fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op)",
      R"(%block_mm, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [1, 16, 64] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(%block_fill, %blocks_1 = transform.structured.fuse_into_containing_op %fill into %blocks : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(%thread_mm, %threads = transform.structured.tile_using_forall %block_mm tile_sizes [0, 4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(%thread_fill, %threads_1 = transform.structured.fuse_into_containing_op %block_fill into %threads : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(%k_mm, %k_loop = transform.structured.tile_using_for %thread_mm tile_sizes [0, 0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(%func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op)",
      R"(transform.apply_patterns to %func {
transform.apply_patterns.linalg.tiling_canonicalization
transform.apply_patterns.scf.for_loop_canonicalization
transform.apply_patterns.canonicalization
} {apply_cse} : !transform.any_op)",
      R"(%vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op)",
      R"(transform.apply_patterns to %vectorized {
transform.apply_patterns.vector.cast_away_vector_leading_one_dim
transform.apply_patterns.canonicalization
} : !transform.any_op)",
      R"(%loops = transform.structured.match interface{LoopLikeInterface} in %vectorized : (!transform.any_op) -> !transform.any_op)",
      R"(transform.apply_licm to %loops : !transform.any_op)",
      R"(%scffors = transform.structured.match ops{["scf.for"]} in %vectorized : (!transform.any_op) -> !transform.any_op)",
      R"(transform.loop.hoist_loop_invariant_subsets %scffors : !transform.any_op)",
      R"(transform.apply_patterns to %vectorized {
transform.apply_patterns.canonicalization
} : !transform.any_op)",
      R"(transform.bufferization.eliminate_empty_tensors %vectorized : !transform.any_op)",
      R"(%bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op)",
      R"(%func_1 = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op)",
      R"(transform.apply_patterns to %func_1 {
transform.apply_patterns.canonicalization
} {apply_cse} : !transform.any_op)",
      R"(%launch = transform.gpu.map_forall_to_blocks %func_1 generate_gpu_launch : (!transform.any_op) -> !transform.any_op)",
      R"(%mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1] : (!transform.any_op) -> !transform.any_op)"};
  return base;
}

/// The matmul that stages its operands through workgroup memory.
static Base getStagedMatmulBase() {
  Base base{getStagedMatmul(), {}, "linalg.matmul"};
  SmallVector<StringRef> lines;
  getStagedMatmulBody().trim().split(lines, '\n');
  for (StringRef line : lines)
    base.statements.push_back(line.str());
  return base;
}

namespace {
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  /// A schedule body that one to three breakages were applied to.
  std::string mutate(const Base &base) {
    statements = base.statements;
    kind = base.kind;
    if (chance(2))
      statements.resize(2 + pick(statements.size() - 2));
    unsigned count = 1 + pick(3);
    for (unsigned i = 0; i < count; ++i)
      breakOnce();
    std::string body;
    for (const std::string &statement : statements)
      body += "    " + statement + "\n";
    return body;
  }

private:
  unsigned pick(size_t n) { return n == 0 ? 0 : random() % n; }
  bool chance(unsigned oneIn) { return pick(oneIn) == 0; }

  /// The handles that a statement defines.
  static std::vector<std::string> getDefined(StringRef statement) {
    std::vector<std::string> names;
    auto [left, right] = statement.split(" = transform.");
    if (right.empty())
      return names;
    SmallVector<StringRef> parts;
    left.split(parts, ',');
    for (StringRef part : parts)
      if (part.trim().starts_with("%"))
        names.push_back(part.trim().str());
    return names;
  }
  /// A handle defined before statement `at`.
  std::string pickHandle(size_t at) {
    std::vector<std::string> names = {"%module"};
    for (size_t i = 0; i < at && i < statements.size(); ++i)
      llvm::append_range(names, getDefined(statements[i]));
    return names[pick(names.size())];
  }
  /// Replaces the first occurrence, on the right of the `=`.
  static void replaceUse(std::string &statement, const std::string &from,
                         const std::string &to) {
    size_t begin = statement.find(" = transform.");
    size_t at = statement.find(from, begin == std::string::npos ? 0 : begin);
    if (at != std::string::npos)
      statement.replace(at, from.size(), to);
  }
  void replaceNumbers(StringRef keyword, ArrayRef<int> choices) {
    std::vector<std::string *> places;
    for (std::string &statement : statements)
      if (StringRef(statement).contains(keyword))
        places.push_back(&statement);
    if (places.empty())
      return;
    std::string &statement = *places[pick(places.size())];
    size_t begin = statement.find('[', statement.find(keyword));
    size_t end = statement.find(']', begin);
    SmallVector<StringRef> parts;
    std::string list = statement.substr(begin + 1, end - begin - 1);
    StringRef(list).split(parts, ',');
    std::string fresh;
    size_t changed = pick(parts.size());
    for (auto [i, part] : llvm::enumerate(parts)) {
      fresh += i == 0 ? "" : ", ";
      fresh += i == changed ? std::to_string(choices[pick(choices.size())])
                            : part.trim().str();
    }
    statement.replace(begin + 1, end - begin - 1, fresh);
  }

  void breakOnce() {
    size_t at = pick(statements.size());
    std::string id = std::to_string(next++);
    switch (pick(21)) {
    case 0: // tile sizes
    case 1:
      return replaceNumbers("tile_sizes",
                            {0, 1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 48, 64, 80});
    case 2: // block sizes
      return replaceNumbers("block_dims", {1, 2, 4, 8, 16, 32, 64, 2048});
    case 3: // look at a handle, wherever it may have been consumed
      statements.insert(statements.begin() + at,
                        "%c" + id + " = transform.cast " + pickHandle(at) +
                            " : !transform.any_op to !transform.any_op");
      return;
    case 4: { // hand another handle to a step
      std::string from = pickHandle(at);
      return replaceUse(statements[at], from, pickHandle(at));
    }
    case 5: // swap two steps
      if (at + 1 < statements.size())
        std::swap(statements[at], statements[at + 1]);
      return;
    case 6: // drop a step
      if (statements.size() > 1)
        statements.erase(statements.begin() + at);
      return;
    case 7: { // alias, then use the alias for one of the later uses
      const char *const kinds[] = {
          kind.c_str(), "linalg.fill", "func.func",  "scf.forall",
          "scf.for",    "linalg.copy", "tensor.pad", "tensor.insert_slice"};
      statements.insert(statements.begin() + at,
                        "%a" + id + " = transform.structured.match ops{[\"" +
                            kinds[pick(8)] +
                            "\"]} in %module : (!transform.any_op) -> "
                            "!transform.any_op");
      size_t use = at + 1 + pick(statements.size() - at - 1);
      if (use < statements.size())
        replaceUse(statements[use], pickHandle(use), "%a" + id);
      return;
    }
    case 8: // wrong split count
      statements.insert(
          statements.begin() + at,
          "%s" + id + (chance(2) ? ":2" : ":1") + " = transform.split_handle " +
              pickHandle(at) + " : (!transform.any_op) -> " +
              (chance(2) ? "(!transform.any_op, !transform.any_op)"
                         : "(!transform.any_op)"));
      return;
    case 9: // a handle with duplicates
      statements.insert(statements.begin() + at,
                        "%m" + id + " = transform.merge_handles " +
                            pickHandle(at) + ", " + pickHandle(at) +
                            " : !transform.any_op");
      if (at + 1 < statements.size())
        replaceUse(statements[at + 1], pickHandle(at), "%m" + id);
      return;
    case 10: // an ancestor, then perhaps consume it
      statements.insert(statements.begin() + at,
                        "%p" + id + " = transform.get_parent_op " +
                            pickHandle(at) +
                            (chance(2) ? " {isolated_from_above}" : "") +
                            " : (!transform.any_op) -> !transform.any_op");
      if (at + 1 < statements.size())
        replaceUse(statements[at + 1], pickHandle(at), "%p" + id);
      return;
    case 11: { // mapping attributes
      static const std::pair<const char *, const char *> edits[] = {
          {"#gpu.thread<y>", "#gpu.thread<x>"},
          {"#gpu.thread<x>", "#gpu.block<x>"},
          {"#gpu.block<z>", "#gpu.block<y>"},
          {"#gpu.block<x>", "#gpu.thread<x>"},
          {"(mapping = [#gpu.thread<y>, #gpu.thread<x>])", ""}};
      auto [from, to] = edits[pick(5)];
      for (std::string &statement : statements)
        replaceUse(statement, from, to);
      return;
    }
    case 13: { // entry by entry
      std::string body =
          chance(2)
              ? "%x = transform.cast %i : !transform.any_op to "
                "!transform.any_op\n"
              : "%x:2 = transform.structured.tile_using_for %i tile_sizes [0, "
                "2] : (!transform.any_op) -> (!transform.any_op, "
                "!transform.any_op)\n";
      statements.insert(statements.begin() + at,
                        "transform.foreach " + pickHandle(at) +
                            " : !transform.any_op {\n^bb0(%i: "
                            "!transform.any_op):\n" +
                            body +
                            (chance(3) ? "%y = transform.cast %i : "
                                         "!transform.any_op to "
                                         "!transform.any_op\n"
                                       : "") +
                            "}");
      return;
    }
    case 14: // the first of two ways that works
      statements.insert(
          statements.begin() + at,
          "transform.alternatives " + pickHandle(at) +
              " : !transform.any_op {\n^bb0(%s: !transform.any_op):\n%x = "
              "transform.structured.match ops{[\"linalg.fill\"]} in %s : "
              "(!transform.any_op) -> !transform.any_op\n%y:" +
              (chance(2) ? "1" : "2") +
              " = transform.split_handle %x : (!transform.any_op) -> " +
              (chance(2) ? "(!transform.any_op)"
                         : "(!transform.any_op, !transform.any_op)") +
              "\n}, {\n^bb0(%s: !transform.any_op):\n}");
      return;
    case 15: // a sequence of its own, perhaps one that ignores failures
      statements[at] = "";
      statements.insert(
          statements.begin() + at,
          "transform.sequence " + pickHandle(at) +
              " : !transform.any_op failures(" +
              (chance(2) ? "suppress" : "propagate") +
              ") {\n^bb0(%s: !transform.any_op):\n%x = "
              "transform.structured.match ops{[\"" +
              kind +
              "\"]} in "
              "%s : (!transform.any_op) -> !transform.any_op\n%y:2 = "
              "transform.structured.tile_using_for %x tile_sizes [" +
              std::to_string(pick(4)) +
              "] : (!transform.any_op) -> (!transform.any_op, "
              "!transform.any_op)\n}");
      return;
    case 16: // another step of clean-up
      statements.insert(statements.begin() + at,
                        std::string(chance(2) ? "transform.apply_cse"
                                              : "transform.apply_licm") +
                            " to " + pickHandle(at) + " : !transform.any_op");
      return;
    case 17: { // operands that need a pad, and those that need none
      static const std::pair<const char *, const char *> edits[] = {
          {"nofold_flags = [1, 1, 0]", "nofold_flags = [1, 0, 0]"},
          {"nofold_flags = [1, 1, 0]", "nofold_flags = [0, 0, 0]"},
          {"nofold_flags = [1, 1, 0]", "nofold_flags = [1, 1, 1]"},
          {"padding_dimensions = [0, 1, 2]", "padding_dimensions = [0, 2]"},
          {"pad %step {", "pad %step pad_to_multiple_of [1, 3, 1] {"},
          {"pad %step {", "pad %step pad_to_multiple_of [5, 1, 5] {"},
          {"[0.0 : f32, 0.0 : f32, 0.0 : f32]", "[0.0 : f32, 0.0 : f32]"},
          {"[0.0 : f32, 0.0 : f32, 0.0 : f32]", "[0.0 : f16, 0.0 : f32]"},
          {"copy_back_op = \"none\"", "copy_back_op = \"linalg.copy\""},
          {", copy_back_op = \"none\"", ""}};
      auto [from, to] = edits[pick(10)];
      for (std::string &statement : statements)
        replaceUse(statement, from, to);
      return;
    }
    case 18: { // alias the pads or the copies, then consume
      std::string name = "%q" + id;
      statements.insert(statements.begin() + at,
                        name + " = transform.structured.match ops{[\"" +
                            (chance(2) ? "tensor.pad" : "linalg.copy") +
                            "\"]} in %module : (!transform.any_op) -> "
                            "!transform.any_op");
      statements.insert(
          statements.begin() + at + 1 + pick(statements.size() - at),
          "%r" + id +
              " = transform.structured.rewrite_in_destination_passing_style " +
              (chance(3) ? pickHandle(at) : name) +
              " : (!transform.any_op) -> !transform.any_op");
      return;
    }
    case 19: { // stop between staging and the rest
      for (size_t i = 0; i < statements.size(); ++i)
        if (StringRef(statements[i]).contains("bufferize_to_allocation") ||
            StringRef(statements[i]).contains("destination_passing"))
          if (chance(2)) {
            statements.erase(statements.begin() + i);
            return;
          }
      return;
    }
    case 20: // allocate for something else, wholly or for its result only
      statements.insert(
          statements.begin() + at,
          "%b" + id + ":2 = transform.structured.bufferize_to_allocation " +
              pickHandle(at) +
              (chance(2) ? " {bufferize_destination_only}" : "") +
              " : !transform.any_op");
      return;
    case 12: // consume something out of order
      statements.insert(
          statements.begin() + at,
          "%k" + id +
              " = transform.structured.vectorize_children_and_apply_patterns " +
              pickHandle(at) + " : (!transform.any_op) -> !transform.any_op");
      return;
    }
  }

  std::mt19937 random;
  std::vector<std::string> statements;
  std::string kind;
  unsigned next = 0;
};
} // namespace

static unsigned getNumber(const char *variable, unsigned byDefault) {
  const char *text = std::getenv(variable);
  return text ? std::strtoul(text, nullptr, 10) : byDefault;
}

namespace {
class SchedulePropertyTest : public VerifierTest {};

TEST_F(SchedulePropertyTest, VerdictsAgreeWithTheInterpreter) {
  unsigned seed = getNumber("FORMWORK_TEST_SEED", 20240607);
  unsigned wanted = getNumber("FORMWORK_TEST_MUTANTS", 150);
  SCOPED_TRACE("FORMWORK_TEST_SEED=" + std::to_string(seed));
  Mutator mutator(seed);
  unsigned table[3][2] = {};
  const Base bases[] = {getBatchMatmulBase(), getStagedMatmulBase()};
  for (unsigned made = 0; made < wanted;) {
    const Base &base = bases[made % std::size(bases)];
    std::string schedule = makeSchedule(mutator.mutate(base));
    {
      // A mutant that is no IR says nothing.
      ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
      OwningOpRef<ModuleOp> module =
          parseSourceString<ModuleOp>(schedule, ParserConfig(&context));
      if (!module)
        continue;
    }
    ++made;
    CheckResult result = check(schedule, base.payload);
    std::string messages;
    bool runs = succeeded(runForReal(schedule, base.payload, messages));
    ++table[result.verdict.kind][runs];
    std::string found;
    for (const engine::Finding &finding : result.findings.get())
      if (finding.severity == DiagnosticSeverity::Error)
        found += finding.id + ": " + finding.message + "\n";
    if (result.verdict.kind == Verdict::Proved)
      EXPECT_TRUE(runs) << "proved, but fails:\n" << schedule << messages;
    if (result.verdict.kind == Verdict::Refuted)
      EXPECT_FALSE(runs) << "refused, but runs:\n" << schedule << found;
  }
  llvm::outs() << "verdict   runs  fails\n";
  const char *const names[] = {"proved ", "refuted", "unknown"};
  for (auto [i, name] : llvm::enumerate(names))
    llvm::outs() << llvm::formatv("{0} {1,6} {2,6}\n", name, table[i][1],
                                  table[i][0]);
  // The generator must reach every verdict, or the test says nothing.
  EXPECT_GT(table[Verdict::Proved][1], 0u);
  EXPECT_GT(table[Verdict::Refuted][0], 0u);
}
} // namespace
