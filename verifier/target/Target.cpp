//===- Target.cpp - What a GPU architecture allows --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/target/Target.h"

using namespace formwork::verifier;

llvm::ArrayRef<Target> formwork::verifier::getTargets() {
  static constexpr Target targets[] = {
#define FORMWORK_TARGET(name, ptx, staticBytes, optInBytes)                    \
  {name, ptx, staticBytes, optInBytes},
#include "verifier/target/Targets.def"
#undef FORMWORK_TARGET
  };
  return targets;
}

const Target *formwork::verifier::lookupTarget(llvm::StringRef name) {
  for (const Target &target : getTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}
