//===- Expansion.cpp - Normalizations as upstream ops -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Expansion.h"

#include "engine/Check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

namespace {
/// How upstream performs one procedure.
struct UpstreamProcedure {
  StringRef name;
  StringRef op;
  /// What the op is applied to: what such a match finds inside, innermost
  /// first; or, when empty, the anchor itself.
  StringRef match;
  /// The op takes what it is applied to, and returns it.
  bool returns = false;
  /// The region of the op, behind what it is applied to.
  StringRef region = "";
};

class Expander {
public:
  Expander(const WrittenNormalization &written,
           llvm::function_ref<std::string(StringRef)> makeName)
      : written(written), makeName(makeName) {}

  std::string run(unsigned rounds);

private:
  void line(const Twine &text) { lines.push_back((indent + text).str()); }
  void writeRound();
  void writePatterns(bool withCse);

  const WrittenNormalization &written;
  llvm::function_ref<std::string(StringRef)> makeName;
  SmallVector<std::string> lines;
  std::string indent, handle, type;
};
} // namespace

static ArrayRef<UpstreamProcedure> getUpstreamProcedures() {
  static const UpstreamProcedure procedures[] = {
      {"cse", "transform.apply_cse to", ""},
      {"dce", "transform.apply_dce to", ""},
      // What iterations share in parallel stays where it is.
      {"licm", "transform.apply_licm to",
       "ops{[\"affine.for\", \"affine.parallel\", \"scf.for\", "
       "\"scf.parallel\", \"scf.while\"]}"},
      {"hoist-loop-invariant-subsets",
       "transform.loop.hoist_loop_invariant_subsets", "ops{[\"scf.for\"]}"},
      // It consumes what it runs on, as the pass below does.
      {"hoist-redundant-vector-transfers",
       "transform.structured.hoist_redundant_vector_transfers",
       "ops{[\"func.func\"]}", /*returns=*/true},
      {"unroll-transfers", "transform.apply_patterns to", "", /*returns=*/false,
       " { transform.apply_patterns.vector.transfer_to_scf full_unroll = true "
       "}"},
      {"eliminate-empty-tensors",
       "transform.bufferization.eliminate_empty_tensors", ""},
      {"hoist-buffers-from-loops",
       "transform.bufferization.buffer_loop_hoisting", ""},
      // The pass consumes what it runs on: rather functions than the anchor, a
      // handle to which can be used later.
      {"sink-index-computations",
       "transform.apply_registered_pass \"gpu-launch-sink-index-computations\" "
       "to",
       "ops{[\"func.func\"]}", /*returns=*/true},
  };
  return procedures;
}

static const UpstreamProcedure *lookupUpstream(StringRef name) {
  for (const UpstreamProcedure &procedure : getUpstreamProcedures())
    if (procedure.name == name)
      return &procedure;
  return nullptr;
}

std::optional<StringRef>
formwork::verifier::findUnexpandable(const Form &form) {
  for (const std::string &procedure : form.procedures)
    if (!lookupUpstream(procedure))
      return StringRef(procedure);
  return std::nullopt;
}

void Expander::writePatterns(bool withCse) {
  line("transform.apply_patterns to " + handle + " {");
  for (Operation *descriptor : written.form->descriptors) {
    std::string text;
    llvm::raw_string_ostream os(text);
    descriptor->print(os, OpPrintingFlags().useLocalScope());
    line("  " + text);
  }
  // Without a limit, upstream runs on for ever with rules that make ops before
  // they find that they do not apply.
  line(Twine("} {") + (withCse ? "apply_cse, " : "") +
       "max_iterations = 32 : i64} : " + type);
}

void Expander::writeRound() {
  ArrayRef<std::string> procedures = written.form->procedures;
  if (written.form->greedy) {
    // Upstream takes turns of both until neither changes anything.
    bool withCse = !procedures.empty() && procedures.front() == "cse";
    writePatterns(withCse);
    procedures = procedures.drop_front(withCse);
  }
  for (const std::string &name : procedures) {
    const UpstreamProcedure *procedure = lookupUpstream(name);
    FW_CHECK(procedure, "asked for before");
    if (procedure->match.empty()) {
      line(procedure->op + " " + handle + procedure->region + " : " + type);
      continue;
    }
    std::string loops = makeName("%loops");
    line(loops + " = transform.structured.match " + procedure->match.str() +
         " in " + handle + " : (" + type + ") -> !transform.any_op");
    line(procedure->op + " " + loops +
         (procedure->returns ? " : (!transform.any_op) -> !transform.any_op"
                             : " : !transform.any_op"));
  }
}

std::string Expander::run(unsigned rounds) {
  indent = written.indent;
  handle = written.handle;
  type = written.type;
  if (written.onFunctions) {
    std::string functions = makeName("%functions");
    line(functions + " = transform.structured.match ops{[\"func.func\"]} in " +
         handle + " : (" + type + ") -> !transform.any_op");
    handle = functions;
    type = "!transform.any_op";
  }
  // A match takes one op.
  bool iterates =
      llvm::any_of(written.form->procedures, [](const std::string &name) {
        return !lookupUpstream(name)->match.empty();
      });
  if (iterates) {
    std::string each = makeName("%each");
    line("transform.foreach " + handle + " : " + type + " {");
    line("^bb0(" + each + ": " + type + "):");
    handle = each;
    indent += "  ";
  }
  for (unsigned round = 0; round < rounds; ++round)
    writeRound();
  if (iterates) {
    indent = written.indent;
    line("}");
  }
  std::string text = llvm::join(lines, "\n");
  return text.substr(written.indent.size()) + "\n";
}

std::string formwork::verifier::expandNormalization(
    const WrittenNormalization &written, unsigned rounds,
    llvm::function_ref<std::string(StringRef)> makeName) {
  return Expander(written, makeName).run(rounds);
}
