//===- ContractCheck.cpp - Whether clauses fit the op -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractCheck.h"

#include "engine/NearName.h"
#include "normalforms/ClauseParts.h"
#include "normalforms/Condition.h"
#include "normalforms/DiagnosticIds.h"
#include "normalforms/Effect.h"
#include "normalforms/OpSignature.h"
#include "normalforms/PassOptions.h"
#include "normalforms/ResultOverlaps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;

namespace {
/// The role that a clause expects of an operand or a result.
enum class Meant { Payload, Ops, Param, Any };

class Checker {
public:
  Checker(ContractOp contract, ArrayRef<StringRef> passes)
      : contract(contract), passes(passes), context(contract.getContext()) {}

  Findings check();

private:
  /// Reads the op of the contract; false when nothing more can be checked.
  bool readSubject();
  void checkClause(Operation *clause);
  void checkConditions(Operation *clause);
  void checkCondition(Operation *clause, const Condition &condition);

  void checkOperand(Operation *clause, int64_t index, Meant meant);
  void checkResult(Operation *clause, int64_t index);
  void checkRoles(Operation *clause, StringRef what, int64_t index,
                  HandleRoles roles, Meant meant);
  void checkNumber(Operation *clause, StringRef what, int64_t index,
                   unsigned named);
  void checkAttribute(Operation *clause, StringRef name, bool asInteger);
  void checkFlag(Operation *clause, StringRef name, const Twine &use);
  void checkDomain(DomainOp clause);
  void checkOption(Operation *clause, StringRef name);
  void checkKinds(Operation *clause, std::optional<ArrayAttr> kinds);
  void checkKind(Operation *clause, StringRef kind);
  void checkOpName(Operation *clause, StringRef name);
  void checkGroup(Operation *clause, StringRef name);
  void checkPass(Operation *clause, StringRef name);
  void checkCount(ResultOp clause);
  void checkSpace(ResultOp clause);
  void checkEffect(EffectOp clause);
  void checkSideEffects(SideEffectsOp clause);
  void checkSilenceable(SilenceableOp clause);
  void checkDialects();
  /// Whether a clause says that ops may be added (or, with `orRewritten`,
  /// changed) that are of `pattern`, or of which `pattern` is one.
  bool mayMake(StringRef pattern, bool orRewritten = false);

  /// Reports an error, or a warning for a warning's id, and suggests a near
  /// name.
  void report(Operation *clause, StringRef id, const Twine &message,
              StringRef name = "", ArrayRef<StringRef> known = {});
  /// The names of the ops in MLIR's registry that `accepts` accepts.
  SmallVector<StringRef>
  getOps(llvm::function_ref<bool(RegisteredOperationName)> accepts);

  ContractOp contract;
  ArrayRef<StringRef> passes;
  MLIRContext *context;
  Findings findings;
  /// The signature of the op whose attributes conditions refer to.
  std::optional<OpSignature> attributes;
  StringRef attributesOf;
  /// The signature of the op that has the operands and results.
  std::optional<OpSignature> operands;
  StringRef operandsOf;
  /// The pass of the contract, or empty.
  StringRef pass;
};
} // namespace

static constexpr llvm::StringLiteral kUnchecked = "fw-contract-unchecked";

void Checker::report(Operation *clause, StringRef id, const Twine &message,
                     StringRef name, ArrayRef<StringRef> known) {
  Finding &finding =
      findings.add({clause->getLoc(), id, message,
                    id == kUnchecked ? DiagnosticSeverity::Warning
                                     : DiagnosticSeverity::Error});
  if (std::optional<size_t> near = findNearName(name, known))
    finding.note(NoteKind::FixIt, clause->getLoc(),
                 "did you mean '" + known[*near] + "'?");
}

SmallVector<StringRef>
Checker::getOps(llvm::function_ref<bool(RegisteredOperationName)> accepts) {
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

bool Checker::readSubject() {
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

void Checker::checkRoles(Operation *clause, StringRef what, int64_t index,
                         HandleRoles roles, Meant meant) {
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
void Checker::checkNumber(Operation *clause, StringRef what, int64_t index,
                          unsigned named) {
  if (named != 0 && index >= named)
    report(clause, kUnchecked,
           "'" + operandsOf + "' names " + count(named, what) +
               " and may have any number, so " + what + " " + Twine(index) +
               " cannot be checked");
}

void Checker::checkOperand(Operation *clause, int64_t index, Meant meant) {
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

void Checker::checkResult(Operation *clause, int64_t index) {
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

void Checker::checkAttribute(Operation *clause, StringRef name,
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
void Checker::checkFlag(Operation *clause, StringRef name, const Twine &use) {
  if (attributes && !name.contains('.') && attributes->isFlag(name))
    report(clause, "fw-contract-name",
           "requires an attribute with a value for " + use + " but '" + name +
               "' of '" + attributesOf + "' is a flag without a value");
}

void Checker::checkDomain(DomainOp clause) {
  if (clause.getOption())
    return checkOption(clause, clause.getName());
  bool isOfIntegers = false;
  for (auto word : clause.getValues().getAsRange<StringAttr>()) {
    StringRef head = word.getValue().split(' ').first;
    isOfIntegers |=
        llvm::is_contained({"at_least", "at_most", "dynamic"}, head);
    checkFlag(clause, clause.getName(), "'" + head + "'");
  }
  checkAttribute(clause, clause.getName(), isOfIntegers);
}

void Checker::checkOption(Operation *clause, StringRef name) {
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

void Checker::checkOpName(Operation *clause, StringRef name) {
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

void Checker::checkKind(Operation *clause, StringRef kind) {
  kind = kind.split('?').first;
  if (!kind.consume_front("+"))
    kind.consume_front("-");
  // Classes and types are words of the pattern language.
  if (kind == "*" || kind.starts_with("$") || kind.starts_with("!"))
    return;
  checkOpName(clause, kind);
}

void Checker::checkKinds(Operation *clause, std::optional<ArrayAttr> kinds) {
  if (kinds)
    for (auto kind : kinds->getAsRange<StringAttr>())
      checkKind(clause, kind.getValue());
}

void Checker::checkPass(Operation *clause, StringRef name) {
  if (isRegisteredPass(name))
    return;
  report(clause, kUnchecked,
         "no pass or pipeline '" + name +
             "' is registered in this tool, so the name cannot be checked",
         name, passes);
}

void Checker::checkGroup(Operation *clause, StringRef name) {
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

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether `text` is the printed form of a type.
static bool isTypeText(MLIRContext *context, StringRef text) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  Type type = parseType(text, context);
  if (!type)
    return false;
  return debugString(type) == text;
}

void Checker::checkCondition(Operation *clause, const Condition &condition) {
  switch (condition.subject) {
  case Condition::Always:
    return;
  case Condition::Attribute:
    if (!condition.value.empty())
      checkFlag(clause, condition.name, "'is " + condition.value + "'");
    return checkAttribute(clause, condition.name,
                          condition.comparison != Condition::Is);
  case Condition::Option:
    return checkOption(clause, condition.name);
  case Condition::Operand:
    return checkOperand(clause, condition.index, Meant::Any);
  case Condition::Type: {
    StringRef text = condition.value;
    Meant meant = text == "op"      ? Meant::Ops
                  : text == "param" ? Meant::Param
                                    : Meant::Any;
    bool isWord = meant != Meant::Any || text == "value";
    if (!isWord && !isTypeText(context, text))
      report(
          clause, "fw-contract-name",
          "requires 'op', 'value', 'param' or a type as it prints but has '" +
              text + "'");
    return checkOperand(clause, condition.index, meant);
  }
  case Condition::PayloadCount:
  case Condition::PayloadFact:
    return checkOperand(clause, condition.index, Meant::Payload);
  case Condition::ParamValue:
    return checkOperand(clause, condition.index, Meant::Param);
  case Condition::PayloadKind:
  case Condition::Holds:
  case Condition::Given:
    checkKind(clause, condition.value);
    [[fallthrough]];
  case Condition::FoldableSizes:
  case Condition::DynamicSizes:
  case Condition::RunsAlone:
  case Condition::HoldsSchedule:
    return checkOperand(clause, condition.index, Meant::Ops);
  }
}

void Checker::checkConditions(Operation *clause) {
  for (const Condition &condition : parseConditions(clause))
    checkCondition(clause, condition);
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

void Checker::checkCount(ResultOp clause) {
  auto [function, rest] = clause.getCount().split('(');
  if (!rest.empty())
    checkAttribute(clause, rest.split(')').first, function != "size");
}

void Checker::checkSpace(ResultOp clause) {
  if (!clause.getSpace())
    return;
  if (std::optional<ArrayAttr> kinds = clause.getKinds())
    for (auto kind : kinds->getAsRange<StringAttr>()) {
      std::optional<RegisteredOperationName> named =
          RegisteredOperationName::lookup(kind.getValue(), context);
      if (named && !KindPattern("$structured").matches(*named))
        report(clause, "fw-contract-name",
               "requires kinds of structured ops with 'space' but has '" +
                   kind.getValue() + "'");
    }
  auto [function, rest] = clause.getSpace()->split('(');
  if (rest.empty())
    return;
  auto [attribute, index] = rest.split(')').first.split(',');
  checkAttribute(clause, attribute.trim(), /*asInteger=*/true);
  if (int64_t first; !index.trim().getAsInteger(10, first))
    checkOperand(clause, first, Meant::Param);
}

void Checker::checkEffect(EffectOp clause) {
  checkOperand(clause, clause.getOperand(), Meant::Payload);
  for (auto text : clause.getTerms().getAsRange<StringAttr>()) {
    llvm::Expected<EffectTerm> term = EffectTerm::parse(text.getValue());
    if (!term) {
      llvm::consumeError(term.takeError());
      continue;
    }
    for (const KindPattern &kind : term->kinds)
      checkKind(clause, kind);
    if (term->what == EffectTerm::Result)
      checkResult(clause, term->index);
    else if (term->what == EffectTerm::AttributeOf)
      checkAttribute(clause, term->name, /*asInteger=*/false);
  }
}

bool Checker::mayMake(StringRef pattern, bool orRewritten) {
  SmallVector<StringRef> listed;
  for (PayloadOp write : contract.getBody().front().getOps<PayloadOp>()) {
    if (std::optional<ArrayAttr> kinds = write.getIntroduces())
      llvm::append_range(listed, kinds->getAsValueRange<StringAttr>());
    if (std::optional<ArrayAttr> kinds = write.getRewrites();
        kinds && orRewritten)
      llvm::append_range(listed, kinds->getAsValueRange<StringAttr>());
  }
  if (llvm::is_contained(listed, kFoldedConstantsWord))
    llvm::append_range(listed, getFoldedConstants());
  return llvm::any_of(listed, [&](StringRef kind) {
    kind.consume_front("+");
    kind = kind.split('?').first;
    return kind == "*" || KindPattern::of(kind).names(pattern) ||
           KindPattern::of(pattern).names(kind);
  });
}

/// What the step says of discardable attributes has to fit what it writes.
void Checker::checkSideEffects(SideEffectsOp clause) {
  auto has = [](SideEffectsOp op, StringRef effect) {
    return llvm::is_contained(op.getEffects().getAsValueRange<StringAttr>(),
                              effect);
  };
  constexpr StringLiteral reads = "reads_no_discardable_attribute",
                          writes = "writes_only_discardable_attributes";
  Block &body = contract.getBody().front();
  bool mayWrite = !body.getOps<PayloadOp>().empty();
  bool writesOnlyThem =
      llvm::any_of(body.getOps<SideEffectsOp>(),
                   [&](SideEffectsOp other) { return has(other, writes); });
  for (StringRef harmless : {"only_reads", "only_reports"})
    if (has(clause, harmless) && mayWrite)
      report(clause, "fw-contract-clause",
             "requires an op that changes no payload with '" + harmless +
                 "' but the contract has a clause 'normalform.payload'");
  if (has(clause, writes) && !mayWrite)
    report(clause, "fw-contract-clause",
           "requires a clause 'normalform.payload' with '" + writes +
               "' but the contract has none, so that its op writes nothing");
  // What rewrites an op keeps the op's attributes, or drops them.
  if (has(clause, reads) && mayWrite && !writesOnlyThem)
    report(clause, "fw-contract-clause",
           "requires an op that rewrites no payload with '" + reads +
               "' but the contract has a clause 'normalform.payload'");
  for (StringRef folds : {"may_fold", "may_fold_values"})
    if (has(clause, folds) && mayWrite && !mayMake("arith.constant"))
      report(clause, "fw-contract-clause",
             "requires a clause that adds '$constant' with '" + folds +
                 "', since folding makes constants, but the contract has "
                 "none");
}

/// Ops that may stand in a matcher, and only these, can say that it does not
/// match.
void Checker::checkSilenceable(SilenceableOp clause) {
  constexpr StringLiteral rejects = "fw-matcher-failed";
  for (StringRef id : clause.getIds().getAsValueRange<StringAttr>())
    if (!llvm::is_contained(getErrorIds(), id))
      report(clause, "fw-contract-name",
             "requires the id of an error but has '" + id + "'", id,
             getErrorIds());
  auto subject = RegisteredOperationName::lookup(contract.getOpName(), context);
  if (!subject)
    return;
  bool isForMatchers = subject->hasInterface<transform::MatchOpInterface>();
  auto listsIt = [&](SilenceableOp one) {
    return llvm::is_contained(one.getIds().getAsValueRange<StringAttr>(),
                              rejects);
  };
  if (listsIt(clause) && !isForMatchers)
    report(clause, "fw-contract-clause",
           "requires an op for matchers with '" + rejects + "' but '" +
               contract.getOpName() + "' is none");
  if (isForMatchers &&
      llvm::none_of(contract.getBody().front().getOps<SilenceableOp>(),
                    listsIt))
    report(clause, "fw-contract-clause",
           "requires '" + rejects + "', since '" + contract.getOpName() +
               "' is an op for matchers, but no clause has it");
}

/// A pass has to declare the dialects of the ops that it makes.
void Checker::checkDialects() {
  if (pass.empty() || contract.getBody().front().getOps<PayloadOp>().empty())
    return;
  for (const std::string &dialect : getPassDialects(pass))
    if (dialect != "builtin" && !mayMake(dialect + ".*", /*orRewritten=*/true))
      report(contract, kUnchecked,
             "pass '" + pass + "' declares that it uses dialect '" + dialect +
                 "', but no clause says that it adds '" + dialect + ".*'");
}

void Checker::checkClause(Operation *clause) {
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

Findings Checker::check() {
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
  return Checker(contract, passes).check();
}
