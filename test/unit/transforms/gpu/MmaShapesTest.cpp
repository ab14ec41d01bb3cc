//===- MmaShapesTest.cpp - The table of shapes against ptxas ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Process.h"
#include "transforms/gpu/Toolkit.h"
#include "verifier/target/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace formwork;
using namespace formwork::verifier;

/// PTX counts the versions of its language; this one knows all the targets.
static constexpr llvm::StringLiteral ptxVersion = "8.8";

static unsigned getBits(llvm::StringRef element) {
  return llvm::StringSwitch<unsigned>(element)
      .Case("f64", 64)
      .Cases({"f32", "tf32", "s32"}, 32)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"s8", "u8", "e4m3", "e5m2"}, 8)
      .Cases({"s4", "u4"}, 4)
      .Default(1);
}

/// The registers that each of 32 lanes has of a matrix, `{%r0, %r1}`, from
/// number `first` on.
static std::string getRegisters(int64_t elements, llvm::StringRef element,
                                unsigned first) {
  unsigned bits = getBits(element);
  llvm::StringRef prefix = element == "f64"   ? "%fd"
                           : element == "f32" ? "%f"
                                              : "%r";
  int64_t number = elements / 32 * bits / std::max(bits, 32u);
  std::string list;
  for (int64_t i = 0; i < std::max<int64_t>(number, 1); ++i)
    list += (i ? ", " : "") + (prefix + llvm::Twine(first + i)).str();
  return "{" + list + "}";
}

static std::string makeKernel(const MmaShape &shape,
                              llvm::StringRef accumulator,
                              const Target &target) {
  // The shape of Volta is that of a quarter of a warp.
  int64_t parts =
      shape.m * shape.n * shape.k == 8 * 8 * 4 && shape.element == "f16" ? 4
                                                                         : 1;
  std::string c = getRegisters(parts * shape.m * shape.n, accumulator, 60);
  return llvm::formatv(
      ".version {0}\n.target {1}\n.address_size 64\n.visible .entry k() {{\n"
      ".reg .b32 %r<100>; .reg .f32 %f<100>; .reg .f64 %fd<100>;\n"
      "mma.sync.aligned.m{2}n{3}k{4}.row.col.{5}.{6}.{6}.{5}{7} {8}, {9}, "
      "{10}, {8};\nret;\n}\n",
      ptxVersion, target.name, shape.m, shape.n, shape.k, accumulator,
      shape.element, shape.element == "b1" ? ".xor.popc" : "", c,
      getRegisters(parts * shape.m * shape.k, shape.element, 20),
      getRegisters(parts * shape.k * shape.n, shape.element, 40));
}

/// Each shape is accepted on the architecture that first has it, and refused on
/// the last that has it not.
TEST(MmaShapes, AreWhatPtxasAccepts) {
  std::optional<transforms::Toolkit> toolkit = transforms::findToolkit();
  std::optional<std::string> ptxas =
      toolkit ? toolkit->findProgram("ptxas") : std::nullopt;
  if (!ptxas)
    GTEST_SKIP() << "requires ptxas";
  llvm::SmallString<128> input;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mma", "ptx", input));
  llvm::FileRemover remove(input);
  auto accepts = [&](const std::string &ptx, const Target &target) {
    std::error_code error;
    {
      llvm::raw_fd_ostream os(input, error);
      os << ptx;
    }
    auto result = transforms::runProcess(
        *ptxas, {"-arch", target.name, "-o", "/dev/null", input.str()});
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return result->exitCode == 0;
  };
  unsigned accepted = 0, refused = 0;
  for (const MmaShape &shape : getMmaShapes()) {
    const Target *first = nullptr, *last = nullptr;
    for (const Target &target : getTargets()) {
      // Toolkits from 13.0 on assemble for nothing older.
      if (target.getArchitecture() < 75)
        continue;
      if (!shape.isOn(target))
        last = &target;
      else if (!first)
        first = &target;
    }
    for (llvm::StringRef accumulator : llvm::split(shape.accumulators, ' ')) {
      std::string ptx = makeKernel(shape, accumulator, *first);
      EXPECT_TRUE(accepts(ptx, *first)) << ptx;
      ++accepted;
      if (!last)
        continue;
      ptx = makeKernel(shape, accumulator, *last);
      EXPECT_FALSE(accepts(ptx, *last)) << ptx;
      ++refused;
    }
  }
  EXPECT_GT(accepted, 30u);
  EXPECT_GT(refused, 20u);
}
