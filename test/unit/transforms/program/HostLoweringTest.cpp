//===- HostLoweringTest.cpp - Tests of host code and whole runs -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"
#include "transforms/program/DeviceMemory.h"
#include "transforms/program/Flops.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <map>

using namespace mlir;
using namespace formwork::transforms;
using ::testing::ElementsAre;

//===----------------------------------------------------------------------===//
// A device whose kernels are written in C++
//===----------------------------------------------------------------------===//

namespace {
/// The runtime that host code calls. Kernels are called once for each launch;
/// what happens is written down in order.
struct FakeDevice {
  using Kernel = std::function<void(void **arguments)>;

  std::map<std::string, Kernel> kernels;
  std::vector<std::string> log;
  std::vector<std::unique_ptr<char[]>> memory;

  static FakeDevice *current;
  FakeDevice() { current = this; }
  ~FakeDevice() { current = nullptr; }

  static void *load(const char *image, size_t size) {
    current->log.push_back("load " + std::string(image, size));
    return const_cast<char *>(image);
  }
  static void *loadJIT(const char *image, int level) {
    current->log.push_back("jit " + std::string(image));
    return const_cast<char *>(image);
  }
  static void unload(void *module) { current->log.push_back("unload"); }
  static void *getFunction(void *module, const char *name) {
    current->log.push_back("function " + std::string(name));
    return &current->kernels.at(name);
  }
  static void *createStream() { return nullptr; }
  static void useStream(void *stream) {}
  static void launch(void *function, intptr_t gridX, intptr_t gridY,
                     intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                     intptr_t blockZ, int32_t sharedBytes, void *stream,
                     void **arguments, void **extra, size_t count) {
    current->log.push_back(llvm::formatv(
        "launch {0}x{1}x{2} {3}x{4}x{5} shared {6} arguments {7}", gridX, gridY,
        gridZ, blockX, blockY, blockZ, sharedBytes, count));
    (*static_cast<Kernel *>(function))(arguments);
  }
  static void *allocate(uint64_t size, void *stream, bool hostShared) {
    current->log.push_back("alloc " + std::to_string(size));
    return current->memory.emplace_back(new char[size]).get();
  }
  static void release(void *memory, void *stream) {
    current->log.push_back("free");
    llvm::erase_if(current->memory,
                   [&](auto &owned) { return owned.get() == memory; });
  }

  static llvm::orc::SymbolMap symbols(llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap map;
    auto add = [&](StringRef name, auto *function) {
      map[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                           llvm::JITSymbolFlags::Exported};
    };
    add("mgpuModuleLoad", &load);
    add("mgpuModuleLoadJIT", &loadJIT);
    add("mgpuModuleUnload", &unload);
    add("mgpuModuleGetFunction", &getFunction);
    add("mgpuStreamCreate", &createStream);
    add("mgpuStreamSynchronize", &useStream);
    add("mgpuStreamDestroy", &useStream);
    add("mgpuLaunchKernel", &launch);
    add("mgpuMemAlloc", &allocate);
    add("mgpuMemFree", &release);
    return map;
  }
};
FakeDevice *FakeDevice::current = nullptr;

/// The aligned pointer of memref argument `i` among descriptors of rank one.
float *vectorArgument(void **arguments, unsigned i) {
  return *static_cast<float **>(arguments[5 * i + 1]);
}

constexpr StringLiteral addPayload = R"(
  func.func @add(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
    return %0 : tensor<64xf32>
  })";

/// As the lowering leaves it: the kernel's body is of no matter to the host.
constexpr StringLiteral addLowered = R"(
  module attributes {gpu.container_module} {
    func.func @add(%a: memref<64xf32>, %b: memref<64xf32>,
                   %c: memref<64xf32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      gpu.launch_func @kernels::@add_kernel
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %c : memref<64xf32>)
      return
    }
    gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
      llvm.func @add_kernel(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64,
          %4: i64, %5: !llvm.ptr, %6: !llvm.ptr, %7: i64, %8: i64, %9: i64,
          %10: !llvm.ptr, %11: !llvm.ptr, %12: i64, %13: i64, %14: i64)
          attributes {gpu.kernel, nvvm.kernel} {
        llvm.return
      }
    }
  })";

class HostTest : public ProgramFixture {
protected:
  LogicalResult check(StringRef text) {
    module = parse(text);
    return checkHostCode(*module, "f");
  }

  FailureOr<Program> build(StringRef payloadText, StringRef loweredText,
                           bool isPTX = false) {
    payload = parse(payloadText);
    module = parse(loweredText);
    KernelImages images;
    images["kernels"] = {"the kernels", isPTX};
    FailureOr<Program> program = buildProgram(*payload, *module, "", images);
    EXPECT_TRUE(succeeded(program)) << llvm::join(diagnostics, "\n");
    return program;
  }

  OwningOpRef<ModuleOp> payload, module;
  FakeDevice device;
};
} // namespace

//===----------------------------------------------------------------------===//
// The limits of host code
//===----------------------------------------------------------------------===//

TEST_F(HostTest, launchesAndViewsAreFine) {
  EXPECT_TRUE(succeeded(check(R"(
    module attributes {gpu.container_module} {
      func.func @f(%a: memref<8x8xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %t = memref.alloc() : memref<8xf32>
        %v = memref.subview %a[0, 0] [1, 8] [1, 1]
          : memref<8x8xf32> to memref<8xf32>
        scf.for %i = %c0 to %c1 step %c1 {
          func.call @launch(%v, %t) : (memref<8xf32>, memref<8xf32>) -> ()
        }
        memref.dealloc %t : memref<8xf32>
        return
      }
      func.func private @launch(%a: memref<8xf32>, %t: memref<8xf32>) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @k::@k blocks in (%c1, %c1, %c1)
          threads in (%c1, %c1, %c1)
          args(%a : memref<8xf32>, %t : memref<8xf32>)
        return
      }
      func.func @unrelated(%a: memref<8xf32>) {
        %z = arith.constant 0.0 : f32
        linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
        return
      }
      gpu.module @k {
        gpu.func @k(%a: memref<8xf32>, %t: memref<8xf32>) kernel {
          gpu.return
        }
      }
    })")))
      << llvm::join(diagnostics, "\n");
}

TEST_F(HostTest, accessToBuffersIsRefused) {
  struct Case {
    StringRef body, message;
  };
  for (auto [body, message] : std::vector<Case>{
           {"%x = memref.load %a[%c0] : memref<8xf32>",
            "'memref.load' reads a buffer"},
           {"memref.store %z, %a[%c0] : memref<8xf32>",
            "'memref.store' writes a buffer"},
           {"linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)",
            "'linalg.fill' writes a buffer"},
           {"memref.copy %a, %b : memref<8xf32> to memref<8xf32>",
            "'memref.copy' writes a buffer"},
           {"%v = vector.transfer_read %a[%c0], %z : memref<8xf32>, "
            "vector<4xf32>",
            "'vector.transfer_read' reads a buffer"},
           {"%t = memref.alloca() : memref<8xf32>",
            "'memref.alloca' allocates on the host's stack"},
           {"%g = memref.get_global @g : memref<8xf32>",
            "'memref.get_global' refers to a constant in the host's memory"},
           {"scf.forall (%i) in (8) { memref.store %z, %a[%i] : memref<8xf32> "
            "}",
            "'scf.forall' runs a parallel loop that is not mapped"},
           {"func.call @g1(%a) : (memref<8xf32>) -> ()",
            "'memref.store' writes a buffer"}}) {
    diagnostics.clear();
    EXPECT_TRUE(failed(check(("memref.global @g : memref<8xf32> = dense<1.0>\n"
                              "func.func @g1(%a: memref<8xf32>) {\n"
                              "  %c0 = arith.constant 0 : index\n"
                              "  %z = arith.constant 0.0 : f32\n"
                              "  memref.store %z, %a[%c0] : memref<8xf32>\n"
                              "  return\n}\n"
                              "func.func @f(%a: memref<8xf32>, "
                              "%b: memref<8xf32>) {\n"
                              "  %c0 = arith.constant 0 : index\n"
                              "  %z = arith.constant 0.0 : f32\n" +
                              body + "\n  return\n}")
                                 .str())))
        << body.str();
    ASSERT_EQ(diagnostics.size(), 2u) << llvm::join(diagnostics, "\n");
    EXPECT_EQ(diagnostics[0],
              ("requires host code that only launches kernels but " + message +
               " [fw-host-memory-access]")
                  .str());
    EXPECT_EQ(StringRef(diagnostics[1]).substr(0, 14), "note: fix-it: ");
  }
}

//===----------------------------------------------------------------------===//
// Lowering and running
//===----------------------------------------------------------------------===//

TEST_F(HostTest, kernelRunsAndIsCompared) {
  FailureOr<Program> program = build(addPayload, addLowered);
  ASSERT_TRUE(succeeded(program));
  device.kernels["add_kernel"] = [](void **arguments) {
    for (int i = 0; i < 64; ++i)
      vectorArgument(arguments, 2)[i] =
          vectorArgument(arguments, 0)[i] + vectorArgument(arguments, 1)[i];
  };
  RunOptions options;
  options.device = FakeDevice::symbols;
  FailureOr<RunReport> report = runInProcess(*program, options);
  ASSERT_TRUE(succeeded(report)) << llvm::join(diagnostics, "\n");
  EXPECT_TRUE(report->passed());
  ASSERT_EQ(report->results.size(), 1u);
  EXPECT_EQ(report->results[0].parameter.name, "result");
  EXPECT_EQ(report->results[0].errors.maxAbsolute, 0);
  EXPECT_THAT(device.log,
              ElementsAre("load the kernels", "function add_kernel",
                          "launch 2x1x1 32x1x1 shared 0 arguments 15",
                          "unload"));

  // The same program again, and this time the kernel leaves one element out.
  device.kernels["add_kernel"] = [](void **arguments) {
    for (int i = 0; i < 63; ++i)
      vectorArgument(arguments, 2)[i] =
          vectorArgument(arguments, 0)[i] + vectorArgument(arguments, 1)[i];
  };
  report = runInProcess(*program, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_FALSE(report->passed());
  EXPECT_EQ(report->results[0].errors.mismatches, 1u);
  EXPECT_EQ(report->results[0].errors.worst, 63u);
}

TEST_F(HostTest, ptxGoesThroughTheDriversCompiler) {
  FailureOr<Program> program = build(addPayload, addLowered, /*isPTX=*/true);
  ASSERT_TRUE(succeeded(program));
  device.kernels["add_kernel"] = [](void **) {};
  RunOptions options;
  options.device = FakeDevice::symbols;
  ASSERT_TRUE(succeeded(runInProcess(*program, options)));
  ASSERT_FALSE(device.log.empty());
  EXPECT_EQ(device.log[0], "jit the kernels");
}

TEST_F(HostTest, temporariesAreAllocatedOnTheDevice) {
  FailureOr<Program> program =
      build("func.func @f(%a: memref<64xf32>) { return }",
            R"(module attributes {gpu.container_module} {
        func.func @f(%a: memref<64xf32>) {
          %c1 = arith.constant 1 : index
          %t = memref.alloc() : memref<100xf64>
          gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
            threads in (%c1, %c1, %c1) args(%t : memref<100xf64>)
          memref.dealloc %t : memref<100xf64>
          return
        }
        gpu.module @kernels {
          llvm.func @k(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64)
              attributes {gpu.kernel, nvvm.kernel} {
            llvm.return
          }
        }
      })");
  ASSERT_TRUE(succeeded(program));
  device.kernels["k"] = [](void **) {};
  RunOptions options;
  options.device = FakeDevice::symbols;
  FailureOr<RunReport> report = runInProcess(*program, options);
  ASSERT_TRUE(succeeded(report)) << llvm::join(diagnostics, "\n");
  EXPECT_TRUE(report->passed());
  EXPECT_THAT(device.log,
              ElementsAre("load the kernels", "alloc 800", "function k",
                          "launch 1x1x1 1x1x1 shared 0 arguments 5", "unload"));
}

TEST_F(HostTest, temporariesShareMemoryThatIsAllocatedOnce) {
  // The second buffer lives with both others, which do not with each other.
  const char *text = R"(module attributes {gpu.container_module} {
    func.func @f(%a: memref<64xf32>) {
      %c1 = arith.constant 1 : index
      %s = memref.alloc() : memref<100xf64>
      %t = memref.alloc() : memref<10x10xi8>
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%s : memref<100xf64>, %t : memref<10x10xi8>)
      %u = memref.alloc() : memref<64xf32>
      %v = memref.collapse_shape %t [[0, 1]] : memref<10x10xi8> into memref<100xi8>
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%u : memref<64xf32>, %v : memref<100xi8>)
      memref.dealloc %s : memref<100xf64>
      return
    }
    gpu.module @kernels {
      llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
        llvm.return
      }
    }
  })";
  OwningOpRef<ModuleOp> module = parse(text);
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<func::FuncOp>("f");
  // 800 bytes, then 100 at the next multiple of 256.
  EXPECT_EQ(shareTemporaries(function), 1024u + 100u);
  SmallVector<int64_t> offsets;
  function.walk([&](memref::ViewOp view) {
    offsets.push_back(*getConstantIntValue(view.getByteShift()));
  });
  EXPECT_THAT(offsets, ElementsAre(0, 1024, 0));
  EXPECT_TRUE(function.getOps<memref::AllocOp>().empty());
  EXPECT_TRUE(function.getOps<memref::DeallocOp>().empty());
  EXPECT_TRUE(module->lookupSymbol<func::FuncOp>(workspaceFunction));
  EXPECT_TRUE(succeeded(verify(*module)));
  // There is nothing left to share.
  EXPECT_EQ(shareTemporaries(function), 0u);
}

TEST_F(HostTest, returnedAndPassedBuffersAreNoTemporaries) {
  OwningOpRef<ModuleOp> module = parse(R"(module {
    func.func private @g(%a: memref<4xf32>)
    func.func @f(%n: index) -> memref<4xf32> {
      %r = memref.alloc() : memref<4xf32>
      %p = memref.alloc() : memref<4xf32>
      %d = memref.alloc(%n) : memref<?xf32>
      func.call @g(%p) : (memref<4xf32>) -> ()
      return %r : memref<4xf32>
    }
  })");
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<func::FuncOp>("f");
  EXPECT_EQ(shareTemporaries(function), 0u);
  EXPECT_EQ(llvm::range_size(function.getOps<memref::AllocOp>()), 3u);
}

TEST_F(HostTest, droppedResultIsComparedInItsArgument) {
  FailureOr<Program> program = build(
      R"(func.func @f(%a: tensor<64xf32>, %s: f32) -> tensor<64xf32> {
           %0 = linalg.generic {
               indexing_maps = [affine_map<(i) -> (i)>],
               iterator_types = ["parallel"]} outs(%a : tensor<64xf32>) {
             ^bb0(%x: f32):
               %m = arith.mulf %x, %s : f32
               linalg.yield %m : f32
           } -> tensor<64xf32>
           return %0 : tensor<64xf32>
         })",
      R"(module attributes {gpu.container_module} {
        func.func @f(%a: memref<64xf32>, %s: f32) {
          %c1 = arith.constant 1 : index
          gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
            threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %s : f32)
          return
        }
        gpu.module @kernels {
          llvm.func @k(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64,
                       %5: f32) attributes {gpu.kernel, nvvm.kernel} {
            llvm.return
          }
        }
      })");
  ASSERT_TRUE(succeeded(program));
  device.kernels["k"] = [](void **arguments) {
    for (int i = 0; i < 64; ++i)
      vectorArgument(arguments, 0)[i] *= *static_cast<float *>(arguments[5]);
  };
  RunOptions options;
  options.seed = 5;
  options.device = FakeDevice::symbols;
  FailureOr<RunReport> report = runInProcess(*program, options);
  ASSERT_TRUE(succeeded(report)) << llvm::join(diagnostics, "\n");
  EXPECT_TRUE(report->passed());
  ASSERT_EQ(report->results.size(), 1u);
  EXPECT_EQ(report->results[0].parameter.name, "arg0");

  device.kernels["k"] = [](void **) {};
  report = runInProcess(*program, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_FALSE(report->passed());
}

TEST_F(HostTest, inputsComeFromFiles) {
  FailureOr<Program> program = build(addPayload, addLowered);
  ASSERT_TRUE(succeeded(program));
  std::vector<float> seen;
  device.kernels["add_kernel"] = [&](void **arguments) {
    seen = {vectorArgument(arguments, 0)[0], vectorArgument(arguments, 1)[0]};
  };
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("formwork", "npy", path));
  llvm::FileRemover remover(path);
  {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    StringRef header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (64,)}";
    os << StringRef("\x93NUMPY\1\0", 8) << char(header.size()) << '\0'
       << header;
    std::vector<float> data(64, 3.5f);
    os.write(reinterpret_cast<const char *>(data.data()), 256);
  }
  RunOptions options;
  options.device = FakeDevice::symbols;
  options.inputs = {("arg1=" + path).str()};
  ASSERT_TRUE(succeeded(runInProcess(*program, options)));
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_LT(seen[0], 1.0f);
  EXPECT_EQ(seen[1], 3.5f);

  options.inputs = {path.str().str()};
  ASSERT_TRUE(succeeded(runInProcess(*program, options)));
  EXPECT_EQ(seen[0], 3.5f);

  options.inputs = {path.str().str(), ("arg0=" + path).str()};
  EXPECT_TRUE(failed(runInProcess(*program, options)));
  EXPECT_TRUE(hasDiagnostic("requires one input for 'arg0' but has another"));
  options.inputs = std::vector<std::string>(3, path.str().str());
  EXPECT_TRUE(failed(runInProcess(*program, options)));
  EXPECT_TRUE(hasDiagnostic("requires at most 2 inputs but has more"));
}

TEST_F(HostTest, missingRuntimeIsAnError) {
  FailureOr<Program> program = build(addPayload, addLowered);
  ASSERT_TRUE(succeeded(program));
  EXPECT_TRUE(failed(runInProcess(*program, RunOptions())));
  EXPECT_TRUE(hasDiagnostic("[fw-jit-failed]"));
  EXPECT_TRUE(hasDiagnostic("mgpuLaunchKernel"));
}

TEST_F(HostTest, leftoverOfAnotherDialect) {
  context.allowUnregisteredDialects();
  payload = parse("func.func @f(%a: index) { return }");
  module = parse(R"(func.func @f(%a: index) {
    "elsewhere.op"(%a) : (index) -> ()
    return
  })");
  EXPECT_TRUE(failed(buildProgram(*payload, *module, "", {})));
  EXPECT_TRUE(hasDiagnostic("[fw-host-lowering]"));
}

TEST_F(HostTest, flopsOnlyWhenKnown) {
  auto count = [&](StringRef body) {
    module = parse(("func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, "
                    "%c: tensor<4x2xf32>, %z: f32) -> tensor<4x2xf32> {" +
                    body + "\n return %r : tensor<4x2xf32> }")
                       .str());
    return countFlops(module->lookupSymbol<func::FuncOp>("f"));
  };
  std::string matmul =
      "%m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) "
      "outs(%i : tensor<4x2xf32>) -> tensor<4x2xf32>\n";
  std::string fill = "%i = linalg.fill ins(%z : f32) outs(%c : tensor<4x2xf32>)"
                     " -> tensor<4x2xf32>\n";
  std::string cast = "%r = tensor.cast %m : tensor<4x2xf32> to tensor<4x2xf32>";
  EXPECT_EQ(count(fill + matmul + cast), 128.0);
  EXPECT_EQ(count(fill + matmul +
                  "%r = linalg.exp ins(%m : tensor<4x2xf32>) outs(%m : "
                  "tensor<4x2xf32>) -> tensor<4x2xf32>"),
            std::nullopt);
  EXPECT_EQ(count("%r = linalg.fill ins(%z : f32) outs(%c : tensor<4x2xf32>)"
                  " -> tensor<4x2xf32>"),
            std::nullopt);
}
