//===- RuleSet.cpp - Frozen rule groups and their cache ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/RuleSet.h"

#include "engine/AliasFolds.h"
#include "engine/Check.h"
#include "engine/DriverKey.h"
#include "engine/GuardedRule.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <random>

using namespace mlir;
using namespace formwork::engine;

bool formwork::engine::isRuleGroup(Operation *op) {
  return isa<transform::PatternDescriptorOpInterface>(op);
}

bool formwork::engine::needsTransformState(Operation *op) {
  // The interface has no query for this; upstream has one such op.
  return op->getNumOperands() != 0 ||
         op->getName().getStringRef() ==
             "transform.apply_patterns.memref.alloc_to_alloca";
}

std::string formwork::engine::getRuleName(StringRef debugName) {
  if (debugName.empty())
    return "(unnamed rule)";
  // Template arguments hold colons, too: look before the first argument.
  size_t end = debugName.find('<');
  size_t begin = debugName.substr(0, end).rfind("::");
  return (begin == StringRef::npos ? debugName
                                   : debugName.drop_front(begin + 2))
      .str();
}

Fingerprint
formwork::engine::computeRuleSetKey(ArrayRef<Operation *> descriptors,
                                    MLIRContext *context) {
  Fingerprint key;
  key.mix(context->getLoadedDialects().size());
  for (Operation *op : descriptors) {
    key.mix(op->getName().getAsOpaquePointer());
    key.mix(op->getAttrDictionary().getAsOpaquePointer());
  }
  return key;
}

/// Whether no summand of `sum` is a contraction of which a factor is also the
/// value that it starts from.
static bool keepsFactorsWhenFolded(Operation *sum) {
  return llvm::none_of(sum->getOperands(), [](Value value) {
    auto contraction = value.getDefiningOp<vector::ContractionOp>();
    return contraction && (contraction.getAcc() == contraction.getLhs() ||
                           contraction.getAcc() == contraction.getRhs());
  });
}

/// Lets those of `rules` that fold a sum into a contraction apply only where
/// `keepsFactorsWhenFolded`. MLIR's canonicalization makes the summand of a
/// `vector.contract` that starts from zero the start of the contraction. It
/// replaces the zero in all operands: where a factor is the same value, the
/// result is a wrong one.
static void
guardContractionFolds(MutableArrayRef<std::unique_ptr<RewritePattern>> rules) {
  for (std::unique_ptr<RewritePattern> &rule : rules)
    if (rule->getDebugName().contains("CanonicalizeContractAdd"))
      rule = std::make_unique<GuardedRule>(
          std::move(rule), *rule->getRootKind(), keepsFactorsWhenFolded,
          "a factor is also what the contraction starts from");
}

static RewritePatternSet populate(ArrayRef<Operation *> descriptors,
                                  MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Operation *op : descriptors) {
    auto descriptor = cast<transform::PatternDescriptorOpInterface>(op);
    size_t before = patterns.getNativePatterns().size();
    descriptor.populatePatterns(patterns);
    auto rules =
        MutableArrayRef(patterns.getNativePatterns()).drop_front(before);
    if (op->getName().getStringRef() == aliasFoldGroup)
      guardAliasFolds(rules);
    guardContractionFolds(rules);
  }
  return patterns;
}

std::shared_ptr<const RuleSet>
RuleSet::create(ArrayRef<Operation *> descriptors, MLIRContext *context) {
  for (Operation *op : descriptors)
    FW_CHECK(isRuleGroup(op), "a rule set is made of pattern descriptors");
  auto set = std::make_shared<RuleSet>();
  set->descriptors.assign(descriptors.begin(), descriptors.end());
  set->key = computeRuleSetKey(descriptors, context);
  set->patterns = FrozenRewritePatternSet(populate(descriptors, context));
  return set;
}

std::shared_ptr<const RuleSet>
RuleSet::only(ArrayRef<std::string> enabled) const {
  auto set = std::make_shared<RuleSet>();
  set->descriptors = descriptors;
  set->key = key;
  for (const std::string &name : enabled)
    set->key.mix(llvm::hash_value(name));
  // An empty label list would mean "no filter", not "no rule".
  if (!descriptors.empty() && !enabled.empty()) {
    MLIRContext *context = descriptors.front()->getContext();
    set->patterns =
        FrozenRewritePatternSet(populate(descriptors, context),
                                /*disabledPatternLabels=*/{}, enabled);
  }
  return set;
}

std::shared_ptr<const RuleSet> RuleSet::shuffled(uint64_t seed) const {
  auto set = std::make_shared<RuleSet>();
  set->descriptors = descriptors;
  set->key = key;
  set->key.mix(seed);
  if (!descriptors.empty()) {
    MLIRContext *context = descriptors.front()->getContext();
    RewritePatternSet patterns = populate(descriptors, context);
    std::mt19937_64 random(seed);
    std::shuffle(patterns.getNativePatterns().begin(),
                 patterns.getNativePatterns().end(), random);
    set->patterns = FrozenRewritePatternSet(std::move(patterns));
  }
  return set;
}

std::shared_ptr<const RuleSet>
RuleSetCache::get(ArrayRef<Operation *> descriptors, MLIRContext *context) {
  Fingerprint key = computeRuleSetKey(descriptors, context);
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const RuleSet> &set = sets[key];
  if (!set)
    set = RuleSet::create(descriptors, context);
  return set;
}

void RuleSetCache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  sets.clear();
}
