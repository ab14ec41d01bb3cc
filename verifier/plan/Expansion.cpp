//===- Expansion.cpp - Normalizations as upstream ops -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Expansion.h"

#include "engine/Check.h"
#include "engine/PassProcedure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

namespace {
/// How upstream performs one procedure.
struct UpstreamProcedure {
  StringRef name;
  std::string op;
  /// The ops that the step is applied to: those that such a match finds inside,
  /// innermost first; or, if empty, the anchor itself.
  std::string match;
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
  void enterEach();
  /// Goes on with the ops of that kind in what the handle holds.
  void matchInside(StringRef base, StringRef kind);
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
      // Ops that parallel iterations share stay in place.
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

/// A registered pass.
static std::optional<UpstreamProcedure> makePass(StringRef name) {
  std::optional<formwork::engine::UpstreamPass> pass =
      formwork::engine::readUpstreamPass(name);
  if (!pass)
    return std::nullopt;
  UpstreamProcedure procedure;
  procedure.name = name;
  procedure.op = "transform.apply_registered_pass \"" + pass->name + "\"";
  if (!pass->options.empty()) {
    procedure.op += " with options = { ";
    llvm::interleave(
        pass->options,
        [&](const auto &option) {
          procedure.op +=
              "\"" + option.first + "\" = \"" + option.second + "\"";
        },
        [&] { procedure.op += ", "; });
    procedure.op += " }";
  }
  procedure.op += " to";
  procedure.returns = true;
  procedure.match = "ops{[\"" + pass->getKind() + "\"]}";
  return procedure;
}

static std::optional<UpstreamProcedure> lookupUpstream(StringRef name) {
  for (const UpstreamProcedure &procedure : getUpstreamProcedures())
    if (procedure.name == name)
      return procedure;
  return makePass(name);
}

/// The kind of op that the passes of `form` run on; empty where it has none.
static std::string getPassKind(const Form &form) {
  for (const std::string &name : form.procedures)
    if (auto pass = formwork::engine::readUpstreamPass(name))
      return pass->getKind();
  return "";
}

std::optional<StringRef>
formwork::verifier::findUnexpandable(const Form &form) {
  for (const std::string &name : form.procedures) {
    auto pass = formwork::engine::readUpstreamPass(name);
    if (!lookupUpstream(name) || (pass && pass->getKind() != getPassKind(form)))
      return StringRef(name);
  }
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
    std::optional<UpstreamProcedure> procedure = lookupUpstream(name);
    FW_CHECK(procedure, "asked for before");
    if (procedure->match.empty()) {
      line(procedure->op + " " + handle + procedure->region + " : " + type);
      continue;
    }
    if (StringRef(name).starts_with("pass:")) {
      // The step consumes its operand; the next steps use the result. A
      // function is matched in itself.
      std::string rewritten = makeName("%rewritten");
      line(rewritten + " = " + procedure->op + " " + handle +
           " : (!transform.any_op) -> !transform.any_op");
      handle = rewritten;
      continue;
    }
    std::string loops = makeName("%loops");
    line(loops + " = transform.structured.match " + procedure->match + " in " +
         handle + " : (" + type + ") -> !transform.any_op");
    line(procedure->op + " " + loops +
         (procedure->returns ? " : (!transform.any_op) -> !transform.any_op"
                             : " : !transform.any_op"));
  }
}

void Expander::enterEach() {
  std::string each = makeName("%each");
  line("transform.foreach " + handle + " : " + type + " {");
  line("^bb0(" + each + ": " + type + "):");
  handle = each;
  indent += "  ";
}

void Expander::matchInside(StringRef base, StringRef kind) {
  std::string found = makeName(base);
  line(found + " = transform.structured.match ops{[\"" + kind + "\"]} in " +
       handle + " : (" + type + ") -> !transform.any_op");
  handle = found;
  type = "!transform.any_op";
}

std::string Expander::run(unsigned rounds) {
  indent = written.indent;
  handle = written.handle;
  type = written.type;
  std::string kind = getPassKind(*written.form);
  if (written.onFunctions)
    matchInside("%functions", "func.func");
  // A pass consumes its op: each has its rounds for itself.
  if (!kind.empty() && !(written.onFunctions && kind == "func.func")) {
    enterEach();
    matchInside("%targets", kind);
  }
  // A match takes one op.
  if (llvm::any_of(written.form->procedures, [](const std::string &name) {
        return !lookupUpstream(name)->match.empty();
      }))
    enterEach();
  for (unsigned round = 0; round < rounds; ++round)
    writeRound();
  while (indent.size() > written.indent.size()) {
    indent.resize(indent.size() - 2);
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
