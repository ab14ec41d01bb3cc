//===- Toolkit.cpp - The CUDA toolkit, if there is one ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Toolkit.h"

#include "transforms/gpu/Process.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace formwork::transforms;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral installerRoot = "/usr/local/cuda";

std::optional<std::string> Toolkit::findProgram(llvm::StringRef name) const {
  llvm::SmallString<128> program(root);
  path::append(program, "bin", name);
  if (!fs::can_execute(program))
    return std::nullopt;
  return program.str().str();
}

bool Toolkit::hasLibdevice() const {
  llvm::SmallString<128> library(root);
  path::append(library, "nvvm", "libdevice", "libdevice.10.bc");
  return fs::is_regular_file(library);
}

std::optional<std::string> Toolkit::queryVersion() const {
  std::optional<std::string> ptxas = findProgram("ptxas");
  if (!ptxas)
    return std::nullopt;
  llvm::Expected<ProcessResult> result = runProcess(*ptxas, {"--version"});
  if (!result) {
    llvm::consumeError(result.takeError());
    return std::nullopt;
  }
  auto [before, after] = llvm::StringRef(result->output).split("release ");
  if (result->exitCode != 0 || after.empty())
    return std::nullopt;
  return after.take_until([](char c) { return c == ','; }).str();
}

static std::optional<Toolkit> inspect(llvm::StringRef root) {
  Toolkit toolkit{root.rtrim('/').str()};
  if (root.empty() ||
      (!toolkit.findProgram("ptxas") && !toolkit.hasLibdevice()))
    return std::nullopt;
  return toolkit;
}

std::optional<Toolkit>
formwork::transforms::findToolkit(llvm::StringRef explicitRoot) {
  if (!explicitRoot.empty())
    return inspect(explicitRoot);
  for (const char *variable :
       {"CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (std::optional<std::string> root = llvm::sys::Process::GetEnv(variable))
      if (std::optional<Toolkit> toolkit = inspect(*root))
        return toolkit;
  if (llvm::ErrorOr<std::string> ptxas =
          llvm::sys::findProgramByName("ptxas")) {
    llvm::SmallString<128> real;
    if (!fs::real_path(*ptxas, real))
      if (std::optional<Toolkit> toolkit =
              inspect(path::parent_path(path::parent_path(real))))
        return toolkit;
  }
  return inspect(installerRoot);
}
