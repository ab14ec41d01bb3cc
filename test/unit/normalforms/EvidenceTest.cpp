//===- EvidenceTest.cpp - The claims of the built-in forms ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "normalforms/Evidence.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

class EvidenceTest : public FormsTest {
protected:
  /// The payloads of the forms' own tests.
  std::vector<OwningOpRef<ModuleOp>> readCorpus() {
    std::vector<OwningOpRef<ModuleOp>> corpus;
    std::vector<std::string> paths;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(FORMWORK_CORPUS, error), end;
         it != end && !error; it.increment(error)) {
      StringRef path = it->path();
      if (path.ends_with(".mlir") && !path.ends_with("-invalid.mlir"))
        paths.push_back(path.str());
    }
    EXPECT_FALSE(error);
    llvm::sort(paths);
    for (const std::string &path : paths) {
      auto module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
      EXPECT_TRUE(module) << path;
      // The schedule in the file is no payload.
      module->walk([](transform::NamedSequenceOp op) { op.erase(); });
      corpus.push_back(std::move(module));
    }
    return corpus;
  }
};

TEST_F(EvidenceTest, NothingRefutesTheBuiltins) {
  const FormLibrary *library = FormLibrary::get(&context);
  ASSERT_TRUE(library);
  auto corpus = readCorpus();
  ASSERT_GE(corpus.size(), 25u);
  SmallVector<ModuleOp> payloads;
  for (auto &module : corpus)
    payloads.push_back(*module);
  EvidenceOptions options;
  options.shuffles = 2;
  Evidence evidence = collectEvidence(*library, payloads, options);
  std::string text;
  llvm::raw_string_ostream os(text);
  printEvidence(*library, evidence, os);
  EXPECT_TRUE(evidence.refutations.empty()) << text;
  EXPECT_GT(evidence.getTotal(), 1000u);
}

TEST_F(EvidenceTest, AFalseClaimIsRefutedByASmallWitness) {
  auto library = loadWith(R"(
    normalform.form @mine summary "claims too much" refines [@canonical]
        preserves [@tensor.hoisted] {
      normalform.procedure "eliminate-empty-tensors"
    })");
  ASSERT_TRUE(library);
  auto module = parse(R"(
    func.func @f(%out: tensor<4x64xf32>, %n: index, %a: i32)
        -> (tensor<4x64xf32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out)
          -> tensor<4x64xf32> {
        %int = arith.index_cast %i : index to i32
        %s = arith.sitofp %int : i32 to f32
        %1 = tensor.empty() : tensor<4x16xf32>
        %2 = linalg.fill ins(%s : f32) outs(%1 : tensor<4x16xf32>)
            -> tensor<4x16xf32>
        %3 = tensor.insert_slice %2 into %acc[0, 8] [4, 16] [1, 1]
            : tensor<4x16xf32> into tensor<4x64xf32>
        scf.yield %3 : tensor<4x64xf32>
      }
      %unrelated = arith.muli %a, %a : i32
      return %0, %unrelated : tensor<4x64xf32>, i32
    })");
  Evidence evidence = collectEvidence(*library, {*module});
  ASSERT_EQ(evidence.refutations.size(), 1u);
  const Refutation &refutation = evidence.refutations.front();
  EXPECT_EQ(refutation.claim, Claim::Preserves);
  EXPECT_EQ(refutation.form, library->lookup("mine")->atom);
  EXPECT_EQ(refutation.other, library->lookup("tensor.hoisted")->atom);
  EXPECT_THAT(refutation.witness, testing::HasSubstr("scf.for"));
  EXPECT_THAT(refutation.witness, testing::Not(testing::HasSubstr("muli")))
      << "what the refutation does not need is left out";
  std::string text;
  llvm::raw_string_ostream os(text);
  printEvidence(*library, evidence, os);
  EXPECT_THAT(text,
              testing::HasSubstr("refuted: @mine preserves @tensor.hoisted: "));
}

TEST_F(EvidenceTest, CanonicalizationDependsOnItsOrder) {
  // Found by the property tests. Once MLIR has one result here, the bound in
  // ClaimsTest.OrderIndependent can be tried at zero.
  const FormLibrary *library = FormLibrary::get(&context);
  ASSERT_TRUE(library);
  auto module = parse(R"(
    func.func @f(%c: i1) -> i1 {
      %false = arith.constant false
      %0 = scf.if %c -> i1 {
        scf.yield %false : i1
      } else {
        scf.yield %c : i1
      }
      return %0 : i1
    })");
  EvidenceOptions options;
  options.shuffles = 64;
  options.filter = [](Claim claim, const Form &form, const Form *) {
    return claim == Claim::OrderIndependent && form.name == "canonical";
  };
  Evidence evidence = collectEvidence(*library, {*module}, options);
  ASSERT_EQ(evidence.refutations.size(), 1u);
  EXPECT_THAT(evidence.refutations.front().message,
              testing::HasSubstr("shuffled"));
}

TEST_F(EvidenceTest, ALoopingFormIsRefuted) {
  auto library = loadWith(R"(
    normalform.form @mine summary "loops" {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.memref.extract_address_computations
    })");
  ASSERT_TRUE(library);
  auto module = parse(R"(
    func.func @f(%m: memref<64x64xf32>, %i: index) -> f32 {
      %0 = memref.load %m[%i, %i] : memref<64x64xf32>
      return %0 : f32
    })");
  Evidence evidence = collectEvidence(*library, {*module});
  ASSERT_FALSE(evidence.refutations.empty());
  EXPECT_EQ(evidence.refutations.front().claim, Claim::Terminates);
  EXPECT_THAT(evidence.refutations.front().message,
              testing::HasSubstr("undo each other"));
}

} // namespace
