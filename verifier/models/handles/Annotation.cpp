//===- Annotation.cpp - The model of annotate -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that a schedule puts on payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether the attribute `alignment` of such an op is its own, which it
/// verifies.
static bool verifiesAlignment(const Node &node) {
  return node.kind &&
         llvm::is_contained({"vector.load", "vector.store", "memref.load",
                             "memref.store", "memref.alloc", "memref.alloca",
                             "memref.global"},
                            node.kind->getStringRef());
}

/// Checks `param`, which `op` gives as the alignment of accesses and of
/// globals.
static void checkAlignment(const Step &step, Value param,
                           const HandleState &target) {
  HandleState &given = step.lookup(param);
  solver::TermContext &terms = step.terms;
  for (NodeId id : target.nodes) {
    const Node &node = step.payload[id];
    if (!verifiesAlignment(node))
      continue;
    // Alternatives that fail throw the copy away that they work on.
    bool present = node.isSurelyThere() && !step.state.recovers;
    for (const ParamValue &value : given.params) {
      std::optional<solver::IntTerm> size = step.analysis.getTerm(value.size);
      if (!size)
        continue;
      Requirement need{"access.alignment",
                       ("the alignment " + solver::toInfix(*size) + " of '" +
                        node.kind->getStringRef() + "' is a power of two")
                           .str(),
                       present};
      require(step, need, terms.powerOfTwo(*size), [&] {
        step.report("fw-bad-alignment",
                    "requires an alignment that is a power of two but has " +
                        Twine(*value.size),
                    present, /*silenceable=*/false)
            .note(NoteKind::Evidence, step.op->getLoc(),
                  "'" + node.kind->getStringRef() + "' would be invalid IR")
            .note(NoteKind::FixIt, step.op->getLoc(),
                  "use " + Twine(llvm::PowerOf2Ceil(
                               std::max<int64_t>(1, *value.size))));
      });
    }
  }
}

/// Whether an op of `kind`, or of any where that is not known, or a dialect may
/// verify the attribute `name`, which `isOfDialect` or not, so that not every
/// value is valid.
static bool isVerified(const NodeKind &kind, StringAttr name,
                       bool isOfDialect) {
  // These look at no attribute that begins with their name.
  static constexpr StringLiteral lenient[] = {
      "affine", "arith",  "cf",  "func",   "index",
      "math",   "memref", "scf", "tensor", "vector"};
  if (name.getValue().contains('.'))
    return isOfDialect &&
           !llvm::is_contained(lenient, name.getValue().split('.').first);
  auto hasOwn = [&](OperationName one) { return isOwnAttribute(one, name); };
  return kind ? hasOwn(*kind)
              : llvm::any_of(name.getContext()->getRegisteredOperations(),
                             hasOwn);
}

static void propagateAnnotate(const Step &step) {
  auto annotate = cast<transform::AnnotateOp>(step.op);
  HandleState &target = step.lookup(annotate.getTarget());
  StringAttr name = annotate.getNameAttr();
  Value param = annotate.getParam();
  if (param) {
    Count count = target.count(step.payload);
    bool isOne = step.lookup(param).kind == HandleState::Params &&
                 step.lookup(param).params.size() == 1;
    if (!isOne && !(count.isExactly(step.lookup(param).params.size()) &&
                    !step.lookup(param).params.empty()))
      step.unprove("annotates with an unknown number of parameters");
  }
  bool isAlignment = name.getValue() == "alignment" && param;
  if (isAlignment)
    checkAlignment(step, param, target);
  // A module verifies that its attributes have the prefix of a dialect. It has
  // neither operands nor results.
  bool mayBeModule = llvm::any_of(target.nodes, [&](NodeId id) {
    const Node &node = step.payload[id];
    if (node.kind)
      return isKind<ModuleOp>(node);
    return !isa_and_nonnull<transform::GetConsumersOfResult,
                            transform::GetDefiningOp,
                            transform::GetProducerOfOperand>(node.origin);
  });
  if (mayBeModule && !name.getValue().contains('.'))
    step.unprove("may give a module an attribute without the prefix of a "
                 "dialect, which is not valid");
  bool isOfDialect = isDialectAttribute(name);
  bool isOwn = llvm::any_of(target.nodes, [&](NodeId id) {
    const Node &node = step.payload[id];
    return !(isAlignment && verifiesAlignment(node)) &&
           isVerified(node.kind, name, isOfDialect);
  });
  if (isOwn)
    step.unprove("gives an op or dialect attribute '" + name.getValue() +
                 "', which is verified, a value that may not be valid");
  // Facts of other steps about the op, and about the ops around it, may depend
  // on an inherent attribute.
  if (isOwn && !isAlignment) {
    // The value of a constant is what loops run to.
    step.payload.touch(step.root, {}, KindPattern("*"));
    for (auto [id, place] : step.payload.getBelow(step.root))
      if (step.payload[id].loop)
        step.payload.edit(id).loop = nullptr;
    for (NodeId id : target.nodes) {
      Node &node = step.payload.edit(id);
      node.space = nullptr;
      node.loop = nullptr;
      node.body = nullptr;
    }
  }
  // An attribute is not where an op is or what it computes, but a match asks
  // for it.
  step.payload.changeTags();
  for (NodeId id : NodeList(target.nodes)) {
    if (!step.payload[id].exact) {
      const Node annotated = step.payload[id];
      // Any op may be it, the root too.
      step.payload.openTag(step.root, name, [&](const Node &node) {
        return mayBeOfKindOf(annotated, node);
      });
      continue;
    }
    const NodeKind &kind = step.payload[id].kind;
    if (!kind || isMeaningful(*kind, name, isOfDialect))
      step.payload.forget(id);
    Node &node = step.payload.edit(id);
    if (param || isOwn)
      node.tags.makeOpen(name);
    else
      node.tags.set(name, UnitAttr::get(step.op->getContext()));
  }
  applyWrite(step, &step.contract);
}

void formwork::verifier::registerAnnotationModels(ModelRegistry &models) {
  models.add("annotate", propagateAnnotate, decides{"fw-bad-alignment"})
      .derivesConstraints = true;
}
