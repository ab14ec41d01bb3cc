//===- EmitTest.cpp - Tests of emitted objects and executables --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"
#include "transforms/gpu/Process.h"
#include "transforms/program/ObjectEmitter.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace mlir;
using namespace formwork::transforms;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

#if __has_feature(address_sanitizer)
#define SKIP_WITHOUT_DRIVER() GTEST_SKIP() << "sanitized stand-in driver"
#else
#define SKIP_WITHOUT_DRIVER() (void)0
#endif

namespace {
constexpr StringLiteral addPayload = R"(
      func.func @main(%a: tensor<100xf32>, %b: tensor<100xf16>)
          -> tensor<100xf32> {
        %e = tensor.empty() : tensor<100xf32>
        %0 = linalg.generic {
            indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                             affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]}
            ins(%a, %b : tensor<100xf32>, tensor<100xf16>)
            outs(%e : tensor<100xf32>) {
          ^bb0(%x: f32, %y: f16, %o: f32):
            %w = arith.extf %y : f16 to f32
            %s = arith.addf %x, %w : f32
            linalg.yield %s : f32
        } -> tensor<100xf32>
        return %0 : tensor<100xf32>
      })";
constexpr StringLiteral addLowered = R"(
      module attributes {gpu.container_module} {
        func.func @main(%a: memref<100xf32>, %b: memref<100xf16>,
                        %c: memref<100xf32>) {
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c50 = arith.constant 50 : index
          gpu.launch_func @kernels::@add
            blocks in (%c2, %c1, %c1) threads in (%c50, %c1, %c1)
            args(%a : memref<100xf32>, %b : memref<100xf16>,
                 %c : memref<100xf32>)
          return
        }
        gpu.module @kernels {
          llvm.func @add(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64,
              %4: i64, %5: !llvm.ptr, %6: !llvm.ptr, %7: i64, %8: i64, %9: i64,
              %10: !llvm.ptr, %11: !llvm.ptr, %12: i64, %13: i64, %14: i64)
              attributes {gpu.kernel, nvvm.kernel} {
            llvm.return
          }
        }
      })";
constexpr StringLiteral addKernel = R"(
      target triple = "nvptx64-nvidia-cuda"
      declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      define ptx_kernel void @add(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4,
          ptr %5, ptr %6, i64 %7, i64 %8, i64 %9,
          ptr %10, ptr %11, i64 %12, i64 %13, i64 %14) {
        %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
        %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %first = mul i32 %block, 50
        %i = add i32 %first, %thread
        %pa = getelementptr float, ptr %1, i32 %i
        %pb = getelementptr half, ptr %6, i32 %i
        %pc = getelementptr float, ptr %11, i32 %i
        %a = load float, ptr %pa
        %b = load half, ptr %pb
        %w = fpext half %b to float
        %c = fadd float %a, %w
        store float %c, ptr %pc
        ret void
      })";

/// Emits the program of a vector addition, `main` by name, whose kernel's image
/// is its LLVM IR: that is what the stand-in driver of test/lib/fakecuda loads.
class EmitTest : public ProgramFixture {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("formwork-emit", folder));
    build(addPayload, addLowered, addKernel);
  }

  void build(StringRef payloadText, StringRef loweredText, StringRef kernel,
             bool isPTX = false) {
    auto payload = parse(payloadText);
    auto lowered = parse(loweredText);
    KernelImages images;
    images["kernels"] = {(kernel + Twine('\0')).str(), isPTX};
    FailureOr<Program> built = buildProgram(*payload, *lowered, "", images);
    ASSERT_TRUE(succeeded(built)) << llvm::join(diagnostics, "\n");
    program.emplace(std::move(*built));
    program->flops = 100;
    options.target = "sm_90";
    options.seed = 3;
  }

  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string inFolder(StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  /// The executable's path; emitted at the first call.
  std::string getExecutable() {
    std::string path = inFolder("program");
    if (!llvm::sys::fs::exists(path)) {
      FailureOr<std::string> linker = findLinker(program->entry.loc);
      EXPECT_TRUE(succeeded(linker));
      EXPECT_TRUE(succeeded(emitExecutable(*program, options, *linker, path)))
          << llvm::join(diagnostics, "\n");
    }
    return path;
  }

  /// Runs the executable with the stand-in driver, which misbehaves as `how`
  /// says, or with another folder in its place.
  ///
  /// In a sanitized build the stand-in does not load into a program that is not
  /// sanitized itself: tests that need it begin with SKIP_WITHOUT_DRIVER.
  ProcessResult run(std::vector<StringRef> arguments, StringRef how = "",
                    StringRef driver = FORMWORK_FAKECUDA_DIR) {
    ::setenv("FAKECUDA", how.str().c_str(), 1);
    ::setenv("LD_LIBRARY_PATH", driver.str().c_str(), 1);
    llvm::Expected<ProcessResult> result =
        runProcess(getExecutable(), arguments);
    ::unsetenv("FAKECUDA");
    ::unsetenv("LD_LIBRARY_PATH");
    if (result)
      return *result;
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {-1, ""};
  }

  void expectOneLine(const ProcessResult &result, int exitCode,
                     StringRef message) {
    EXPECT_EQ(result.exitCode, exitCode);
    EXPECT_THAT(result.output, HasSubstr(message.str()));
    EXPECT_EQ(StringRef(result.output).count('\n'), 1u) << result.output;
    EXPECT_TRUE(StringRef(result.output).starts_with("error: "));
  }

  llvm::SmallString<128> folder;
  std::optional<Program> program;
  EmitOptions options;
};
} // namespace

TEST_F(EmitTest, objectDefinesTheTableAlone) {
  ASSERT_TRUE(succeeded(emitObject(*program, options, inFolder("program.o"))))
      << llvm::join(diagnostics, "\n");
  auto binary =
      llvm::object::ObjectFile::createObjectFile(inFolder("program.o"));
  ASSERT_TRUE(static_cast<bool>(binary));
  auto *object =
      llvm::dyn_cast<llvm::object::ELFObjectFileBase>(binary->getBinary());
  ASSERT_TRUE(object);
  EXPECT_EQ(object->getEType(), llvm::ELF::ET_REL);
  std::vector<std::string> defined, undefined;
  for (const llvm::object::SymbolRef &symbol : object->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    std::string name = llvm::cantFail(symbol.getName()).str();
    if (flags & llvm::object::SymbolRef::SF_Undefined)
      undefined.push_back(name);
    else if (flags & llvm::object::SymbolRef::SF_Global)
      defined.push_back(name);
  }
  EXPECT_THAT(defined, UnorderedElementsAre("formwork_program"));
  EXPECT_THAT(undefined,
              UnorderedElementsAre("mgpuModuleLoad", "mgpuModuleUnload",
                                   "mgpuModuleGetFunction", "mgpuStreamCreate",
                                   "mgpuStreamSynchronize", "mgpuStreamDestroy",
                                   "mgpuLaunchKernel", "__extendhfsf2"));
}

TEST_F(EmitTest, runsChecksAndTimes) {
  SKIP_WITHOUT_DRIVER();
  ProcessResult result = run({"--iterations=4", "--warmup=1"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.output,
            "main for sm_90 on Emulated GPU (compute capability 9.0), seed 3\n"
            "result 100xf32: largest error 0 absolute, 0 relative (allowed: "
            "0.000122): ok\n"
            "time: median 2.500 us, minimum 1.000 us, of 4 runs after 1\n"
            "rate: 0.0 GFLOP/s\n");
}

TEST_F(EmitTest, inputsAreThoseOfARunInProcess) {
  SKIP_WITHOUT_DRIVER();
  // One host-only program of both kinds would show less: the seeds agree when
  // the poisoned output, held against the reference, differs by the same.
  ProcessResult zero = run({"--seed=0", "--iterations=0"}, "skip-launch");
  ProcessResult one = run({"--seed=1", "--iterations=0"}, "skip-launch");
  EXPECT_EQ(zero.exitCode, 1);
  EXPECT_NE(zero.output, one.output);
  EntryParameter a = program->entry.parameters[0],
                 b = program->entry.parameters[1];
  ArgumentBuffer first(a), second(b);
  first.fill(1, 0);
  second.fill(1, 1);
  double sum = fwLoad(FwElementF32, first.getBytes().data(), 0) +
               fwLoad(FwElementF16, second.getBytes().data(), 0);
  EXPECT_THAT(one.output,
              HasSubstr("100 of 100 elements differ, most number 0: "));
  std::string expected;
  llvm::raw_string_ostream(expected)
      << llvm::format("instead of %.9g\n", double(float(sum)));
  EXPECT_THAT(one.output, HasSubstr(expected));
}

TEST_F(EmitTest, scalarsAndBuffersComputedInPlace) {
  SKIP_WITHOUT_DRIVER();
  build(R"(func.func @scale(%a: memref<4x8xf64>, %s: f64) {
             linalg.generic {
                 indexing_maps = [affine_map<(i, j) -> (i, j)>],
                 iterator_types = ["parallel", "parallel"]}
                 outs(%a : memref<4x8xf64>) {
               ^bb0(%x: f64):
                 %m = arith.mulf %x, %s : f64
                 linalg.yield %m : f64
             }
             return
           })",
        R"(module attributes {gpu.container_module} {
             func.func @scale(%a: memref<4x8xf64>, %s: f64) {
               %c1 = arith.constant 1 : index
               %c4 = arith.constant 4 : index
               %c8 = arith.constant 8 : index
               gpu.launch_func @kernels::@scale
                 blocks in (%c1, %c4, %c1) threads in (%c8, %c1, %c1)
                 args(%a : memref<4x8xf64>, %s : f64)
               return
             }
             gpu.module @kernels {
               llvm.func @scale(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64,
                   %4: i64, %5: i64, %6: i64, %7: f64)
                   attributes {gpu.kernel, nvvm.kernel} {
                 llvm.return
               }
             }
           })",
        R"(
          target triple = "nvptx64-nvidia-cuda"
          declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
          declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
          define ptx_kernel void @scale(ptr %0, ptr %1, i64 %2, i64 %rows,
              i64 %columns, i64 %rowStride, i64 %6, double %s) {
            %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
            %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
            %row = zext i32 %block to i64
            %column = zext i32 %thread to i64
            %start = mul i64 %row, %rowStride
            %i = add i64 %start, %column
            %p = getelementptr double, ptr %1, i64 %i
            %x = load double, ptr %p
            %m = fmul double %x, %s
            store double %m, ptr %p
            ret void
          })");
  ProcessResult result = run({"--iterations=0"});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.output,
            "scale for sm_90 on Emulated GPU (compute capability 9.0), seed 3\n"
            "arg0 4x8xf64: largest error 0 absolute, 0 relative (allowed: "
            "1.46e-11): ok\n");
  // The inputs as they were are no longer right.
  EXPECT_EQ(run({"--iterations=0"}, "skip-launch").exitCode, 1);
}

TEST_F(EmitTest, launchesCheckAlignments) {
  SKIP_WITHOUT_DRIVER();
  // Nothing is assumed of the pointers of this kernel.
  EXPECT_EQ(run({"--iterations=0"}, "misaligned").exitCode, 0);
  std::string assuming(addLowered);
  StringRef end = "llvm.return";
  assuming.insert(assuming.find(end),
                  "%v = llvm.load %6 {alignment = 16 : i64} : !llvm.ptr -> "
                  "vector<8xf16>\n");
  TearDown();
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("formwork-emit", folder));
  build(addPayload, assuming, addKernel);
  EXPECT_EQ(run({"--iterations=0"}).exitCode, 0);
  expectOneLine(run({"--iterations=0"}, "misaligned"), 3,
                "kernel 'add' requires its parameter 6 to be aligned to 16 "
                "bytes but it is 0x");
}

TEST_F(EmitTest, ptxIsCompiledByTheDriver) {
  SKIP_WITHOUT_DRIVER();
  build(addPayload, addLowered, addKernel, /*isPTX=*/true);
  EXPECT_EQ(run({"--iterations=0"}).exitCode, 0);
  expectOneLine(run({}, "bad-image"), 3,
                "the CUDA driver refuses the kernel: line 1; bad image");
}

TEST_F(EmitTest, reportsJson) {
  SKIP_WITHOUT_DRIVER();
  ProcessResult result = run({"--json", "--iterations=2"});
  EXPECT_EQ(result.exitCode, 0);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(result.output);
  ASSERT_TRUE(static_cast<bool>(json)) << result.output;
  llvm::json::Object *object = json->getAsObject();
  ASSERT_TRUE(object);
  EXPECT_EQ(object->getString("program"), "main");
  EXPECT_EQ(object->getString("device"), "Emulated GPU");
  EXPECT_EQ(object->getInteger("iterations"), 2);
  ASSERT_TRUE(object->getArray("results"));
  ASSERT_EQ(object->getArray("results")->size(), 1u);
  EXPECT_EQ((*object->getArray("results"))[0].getAsObject()->getString("type"),
            "100xf32");

  result = run({"--json", "--iterations=0", "--no-check"}, "skip-launch");
  EXPECT_EQ(result.exitCode, 0);
  json = llvm::json::parse(result.output);
  ASSERT_TRUE(static_cast<bool>(json)) << result.output;
  EXPECT_TRUE(json->getAsObject()->getArray("results")->empty());

  // Infinite errors are no JSON numbers.
  result = run({"--json", "--iterations=0"}, "skip-launch");
  EXPECT_EQ(result.exitCode, 1);
  json = llvm::json::parse(result.output);
  EXPECT_TRUE(static_cast<bool>(json)) << result.output;
}

TEST_F(EmitTest, withoutDriverFailsWithOneLine) {
  // A folder whose libcuda.so.1 is no library hides one that is installed.
  {
    std::error_code error;
    llvm::raw_fd_ostream(inFolder("libcuda.so.1"), error) << "no library";
  }
  expectOneLine(run({}, "", folder), 3,
                "requires a CUDA driver but cannot open libcuda.so.1");
  expectOneLine(run({"--what"}), 3, "unknown option '--what'");
  expectOneLine(run({"--seed=x"}), 3, "requires a number from 0 to");
  expectOneLine(run({"--seed="}), 3, "requires a number from 0 to");
  expectOneLine(run({"--seed=18446744073709551616"}), 3, "requires a number");
  expectOneLine(run({"--iterations=1000001"}), 3, "requires a number");
}

TEST_F(EmitTest, driverErrorsAreOneLine) {
  SKIP_WITHOUT_DRIVER();
  expectOneLine(run({}, "no-init"), 3,
                "cuInit failed with CUDA error 100 (no CUDA-capable device is "
                "detected)");
  expectOneLine(run({}, "no-device"), 3,
                "requires a CUDA device but the driver finds none");
  expectOneLine(run({"--device=1"}), 3, "requires a device below 1");
  expectOneLine(run({}, "bad-image"), 3,
                "cuModuleLoadDataEx failed with CUDA error 200");
  expectOneLine(run({}, "bad-launch"), 3,
                "cuLaunchKernel failed with CUDA error 719");
}

TEST_F(EmitTest, helpNeedsNoDriver) {
  ProcessResult result = run({"--help"}, "", folder);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.output, HasSubstr("Runs 'main', compiled for sm_90"));
  EXPECT_THAT(result.output, HasSubstr("(default 3)"));
}

TEST_F(EmitTest, needsOnlyTheCLibrary) {
  auto binary = llvm::object::ObjectFile::createObjectFile(getExecutable());
  ASSERT_TRUE(static_cast<bool>(binary));
  auto *object =
      llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  ASSERT_TRUE(object);
  const auto &file = object->getELFFile();
  auto entries = llvm::cantFail(file.dynamicEntries());
  StringRef strings;
  for (const auto &section : llvm::cantFail(file.sections()))
    if (llvm::cantFail(file.getSectionName(section)) == ".dynstr")
      strings =
          llvm::toStringRef(llvm::cantFail(file.getSectionContents(section)));
  for (const auto &entry : entries) {
    if (entry.getTag() != llvm::ELF::DT_NEEDED)
      continue;
    StringRef name = strings.substr(entry.getVal()).split('\0').first;
    EXPECT_TRUE(name.starts_with("libc.so.") || name.starts_with("libm.so.") ||
                name.starts_with("libdl.so."))
        << name.str();
  }
}

TEST_F(EmitTest, linkerErrorsLeaveNothingBehind) {
  std::string path = inFolder("other");
  EXPECT_TRUE(failed(emitExecutable(*program, options, "/bin/false", path)));
  EXPECT_TRUE(hasDiagnostic("[fw-link-failed]"));
  diagnostics.clear();
  EXPECT_TRUE(
      failed(emitExecutable(*program, options, "/no/such/linker", path)));
  EXPECT_TRUE(hasDiagnostic("[fw-link-failed]"));
  std::error_code error;
  EXPECT_TRUE(llvm::sys::fs::directory_iterator(folder, error) ==
              llvm::sys::fs::directory_iterator());

  diagnostics.clear();
  EXPECT_TRUE(failed(emitObject(*program, options, inFolder("no/such/dir/o"))));
  EXPECT_TRUE(hasDiagnostic("[fw-output-unwritable]"));
  diagnostics.clear();
  FailureOr<std::string> linker = findLinker(program->entry.loc);
  ASSERT_TRUE(succeeded(linker));
  EXPECT_TRUE(failed(
      emitExecutable(*program, options, *linker, inFolder("no/such/dir/o"))));
  EXPECT_TRUE(hasDiagnostic("[fw-output-unwritable]"));
}

TEST_F(EmitTest, missingLinker) {
  std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.c_str(), 1);
  FailureOr<std::string> linker = findLinker(program->entry.loc);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(failed(linker));
  EXPECT_TRUE(hasDiagnostic("[fw-linker-missing]"));
}
