//===- Jit.h - Compiling for this machine, in this process ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Just-in-time compilation of a module in LLVM's dialect. Layer: transforms; it
// knows nothing of payloads or devices.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_JIT_H
#define FORMWORK_TRANSFORMS_PROGRAM_JIT_H

#include "engine/Diagnostics.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

#include <functional>
#include <memory>

namespace llvm {
class Module;
}
namespace llvm::orc {
class LLJIT;
}

namespace formwork::transforms {

/// Gives symbols that the process does not export, such as the device's
/// runtime, under names mangled by its argument.
using SymbolProvider =
    std::function<llvm::orc::SymbolMap(llvm::orc::MangleAndInterner)>;

/// One compiled module, with its memory. Its global constructors run when it is
/// made, its destructors when it goes.
class Jit {
public:
  using Function = void (*)(void **);

  /// Changes a translated module before it is optimized.
  using Instrument = llvm::function_ref<void(llvm::Module &)>;

  /// Compiles `module` at O2 for this processor. It may refer to what `symbols`
  /// (or null) gives, to the conversions of runtime/HalfConversions.h, and to
  /// the symbols of the process. `module` is not changed. Error: fw-jit-failed.
  static mlir::FailureOr<Jit> create(mlir::ModuleOp module,
                                     llvm::StringRef function,
                                     const SymbolProvider &symbols = nullptr,
                                     Instrument instrument = nullptr);
  Jit(Jit &&);
  ~Jit();

  /// Calls the function that was asked for. Where an assertion of the module
  /// does not hold, the call ends there and returns fw-assertion-failed; memory
  /// that the code holds then is not released.
  std::optional<engine::Finding> call(void **arguments) const;

private:
  Jit();

  std::unique_ptr<llvm::orc::LLJIT> engine;
  Function function = nullptr;
  /// Where the assertions stand, by the text that each of them prints.
  llvm::StringMap<mlir::Location> assertions;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_JIT_H
