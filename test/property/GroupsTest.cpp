//===- GroupsTest.cpp - What rule groups do, against their contracts ------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rule group on generated payload, on the shipped corpus and on one made
// for it: it ends, it makes ops of no kind that its contract does not name, and
// it keeps the forms that its contract says it keeps. FORMWORK_TEST_PAYLOADS
// multiplies the payloads; FORMWORK_TEST_SURVEY=FILE writes down what was seen.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "embedded/builtinCorpus.h"
#include "embedded/groupsCorpus.h"
#include "engine/Normalizer.h"
#include "engine/Procedures.h"
#include "normalforms/ContractLibrary.h"
#include "verifier/state/KindSet.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

/// The observations about one group.
struct Witness {
  unsigned changed = 0;
  unsigned diverged = 0;
  std::set<OperationName, bool (*)(OperationName, OperationName)> introduced{
      [](OperationName a, OperationName b) {
        return a.getStringRef() < b.getStringRef();
      }};
  std::map<AtomId, unsigned> kept;
  std::set<AtomId> lost;
};

llvm::DenseSet<OperationName> getKinds(Operation *root) {
  llvm::DenseSet<OperationName> kinds;
  root->walk([&](Operation *op) { kinds.insert(op->getName()); });
  return kinds;
}

class GroupsTest : public PropertyTest {
protected:
  std::mt19937_64 random{seed};

  GroupsTest() {
    auto loaded = ContractLibrary::load(&context, getLibrary());
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<transform::PatternDescriptorOpInterface>())
        add(name);
  }

  /// The instances of a group: with its default attributes, and with each other
  /// choice of a lowering.
  void add(RegisteredOperationName name) {
    // It diverges on most transfers, and MLIR 22 crashes in it on those of
    // tensors. Its contract claims nothing.
    if (name.getStringRef() ==
        "transform.apply_patterns.vector.split_transfer_full_partial")
      return;
    OperationState state(UnknownLoc::get(&context), name);
    if (name.getStringRef() ==
        "transform.apply_patterns.gpu.unroll_vectors_subgroup_mma")
      for (StringRef size : {"m", "n", "k"})
        state.addAttribute(
            size, IntegerAttr::get(IntegerType::get(&context, 64), 16));
    groups.emplace_back(Operation::create(state));
    if (engine::needsTransformState(*groups.back()))
      return groups.pop_back();
    auto addWith = [&](StringRef attribute, Attribute value) {
      groups.emplace_back(groups.back()->clone());
      groups.back()->setAttr(attribute, value);
    };
    TypeSwitch<Operation *>(*groups.back())
        .Case([&](transform::ApplyLowerContractionPatternsOp) {
          using vector::VectorContractLowering;
          for (auto lowering :
               {VectorContractLowering::Dot, VectorContractLowering::LLVMIntr,
                VectorContractLowering::ParallelArith})
            addWith(
                "lowering_strategy",
                vector::VectorContractLoweringAttr::get(&context, lowering));
        })
        .Case([&](transform::ApplyLowerTransposePatternsOp) {
          using vector::VectorTransposeLowering;
          for (auto lowering : {VectorTransposeLowering::LLVMIntr,
                                VectorTransposeLowering::Shuffle1D,
                                VectorTransposeLowering::Shuffle16x16})
            addWith(
                "lowering_strategy",
                vector::VectorTransposeLoweringAttr::get(&context, lowering));
        })
        .Case([&](transform::ApplyLowerMultiReductionPatternsOp) {
          addWith("lowering_strategy",
                  vector::VectorMultiReductionLoweringAttr::get(
                      &context,
                      vector::VectorMultiReductionLowering::InnerReduction));
        })
        .Case([&](transform::ApplyTransferToScfPatternsOp) {
          addWith("full_unroll", BoolAttr::get(&context, true));
        });
  }

  /// Calls `fn` on the functions with a body; schedules are functions, too.
  static void forEachFunction(ModuleOp module,
                              llvm::function_ref<void(Operation *)> fn) {
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal() &&
          isa<func::FuncOp, gpu::GPUFuncOp>(function.getOperation()))
        fn(function);
    });
  }

  /// Runs `rules` at each function of `module` as upstream's apply_patterns
  /// does; whether all ended.
  static bool rewrite(ModuleOp module, const engine::RuleSet &rules,
                      bool &changed) {
    bool converged = true;
    forEachFunction(module, [&](Operation *function) {
      bool here = false;
      // Rules that undo each other would go on forever.
      GreedyRewriteConfig config;
      config.setMaxNumRewrites(20000);
      converged &= succeeded(
          applyPatternsGreedily(function, rules.getPatterns(), config, &here));
      changed |= here;
    });
    return converged;
  }

  /// The part of `rules` that, in turns with some of the procedures that end
  /// with any, does not come to an end at each function of `module`.
  std::optional<std::string>
  getCycle(ModuleOp module, std::shared_ptr<const engine::RuleSet> rules) {
    engine::Driver driver;
    driver.rules = std::move(rules);
    for (const engine::Procedure &procedure : engine::getBuiltinProcedures())
      if (procedure.endsWithRules && random() % 4 != 0)
        driver.procedures.push_back(procedure);
    engine::Normalizer normalizer(std::move(driver));
    std::optional<std::string> cycle;
    forEachFunction(module, [&](Operation *function) {
      engine::Report report = normalizer.run(function);
      if (!report.reachedFixpoint())
        cycle = engine::stringifyStopReason(report.reason).str() + ": " +
                llvm::join(report.cycle, " + ");
    });
    return cycle;
  }

  std::shared_ptr<const engine::RuleSet>
  makeRules(ArrayRef<Operation *> descriptors) {
    return engine::RuleSet::create(descriptors, &context);
  }

  /// The fewest of `set` that do not come to an end on `module`.
  std::string getCulprits(SmallVector<Operation *> set, ModuleOp module) {
    for (unsigned i = 0; i < set.size();) {
      SmallVector<Operation *> fewer(set);
      fewer.erase(fewer.begin() + i);
      OwningOpRef<ModuleOp> copy = module.clone();
      bool changed = false;
      if (rewrite(*copy, *makeRules(fewer), changed))
        ++i;
      else
        set = fewer;
    }
    std::string names;
    llvm::raw_string_ostream os(names);
    llvm::interleave(
        set, os, [&](Operation *group) { group->print(os); }, " + ");
    return names;
  }

  /// Whether its contract does not say of `group` that it ends on `module`.
  bool isExempt(Operation &group, ModuleOp module) {
    const Contract *contract =
        contracts->lookup(group.getName().getStringRef());
    if (!contract || contract->converges.empty())
      return false;
    auto decide = [&](const Condition &condition) {
      std::optional<bool> decided = condition.decide(&group);
      if (condition.subject == Condition::Holds)
        decided = holds(module, condition.kind) != condition.negated;
      return decided;
    };
    Contract here = contract->settle(contract->decide(decide));
    return here.converges.empty() ||
           (llvm::all_of(here.converges,
                         [](const auto &claim) { return claim.onTensors; }) &&
            module
                .walk([](linalg::LinalgOp op) {
                  return op.hasPureTensorSemantics() ? WalkResult::advance()
                                                     : WalkResult::interrupt();
                })
                .wasInterrupted());
  }

  static bool hasUnitExtent(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return !linalgOp ||
           llvm::any_of(linalgOp.getStaticLoopRanges(), [](int64_t size) {
             return size == 1 || ShapedType::isDynamic(size);
           });
  }

  static bool holds(ModuleOp module, const normalforms::KindPattern &kind) {
    return module
        .walk([&](Operation *op) {
          return kind.matches(op->getName()) &&
                         (kind.getProperty() != "unit-extent" ||
                          hasUnitExtent(op))
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Adds what `rules` do on a clone of `module` to `witness`.
  void observe(ModuleOp module, const engine::RuleSet &rules, Witness &witness,
               bool mayDiverge = false) {
    OwningOpRef<ModuleOp> copy = module.clone();
    bool changed = false;
    witness.diverged += !rewrite(*copy, rules, changed) && !mayDiverge;
    if (!changed)
      return;
    ++witness.changed;
    llvm::DenseSet<OperationName> before = getKinds(module);
    for (OperationName kind : getKinds(*copy))
      if (!before.contains(kind))
        witness.introduced.insert(kind);
    for (const Form &form : getLibrary().getForms()) {
      if (form.hasDriver() ||
          !getLibrary().checkPredicates(form, module).empty())
        continue;
      if (getLibrary().checkPredicates(form, *copy).empty())
        ++witness.kept[form.atom];
      else
        witness.lost.insert(form.atom);
    }
  }

  /// Calls `fn` with generated payload and with that of both corpora.
  void forAll(llvm::function_ref<void(ModuleOp)> fn) {
    for (StringRef text : {StringRef(embedded::builtinCorpus),
                           StringRef(embedded::groupsCorpus)})
      (void)splitAndProcessBuffer(
          llvm::MemoryBuffer::getMemBuffer(text),
          [&](std::unique_ptr<llvm::MemoryBuffer> piece, llvm::raw_ostream &) {
            OwningOpRef<ModuleOp> module = parse(piece->getBuffer());
            fn(*module);
            return success();
          },
          llvm::nulls());
    forPayloads(60, [&](ModuleOp module) -> std::optional<std::string> {
      fn(module);
      return std::nullopt;
    });
  }

  void writeSurvey(StringRef path, const llvm::StringMap<Witness> &witnesses) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    for (const auto &[name, witness] : witnesses) {
      os << name << " changed=" << witness.changed
         << " diverged=" << witness.diverged << " introduces:";
      for (OperationName kind : witness.introduced)
        os << " " << kind;
      os << "\n   kept:";
      for (auto [atom, count] : witness.kept)
        os << " @" << getLibrary().getForm(atom).name << "*" << count;
      os << "\n   lost:";
      for (AtomId atom : witness.lost)
        os << " @" << getLibrary().getForm(atom).name;
      os << "\n";
    }
  }

  std::unique_ptr<ContractLibrary> contracts;
  std::vector<OwningOpRef<Operation *>> groups;
};

TEST_F(GroupsTest, KeepTheirContracts) {
  // All but one that reads the transform state, and one that crashes.
  llvm::StringMap<Witness> witnesses;
  for (OwningOpRef<Operation *> &group : groups)
    (void)witnesses[(*group)->getName().getStringRef()];
  ASSERT_EQ(witnesses.size(), 68u);
  std::vector<std::shared_ptr<const engine::RuleSet>> rules;
  for (OwningOpRef<Operation *> &group : groups)
    rules.push_back(makeRules(*group));
  auto driver = makeRules({});

  Witness ofDriver;
  forAll([&](ModuleOp module) {
    observe(module, *driver, ofDriver);
    // The groups are not to blame for what the driver does alone.
    bool changed = false;
    rewrite(module, *driver, changed);
    for (auto [group, ruleSet] : llvm::zip(groups, rules))
      observe(module, *ruleSet, witnesses[(*group)->getName().getStringRef()],
              isExempt(**group, module));
  });
  if (const char *path = std::getenv("FORMWORK_TEST_SURVEY"))
    writeSurvey(path, witnesses);

  const Contract *ofAll = contracts->lookup("transform.apply_patterns");
  ASSERT_TRUE(ofAll && ofAll->payload);
  auto compare = [&](StringRef name, const Contract &contract,
                     const Witness &witness) {
    SCOPED_TRACE(name.str());
    ASSERT_TRUE(contract.payload);
    for (OperationName kind : witness.introduced)
      EXPECT_TRUE(
          verifier::matchesAnyKind(kind, contract.payload->introduces) ||
          verifier::matchesAnyKind(kind, ofAll->payload->introduces))
          << "introduces " << kind.getStringRef().str();
    for (const auto &claim : contract.preserves) {
      ASSERT_TRUE(claim.what);
      const std::string &form = getLibrary().getForm(*claim.what).name;
      EXPECT_FALSE(witness.lost.count(*claim.what)) << "loses @" << form;
      // A kind that was never seen to be kept is not claimed.
      EXPECT_TRUE(seed != 1 || witness.kept.count(*claim.what))
          << "no witness for @" << form;
    }
    if (contract.converges.empty())
      return;
    EXPECT_EQ(witness.diverged, 0u) << "does not come to an end";
    // Without what it rewrites, the group changes nothing.
    bool isIdle = llvm::all_of(contract.converges, [](const auto &claim) {
      return llvm::any_of(claim.when, [](const Condition &condition) {
        return condition.subject == Condition::Holds && condition.negated;
      });
    });
    EXPECT_TRUE(seed != 1 || isIdle || witness.changed > 0)
        << "no witness at all";
  };
  compare("transform.apply_patterns", *ofAll, ofDriver);
  for (const auto &[name, witness] : witnesses) {
    const Contract *contract = contracts->lookup(name);
    ASSERT_TRUE(contract) << name.str();
    compare(name, *contract, witness);
  }
}

// A group that is said to come to an end does so with other groups, too: each
// alone with canonicalization, and sets of several with and without; and all of
// them in turns with procedures.
TEST_F(GroupsTest, EndTogether) {
  SmallVector<Operation *> folding, ending;
  llvm::StringMap<llvm::StringSet<>> excluded;
  for (OwningOpRef<Operation *> &group : groups) {
    StringRef name = (*group)->getName().getStringRef();
    const Contract *contract = contracts->lookup(name);
    if (!contract || contract->converges.empty())
      continue;
    for (const auto &claim : contract->converges)
      for (StringRef other : claim.except) {
        excluded[name].insert(other);
        excluded[other].insert(name);
      }
    bool folds = llvm::is_contained(contract->payload->rewrites, "*");
    (folds ? folding : ending).push_back(*group);
  }
  ASSERT_GT(folding.size(), 1u);
  ASSERT_GT(ending.size(), 20u);

  std::vector<SmallVector<Operation *>> sets;
  for (Operation *group : ending) {
    SmallVector<Operation *> &set = sets.emplace_back(folding);
    llvm::erase_if(set, [&](Operation *other) {
      return excluded[group->getName().getStringRef()].contains(
          other->getName().getStringRef());
    });
    set.push_back(group);
  }
  for (unsigned i = 0; i < 60; ++i) {
    SmallVector<Operation *> set;
    if (i % 2 == 0)
      set = folding;
    unsigned size = 2 + random() % 7;
    std::shuffle(ending.begin(), ending.end(), random);
    for (Operation *group : ending) {
      const llvm::StringSet<> &others =
          excluded[group->getName().getStringRef()];
      bool fits = llvm::none_of(set, [&](Operation *other) {
        return other->getName() == group->getName() ||
               others.contains(other->getName().getStringRef());
      });
      if (fits && size-- != 0)
        set.push_back(group);
      if (size == 0)
        break;
    }
    sets.push_back(std::move(set));
  }
  std::vector<std::shared_ptr<const engine::RuleSet>> rules;
  for (ArrayRef<Operation *> set : sets)
    rules.push_back(makeRules(set));
  unsigned changes = 0;
  std::set<std::string> blamed;
  forAll([&](ModuleOp module) {
    for (auto [set, ruleSet] : llvm::zip(sets, rules)) {
      if (llvm::any_of(
              set, [&](Operation *group) { return isExempt(*group, module); }))
        continue;
      OwningOpRef<ModuleOp> copy = module.clone();
      bool changed = false;
      if (!rewrite(*copy, *ruleSet, changed))
        blamed.insert(getCulprits(set, module));
      else if (std::optional<std::string> cycle = getCycle(*copy, ruleSet))
        blamed.insert("with procedures: " + *cycle);
      changes += changed;
    }
  });
  EXPECT_THAT(blamed, ::testing::IsEmpty());
  EXPECT_GT(changes, 50u);
}

} // namespace
