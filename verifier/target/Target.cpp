//===- Target.cpp - What a GPU architecture allows --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/target/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace formwork::verifier;

llvm::ArrayRef<Target> formwork::verifier::getTargets() {
  static constexpr Target targets[] = {
#define FORMWORK_TARGET(name, ptx, staticBytes, optInBytes, fastDoubles)       \
  {name, ptx, staticBytes, optInBytes, fastDoubles},
#include "verifier/target/Targets.def"
#undef FORMWORK_TARGET
  };
  return targets;
}

unsigned Target::getArchitecture() const {
  unsigned number = 0;
  llvm::StringRef digits = name;
  digits.consume_front("sm_");
  digits.consumeInteger(10, number);
  return number;
}

llvm::ArrayRef<MmaShape> formwork::verifier::getMmaShapes() {
  static constexpr MmaShape shapes[] = {
#define FORMWORK_MMA(m, n, k, element, accumulators, first)                    \
  {m, n, k, element, accumulators, first},
#include "verifier/target/Targets.def"
#undef FORMWORK_MMA
  };
  return shapes;
}

const MmaShape *
formwork::verifier::lookupMmaShape(llvm::ArrayRef<int64_t> shape,
                                   llvm::StringRef element,
                                   llvm::StringRef accumulator) {
  for (const MmaShape &row : getMmaShapes())
    if (llvm::ArrayRef<int64_t>({row.m, row.n, row.k}) == shape &&
        row.element == element &&
        llvm::is_contained(llvm::split(row.accumulators, ' '), accumulator))
      return &row;
  return nullptr;
}

const Instruction *formwork::verifier::lookupInstruction(llvm::StringRef name) {
  static constexpr Instruction instructions[] = {
#define FORMWORK_INSTRUCTION(prefix, first, only) {prefix, first, only},
#include "verifier/target/Targets.def"
#undef FORMWORK_INSTRUCTION
  };
  for (const Instruction &row : instructions)
    if (name.starts_with(row.prefix))
      return &row;
  return nullptr;
}

const Target *formwork::verifier::lookupTarget(llvm::StringRef name) {
  for (const Target &target : getTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}
