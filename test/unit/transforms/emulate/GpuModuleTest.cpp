//===- GpuModuleTest.cpp - From MLIR to diagnostics -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/EmulationFindings.h"

#include "mlir/Dialect/GPU/Pipelines/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace formwork;
using namespace formwork::transforms::emulate;

namespace {

/// Reverses each block's 64 elements through workgroup memory. Line 8 writes
/// it, line 12 reads it.
const std::string reverse = R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %g = gpu.global_id x
      %v = memref.load %in[%g] : memref<?xf32>
      memref.store %v, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %last = arith.constant 63 : index
      %i = arith.subi %last, %t : index
      %x = memref.load %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      %e = math.exp %x : f32
      memref.store %e, %out[%g] : memref<?xf32>
      gpu.return
    }
  }
}
)";

class GpuModule : public testing::Test {
protected:
  static void SetUpTestSuite() { mlir::registerAllPasses(); }

  GpuModule() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  /// Lowers the gpu.module in `text` as far as NVVM.
  mlir::gpu::GPUModuleOp lower(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), "reverse.mlir");
    if (!module)
      return nullptr;
    mlir::PassManager passes(&context);
    if (failed(mlir::parsePassPipeline(
            "gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,canonicalize,cse,"
            "reconcile-unrealized-casts)",
            passes)) ||
        failed(passes.run(*module)))
      return nullptr;
    return *module->getOps<mlir::gpu::GPUModuleOp>().begin();
  }

  std::unique_ptr<DeviceModule> load(const std::string &text) {
    mlir::gpu::GPUModuleOp kernels = lower(text);
    if (!kernels)
      return nullptr;
    auto loaded = DeviceModule::load(kernels);
    if (loaded)
      return std::move(*loaded);
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return nullptr;
  }

  /// The diagnostics that `findings` emit, notes included, as
  /// "file:line: message".
  std::vector<std::string> emit(engine::Findings &findings) {
    std::vector<std::string> lines;
    auto add = [&](mlir::Location loc, const std::string &message) {
      auto file = dyn_cast<mlir::FileLineColLoc>(loc);
      lines.push_back((file ? file.getFilename().str() + ":" +
                                  std::to_string(file.getLine())
                            : std::string("?")) +
                      ": " + message);
    };
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          add(diagnostic.getLocation(), diagnostic.str());
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            add(note.getLocation(), note.str());
          return mlir::success();
        });
    findings.emit();
    return lines;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A memref<?xf32> argument, as a kernel takes it.
struct MemRef {
  float *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;

  explicit MemRef(std::vector<float> &data)
      : allocated(data.data()), aligned(data.data()), size(data.size()) {}
  void append(std::vector<void *> &arguments) {
    arguments.insert(arguments.end(),
                     {&allocated, &aligned, &offset, &size, &stride});
  }
};

TEST_F(GpuModule, ComputesWhatItSays) {
  std::unique_ptr<DeviceModule> kernels = load(reverse);
  ASSERT_TRUE(kernels);
  std::vector<float> in(256), out(256);
  for (size_t i = 0; i != in.size(); ++i)
    in[i] = i / 256.0f;
  std::vector<void *> arguments;
  MemRef inRef(in), outRef(out);
  inRef.append(arguments);
  outRef.append(arguments);
  auto report = kernels->launch({"reverse", {4, 1, 1}, {64, 1, 1}}, arguments);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->ok());
  for (int i = 0; i != 256; ++i)
    EXPECT_FLOAT_EQ(out[i], std::exp(in[i / 64 * 64 + 63 - i % 64]));
}

TEST_F(GpuModule, RacesAreDiagnosedAtTheSource) {
  std::string racy = reverse;
  racy.replace(racy.find("gpu.barrier"), 11, "");
  std::unique_ptr<DeviceModule> kernels = load(racy);
  ASSERT_TRUE(kernels);
  std::vector<float> in(64), out(64);
  std::vector<void *> arguments;
  MemRef inRef(in), outRef(out);
  inRef.append(arguments);
  outRef.append(arguments);
  auto report = kernels->launch({"reverse", {1, 1, 1}, {64, 1, 1}}, arguments);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  engine::Findings findings;
  addFindings(*report, mlir::UnknownLoc::get(&context), findings);
  EXPECT_TRUE(findings.hasErrors());
  EXPECT_THAT(
      emit(findings),
      testing::ElementsAre(
          "reverse.mlir:12: read requires a barrier between it and the write "
          "of "
          "the same workgroup memory by another thread but has none "
          "[fw-workgroup-race]",
          "reverse.mlir:8: write here",
          testing::MatchesRegex(
              "reverse.mlir:12: read of 4 bytes by thread "
              "\\([0-9]+, 0, 0\\), after 0 barriers in kernel "
              "'reverse', block \\(0, 0, 0\\)"),
          testing::MatchesRegex("reverse.mlir:8: write of 4 bytes by thread "
                                "\\([0-9]+, 0, 0\\), after 0 barriers"),
          testing::MatchesRegex("reverse.mlir:12: both at byte [0-9]+ of '.*'"),
          "reverse.mlir:12: fix-it: put a barrier of the block (gpu.barrier) "
          "between the two"));
}

TEST_F(GpuModule, UnsupportedIsDiagnosedAtTheSource) {
  mlir::gpu::GPUModuleOp kernels = lower(R"(
gpu.module @kernels {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    nvvm.cluster.arrive
    llvm.return
  }
})");
  ASSERT_TRUE(kernels);
  auto loaded = DeviceModule::load(kernels);
  ASSERT_FALSE(bool(loaded));
  engine::Findings findings;
  addFindings(loaded.takeError(), kernels.getLoc(), findings);
  EXPECT_THAT(emit(findings),
              testing::ElementsAre(
                  "reverse.mlir:4: emulation does not support "
                  "llvm.nvvm.barrier.cluster.arrive [fw-emulate-unsupported]"));
}

TEST_F(GpuModule, RacesOfAKindOnOneBufferAreOneFinding) {
  auto make = [](uint32_t read, uint32_t write, const char *buffer) {
    Access reader{{"a.mlir", read, 1, "k"}, AccessKind::Read, 4, {0, 0, 0}, 0};
    Access writer{
        {"a.mlir", write, 1, "k"}, AccessKind::Write, 4, {1, 0, 0}, 0};
    return Race{reader, writer, "k", {0, 0, 0}, {buffer, 0}};
  };
  LaunchReport report;
  report.races.add(0, 1, [&] { return make(20, 11, "v"); });
  report.races.add(0, 2, [&] { return make(20, 10, "v"); });
  report.races.add(3, 2, [&] { return make(21, 10, "v"); });
  report.races.add(4, 5, [&] { return make(30, 10, "w"); });
  engine::Findings findings;
  addFindings(report, mlir::UnknownLoc::get(&context), findings);
  std::vector<std::string> lines = emit(findings);
  EXPECT_EQ(findings.get().size(), 2u);
  EXPECT_THAT(lines, testing::Contains("a.mlir:10: write here").Times(2));
  EXPECT_THAT(lines, testing::Contains("a.mlir:20: 2 more pairs of accesses of "
                                       "the same memory race"));
}

TEST_F(GpuModule, FindingsOfEveryKind) {
  mlir::Location unknown = mlir::UnknownLoc::get(&context);
  Access access{{"a.mlir", 3, 1, "k"}, AccessKind::Write, 16, {1, 2, 3}, 4};
  LaunchReport report;
  report.divergences.add(0, 1, [&] {
    return BarrierDivergence{BarrierDivergence::Kind::Exited,
                             {"a.mlir", 1, 1, "k"},
                             {"a.mlir", 2, 1, "k"},
                             {1, 0, 0},
                             {2, 0, 0},
                             "k",
                             {0, 0, 0}};
  });
  report.outOfBounds.add(2, 2, [&] {
    return OutOfBounds{access, "k", {0, 0, 0}, {"w", 248}, 256};
  });
  report.misaligned.add(2, 2, [&] {
    return Misaligned{access, "k", {0, 0, 0}, MemoryLocation{"w", 8}, 16};
  });
  for (uint32_t i = 3; i != 3 + 20; ++i)
    report.misaligned.add(i, i, [&] {
      Access other = access;
      other.place.line = 100;
      return Misaligned{other, "k", {0, 0, 0}, std::nullopt, 16};
    });
  EXPECT_EQ(report.misaligned.size(), 16u);
  engine::Findings findings;
  addFindings(report, unknown, findings);
  EXPECT_THAT(
      emit(findings),
      testing::ElementsAre(
          "a.mlir:1: synchronization requires all of its threads but has "
          "thread "
          "(1, 0, 0) waiting and thread (2, 0, 0) past the end of the kernel "
          "[fw-barrier-divergence]",
          "a.mlir:2: thread (2, 0, 0) leaves here in kernel 'k', block (0, 0, "
          "0)",
          "a.mlir:3: write requires an address within the 256 bytes of 'w' but "
          "has bytes 248 to 263 [fw-workgroup-out-of-bounds]",
          "a.mlir:3: write of 16 bytes by thread (1, 2, 3), after 4 barriers "
          "in "
          "kernel 'k', block (0, 0, 0)",
          "a.mlir:3: write requires an address aligned to 16 bytes but has "
          "byte "
          "8 of 'w' [fw-misaligned-access]",
          testing::_,
          "a.mlir:100: write requires an address aligned to 16 bytes but has "
          "one that is not [fw-misaligned-access]",
          testing::_));
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

/// Host code as MLIR's lowering makes it, with `image` for its module:
/// allocates device memory, copies, launches, copies back.
std::string getHostCode(const std::string &image, int blockX) {
  std::string bytes;
  for (unsigned char c : image)
    bytes += "\\" + llvm::utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
  return llvm::formatv(R"(
    @image = internal constant [{0} x i8] c"{1}", align 8
    @name = internal constant [8 x i8] c"reverse\00"
    declare ptr @mgpuModuleLoad(ptr, i64)
    declare void @mgpuModuleUnload(ptr)
    declare ptr @mgpuModuleGetFunction(ptr, ptr)
    declare void @mgpuLaunchKernel(ptr, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr, i64)
    declare ptr @mgpuStreamCreate()
    declare void @mgpuStreamSynchronize(ptr)
    declare void @mgpuStreamDestroy(ptr)
    declare ptr @mgpuMemAlloc(i64, ptr, i8)
    declare void @mgpuMemFree(ptr, ptr)
    declare void @mgpuMemcpy(ptr, ptr, i64, ptr)
    declare void @mgpuMemset32(ptr, i32, i64, ptr)
    define void @run(ptr %in, ptr %out) {{
      %s = call ptr @mgpuStreamCreate()
      %m = call ptr @mgpuModuleLoad(ptr @image, i64 {0})
      %f = call ptr @mgpuModuleGetFunction(ptr %m, ptr @name)
      %a = call ptr @mgpuMemAlloc(i64 512, ptr %s, i8 0)
      %b = call ptr @mgpuMemAlloc(i64 512, ptr %s, i8 0)
      call void @mgpuMemcpy(ptr %a, ptr %in, i64 512, ptr %s)
      call void @mgpuMemset32(ptr %b, i32 0, i64 128, ptr %s)
      %pa = alloca ptr
      %pb = alloca ptr
      store ptr %a, ptr %pa
      store ptr %b, ptr %pb
      %zero = alloca i64
      %size = alloca i64
      %one = alloca i64
      store i64 0, ptr %zero
      store i64 128, ptr %size
      store i64 1, ptr %one
      %args = alloca [10 x ptr]
      store ptr %pa, ptr %args
)",
                       image.size(), bytes)
             .str() +
         [] {
           const char *values[] = {"pa", "pa", "zero", "size", "one",
                                   "pb", "pb", "zero", "size", "one"};
           std::string text;
           for (auto [i, value] : llvm::enumerate(values))
             text += llvm::formatv("%g{0} = getelementptr ptr, ptr %args, i64 "
                                   "{0}\nstore ptr %{1}, ptr %g{0}\n",
                                   i, value);
           return text;
         }() +
         llvm::formatv(R"(
      call void @mgpuLaunchKernel(ptr %f, i64 2, i64 1, i64 1, i64 {0}, i64 1, i64 1, i32 0, ptr %s, ptr %args, ptr null, i64 10)
      call void @mgpuStreamSynchronize(ptr %s)
      call void @mgpuMemcpy(ptr %out, ptr %b, i64 512, ptr %s)
      call void @mgpuMemFree(ptr %a, ptr %s)
      call void @mgpuMemFree(ptr %b, ptr %s)
      call void @mgpuModuleUnload(ptr %m)
      call void @mgpuStreamDestroy(ptr %s)
      ret void
    }
)",
                       blockX)
             .str();
}

/// Compiles `text` with the runtime of an EmulatedDevice, and runs it.
void runHostCode(const std::string &text, const std::vector<float> &in,
                 std::vector<float> &out) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::orc::MangleAndInterner mangle(jit->getExecutionSession(),
                                      jit->getDataLayout());
  llvm::cantFail(jit->getMainJITDylib().define(
      llvm::orc::absoluteSymbols(EmulatedDevice::getSymbols(mangle))));
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, *context);
  ASSERT_TRUE(module) << diagnostic.getMessage().str();
  llvm::cantFail(jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  auto run = llvm::cantFail(jit->lookup("run"))
                 .toPtr<void (*)(const float *, float *)>();
  run(in.data(), out.data());
}

TEST_F(GpuModule, HostCodeLaunchesThroughTheRuntime) {
  EmulatedDevice device;
  std::string image = device.addModule(load(reverse));
  std::vector<float> in(128), out(128);
  std::iota(in.begin(), in.end(), -100.0f);
  runHostCode(getHostCode(image, 64), in, out);
  for (int i = 0; i != 128; ++i)
    EXPECT_FLOAT_EQ(out[i], std::exp(in[i / 64 * 64 + 63 - i % 64]));
  ASSERT_EQ(device.getLaunches().size(), 1u);
  const EmulatedLaunch &launch = device.getLaunches().front();
  EXPECT_EQ(launch.config.kernel, "reverse");
  EXPECT_EQ(launch.config.grid, (Dim3{2, 1, 1}));
  EXPECT_TRUE(launch.report.ok());
  EXPECT_TRUE(launch.error.empty());
}

TEST_F(GpuModule, RefusedLaunchesAreDiagnosed) {
  EmulatedDevice device;
  std::string image = device.addModule(load(reverse));
  std::vector<float> in(128), out(128);
  runHostCode(getHostCode(image, 2000), in, out);
  engine::Findings findings;
  addFindings(device, mlir::UnknownLoc::get(&context), findings);
  EXPECT_THAT(
      emit(findings),
      testing::ElementsAre(
          "?: launch of 'reverse' requires a block of at most 1024 threads and "
          "1024 x 1024 x 64 but has 2000 x 1 x 1 [fw-launch-refused]"));
  EXPECT_EQ(out[0], 0.0f);
}

} // namespace
