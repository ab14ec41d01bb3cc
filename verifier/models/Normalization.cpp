//===- Normalization.cpp - Models of normalization --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Establishing and asserting forms: when that succeeds, and what it does to
// handles that the schedule still uses. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "engine/Check.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

void Interpreter::normalizeAt(NodeId anchor, const Form &form) {
  if (state.forms.get(state.payload, anchor).contains(form.atom))
    return;
  if (form.hasDriver())
    cleanUp(anchor, form.rewriteNames);
  // The copy is like what was there, but no handle follows.
  if (form.replacesBody) {
    followReplaced(nullptr, anchor, [](NodeId, bool) { return true; });
    state.payload.mayReplaceByCopies();
  }
  // The driver makes constants without any rule, too.
  const Contract *driver = contracts.lookup("transform.apply_patterns");
  if (form.greedy && driver && driver->payload)
    state.payload.touch(anchor, driver->payload->introduces, {});
  state.forms.normalize(state.payload, anchor, form.atom);
}

std::optional<AtomId> Interpreter::getForm(Operation *op) {
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("form");
  FW_CHECK(symbol, "the op's verifier asks for a form");
  std::optional<AtomId> atom = forms.lattice().lookup(symbol.getValue());
  if (atom)
    return atom;
  Finding &finding =
      report(op, "fw-unknown-form",
             "requires a declared form but has @" + symbol.getValue(),
             /*definite=*/true, /*silenceable=*/false);
  if (std::optional<AtomId> near = forms.lattice().suggest(symbol.getValue()))
    finding.note(
        NoteKind::FixIt, op->getLoc(),
        "did you mean @" + forms.lattice().getName(*near) + "?",
        fixes.replaceWords(op, ("@" + symbol.getValue()).str(),
                           ("@" + forms.lattice().getName(*near)).str()));
  return std::nullopt;
}

/// Whether the rules of every form whose predicate `form` includes reach it.
static bool reachesPredicates(const FormLibrary &library, const Form &form) {
  return llvm::all_of(
      library.lattice().closure(form.atom).atoms(), [&](AtomId atom) {
        const Form &part = library.getForm(atom);
        // Canonicalization folds a copy of a buffer to itself.
        return part.predicate.empty() || part.predicate == "no-self-copies";
      });
}

void Interpreter::checkEnding(Operation *op, const Form &form) {
  if (form.ending == Ending::OfRules)
    checkConvergence(op, form.descriptors);
  else if (form.ending == Ending::Unknown)
    unprove(op, "normalizes to @" + form.name +
                    ", of which it is not known that it comes to an end");
}

void Interpreter::normalizeModel(Operation *op, const Contract &contract) {
  std::optional<AtomId> atom = getForm(op);
  if (!atom)
    return;
  const Form &form = forms.getForm(*atom);
  bool isSmall = form.anchor == AnchorKind::LoopNest;
  for (NodeId target : lookup(op->getOperand(0)).nodes) {
    std::optional<OperationName> kind = state.payload[target].kind;
    if (!kind || !matchesKind(*kind, isSmall ? KindPattern("$loop")
                                             : KindPattern("$isolated")))
      unprove(op, "normalizes payload that may be no anchor of @" + form.name);
  }
  for (NodeId anchor : getAnchors(op->getOperand(0), *atom)) {
    bool holds = state.forms.get(state.payload, anchor).contains(*atom);
    if (!holds && !reachesPredicates(forms, form))
      unprove(op, "normalizes to @" + form.name +
                      ", which not all payload can reach");
    if (!holds) {
      checkEnding(op, form);
      checkMasks(op, anchor, form.rewriteNames);
    }
    normalizeAt(anchor, form);
    // What is there for sure was left alone by the clean-up.
    if (!holds)
      checkTracking(op, anchor, [&](NodeId id) {
        return state.payload[id].present == Certainty::Maybe;
      });
  }
}

void Interpreter::assertModel(Operation *op, const Contract &contract) {
  std::optional<AtomId> atom = getForm(op);
  if (!atom)
    return;
  // What runs behind it knows that the form holds, though not before the run.
  for (NodeId anchor : getAnchors(op->getOperand(0), *atom)) {
    if (!state.forms.get(state.payload, anchor).contains(*atom))
      unprove(op, "asserts form @" + forms.getForm(*atom).name +
                      ", which is not established");
    state.forms.establish(anchor, *atom);
  }
}
