//===- DeviceSupport.h - What can be emulated -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses, by name, what a device module uses and the emulator does not know:
// a wrong answer would be worse than none. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_DEVICESUPPORT_H
#define FORMWORK_TRANSFORMS_EMULATE_DEVICESUPPORT_H

#include "transforms/emulate/ModuleInfo.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace formwork::transforms::emulate {

/// The error for a module that cannot be emulated. Id: fw-emulate-unsupported.
class UnsupportedError : public llvm::ErrorInfo<UnsupportedError> {
public:
  static char ID;

  struct Feature {
    /// An intrinsic or function, or what the construct is called.
    std::string name;
    /// Its first use.
    Place place;
  };

  explicit UnsupportedError(std::vector<Feature> features)
      : features(std::move(features)) {}

  llvm::ArrayRef<Feature> getFeatures() const { return features; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::vector<Feature> features;
};

/// Succeeds if all of `module` can be emulated, otherwise names everything that
/// stands against it, in the order of the module, as one UnsupportedError.
llvm::Error checkSupported(llvm::Module &module);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_DEVICESUPPORT_H
