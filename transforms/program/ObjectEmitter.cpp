//===- ObjectEmitter.cpp - A program as an object or executable -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/ObjectEmitter.h"

#include "engine/Diagnostics.h"
#include "engine/OutputFile.h"
#include "runtime/EmbeddedLauncher.h"
#include "transforms/gpu/Process.h"
#include "transforms/program/ProgramTable.h"
#include "transforms/program/Reference.h"
#include "transforms/program/ToLLVM.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
using engine::NoteKind;
using namespace formwork::transforms;

/// Code generation for any processor of this machine's architecture, not for
/// this very one: programs travel.
static std::unique_ptr<llvm::TargetMachine>
createPortableMachine(std::string &error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, triple.isX86() ? "x86-64" : "generic", /*Features=*/"",
      llvm::TargetOptions(), llvm::Reloc::PIC_));
}

/// The whole program as the bytes of an object file.
static FailureOr<llvm::SmallVector<char, 0>>
generateObject(const Program &program, const EmitOptions &options) {
  auto fail = [&](const Twine &message) {
    return emitFinding(Finding(program.entry.loc, "fw-object-failed",
                               "cannot generate the object: " + message));
  };
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createPortableMachine(error);
  if (!machine)
    return fail(error);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateToLLVM(*program.host, context, *machine, runTrampoline);
  if (!module)
    return failure();
  std::unique_ptr<llvm::Module> reference = translateToLLVM(
      *program.reference, context, *machine, referenceTrampoline);
  if (!reference)
    return failure();
  if (llvm::Linker::linkModules(*module, std::move(reference)))
    return fail("host code and reference do not go together");
  addProgramTable(*module, program, options);
  for (StringRef trampoline : {runTrampoline, referenceTrampoline})
    module->getFunction(trampoline)
        ->setLinkage(llvm::GlobalValue::InternalLinkage);
  optimizeForHost(*module, *machine);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return fail("no object files for this machine");
  codegen.run(*module);
  return bytes;
}

/// Writes `bytes` to `path`.
static LogicalResult
writeBytes(StringRef path, StringRef bytes, Location loc,
           engine::FileMode mode = engine::FileMode::Data) {
  llvm::Error error = engine::writeFile(path, bytes, mode);
  if (!error)
    return success();
  return emitFinding(
      Finding(loc, "fw-output-unwritable",
              "cannot write " + llvm::toString(std::move(error))));
}

LogicalResult formwork::transforms::emitObject(const Program &program,
                                               const EmitOptions &options,
                                               StringRef path) {
  FailureOr<llvm::SmallVector<char, 0>> object =
      generateObject(program, options);
  if (failed(object))
    return failure();
  return writeBytes(path, StringRef(object->data(), object->size()),
                    program.entry.loc);
}

FailureOr<std::string> formwork::transforms::findLinker(Location loc) {
  for (StringRef name : {"cc", "clang-22", "clang", "gcc"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return emitFinding(
      Finding(loc, "fw-linker-missing",
              "requires a C compiler to link an executable but PATH has none "
              "of cc, clang-22, clang and gcc")
          .note(NoteKind::FixIt, loc, "install one; --emit=object needs none"));
}

LogicalResult formwork::transforms::emitExecutable(const Program &program,
                                                   const EmitOptions &options,
                                                   StringRef linker,
                                                   StringRef path) {
  Location loc = program.entry.loc;
  FailureOr<llvm::SmallVector<char, 0>> object =
      generateObject(program, options);
  if (failed(object))
    return failure();

  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("formwork-link", folder))
    return emitFinding(
        Finding(loc, "fw-output-unwritable",
                "cannot make a temporary folder: " + error.message()));
  llvm::scope_exit removeFolder(
      [&] { llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](StringRef name) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, name);
    return std::string(file);
  };
  std::string objectFile = inFolder("program.o");
  std::string launcher = inFolder("launcher.a");
  std::string linked = inFolder("linked");
  if (failed(writeBytes(objectFile, StringRef(object->data(), object->size()),
                        loc)) ||
      failed(
          writeBytes(launcher,
                     StringRef(fwLauncherArchiveBegin,
                               fwLauncherArchiveEnd - fwLauncherArchiveBegin),
                     loc)))
    return failure();

  auto fail = [&](const Twine &message) {
    return emitFinding(Finding(loc, "fw-link-failed",
                               "cannot link '" + path + "': " + message));
  };
  llvm::Expected<ProcessResult> result =
      runProcess(linker, {objectFile, launcher, "-lm", "-ldl", "-o", linked});
  if (!result)
    return fail(llvm::toString(result.takeError()));
  if (result->exitCode != 0)
    return fail(linker + " says: " + StringRef(result->output).trim());
  auto image = llvm::MemoryBuffer::getFile(linked);
  if (!image)
    return fail(image.getError().message());
  return writeBytes(path, (*image)->getBuffer(), loc,
                    engine::FileMode::Executable);
}
