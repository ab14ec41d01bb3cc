//===- ShrinkTest.cpp - Smaller modules that still fail -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Shrink.h"
#include "test/lib/generator/PayloadGenerator.h"
#include "test/lib/generator/ShrinkEdits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::testing;

namespace {

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

template <typename Inner, typename Outer> bool hasInside(ModuleOp module) {
  return module
      .walk([](Inner op) {
        return op->template getParentOfType<Outer>() ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The names of the ops that are no fillers and no terminators, in pre-order.
std::vector<std::string> getSkeleton(ModuleOp module) {
  std::vector<std::string> names;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isFiller(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
        !op->getParentOfType<linalg::LinalgOp>())
      names.push_back(op->getName().getStringRef().str());
  });
  return names;
}

/// Fails when removing any one op from `module` keeps it failing.
void expectMinimal(ModuleOp module, function_ref<bool(ModuleOp)> stillFails) {
  auto list = [](ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != module && !op->hasTrait<OpTrait::IsTerminator>() &&
          (!isFiller(op) || op->use_empty()))
        ops.push_back(op);
    });
    return ops;
  };
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) {});
  for (size_t i = 0, end = list(module).size(); i < end; ++i) {
    for (Substitute substitute :
         {Substitute::Operand, Substitute::Argument, Substitute::Filler}) {
      OwningOpRef<ModuleOp> smaller = module.clone();
      if (removeOps(list(*smaller)[i], substitute) &&
          succeeded(verify(*smaller)))
        EXPECT_FALSE(stillFails(*smaller)) << "without op " << i << ":\n"
                                           << print(*smaller);
    }
  }
}

class Shrink : public ::testing::Test {
protected:
  Shrink() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerPayloadDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context;
};

TEST_F(Shrink, findsMatmulInLoop) {
  auto stillFails = hasInside<linalg::MatmulOp, scf::ForOp>;
  GeneratorOptions options;
  options.level = Level::Linalg;
  options.functions = 5;
  options.ops = 80;
  unsigned witnesses = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    OwningOpRef<ModuleOp> module = generatePayload(&context, seed, options);
    if (!stillFails(*module))
      continue;
    ++witnesses;
    SCOPED_TRACE(getArguments(seed, options));
    std::string before = print(*module);
    ShrinkReport report;
    OwningOpRef<ModuleOp> small = shrink(*module, stillFails, {}, &report);
    EXPECT_EQ(print(*module), before);
    EXPECT_TRUE(report.isMinimal);
    EXPECT_TRUE(succeeded(verify(*small)));
    EXPECT_TRUE(stillFails(*small));
    EXPECT_EQ(getSkeleton(*small),
              (std::vector<std::string>{"builtin.module", "func.func",
                                        "scf.for", "linalg.matmul"}))
        << print(*small);
    expectMinimal(*small, stillFails);
    small->walk([](scf::ForOp loop) {
      EXPECT_LE(countTrips(loop), 1u);
      EXPECT_TRUE(loop.getInitArgs().empty());
    });
    EXPECT_EQ(print(*shrink(*module, stillFails)), print(*small));
  }
  EXPECT_GE(witnesses, 3u);
}

TEST_F(Shrink, everyLevelToOneOp) {
  for (Level level :
       {Level::Loops, Level::Vector, Level::Buffers, Level::Mixed}) {
    GeneratorOptions options;
    options.level = level;
    options.affine = true;
    options.functions = 3;
    OwningOpRef<ModuleOp> module = generatePayload(&context, 1, options);
    // Some op in the middle of the module: by its name.
    SmallVector<StringRef> names;
    module->walk([&](Operation *op) {
      if (!isFiller(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
          op->getNumRegions() == 0)
        names.push_back(op->getName().getStringRef());
    });
    for (StringRef name : {names[names.size() / 4], names[names.size() / 2]}) {
      auto stillFails = [&](ModuleOp module) {
        return module
            .walk([&](Operation *op) {
              return op->getName().getStringRef() == name
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
      };
      OwningOpRef<ModuleOp> small = shrink(*module, stillFails);
      expectMinimal(*small, stillFails);
      EXPECT_LE(getSkeleton(*small).size(), 5u) << print(*small);
    }
  }
}

TEST_F(Shrink, unwrapsWhatIsAround) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%n: index, %c: i1, %x: i32, %m: memref<8xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %s = scf.if %c -> (i32) {
          scf.parallel (%j) = (%c0) to (%n) step (%c1) {
            memref.store %a, %m[%j] : memref<8xi32>
          }
          %d = arith.divsi %a, %x : i32
          scf.yield %d : i32
        } else {
          scf.yield %a : i32
        }
        scf.yield %s : i32
      }
      return %r : i32
    })");
  ASSERT_TRUE(module);
  auto hasDivision = [](ModuleOp module) {
    return module.walk([](arith::DivSIOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  EXPECT_EQ(print(*shrink(*module, hasDivision)), R"(module {
  func.func @f(%arg0: i32) {
    %0 = arith.divsi %arg0, %arg0 : i32
    return
  }
})");
  auto storesInParallel = hasInside<memref::StoreOp, scf::ParallelOp>;
  OwningOpRef<ModuleOp> small = shrink(*module, storesInParallel);
  EXPECT_EQ(getSkeleton(*small),
            (std::vector<std::string>{"builtin.module", "func.func",
                                      "scf.parallel", "memref.store"}));
}

TEST_F(Shrink, lowersTripCounts) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%n: index, %m: memref<8xf32>, %x: f32) {
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      scf.for %i = %c2 to %n step %c3 {
        scf.forall (%j) in (7) {
          memref.store %x, %m[%i] : memref<8xf32>
        }
        affine.for %k = 0 to 6 {
          memref.store %x, %m[%k] : memref<8xf32>
        }
      }
      return
    })");
  ASSERT_TRUE(module);
  auto stillFails = [](ModuleOp module) {
    return hasInside<memref::StoreOp, scf::ForallOp>(module) &&
           hasInside<scf::ForallOp, scf::ForOp>(module) &&
           hasInside<memref::StoreOp, affine::AffineForOp>(module);
  };
  OwningOpRef<ModuleOp> small = shrink(*module, stillFails);
  small->walk(
      [](LoopLikeOpInterface loop) { EXPECT_LE(countTrips(loop), 1u); });
}

TEST_F(Shrink, removesCalledFunctions) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @a(%x: i32) -> i32 {
      return %x : i32
    }
    func.func @b(%x: i32) -> i32 {
      %y = func.call @a(%x) : (i32) -> i32
      %z = arith.divsi %y, %y : i32
      return %z : i32
    }
    func.func @c(%x: i32) -> i32 {
      %y = func.call @b(%x) : (i32) -> i32
      return %y : i32
    })");
  ASSERT_TRUE(module);
  auto stillFails = hasInside<arith::DivSIOp, func::FuncOp>;
  EXPECT_EQ(print(*shrink(*module, stillFails)), R"(module {
  func.func @b(%arg0: i32) {
    %0 = arith.divsi %arg0, %arg0 : i32
    return
  }
})");
}

TEST_F(Shrink, stopsAtTheLimit) {
  GeneratorOptions options;
  options.functions = 3;
  OwningOpRef<ModuleOp> module = generatePayload(&context, 0, options);
  auto stillFails = [](ModuleOp module) {
    unsigned ops = 0;
    module.walk([&](Operation *) { ++ops; });
    return ops > 20;
  };
  ShrinkReport report;
  OwningOpRef<ModuleOp> small =
      shrink(*module, stillFails, {.maxCandidates = 4}, &report);
  EXPECT_FALSE(report.isMinimal);
  EXPECT_EQ(report.candidates, 4u);
  EXPECT_TRUE(stillFails(*small));
}

TEST_F(Shrink, propertyMayChangeItsModule) {
  OwningOpRef<ModuleOp> module = generatePayload(&context, 2);
  auto stillFails = [](ModuleOp module) {
    bool isFailing = !module.getOps<func::FuncOp>().empty();
    module.getBody()->clear();
    return isFailing;
  };
  EXPECT_EQ(getSkeleton(*shrink(*module, stillFails)),
            (std::vector<std::string>{"builtin.module", "func.func"}));
}

} // namespace
