//===- DeviceCode.cpp - LLVM IR, PTX and cubin of a kernel ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/DeviceCode.h"

#include "engine/AnyBelow.h"
#include "engine/Diagnostics.h"
#include "transforms/gpu/Process.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// The first function that `module` calls and that nothing defines: neither the
/// module nor the driver, which has these two.
static std::string firstUndefinedFunction(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && function.getName() != "vprintf" &&
        function.getName() != "__assertfail")
      return function.getName().str();
  return {};
}

static LogicalResult refuseUndefined(Location loc, StringRef function) {
  if (!function.starts_with("__nv_"))
    return emitFinding(Finding(loc, "fw-undefined-function",
                               "kernel requires the function '" + function +
                                   "' but nothing defines it"));
  return emitFinding(
      Finding(loc, "fw-libdevice-missing",
              "kernel requires the function '" + function +
                  "' of libdevice but no CUDA toolkit provides it")
          .note(NoteKind::FixIt, loc,
                "install the CUDA toolkit or name its folder with "
                "--cuda-toolkit"));
}

static bool usesWorkgroupMemory(LLVM::LLVMFuncOp kernel) {
  return engine::anyBelow(kernel, [](LLVM::AddressOfOp address) {
    auto type = cast<LLVM::LLVMPointerType>(address.getType());
    return type.getAddressSpace() == NVVM::NVVMMemorySpace::Shared;
  });
}

/// Says of each kernel with workgroup memory that one block on an SM is enough,
/// unless it has a limit on registers. Without, ptxas saves registers for more
/// blocks, and moves loads of workgroup memory down to their uses, where they
/// are waited for. Other kernels need the blocks, to wait for global memory.
static void allowAllRegisters(gpu::GPUModuleOp kernels) {
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  Builder builder(kernels.getContext());
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
        !function->hasAttr(name) &&
        !function->hasAttr(NVVM::NVVMDialect::getMaxnregAttrName()) &&
        usesWorkgroupMemory(function))
      function->setAttr(name, builder.getI32IntegerAttr(1));
}

FailureOr<DeviceCode> formwork::transforms::generateDeviceCode(
    gpu::GPUModuleOp kernels, const std::optional<Toolkit> &toolkit) {
  allowAllRegisters(kernels);
  DeviceCode code;
  std::string undefined;
  auto recordLLVM = [&](llvm::Module &module) {
    undefined = firstUndefinedFunction(module);
    llvm::raw_string_ostream(code.llvmIR) << module;
  };
  gpu::TargetOptions options(
      toolkit && toolkit->hasLibdevice() ? toolkit->root : StringRef(),
      /*librariesToLink=*/{}, /*cmdOptions=*/{}, /*elfSection=*/{},
      gpu::CompilationTarget::Assembly, /*getSymbolTableCallback=*/{},
      /*initialLlvmIRCallback=*/{}, /*linkedLlvmIRCallback=*/{}, recordLLVM);
  auto target = cast<gpu::TargetAttrInterface>(kernels.getTargetsAttr()[0]);
  std::optional<SmallVector<char, 0>> ptx =
      target.serializeToObject(kernels, options);
  if (!undefined.empty())
    return refuseUndefined(kernels.getLoc(), undefined);
  if (!ptx)
    return failure();
  code.ptx = StringRef(ptx->data(), ptx->size()).rtrim('\0').str();
  return code;
}

FailureOr<std::optional<Cubin>>
formwork::transforms::assemble(Location loc, StringRef ptx, StringRef arch,
                               StringRef ptxas) {
  auto fail = [&](const Twine &message) {
    return emitFinding(Finding(loc, "fw-ptxas-failed", message));
  };
  llvm::SmallString<128> input, output;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("formwork", "ptx", input))
    return fail("cannot create a temporary file for the PTX: " +
                error.message());
  llvm::FileRemover removeInput(input);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("formwork", "cubin", output))
    return fail("cannot create a temporary file for the cubin: " +
                error.message());
  llvm::FileRemover removeOutput(output);
  if (llvm::Error error =
          llvm::writeToOutput(input, [&](llvm::raw_ostream &os) {
            os << ptx;
            return llvm::Error::success();
          }))
    return fail(llvm::toString(std::move(error)));

  llvm::Expected<ProcessResult> result = runProcess(
      ptxas, {"-v", "-O3", "-arch", arch, input.str(), "-o", output.str()});
  if (!result)
    return fail(llvm::toString(result.takeError()));
  if (result->exitCode != 0) {
    (void)emitFinding(Finding(loc, "fw-ptxas-refuses",
                              "ptxas refuses the kernel: " +
                                  StringRef(result->output).trim()));
    return std::optional<Cubin>();
  }
  auto image = llvm::MemoryBuffer::getFile(output);
  if (!image || (*image)->getBufferSize() == 0)
    return fail("ptxas reports success but writes no cubin");
  return std::optional<Cubin>(
      Cubin{(*image)->getBuffer().str(), std::move(result->output)});
}
