//===- ContractCheck.cpp - Whether clauses fit the op -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractChecker.h"

#include "engine/NearName.h"
#include "normalforms/PassOptions.h"
#include "normalforms/ResultOverlaps.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;

/// Whether `name` differs from `known` by a slip of the pen.
static bool isMisspelled(StringRef name, StringRef known) {
  constexpr unsigned kMostEdits = 2;
  return name.size() > 2 * kMostEdits &&
         name.edit_distance(known, /*AllowReplacements=*/true, kMostEdits) <=
             kMostEdits;
}

void ContractChecker::report(Operation *clause, StringRef id,
                             const Twine &message, StringRef name,
                             ArrayRef<StringRef> known) {
  std::optional<size_t> near = findNearName(name, known);
  // Of a plugin, or nothing at all.
  bool isOpen = id == kUnchecked && !(near && isMisspelled(name, known[*near]));
  Finding &finding = findings.add(
      {clause->getLoc(), id == kUnchecked && !isOpen ? "fw-contract-name" : id,
       message,
       isOpen ? DiagnosticSeverity::Warning : DiagnosticSeverity::Error});
  if (near)
    finding.note(NoteKind::FixIt, clause->getLoc(),
                 "did you mean '" + known[*near] + "'?");
}

SmallVector<StringRef> ContractChecker::getOps(
    llvm::function_ref<bool(RegisteredOperationName)> accepts) {
  SmallVector<StringRef> names;
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (accepts(name))
      names.push_back(name.getStringRef());
  return names;
}

//===----------------------------------------------------------------------===//
// The subject
//===----------------------------------------------------------------------===//

static bool isGroup(RegisteredOperationName name) {
  return name.hasInterface<transform::PatternDescriptorOpInterface>() ||
         name.hasInterface<transform::ConversionPatternDescriptorOpInterface>();
}

static bool isStep(RegisteredOperationName name) {
  return name.hasInterface<transform::TransformOpInterface>();
}

/// Looks up the op called `name`; loads its dialect if possible.
static std::optional<RegisteredOperationName> lookupOp(MLIRContext *context,
                                                       StringRef name) {
  context->getOrLoadDialect(name.split('.').first);
  return RegisteredOperationName::lookup(name, context);
}

bool ContractChecker::readSubject() {
  StringRef name = contract.getOpName();
  auto read = [&](std::optional<OpSignature> &into, StringRef &of,
                  StringRef op) {
    std::optional<RegisteredOperationName> known = lookupOp(context, op);
    of = op;
    if (known)
      into.emplace(*known);
  };
  if (pass = name; pass.consume_front("pass:")) {
    checkPass(contract, pass);
    read(operands, operandsOf, "transform.apply_registered_pass");
    attributes = operands;
    attributesOf = operandsOf;
    return true;
  }
  pass = "";
  std::optional<RegisteredOperationName> known = lookupOp(context, name);
  if (!known) {
    report(contract, kUnchecked,
           "'" + name +
               "' is not registered in this tool, so the clauses of its "
               "contract cannot be checked",
           name, getOps([](RegisteredOperationName other) {
             return isStep(other) || isGroup(other);
           }));
    return false;
  }
  // Terminators and type converters are neither steps nor groups.
  bool isTransform = isStep(*known) || isGroup(*known) ||
                     known->getDialectNamespace() == "transform";
  if (!isTransform) {
    report(contract, "fw-contract-name",
           "requires a transform op, a rule group or 'pass:NAME' but has '" +
               name + "', which is none of them");
    return false;
  }
  attributes.emplace(*known);
  attributesOf = name;
  // A rule group has the operands of the step that runs it.
  if (!isGroup(*known)) {
    operands = attributes;
    operandsOf = name;
  } else {
    read(operands, operandsOf,
         known->hasInterface<transform::PatternDescriptorOpInterface>()
             ? "transform.apply_patterns"
             : "transform.apply_conversion_patterns");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

void ContractChecker::checkRoles(Operation *clause, StringRef what,
                                 int64_t index, HandleRoles roles,
                                 Meant meant) {
  bool fits = true;
  StringRef wanted = "a handle";
  switch (meant) {
  case Meant::Any:
    return;
  case Meant::Payload:
    fits = roles.op || roles.value;
    break;
  case Meant::Ops:
    fits = roles.op;
    wanted = "a handle of ops";
    break;
  case Meant::Param:
    fits = roles.param;
    wanted = "a parameter";
    break;
  }
  if (fits)
    return;
  StringRef has = roles.op      ? "a handle of ops"
                  : roles.value ? "a handle of values"
                                : "a parameter";
  report(clause, "fw-contract-operand",
         "requires " + wanted + " but " + what + " " + Twine(index) + " of '" +
             operandsOf + "' is " + has);
}

/// "no operands", "1 operand", "2 operands".
static std::string count(unsigned number, StringRef what) {
  return (number == 0 ? Twine("no") : Twine(number)).str() + " " + what.str() +
         (number == 1 ? "" : "s");
}

/// If the number is open, only operands that the definition names can be meant.
void ContractChecker::checkNumber(Operation *clause, StringRef what,
                                  int64_t index, unsigned named) {
  if (named != 0 && index >= named)
    report(clause, kUnchecked,
           "'" + operandsOf + "' names " + count(named, what) +
               " and may have any number, so " + what + " " + Twine(index) +
               " cannot be checked");
}

void ContractChecker::checkOperand(Operation *clause, int64_t index,
                                   Meant meant) {
  if (!operands)
    return;
  std::optional<unsigned> most = operands->getMaxOperands();
  if (most && index >= *most)
    return report(clause, "fw-contract-operand",
                  "requires an operand of '" + operandsOf + "', which has " +
                      count(*most, "operand") + ", but names operand " +
                      Twine(index));
  checkNumber(clause, "operand", index, operands->getNumNamedOperands());
  checkRoles(clause, "operand", index, operands->getOperandRoles(index), meant);
}

void ContractChecker::checkResult(Operation *clause, int64_t index) {
  if (!operands)
    return;
  std::optional<unsigned> most = operands->getMaxResults();
  if (most && index >= *most)
    return report(clause, "fw-contract-operand",
                  "requires a result of '" + operandsOf + "', which has " +
                      count(*most, "result") + ", but names result " +
                      Twine(index));
  checkNumber(clause, "result", index, operands->getNumNamedResults());
  checkRoles(clause, "result", index, operands->getResultRoles(index),
             Meant::Payload);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void ContractChecker::checkAttribute(Operation *clause, StringRef name,
                                     bool asInteger) {
  // Any op can have attributes of other dialects.
  if (!attributes || name.contains('.'))
    return;
  SmallVector<StringRef> known;
  for (StringAttr attribute : attributes->getAttributes())
    // How operands are parted is nothing that a schedule writes.
    if (!attribute.getValue().ends_with("SegmentSizes") &&
        !attribute.getValue().ends_with("segment_sizes"))
      known.push_back(attribute.getValue());
  if (!llvm::is_contained(known, name))
    return report(clause, "fw-contract-name",
                  "requires an attribute of '" + attributesOf + "'" +
                      (known.empty() ? ", which has none," : "") +
                      " but names '" + name + "'",
                  name, known);
  if (asInteger && !attributes->mayBeIntegers(name))
    report(clause, "fw-contract-name",
           "requires an attribute that is an integer or a list of them but '" +
               name + "' of '" + attributesOf + "' is none");
}

/// An attribute that is only present or absent has no value for `use`.
void ContractChecker::checkFlag(Operation *clause, StringRef name,
                                const Twine &use) {
  if (attributes && !name.contains('.') && attributes->isFlag(name))
    report(clause, "fw-contract-name",
           "requires an attribute with a value for " + use + " but '" + name +
               "' of '" + attributesOf + "' is a flag without a value");
}

void ContractChecker::checkValue(Operation *clause, StringRef name,
                                 StringRef text) {
  checkFlag(clause, name, "'is " + text + "'");
  if (!attributes || attributes->isFlag(name) ||
      attributes->mayPrintAs(name, text))
    return;
  report(clause, "fw-contract-name",
         "requires a value that '" + name + "' of '" + attributesOf +
             "' can have but has '" + text + "'");
}

void ContractChecker::checkDomain(DomainOp clause) {
  if (clause.getOption())
    return checkOption(clause, clause.getName());
  bool isOfIntegers = false;
  for (auto word : clause.getValues().getAsRange<StringAttr>()) {
    auto [head, tail] = word.getValue().split(' ');
    if (head == "is" || head == "only")
      checkValue(clause, clause.getName(), tail);
    isOfIntegers |=
        llvm::is_contained({"at_least", "at_most", "dynamic"}, head);
    checkFlag(clause, clause.getName(), "'" + head + "'");
  }
  checkAttribute(clause, clause.getName(), isOfIntegers);
}

void ContractChecker::checkOption(Operation *clause, StringRef name) {
  if (contract.getOpName() == "transform.apply_registered_pass")
    return;
  if (pass.empty())
    return report(clause, "fw-contract-name",
                  "requires a pass where a clause names an option but '" +
                      contract.getOpName() + "' is not a pass");
  if (mayHavePassOption(pass, name))
    return;
  SmallVector<std::string> options = getPassOptions(pass);
  report(clause, "fw-contract-name",
         "requires an option of pass '" + pass + "' but has '" + name + "'",
         name, SmallVector<StringRef>(options.begin(), options.end()));
}

void ContractChecker::checkOpName(Operation *clause, StringRef name) {
  StringRef dialectName = name.split('.').first;
  Dialect *dialect = context->getOrLoadDialect(dialectName);
  if (!dialect) {
    std::vector<StringRef> known = context->getAvailableDialects();
    return report(clause, kUnchecked,
                  "no dialect '" + dialectName +
                      "' is registered in this tool, so '" + name +
                      "' cannot be checked",
                  dialectName, known);
  }
  if (name.ends_with(".*") || RegisteredOperationName::lookup(name, context))
    return;
  SmallVector<StringRef> known = getOps([&](RegisteredOperationName other) {
    return other.getDialectNamespace() == dialectName;
  });
  // Some dialects, such as llvm, accept unregistered ops.
  if (dialect->allowsUnknownOperations())
    return report(clause, kUnchecked,
                  "'" + name +
                      "' is not registered, which its dialect allows, so the "
                      "name cannot be checked",
                  name, known);
  report(clause, "fw-contract-name",
         "requires a registered op but has '" + name + "'", name, known);
}

void ContractChecker::checkKind(Operation *clause, StringRef kind) {
  kind = kind.split('?').first;
  if (!kind.consume_front("+"))
    kind.consume_front("-");
  // Classes and types are words of the pattern language.
  if (kind == "*" || kind.starts_with("$") || kind.starts_with("!"))
    return;
  checkOpName(clause, kind);
}

void ContractChecker::checkKinds(Operation *clause,
                                 std::optional<ArrayAttr> kinds) {
  if (kinds)
    for (auto kind : kinds->getAsRange<StringAttr>())
      checkKind(clause, kind.getValue());
}

void ContractChecker::checkPass(Operation *clause, StringRef name) {
  if (isRegisteredPass(name))
    return;
  report(clause, kUnchecked,
         "no pass or pipeline '" + name +
             "' is registered in this tool, so the name cannot be checked",
         name, passes);
}

void ContractChecker::checkGroup(Operation *clause, StringRef name) {
  std::optional<RegisteredOperationName> known = lookupOp(context, name);
  if (!known)
    return report(
        clause, kUnchecked,
        "no rule group '" + name +
            "' is registered in this tool, so the name cannot be checked",
        name, getOps(isGroup));
  if (!isGroup(*known))
    report(clause, "fw-contract-name",
           "requires a rule group but has '" + name + "'");
}

void ContractChecker::checkClause(Operation *clause) {
  checkConditions(clause);
  llvm::TypeSwitch<Operation *>(clause)
      .Case<RequiresOp, WantsOp, EnsuresOp>(
          [&](auto op) { checkOperand(op, op.getOperand(), Meant::Payload); })
      .Case<AcceptsOp, NeedsAncestorOp>([&](auto op) {
        checkKinds(op, op.getKinds());
        checkOperand(op, op.getOperand(), Meant::Ops);
      })
      .Case([&](SingleOp op) {
        checkOperand(op, op.getOperand(), Meant::Payload);
      })
      .Case([&](ResultOp op) {
        checkKinds(op, op.getKinds());
        checkCount(op);
        checkSpace(op);
        checkResult(op, op.getIndex());
        if (op.getOperand())
          checkOperand(op, *op.getOperand(), Meant::Payload);
      })
      .Case([&](PayloadOp op) {
        checkKinds(op, op.getIntroduces());
        checkKinds(op, op.getRewrites());
        checkKinds(op, op.getRemoves());
        if (op.getOperand())
          checkOperand(op, *op.getOperand(), Meant::Payload);
      })
      .Case([&](PerformsOp op) {
        for (auto name : op.getProcedures().getAsRange<StringAttr>())
          if (StringRef text = name.getValue(); text.consume_front("pass:"))
            checkPass(op, text);
          else if (text.starts_with("transform."))
            checkGroup(op, text);
      })
      .Case([&](DomainOp op) { checkDomain(op); })
      .Case([&](SilenceableOp op) { checkSilenceable(op); })
      .Case([&](EffectOp op) { checkEffect(op); })
      .Case([&](SideEffectsOp op) { checkSideEffects(op); })
      .Case([&](ConvergesOp op) {
        if (std::optional<ArrayAttr> groups = op.getGroups())
          for (auto name : groups->getAsRange<StringAttr>())
            checkGroup(op, name.getValue());
      });
}

Findings ContractChecker::check() {
  if (readSubject()) {
    for (Operation &clause : contract.getBody().front())
      checkClause(&clause);
    checkDialects();
  }
  checkOverlaps(contract, findings);
  findings.sort();
  return std::move(findings);
}

Findings formwork::normalforms::checkContract(ContractOp contract,
                                              ArrayRef<StringRef> passes) {
  return ContractChecker(contract, passes).check();
}
