//===- Contract.cpp - The promises of one transform op ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Contract.h"
#include "normalforms/Kleene.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// The elements of an array of integers, in either of its two forms.
static std::optional<SmallVector<int64_t>> getIntegers(Attribute attribute) {
  if (auto dense = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(dense.asArrayRef());
  auto array = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!array)
    return std::nullopt;
  SmallVector<int64_t> integers;
  for (Attribute element : array) {
    auto integer = dyn_cast<IntegerAttr>(element);
    if (!integer)
      return std::nullopt;
    integers.push_back(integer.getInt());
  }
  return integers;
}

std::optional<int64_t> CountTerm::evaluate(Operation *op) const {
  if (kind == Constant)
    return constant;
  Attribute value = op->getAttr(attribute);
  if (kind == Value) {
    auto integer = dyn_cast_or_null<IntegerAttr>(value);
    // A size that a handle gives is stored as a marker.
    if (!integer || integer.getValue().getSignificantBits() > 64 ||
        ShapedType::isDynamic(integer.getInt()))
      return std::nullopt;
    return integer.getInt();
  }
  if (kind == Size)
    if (auto array = dyn_cast_or_null<ArrayAttr>(value))
      return array.size();
  std::optional<SmallVector<int64_t>> integers = getIntegers(value);
  if (!integers)
    return std::nullopt;
  if (kind == Size)
    return integers->size();
  // Upstream treats a size that a handle gives as nonzero.
  return integers->size() - llvm::count(*integers, 0);
}

std::optional<SmallVector<int64_t>> SpaceTerm::getNumbers(Operation *op) const {
  return getIntegers(op->getAttr(attribute));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Calls `fn` with each list of clauses that may have conditions, and whether
/// these clauses are promises.
template <typename ContractT, typename Fn>
static void forEachList(ContractT &contract, Fn fn) {
  fn(contract.forms, /*isPromise=*/false);
  fn(contract.operands, /*isPromise=*/false);
  fn(contract.failures, /*isPromise=*/false);
  fn(contract.results, /*isPromise=*/false);
  fn(contract.writes, /*isPromise=*/false);
  fn(contract.ensures, /*isPromise=*/true);
  fn(contract.preserves, /*isPromise=*/true);
  fn(contract.procedures, /*isPromise=*/true);
  fn(contract.converges, /*isPromise=*/true);
  fn(contract.admitted, /*isPromise=*/true);
  fn(contract.effects, /*isPromise=*/true);
  fn(contract.sideEffects, /*isPromise=*/false);
}

bool Contract::hasConditions() const {
  bool found = false;
  forEachList(*this, [&](const auto &clauses, bool) {
    found |= llvm::any_of(
        clauses, [](const auto &clause) { return !clause.when.empty(); });
  });
  return found;
}

Contract::Answers Contract::decide(
    llvm::function_ref<std::optional<bool>(const Condition &)> decide,
    llvm::function_ref<std::optional<bool>(const Conditions &)> fails) const {
  Answers answers;
  forEachList(*this, [&](const auto &clauses, bool isPromise) {
    using Clause = std::decay_t<decltype(clauses.front())>;
    bool areFailures = std::is_same_v<Clause, FailureClause>;
    for (const Clause &clause : clauses)
      if (!clause.when.empty())
        answers.push_back(areFailures && fails ? fails(clause.when)
                                               : conjoin(clause.when, decide));
  });
  return answers;
}

Contract Contract::settle(const Answers &answers) const {
  Contract settled = *this;
  const std::optional<bool> *next = answers.begin();
  // Drop the clauses that do not hold, and the conditions of those that do.
  forEachList(settled, [&](auto &clauses, bool isPromise) {
    llvm::erase_if(clauses, [&](auto &clause) {
      if (clause.when.empty())
        return false;
      std::optional<bool> holds = *next++;
      if (holds && *holds)
        clause.when.clear();
      return holds ? !*holds : isPromise;
    });
  });
  // A write that may not happen does not guarantee that a kind is gone.
  for (PayloadClause &write : settled.writes)
    if (!write.when.empty())
      write.removes.clear();
  settled.joinWrites();
  // If no write applies to this instance, the op still writes at most the
  // target.
  if (!settled.payload && payload) {
    settled.payload.emplace();
    settled.payload->extent = WriteExtent::Target;
  }
  return settled;
}

//===----------------------------------------------------------------------===//
// Side effects and failures
//===----------------------------------------------------------------------===//

ArrayRef<StringRef> formwork::normalforms::getSideEffectWords() {
  static const StringRef words[] = {"effects_of_body",
                                    "keeps_order",
                                    "may_merge",
                                    "may_fold",
                                    "may_fold_values",
                                    "may_reshape",
                                    "reads_no_discardable_attribute",
                                    "writes_only_discardable_attributes",
                                    "only_reads",
                                    "reads_one_op",
                                    "only_reports",
                                    "hands_on_parameters",
                                    "opens_parameters",
                                    "cleans_up"};
  return words;
}

bool formwork::normalforms::isAlwaysSilenceable(StringRef id) {
  return llvm::is_contained(
      {"fw-step-fails", "fw-no-ancestor", "fw-duplicate-payload"}, id);
}

bool Contract::isSilenceable(StringRef id) const {
  if (id == "fw-no-ancestor")
    return llvm::none_of(operands, [](const OperandClause &clause) {
      return clause.kind == OperandClause::NeedsAncestor && clause.definite;
    });
  return isAlwaysSilenceable(id) ||
         llvm::any_of(silenceable, [&](const SilenceableClause &clause) {
           return clause.id == id;
         });
}

bool Contract::leavesPayload(StringRef id) const {
  return llvm::any_of(silenceable, [&](const SilenceableClause &clause) {
    return clause.id == id && clause.leavesPayload;
  });
}

//===----------------------------------------------------------------------===//
// Sums over clauses
//===----------------------------------------------------------------------===//

FeatureSet Contract::getAdmitted() const {
  FeatureSet all;
  for (const AdmitsClause &clause : admitted)
    if (clause.when.empty())
      all |= clause.features;
  return all;
}

bool Contract::preservesAll() const {
  return llvm::any_of(preserves, [](const auto &claim) { return !claim.what; });
}

SmallVector<AtomId> Contract::getPreserved() const {
  SmallVector<AtomId> atoms;
  for (const auto &claim : preserves)
    if (claim.what)
      atoms.push_back(*claim.what);
  return atoms;
}

SmallVector<StringRef, 4> Contract::getProcedures() const {
  return llvm::to_vector<4>(llvm::map_range(
      procedures, [](const auto &claim) { return claim.what; }));
}

void Contract::joinWrites() {
  payload.reset();
  for (const PayloadClause &write : writes) {
    if (!payload) {
      payload = write;
      payload->when.clear();
      continue;
    }
    payload->extent = std::max(payload->extent, write.extent);
    payload->operand = std::min(payload->operand, write.operand);
    llvm::append_range(payload->introduces, write.introduces);
    llvm::append_range(payload->rewrites, write.rewrites);
    // The extents differ: one write may leave ops of a kind that another
    // removes.
    llvm::erase_if(payload->removes, [&](KindPattern kind) {
      return !llvm::is_contained(write.removes, kind);
    });
    payload->handles.shrinks |= write.handles.shrinks;
    payload->handles.retargets |= write.handles.retargets;
    payload->handles.moves |= write.handles.moves;
    payload->handles.failsIfUsedLater |= write.handles.failsIfUsedLater;
  }
}
