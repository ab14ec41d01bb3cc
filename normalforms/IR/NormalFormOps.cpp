//===- NormalFormOps.cpp - The normalform dialect ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/IR/NormalFormOps.h"

#include "engine/Diagnostics.h"
#include "engine/PassProcedure.h"
#include "engine/Procedures.h"
#include "normalforms/IR/Escape.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

/// The attribute with the reason why a user's pass may be a procedure.
static constexpr StringLiteral kVouchedAttr = "vouched";

#include "normalforms/IR/NormalFormDialect.cpp.inc"
#include "normalforms/IR/NormalFormEnums.cpp.inc"

/// Parses the text after `manual`.
static ParseResult parseReason(OpAsmParser &parser, StringAttr &reason) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (failed(parser.parseOptionalString(&text)))
    return parser.emitError(
        loc, "requires a text after 'manual' that says which of the author's "
             "choices it would change to normalize to the form");
  reason = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printReason(OpAsmPrinter &printer, Operation *, StringAttr reason) {
  printer << reason;
}

#define GET_OP_CLASSES
#include "normalforms/IR/NormalFormOps.cpp.inc"

//===----------------------------------------------------------------------===//
// NormalFormDialect
//===----------------------------------------------------------------------===//

struct NormalFormDialect::State {
  mutable std::mutex mutex;
  std::map<std::string, Predicate, std::less<>> predicates;
  std::shared_ptr<const FormLibrary> library;
  engine::RuleSetCache ruleSets;
  engine::NormalCache normal;
};

void NormalFormDialect::initialize() {
  state = std::make_shared<State>();
  addOperations<
#define GET_OP_LIST
#include "normalforms/IR/NormalFormOps.cpp.inc"
      >();
}

void NormalFormDialect::registerPredicate(Predicate predicate) {
  std::string name = predicate.name;
  state->predicates.insert_or_assign(std::move(name), std::move(predicate));
}

const Predicate *NormalFormDialect::lookupPredicate(StringRef name) const {
  auto it = state->predicates.find(std::string_view(name));
  return it == state->predicates.end() ? nullptr : &it->second;
}

SmallVector<const Predicate *> NormalFormDialect::getPredicates() const {
  SmallVector<const Predicate *> out;
  for (const auto &[name, predicate] : state->predicates)
    out.push_back(&predicate);
  return out;
}

const FormLibrary *NormalFormDialect::getLibrary() const {
  std::lock_guard<std::mutex> lock(state->mutex);
  return state->library.get();
}

void NormalFormDialect::setLibrary(std::shared_ptr<const FormLibrary> library) {
  std::lock_guard<std::mutex> lock(state->mutex);
  state->library = std::move(library);
}

const FormLibrary *NormalFormDialect::getOrLoadLibrary(
    llvm::function_ref<std::shared_ptr<const FormLibrary>()> load) {
  std::lock_guard<std::mutex> lock(state->mutex);
  if (!state->library)
    state->library = load();
  return state->library.get();
}

engine::RuleSetCache &NormalFormDialect::getRuleSetCache() {
  return state->ruleSets;
}

engine::NormalCache &NormalFormDialect::getNormalCache() {
  return state->normal;
}

//===----------------------------------------------------------------------===//
// FormOp
//===----------------------------------------------------------------------===//

/// Whether `@` and `name` form a symbol without quotes. Inserted steps and
/// lists of forms on command lines must be able to name it.
static bool isName(StringRef name) {
  auto isPart = [](char c) {
    return llvm::isAlnum(c) || StringRef("_$.").contains(c);
  };
  return !name.empty() && (llvm::isAlpha(name.front()) || name[0] == '_') &&
         llvm::all_of(name, isPart);
}

LogicalResult FormOp::verify() {
  auto report = [&](Location loc, StringRef id, const Twine &message) {
    return engine::emitFinding(engine::Finding(loc, id, message));
  };

  if (!isName(getSymName()))
    return report(
        getLoc(), "fw-form-name",
        "requires a name of letters, digits, '_', '$' and '.', with a "
        "letter or '_' in front, but has '" +
            escape(getSymName()) + "'");

  if (std::optional<StringRef> anchor = getAnchor())
    if (*anchor != "isolated" && *anchor != "loop-nest" && *anchor != "module")
      return report(getLoc(), "fw-unknown-anchor",
                    "requires an anchor kind of 'isolated', 'loop-nest' or "
                    "'module' but has '" +
                        *anchor + "'");

  if (std::optional<uint64_t> weight = getWeight())
    if (int64_t(*weight) < 1 || *weight > UINT32_MAX)
      return report(getLoc(), "fw-form-weight",
                    "requires a weight from 1 to " + Twine(UINT32_MAX) +
                        " but has " + Twine(int64_t(*weight)));

  if (std::optional<Attribute> predicate = getPredicate()) {
    auto name = dyn_cast<StringAttr>(*predicate);
    auto *dialect = cast<NormalFormDialect>((*this)->getDialect());
    if (name && !dialect->lookupPredicate(name)) {
      engine::Finding finding(getLoc(), "fw-unknown-predicate",
                              "form @" + getSymName() +
                                  " requires a registered predicate but has '" +
                                  name.getValue() + "'");
      std::string known = "registered are";
      for (const Predicate *other : dialect->getPredicates())
        known += " '" + other->name + "'";
      finding.note(engine::NoteKind::Evidence, getLoc(), known);
      return engine::emitFinding(std::move(finding));
    }
  }

  for (Operation &op : getBody().getOps()) {
    if (isa<ProcedureOp>(op))
      continue;
    if (!engine::isRuleGroup(&op))
      return report(op.getLoc(), "fw-unknown-rule-group",
                    "form @" + getSymName() +
                        " requires rule groups and procedures in its region "
                        "but has '" +
                        op.getName().getStringRef() + "'");
    if (engine::needsTransformState(&op))
      return report(
          op.getLoc(), "fw-stateful-rule-group",
          "form @" + getSymName() +
              " requires rule groups that need no transform state but has '" +
              op.getName().getStringRef() + "'");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ProcedureOp
//===----------------------------------------------------------------------===//

LogicalResult ProcedureOp::verify() {
  StringRef name = getName();
  std::string why;
  if (Attribute reason = (*this)->getAttr(kVouchedAttr)) {
    auto text = dyn_cast<StringAttr>(reason);
    if (!text || text.empty() || !name.consume_front("pass:"))
      return engine::emitFinding(engine::Finding(
          getLoc(), "fw-unknown-procedure",
          "requires 'pass:NAME', with a text in 'vouched' that says why the "
          "pass changes only what is inside its anchor, but has '" +
              getName() + "'"));
    if (engine::lookupPassProcedure(name, /*isVouched=*/true, why))
      return success();
  } else if (engine::lookupProcedure(name, why)) {
    return success();
  }
  engine::Finding finding(getLoc(), "fw-unknown-procedure",
                          "requires a known procedure but has '" + getName() +
                              "'");
  finding.note(engine::NoteKind::Evidence, getLoc(), why);
  return engine::emitFinding(std::move(finding));
}
