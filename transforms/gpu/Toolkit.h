//===- Toolkit.h - The CUDA toolkit, if there is one ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the CUDA toolkit is and what it offers. Everything up to PTX works
// without it; ptxas (cubin) and libdevice (math functions) need it. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_TOOLKIT_H
#define FORMWORK_TRANSFORMS_GPU_TOOLKIT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace formwork::transforms {

struct Toolkit {
  /// The toolkit's folder, without trailing separator.
  std::string root;

  /// The full path of `name` in the toolkit's bin folder, if it can be run.
  std::optional<std::string> findProgram(llvm::StringRef name) const;

  /// Whether the bitcode library of math functions is there.
  bool hasLibdevice() const;

  /// The release that ptxas reports, such as "13.0", or nothing when it cannot
  /// be run. Cost: one process.
  std::optional<std::string> queryVersion() const;
};

/// Finds a toolkit: `explicitRoot` if not empty and nothing else then; else the
/// environment (CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, CUDA_ROOT), the folder
/// that holds the ptxas on PATH, and the default folder of the installer. Only
/// a folder that holds bin/ptxas or libdevice counts.
std::optional<Toolkit> findToolkit(llvm::StringRef explicitRoot = {});

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_TOOLKIT_H
