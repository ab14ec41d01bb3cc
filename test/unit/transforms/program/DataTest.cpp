//===- DataTest.cpp - Tests of inputs and comparison ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataFromC.h"
#include "ProgramFixture.h"
#include "runtime/FormworkComparison.h"
#include "transforms/program/Npy.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace formwork::transforms;
using ::testing::Each;
using ::testing::ElementsAre;

static constexpr FwElementType allTypes[] = {
    FwElementF16, FwElementBF16, FwElementF32, FwElementF64, FwElementI1,
    FwElementI8,  FwElementI16,  FwElementI32, FwElementI64, FwElementIndex};

static EntryParameter makeParameter(ArrayRef<int64_t> shape,
                                    FwElementType type) {
  EntryParameter parameter;
  parameter.name = "x";
  parameter.shape = llvm::to_vector(shape);
  parameter.type = type;
  return parameter;
}

//===----------------------------------------------------------------------===//
// Generated inputs
//===----------------------------------------------------------------------===//

TEST(GeneratorTest, bitsNeverChange) {
  // SplitMix64 of the seed 0, as published.
  EXPECT_EQ(fwRandomBits(0, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(fwRandomBits(0, 1), 0x6e789e6aa1b965f4u);
  // A program that was emitted once must get the same inputs for ever.
  float value;
  fwGenerate(FwElementF32, /*indexLimit=*/0, 42, 1, 0, &value);
  EXPECT_EQ(llvm::bit_cast<uint32_t>(value), 3208608500u);
}

TEST(GeneratorTest, indicesAreOfTheWholeRange) {
  std::array<int32_t, 400> values;
  for (uint64_t i = 0; i != values.size(); ++i)
    fwGenerate(FwElementI32, /*indexLimit=*/20, 42, 0, i, values.data());
  EXPECT_EQ(*llvm::min_element(values), 0);
  EXPECT_EQ(*llvm::max_element(values), 19);
}

TEST(GeneratorTest, sameInCAndCxx) {
  for (FwElementType type : allTypes) {
    EntryParameter parameter = makeParameter({5, 100}, type);
    if (!fwIsFloat(type))
      parameter.limitIndices(100);
    ArgumentBuffer fromCxx(parameter), fromC(parameter);
    fromCxx.fill(123, 3);
    int64_t shape[] = {5, 100};
    FwBuffer buffer = {"x", shape, type,    FwRoleInput,         2,
                       0,   0,     nullptr, parameter.indexLimit};
    fillFromC(&buffer, 123, 3, fromC.getBytes().data());
    EXPECT_EQ(ArrayRef<char>(fromCxx.getBytes()),
              ArrayRef<char>(fromC.getBytes()))
        << fwElementName(type);
  }
}

TEST(GeneratorTest, valuesAreInRangeAndSpread) {
  for (FwElementType type : allTypes) {
    EntryParameter parameter = makeParameter({4096}, type);
    ArgumentBuffer buffer(parameter);
    buffer.fill(7, 0);
    double low = 0, high = 0, sum = 0;
    for (int i = 0; i < 4096; ++i) {
      double value = fwLoad(type, buffer.getBytes().data(), i);
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
    }
    if (fwIsFloat(type)) {
      EXPECT_GE(low, -1.0);
      EXPECT_LT(low, -0.98);
      EXPECT_LT(high, 1.0);
      EXPECT_GT(high, 0.98);
      EXPECT_NEAR(sum / 4096, 0, 0.05);
    } else {
      bool isSigned = type != FwElementI1 && type != FwElementIndex;
      EXPECT_EQ(low, isSigned ? -8 : 0) << fwElementName(type);
      EXPECT_EQ(high, type == FwElementI1 ? 1 : 7) << fwElementName(type);
    }
  }
}

TEST(GeneratorTest, seedsAndArgumentsDiffer) {
  EntryParameter parameter = makeParameter({16}, FwElementF32);
  ArgumentBuffer a(parameter), b(parameter), c(parameter);
  a.fill(1, 0);
  b.fill(1, 1);
  c.fill(2, 0);
  EXPECT_NE(ArrayRef<char>(a.getBytes()), ArrayRef<char>(b.getBytes()));
  EXPECT_NE(ArrayRef<char>(a.getBytes()), ArrayRef<char>(c.getBytes()));
}

TEST(HalfTest, decodingIsExact) {
  EXPECT_EQ(fwDecodeF16(0x3c00), 1.0);
  EXPECT_EQ(fwDecodeF16(0xc000), -2.0);
  EXPECT_EQ(fwDecodeF16(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(fwDecodeF16(0x8400), -std::ldexp(1.0, -14));
  EXPECT_EQ(fwDecodeF16(0x7bff), 65504.0);
  EXPECT_EQ(fwDecodeF16(0x7c00), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(fwDecodeF16(0xfe00)));
  EXPECT_EQ(fwDecodeBF16(0x3f80), 1.0);
  EXPECT_EQ(fwDecodeBF16(0xff80), -std::numeric_limits<double>::infinity());
}

TEST(HalfTest, runtimeConversionsRoundToNearestEven) {
  // All values of both formats survive the way through f32.
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double half = fwDecodeF16(bits), brain = fwDecodeBF16(bits);
    if (!std::isnan(half)) {
      EXPECT_EQ(truncateToF16(half), bits);
      EXPECT_EQ(extendF16(bits), half);
    }
    if (!std::isnan(brain)) {
      EXPECT_EQ(truncateToBF16(brain), bits);
    }
  }
  // Ties go to the even neighbour; just above a tie goes up.
  EXPECT_EQ(truncateToF16(1.0 + 0x1p-11), 0x3c00);
  EXPECT_EQ(truncateToF16(1.0 + 0x3p-11), 0x3c02);
  EXPECT_EQ(truncateToF16(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(truncateToF16(65519.0), 0x7bff);
  EXPECT_EQ(truncateToF16(65520.0), 0x7c00);
  EXPECT_EQ(truncateToF16(-0x1p-25), 0x8000);
  EXPECT_EQ(truncateToF16(0x1.8p-25), 0x0001);
  EXPECT_EQ(truncateToF16(0x1p-26), 0x0000);
  EXPECT_EQ(truncateToF16(0x1.ffep-15), 0x0400);
  EXPECT_EQ(truncateToBF16(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_EQ(truncateToBF16(1.0f + 0x3p-8f), 0x3f82);
  EXPECT_EQ(truncateToBF16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_GT(truncateToF16(std::nan("")) & 0x3ff, 0);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {
template <typename T>
FwComparison compare(FwElementType type, std::vector<T> expected,
                     std::vector<T> actual, double tolerance = -1) {
  return fwCompare(type, expected.size(), expected.data(), actual.data(),
                   tolerance);
}
constexpr float quietNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
} // namespace

TEST(CompareTest, errorsAreRelativeToElementOrRootMeanSquare) {
  // rms of 3, 4, 0, 0 is 2.5.
  FwComparison result =
      compare<float>(FwElementF32, {3, 4, 0, 0}, {3, 4.5, 0.25, 0}, 0.12);
  EXPECT_EQ(result.maxAbsolute, 0.5);
  EXPECT_EQ(result.maxRelative, 0.125);
  EXPECT_EQ(result.worst, 1u);
  EXPECT_EQ(result.expected, 4);
  EXPECT_EQ(result.actual, 4.5);
  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_EQ(result.tolerance, 0.12);
  EXPECT_EQ(compare<float>(FwElementF32, {3, 4, 0, 0}, {3, 4.5, 0.25, 0}, 0.125)
                .mismatches,
            0u);
}

TEST(CompareTest, defaultTolerances) {
  EXPECT_EQ(fwDefaultTolerance(FwElementF16), std::ldexp(1, -6));
  EXPECT_EQ(fwDefaultTolerance(FwElementBF16), std::ldexp(1, -4));
  EXPECT_EQ(fwDefaultTolerance(FwElementF32), std::ldexp(1, -13));
  EXPECT_EQ(fwDefaultTolerance(FwElementF64), std::ldexp(1, -36));
  EXPECT_EQ(fwDefaultTolerance(FwElementI32), 0);
  float within = 1 + std::ldexp(1, -13), beyond = 1 + std::ldexp(1.5, -13);
  EXPECT_EQ(compare<float>(FwElementF32, {1}, {within}).mismatches, 0u);
  EXPECT_EQ(compare<float>(FwElementF32, {1}, {beyond}).mismatches, 1u);
}

TEST(CompareTest, notANumber) {
  EXPECT_EQ(
      compare<float>(FwElementF32, {quietNaN, 1}, {-quietNaN, 1}).mismatches,
      0u);
  EXPECT_EQ(compare<float>(FwElementF32, {1, 1}, {quietNaN, 1}).mismatches, 1u);
  EXPECT_EQ(compare<float>(FwElementF32, {quietNaN, 1}, {1, 1}).mismatches, 1u);
  EXPECT_EQ(compare<float>(FwElementF32, {infinity}, {infinity}).mismatches,
            0u);
  EXPECT_EQ(compare<float>(FwElementF32, {infinity}, {-infinity}).mismatches,
            1u);
  FwComparison result =
      compare<float>(FwElementF32, {2, 1}, {2, quietNaN}, 1e30);
  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_EQ(result.maxAbsolute, infinity);
  EXPECT_EQ(result.worst, 1u);
}

TEST(CompareTest, zeros) {
  EXPECT_EQ(compare<float>(FwElementF32, {0, 0}, {-0.0f, 0}).maxRelative, 0);
  FwComparison result = compare<float>(FwElementF32, {0, 0}, {0, 1e-30f});
  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_EQ(result.maxRelative, infinity);
  EXPECT_EQ(compare<float>(FwElementF32, {}, {}).mismatches, 0u);
}

TEST(CompareTest, integersAreExact) {
  EXPECT_EQ(compare<int32_t>(FwElementI32, {5, -6}, {5, -6}).mismatches, 0u);
  EXPECT_EQ(compare<int32_t>(FwElementI32, {5, -6}, {5, -7}).mismatches, 1u);
  EXPECT_EQ(compare<int32_t>(FwElementI32, {5, -6}, {5, -7}, 0.5).mismatches,
            0u);
  // The same double, but not the same number.
  int64_t large = (int64_t(1) << 60) + 1;
  EXPECT_EQ(compare<int64_t>(FwElementI64, {large}, {large + 1}).mismatches,
            1u);
}

TEST(CompareTest, kernelsThatRoundMoreAreHeldToLess) {
  EXPECT_EQ(fwTolerance(FwElementF32, -1, 0), fwDefaultTolerance(FwElementF32));
  EXPECT_EQ(fwTolerance(FwElementF32, -1, 1.0 / 256), 1.0 / 256);
  EXPECT_EQ(fwTolerance(FwElementF16, -1, 1.0 / 256),
            fwDefaultTolerance(FwElementF16));
  EXPECT_EQ(fwTolerance(FwElementI32, -1, 1.0 / 256), 0);
  EXPECT_EQ(fwTolerance(FwElementF32, 0, 1.0 / 256), 0);
}

TEST(CompareTest, poisonIsNeverAResult) {
  for (FwElementType type : allTypes) {
    EntryParameter parameter = makeParameter({64}, type);
    ArgumentBuffer expected(parameter), actual(parameter);
    expected.fill(1, 0);
    actual.poison();
    EXPECT_EQ(compareBuffers(expected, actual, -1).errors.mismatches, 64u)
        << fwElementName(type);
  }
}

TEST(CompareTest, reportNamesTheWorstElement) {
  EntryParameter parameter = makeParameter({2, 3}, FwElementI32);
  ArgumentBuffer expected(parameter), actual(parameter);
  expected.fill(1, 0);
  actual.copyFrom(expected);
  ResultComparison same = compareBuffers(expected, actual, -1);
  EXPECT_TRUE(same.passed());
  reinterpret_cast<int32_t *>(actual.getBytes().data())[4] = 1000;
  reinterpret_cast<int32_t *>(expected.getBytes().data())[4] = 1;
  ResultComparison different = compareBuffers(expected, actual, -1);
  EXPECT_THAT(different.getWorstIndices(), ElementsAre(1, 1));
  std::string text;
  llvm::raw_string_ostream os(text);
  different.print(os);
  EXPECT_NE(text.find("x 2x3xi32: largest error 999 absolute"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("mismatch\n  1 of 6 elements differ, most at [1, 1]: "
                      "1000 instead of 1\n"),
            std::string::npos)
      << text;
}

//===----------------------------------------------------------------------===//
// NumPy files
//===----------------------------------------------------------------------===//

namespace {
class NpyTest : public ProgramFixture {
protected:
  /// A file of format version `major` with `header` and `data`.
  static std::string makeFile(StringRef header, StringRef data,
                              char major = 1) {
    std::string file = "\x93NUMPY";
    file += {major, 0};
    for (unsigned i = 0; i < (major == 1 ? 2u : 4u); ++i)
      file.push_back(static_cast<char>(header.size() >> (8 * i)));
    return file + header.str() + data.str();
  }

  LogicalResult read(StringRef file, ArrayRef<int64_t> shape,
                     FwElementType type) {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("formwork", "npy", path));
    llvm::FileRemover remover(path);
    {
      std::error_code error;
      llvm::raw_fd_ostream os(path, error);
      os << file;
    }
    parameter = makeParameter(shape, type);
    bytes.assign(parameter.getByteSize(), 'u');
    return readNpy(path, parameter, bytes, UnknownLoc::get(&context));
  }

  EntryParameter parameter;
  std::vector<char> bytes;
};
} // namespace

TEST_F(NpyTest, readsAllVersions) {
  StringRef header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }      \n";
  StringRef data("\0\0\x80\x3f\0\0\0\xc0", 8);
  for (char major : {1, 2, 3}) {
    ASSERT_TRUE(
        succeeded(read(makeFile(header, data, major), {2, 1}, FwElementF32)));
    EXPECT_EQ(fwLoad(FwElementF32, bytes.data(), 0), 1.0);
    EXPECT_EQ(fwLoad(FwElementF32, bytes.data(), 1), -2.0);
  }
}

TEST_F(NpyTest, readsScalarsVectorsAndFortranOrderOfOneDimension) {
  EXPECT_TRUE(succeeded(
      read(makeFile("{'descr':'<i8','fortran_order':False,'shape':()}",
                    StringRef("\x05\0\0\0\0\0\0\0", 8)),
           {}, FwElementIndex)));
  EXPECT_EQ(fwLoad(FwElementIndex, bytes.data(), 0), 5);
  EXPECT_TRUE(succeeded(read(makeFile("{'shape': (3,), \"descr\": \"|b1\", "
                                      "'fortran_order': True}",
                                      StringRef("\1\0\1", 3)),
                             {3}, FwElementI1)));
  EXPECT_THAT(bytes, ElementsAre(1, 0, 1));
  EXPECT_TRUE(succeeded(
      read(makeFile("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }",
                    StringRef("\x80\x3f", 2)),
           {1}, FwElementBF16)));
}

TEST_F(NpyTest, readsIntegersWithAndWithoutSign) {
  for (StringRef descr : {"<i4", "<u4"}) {
    std::string header = "{'descr': '" + descr.str() +
                         "', 'fortran_order': False, 'shape': (1,), }";
    ASSERT_TRUE(
        succeeded(read(makeFile(header, StringRef("\xfe\xff\xff\xff", 4)), {1},
                       FwElementI32)));
    EXPECT_EQ(fwLoad(FwElementI32, bytes.data(), 0), -2.0);
  }
}

TEST_F(NpyTest, refusesWhatDoesNotFit) {
  auto header = [](StringRef descr, StringRef order, StringRef shape) {
    return ("{'descr': '" + descr + "', 'fortran_order': " + order +
            ", 'shape': " + shape + ", }")
        .str();
  };
  std::string data(16, '\1');
  struct Case {
    std::string file, message;
  };
  Case cases[] = {
      {makeFile(header("<f8", "False", "(2, 2)"), data),
       "requires elements of type '<f4' for 'x' but"},
      {makeFile(header(">f4", "False", "(2, 2)"), data), "has '>f4'"},
      {makeFile(header("<f4", "False", "(4,)"), data),
       "requires shape (2, 2) for 'x' but"},
      {makeFile(header("<f4", "False", "()"), data), "has ()"},
      {makeFile(header("<f4", "True", "(2, 2)"), data),
       "requires C order for 'x' but"},
      {makeFile(header("<f4", "False", "(2, 2)"), data + "x"),
       "requires 16 bytes of elements but"},
      {makeFile(header("<f4", "False", "(2, 2)"), ""), "has 0"}};
  for (const Case &test : cases) {
    diagnostics.clear();
    EXPECT_TRUE(failed(read(test.file, {2, 2}, FwElementF32)));
    EXPECT_TRUE(hasDiagnostic(test.message)) << test.message << "\n"
                                             << llvm::join(diagnostics, "\n");
    EXPECT_THAT(bytes, Each('u'));
  }
  diagnostics.clear();
  EXPECT_TRUE(failed(read(makeFile(header("|b1", "False", "(2,)"), "\1\2"), {2},
                          FwElementI1)));
  EXPECT_TRUE(hasDiagnostic("requires booleans of 0 or 1"));
}

TEST_F(NpyTest, refusesWhatIsNotInTheFormat) {
  std::string good =
      makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
               std::string(8, '\0'));
  ASSERT_TRUE(succeeded(read(good, {2}, FwElementF32)));
  std::vector<std::string> bad = {
      "",
      "\x93NUMPY",
      "not an array at all",
      makeFile("", ""),
      makeFile("{", ""),
      makeFile("{}", ""),
      makeFile("{'descr': '<f4'}", ""),
      makeFile("{'descr': '<f4', 'descr': '<f4'}", ""),
      makeFile("{'shape': (-2,)}", ""),
      makeFile("{'shape': (99999999999999999999,)}", ""),
      makeFile("{'descr': '<f4', 'fortran_order': "
               "False, 'shape': (2,), } x",
               std::string(8, '\0'))};
  std::string version = good;
  version[6] = 9;
  bad.push_back(version);
  // Every prefix that stops in the header.
  for (size_t length = 0; length < good.size() - 8; ++length)
    bad.push_back(good.substr(0, length));
  for (const std::string &file : bad) {
    diagnostics.clear();
    EXPECT_TRUE(failed(read(file, {2}, FwElementF32))) << file;
    EXPECT_TRUE(hasDiagnostic("has no valid header [fw-input-malformed]"))
        << file;
  }
}

TEST_F(NpyTest, refusesWhatIsNotThere) {
  parameter = makeParameter({1}, FwElementF32);
  bytes.assign(4, 'u');
  EXPECT_TRUE(failed(readNpy("/nowhere/at/all.npy", parameter, bytes,
                             UnknownLoc::get(&context))));
  EXPECT_TRUE(hasDiagnostic("cannot read input '/nowhere/at/all.npy'"));
  EXPECT_TRUE(hasDiagnostic("[fw-input-unreadable]"));
}
