//===- DeviceCode.cpp - LLVM IR, PTX and cubin of a kernel ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/DeviceCode.h"

#include "engine/Diagnostics.h"
#include "transforms/gpu/Process.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
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

/// The first function that `module` calls and that nothing defines.
static std::string firstUndefinedFunction(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return function.getName().str();
  return {};
}

FailureOr<DeviceCode> formwork::transforms::generateDeviceCode(
    gpu::GPUModuleOp kernels, const std::optional<Toolkit> &toolkit) {
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
    return emitFinding(
        Finding(kernels.getLoc(), "fw-libdevice-missing",
                llvm::formatv("kernel requires the function '{0}' of libdevice "
                              "but no CUDA toolkit provides it",
                              undefined)
                    .str())
            .note(NoteKind::FixIt, kernels.getLoc(),
                  "install the CUDA toolkit or name its folder with "
                  "--cuda-toolkit"));
  if (!ptx)
    return failure();
  code.ptx = StringRef(ptx->data(), ptx->size()).rtrim('\0').str();
  return code;
}

FailureOr<Cubin> formwork::transforms::assemble(Location loc, StringRef ptx,
                                                StringRef arch,
                                                StringRef ptxas) {
  auto refuse = [&](const Twine &message) {
    return emitFinding(Finding(loc, "fw-ptxas-failed", message));
  };
  llvm::SmallString<128> input, output;
  if (llvm::sys::fs::createTemporaryFile("formwork", "ptx", input))
    return refuse("cannot create a temporary file for the PTX");
  llvm::FileRemover removeInput(input);
  if (llvm::sys::fs::createTemporaryFile("formwork", "cubin", output))
    return refuse("cannot create a temporary file for the cubin");
  llvm::FileRemover removeOutput(output);
  if (llvm::Error error =
          llvm::writeToOutput(input, [&](llvm::raw_ostream &os) {
            os << ptx;
            return llvm::Error::success();
          }))
    return refuse(llvm::toString(std::move(error)));

  llvm::Expected<ProcessResult> result = runProcess(
      ptxas, {"-v", "-O3", "-arch", arch, input.str(), "-o", output.str()});
  if (!result)
    return refuse(llvm::toString(result.takeError()));
  if (result->exitCode != 0)
    return refuse("ptxas refuses the kernel: " +
                  StringRef(result->output).trim());
  auto image = llvm::MemoryBuffer::getFile(output);
  if (!image)
    return refuse("cannot read the cubin that ptxas wrote");
  return Cubin{(*image)->getBuffer().str(), std::move(result->output)};
}
