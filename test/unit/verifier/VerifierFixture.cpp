//===- VerifierFixture.cpp - What the verifier's tests share ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "gmock/gmock.h"

#include "engine/Child.h"
#include "normalforms/predicates/Predicates.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

StringRef formwork::verifier::getBatchMatmul() {
  return R"(
module {
func.func @batch_matmul(%A: tensor<128x80x32xf32>, %B: tensor<128x32x320xf32>) -> tensor<128x80x320xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x80x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
  %C = linalg.batch_matmul ins(%A, %B : tensor<128x80x32xf32>, tensor<128x32x320xf32>)
                           outs(%init : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
  return %C : tensor<128x80x320xf32>
}
}
)";
}

StringRef formwork::verifier::getBatchMatmulSchedule() {
  return R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op

    %block_mm, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [1, 16, 64]
      (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_1 = transform.structured.fuse_into_containing_op %fill into %blocks
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    %thread_mm, %threads = transform.structured.tile_using_forall %block_mm tile_sizes [0, 4, 4]
      (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_1 = transform.structured.fuse_into_containing_op %block_fill into %threads
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    %k_mm, %k_loop = transform.structured.tile_using_for %thread_mm tile_sizes [0, 0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %func_1 = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %func_1 generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
)";
}

StringRef formwork::verifier::getStagedMatmul() {
  return R"(
module {
func.func @matmul(%A: tensor<128x64xf32>, %B: tensor<64x96xf32>) -> tensor<128x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x96xf32>) -> tensor<128x96xf32>
  %C = linalg.matmul ins(%A, %B : tensor<128x64xf32>, tensor<64x96xf32>) outs(%init : tensor<128x96xf32>) -> tensor<128x96xf32>
  return %C : tensor<128x96xf32>
}
}
)";
}

StringRef formwork::verifier::getStagedMatmulBody() {
  return R"(
%matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
%fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
%block_matmul, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [32, 32] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%block_fill, %blocks_filled = transform.structured.fuse_into_containing_op %fill into %blocks : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
%thread_fill, %fill_threads = transform.structured.tile_using_forall %block_fill tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%step, %reduction = transform.structured.tile_using_for %block_matmul tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%staged, %pads, %copy_back = transform.structured.pad %step {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
%copies = transform.structured.rewrite_in_destination_passing_style %pads : (!transform.any_op) -> !transform.any_op
%copy_a, %copy_b = transform.split_handle %copies : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%buffer_a, %new_a = transform.structured.bufferize_to_allocation %copy_a {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only} : !transform.any_op
%buffer_b, %new_b = transform.structured.bufferize_to_allocation %copy_b {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only} : !transform.any_op
%thread_copy_a, %copy_a_threads = transform.structured.tile_using_forall %copy_a tile_sizes [4, 2] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%thread_copy_b, %copy_b_threads = transform.structured.tile_using_forall %copy_b tile_sizes [2, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%thread_matmul, %matmul_threads = transform.structured.tile_using_forall %staged tile_sizes [4, 4] (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
%vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
%bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
%kernel_func = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op
%launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch : (!transform.any_op) -> !transform.any_op
%mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [8, 8, 1] : (!transform.any_op) -> !transform.any_op
)";
}

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  normalforms::registerNormalForms(registry);
  return registry;
}

StringRef formwork::verifier::getLoopAndFunction() {
  return R"(
func.func @f(%m: memref<8x8xf32>, %z: f32) {
  scf.forall (%i, %j) in (8, 8) {
    memref.store %z, %m[%i, %j] : memref<8x8xf32>
  }
  return
}
func.func @g() {
  return
})";
}

VerifierTest::VerifierTest() : context(makeRegistry()) {
  // The cores are shared with other jobs.
  context.disableMultithreading();
  auto loadedForms = normalforms::FormLibrary::load(&context);
  if (failed(loadedForms)) {
    ADD_FAILURE() << "the form library does not load";
    return;
  }
  forms = std::move(*loadedForms);
  auto loadedContracts = normalforms::ContractLibrary::load(&context, *forms);
  if (failed(loadedContracts)) {
    ADD_FAILURE() << "the contract library does not load";
    return;
  }
  contracts = std::move(*loadedContracts);
}

ModuleOp VerifierTest::parse(StringRef text) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module) << text.str();
  modules.push_back(std::move(module));
  return *modules.back();
}

std::string VerifierTest::makeSchedule(StringRef body) const {
  return (R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
)" + body +
          R"(
    transform.yield
  }
})")
      .str();
}

CheckResult VerifierTest::check(StringRef schedule, StringRef payload,
                                const CheckOptions &options) {
  ModuleOp module = parse(schedule);
  Operation *root = payload.empty() ? nullptr : parse(payload).getOperation();
  FailureOr<ScheduleModel> model = ScheduleModel::create(module);
  EXPECT_TRUE(succeeded(model));
  CheckResult result =
      checkSchedule(*model, root, {*forms, *contracts}, options);
  EXPECT_THAT(result.undeclared, ::testing::IsEmpty());
  return result;
}

std::vector<std::string> VerifierTest::getIds(const CheckResult &result,
                                              DiagnosticSeverity severity) {
  std::vector<std::string> ids;
  for (const engine::Finding &finding : result.findings.get())
    if (finding.severity == severity)
      ids.push_back(finding.id);
  llvm::sort(ids);
  ids.erase(llvm::unique(ids), ids.end());
  return ids;
}

LogicalResult VerifierTest::runForReal(StringRef schedule, StringRef payload,
                                       std::string &messages) {
  engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
    return runHere(schedule, payload, [&](const std::string &text) {
      os << text;
      // Messages before a crash count.
      os.flush();
    });
  });
  messages += end.text;
  if (end.signal != 0)
    messages += "crashed\n";
  return llvm::success(end.succeeded);
}

bool VerifierTest::runHere(StringRef schedule, StringRef payload,
                           llvm::function_ref<void(const std::string &)> say) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(schedule, ParserConfig(&context));
  OwningOpRef<ModuleOp> target =
      parseSourceString<ModuleOp>(payload, ParserConfig(&context));
  EXPECT_TRUE(module && target);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      say(diagnostic.str() + "\n");
    return success();
  });
  auto entry = module->lookupSymbol<transform::NamedSequenceOp>(
      transform::TransformDialect::kTransformEntryPointSymbolName);
  transform::TransformOptions options;
  options.enableExpensiveChecks(true);
  return succeeded(transform::applyTransformNamedSequence(
             *target, entry, /*transformModule=*/*module, options)) &&
         succeeded(verify(*target));
}
