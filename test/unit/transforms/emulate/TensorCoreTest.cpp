//===- TensorCoreTest.cpp - Matrix instructions of a warp -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of fragments are stated here once more, element by element, as
// the PTX ISA states them.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <numeric>
#include <random>

using namespace formwork::transforms::emulate;
using llvm::APFloat;

namespace {

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

using Matrix = std::vector<std::vector<float>>;

struct Element {
  unsigned row, column;
};

struct Shape {
  std::string intrinsic;
  unsigned k;
  enum { F16, BF16, TF32 } input;
  bool f16Accumulator = false;

  unsigned elementsPerWord() const { return input == TF32 ? 1 : 2; }
  unsigned elementsA() const { return 16 * k / 32; }
  unsigned elementsB() const { return 8 * k / 32; }
};

/// Element i of lane's fragment of A. Source: PTX ISA, m16n8k4/k8/k16.
Element getA(const Shape &shape, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, member = lane % 4;
  if (shape.input == Shape::TF32)
    return {i == 0 || i == 2 ? group : group + 8, i < 2 ? member : member + 4};
  if (shape.k == 8)
    return {i < 2 ? group : group + 8, member * 2 + (i & 1)};
  return {i < 2 || (i >= 4 && i < 6) ? group : group + 8,
          i < 4 ? member * 2 + (i & 1) : member * 2 + (i & 1) + 8};
}

Element getB(const Shape &shape, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, member = lane % 4;
  if (shape.input == Shape::TF32)
    return {i == 0 ? member : member + 4, group};
  return {member * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
}

Element getC(unsigned lane, unsigned i) {
  unsigned group = lane >> 2, member = lane % 4;
  return {i < 2 ? group : group + 8, member * 2 + (i & 1)};
}

uint32_t encode(const Shape &shape, float value) {
  if (shape.input == Shape::TF32)
    return llvm::bit_cast<uint32_t>(value);
  return toBits(shape.input == Shape::F16 ? APFloat::IEEEhalf()
                                          : APFloat::BFloat(),
                value);
}

float fromF16(uint32_t bits) {
  APFloat number(APFloat::IEEEhalf(), llvm::APInt(16, bits & 0xFFFF));
  bool lost;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  return number.convertToFloat();
}

/// A kernel that performs the instruction on 12 words of each lane in %in and
/// stores up to 4 words in %out.
std::string multiplyKernel(const Shape &shape) {
  std::string input = shape.input == Shape::F16 ? "<2 x half>" : "i32";
  std::string result = shape.f16Accumulator ? "<2 x half>" : "float";
  unsigned numC = shape.f16Accumulator ? 2 : 4;
  std::vector<std::string> types(
      (shape.elementsA() + shape.elementsB()) / shape.elementsPerWord(), input);
  types.insert(types.end(), numC, result);
  std::string resultType =
      "{ " + llvm::join(std::vector<std::string>(numC, result), ", ") + " }";
  std::string text = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare " +
                     resultType + " @llvm.nvvm.mma." + shape.intrinsic + "(" +
                     llvm::join(types, ", ") + R"()
    define ptx_kernel void @k(ptr %in, ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %from = mul i32 %t, 12
      %to = mul i32 %t, 4
      %a = getelementptr i32, ptr %in, i32 %from
      %d = getelementptr i32, ptr %out, i32 %to
)";
  std::string operands;
  for (auto [i, type] : llvm::enumerate(types)) {
    text += llvm::formatv("%p{0} = getelementptr i32, ptr %a, i32 {0}\n"
                          "%v{0} = load {1}, ptr %p{0}\n",
                          i, type);
    operands += llvm::formatv("{0}{1} %v{2}", i == 0 ? "" : ", ", type, i);
  }
  text += "%r = call " + resultType + " @llvm.nvvm.mma." + shape.intrinsic +
          "(" + operands + ")\n";
  for (unsigned i = 0; i != numC; ++i)
    text += llvm::formatv("%e{0} = extractvalue {1} %r, {0}\n"
                          "%q{0} = getelementptr i32, ptr %d, i32 {0}\n"
                          "store {2} %e{0}, ptr %q{0}\n",
                          i, resultType, result);
  return text + "ret void\n}";
}

/// The emulator's result for a × b + c.
Matrix multiply(const Shape &shape, const Matrix &a, const Matrix &b,
                const Matrix &c, std::optional<uint64_t> seed = std::nullopt) {
  auto module = load(multiplyKernel(shape));
  if (!module)
    return {};
  std::vector<uint32_t> in(32 * 12), out(32 * 4);
  for (unsigned lane = 0; lane != 32; ++lane) {
    uint32_t *words = &in[lane * 12];
    unsigned perWord = shape.elementsPerWord();
    auto put = [&](unsigned i, uint32_t bits) {
      words[i / perWord] |= bits << 16 * (i % perWord);
    };
    for (unsigned i = 0; i != shape.elementsA(); ++i) {
      Element at = getA(shape, lane, i);
      put(i, encode(shape, a[at.row][at.column]));
    }
    words += shape.elementsA() / perWord;
    for (unsigned i = 0; i != shape.elementsB(); ++i) {
      Element at = getB(shape, lane, i);
      put(i, encode(shape, b[at.row][at.column]));
    }
    words += shape.elementsB() / perWord;
    for (unsigned i = 0; i != 4; ++i) {
      Element at = getC(lane, i);
      float value = c[at.row][at.column];
      if (shape.f16Accumulator)
        words[i / 2] |= toBits(APFloat::IEEEhalf(), value) << 16 * (i % 2);
      else
        words[i] = llvm::bit_cast<uint32_t>(value);
    }
  }
  EXPECT_TRUE(
      launch(*module, {1, 1, 1}, {32, 1, 1}, {in.data(), out.data()}, seed)
          .ok());
  Matrix d(16, std::vector<float>(8));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != 4; ++i) {
      Element at = getC(lane, i);
      d[at.row][at.column] =
          shape.f16Accumulator ? fromF16(out[lane * 4 + i / 2] >> 16 * (i % 2))
                               : llvm::bit_cast<float>(out[lane * 4 + i]);
    }
  return d;
}

const std::vector<Shape> &allShapes() {
  static const std::vector<Shape> shapes{
      {"m16n8k8.row.col.f16.f16", 8, Shape::F16, true},
      {"m16n8k16.row.col.f16.f16", 16, Shape::F16, true},
      {"m16n8k8.row.col.f32.f32", 8, Shape::F16},
      {"m16n8k16.row.col.f32.f32", 16, Shape::F16},
      {"m16n8k8.row.col.bf16", 8, Shape::BF16},
      {"m16n8k16.row.col.bf16", 16, Shape::BF16},
      {"m16n8k4.row.col.tf32", 4, Shape::TF32},
      {"m16n8k8.row.col.tf32", 8, Shape::TF32}};
  return shapes;
}

Matrix fill(unsigned rows, unsigned columns, float value) {
  return Matrix(rows, std::vector<float>(columns, value));
}

TEST(TensorCore, EveryShapeMultipliesMatrices) {
  std::mt19937 random(7);
  for (const Shape &shape : allShapes()) {
    Matrix a = fill(16, shape.k, 0), b = fill(shape.k, 8, 0),
           c = fill(16, 8, 0);
    // Sums of such numbers are exact in every format.
    for (Matrix *matrix : {&a, &b, &c})
      for (auto &row : *matrix)
        for (float &element : row)
          element = int(random() % 9) - 4;
    Matrix d = multiply(shape, a, b, c, 3);
    for (unsigned row = 0; row != 16; ++row)
      for (unsigned column = 0; column != 8; ++column) {
        float expected = c[row][column];
        for (unsigned k = 0; k != shape.k; ++k)
          expected += a[row][k] * b[k][column];
        EXPECT_EQ(d[row][column], expected)
            << shape.intrinsic << " at " << row << ", " << column;
      }
  }
}

TEST(TensorCore, SumsRoundInTheOrderOfK) {
  for (const Shape &shape : allShapes()) {
    // To 2^24, or 2048 in f16, one is added at a time and each time lost.
    Matrix a = fill(16, shape.k, 1), b = fill(shape.k, 8, 1);
    if (!shape.f16Accumulator) {
      Matrix d = multiply(shape, a, b, fill(16, 8, 0x1p24f));
      EXPECT_EQ(d[0][0], 0x1p24f) << shape.intrinsic;
      continue;
    }
    // A result in f16 is rounded once: 2048 + 8 is exact in f32.
    Matrix d = multiply(shape, a, b, fill(16, 8, 2048));
    EXPECT_EQ(d[0][0], 2048 + float(shape.k)) << shape.intrinsic;
  }
}

TEST(TensorCore, ProductsAreExact) {
  Shape shape{"m16n8k8.row.col.bf16", 8, Shape::BF16};
  // The products underflow in f32 unless they are part of the addition:
  // 2^-100 * 2^-30 is lost, 2^-100 * 2^-26 reaches the last place of 2^-103.
  Matrix a = fill(16, 8, 0), b = fill(8, 8, 0);
  a[0][0] = 0x1p-100f;
  b[0][0] = 0x1.8p-30f;
  b[0][1] = 0x1p-26f;
  Matrix d = multiply(shape, a, b, fill(16, 8, 0x1p-103f));
  EXPECT_EQ(d[0][0], 0x1p-103f);
  EXPECT_EQ(d[0][1], 0x1p-103f + 0x1p-126f);
  // Subnormal f16 numbers count.
  Shape half{"m16n8k8.row.col.f32.f32", 8, Shape::F16};
  a[0][0] = 0x1p-24f;
  b[0][0] = 0x1p-24f;
  d = multiply(half, a, b, fill(16, 8, 0));
  EXPECT_EQ(d[0][0], 0x1p-48f);
}

TEST(TensorCore, TheLowBitsOfTf32AreIgnored) {
  Shape shape{"m16n8k4.row.col.tf32", 4, Shape::TF32};
  Matrix a = fill(16, 4, 0), b = fill(4, 8, 1);
  a[0][0] = 0x1.002p0f; // the last bit that counts is 2^-10
  a[1][0] = 0x1.004p0f;
  Matrix d = multiply(shape, a, b, fill(16, 8, 0));
  EXPECT_EQ(d[0][0], 1.0f);
  EXPECT_EQ(d[1][0], 0x1.004p0f);
}

TEST(TensorCore, RoundingToTf32) {
  auto module = load(R"(
    declare i32 @llvm.nvvm.f2tf32.rna(float)
    declare i32 @llvm.nvvm.f2tf32.rn(float)
    declare i32 @llvm.nvvm.f2tf32.rz(float)
    define ptx_kernel void @k(ptr %in, ptr %out) {
      %v = load float, ptr %in
      %a = call i32 @llvm.nvvm.f2tf32.rna(float %v)
      %b = call i32 @llvm.nvvm.f2tf32.rn(float %v)
      %c = call i32 @llvm.nvvm.f2tf32.rz(float %v)
      %q = getelementptr i32, ptr %out, i32 1
      %r = getelementptr i32, ptr %out, i32 2
      store i32 %a, ptr %out
      store i32 %b, ptr %q
      store i32 %c, ptr %r
      ret void
    })");
  ASSERT_TRUE(module);
  auto round = [&](float value) {
    std::vector<float> out(3);
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {1, 1, 1}, {&value, out.data()}).ok());
    return out;
  };
  EXPECT_EQ(round(0x1.002p0f), (std::vector<float>{0x1.004p0f, 1, 1}));
  EXPECT_EQ(round(0x1.006p0f),
            (std::vector<float>{0x1.008p0f, 0x1.008p0f, 0x1.004p0f}));
  EXPECT_EQ(round(-0x1.003p0f),
            (std::vector<float>{-0x1.004p0f, -0x1.004p0f, -1}));
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(round(infinity), std::vector<float>(3, infinity));
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

/// Writes 2 * i to element i of four 8 × 8 matrices of i16 in workgroup memory,
/// which lie one after the other with rows of `stride` elements, then runs
/// `body` with the address %a of the lane's row.
std::string transferKernel(const std::string &body, unsigned stride = 8) {
  return llvm::formatv(R"(
    @w = internal addrspace(3) global [{1} x i16] poison, align 16
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier0()
    declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
    declare {{ i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
    declare {{ i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
    declare {{ i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
    declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
    define ptx_kernel void @k(ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %start = mul i32 %t, {0}
      %a = getelementptr i16, ptr addrspace(3) @w, i32 %start
      %d = getelementptr [4 x i32], ptr %out, i32 %t
      br label %fill
    fill:
      %i = phi i32 [ 0, %0 ], [ %n, %fill ]
      %at = getelementptr i16, ptr addrspace(3) %a, i32 %i
      %x = mul i32 %t, 8
      %y = add i32 %x, %i
      %z = trunc i32 %y to i16
      store i16 %z, ptr addrspace(3) %at
      %n = add i32 %i, 1
      %more = icmp ult i32 %n, 8
      br i1 %more, label %fill, label %go
    go:
      call void @llvm.nvvm.barrier0()
      )",
                       stride, 32 * stride)
             .str() +
         body + "\nret void\n}";
}

std::string loadFour(const std::string &trans) {
  std::string text = "%v = call { i32, i32, i32, i32 } "
                     "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4." +
                     trans + "b16.p3(ptr addrspace(3) %a)\n";
  for (unsigned i = 0; i != 4; ++i)
    text += llvm::formatv(
        "%e{0} = extractvalue {{ i32, i32, i32, i32 } %v, {0}\n"
        "%q{0} = getelementptr i32, ptr %d, i32 {0}\nstore i32 %e{0}, ptr "
        "%q{0}\n",
        i);
  return text;
}

/// Element (row, column) of matrix i, as transferKernel wrote it.
uint32_t number(unsigned i, unsigned row, unsigned column) {
  return 64 * i + 8 * row + column;
}

std::vector<uint32_t> runTransfer(const std::string &text) {
  std::vector<uint32_t> out(32 * 4, 0xABABABAB);
  auto module = load(text);
  if (module)
    EXPECT_TRUE(launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()}, 5).ok());
  return out;
}

TEST(TensorCore, LoadsOfMatrices) {
  for (unsigned stride : {8, 24}) {
    std::vector<uint32_t> plain =
        runTransfer(transferKernel(loadFour(""), stride));
    std::vector<uint32_t> transposed =
        runTransfer(transferKernel(loadFour("trans."), stride));
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != 4; ++i) {
        unsigned row = lane / 4, column = lane % 4 * 2;
        EXPECT_EQ(plain[lane * 4 + i],
                  number(i, row, column) | number(i, row, column + 1) << 16);
        EXPECT_EQ(transposed[lane * 4 + i],
                  number(i, column, row) | number(i, column + 1, row) << 16);
      }
  }
}

TEST(TensorCore, LoadsOfFewerMatrices) {
  // Lanes beyond the rows may have any address.
  std::string one = R"(
      %far = icmp ugt i32 %t, 7
      %any = select i1 %far, ptr addrspace(3) null, ptr addrspace(3) %a
      %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %any)
      store i32 %v, ptr %d)";
  std::vector<uint32_t> out = runTransfer(transferKernel(one));
  std::string two = R"(
      %v = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %a)
      %e = extractvalue { i32, i32 } %v, 1
      store i32 %e, ptr %d)";
  std::vector<uint32_t> second = runTransfer(transferKernel(two));
  for (unsigned lane = 0; lane != 32; ++lane) {
    unsigned row = lane / 4, column = lane % 4 * 2;
    EXPECT_EQ(out[lane * 4], number(0, row, column) | number(0, row, column + 1)
                                                          << 16);
    EXPECT_EQ(second[lane * 4],
              number(1, column, row) | number(1, column + 1, row) << 16);
  }
}

TEST(TensorCore, StoresAreInverseToLoads) {
  // Stored transposed and loaded plainly, every matrix is its transpose.
  std::string body = R"(
      %f = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %a)
      %f0 = extractvalue { i32, i32, i32, i32 } %f, 0
      %f1 = extractvalue { i32, i32, i32, i32 } %f, 1
      %f2 = extractvalue { i32, i32, i32, i32 } %f, 2
      %f3 = extractvalue { i32, i32, i32, i32 } %f, 3
      call void @llvm.nvvm.barrier0()
      call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %a, i32 %f0, i32 %f1, i32 %f2, i32 %f3)
      call void @llvm.nvvm.barrier0()
)";
  std::vector<uint32_t> out = runTransfer(transferKernel(body + loadFour("")));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != 4; ++i) {
      unsigned row = lane / 4, column = lane % 4 * 2;
      EXPECT_EQ(out[lane * 4 + i],
                number(i, column, row) | number(i, column + 1, row) << 16);
    }
}

TEST(TensorCore, RowsAreAccessesOfTheLaneThatNamesThem) {
  std::vector<uint32_t> out(64 * 4);
  // Without the barrier, lane 8 i + r reads its own row, so nothing races; the
  // row of its neighbour does.
  std::string own = transferKernel(loadFour(""));
  own.erase(own.rfind("call void @llvm.nvvm.barrier0()"), 31);
  auto module = load(own);
  ASSERT_TRUE(module);
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()}).ok());
  std::string other = own;
  size_t at = other.find("%v = call");
  other.insert(at, "%o = xor i32 %t, 1\n%os = mul i32 %o, 8\n%b = "
                   "getelementptr i16, ptr addrspace(3) @w, i32 %os\n");
  at = other.find("(ptr addrspace(3) %a)", at);
  other.replace(at, 21, "(ptr addrspace(3) %b)");
  module = load(other);
  ASSERT_TRUE(module);
  LaunchReport report = launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()});
  ASSERT_FALSE(report.races.empty());
  // A row that starts at an odd multiple of 8 bytes traps on the device.
  module = load(transferKernel(loadFour(""), 12));
  ASSERT_TRUE(module);
  report = launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()});
  ASSERT_FALSE(report.misaligned.empty());
  EXPECT_EQ(report.misaligned.front().alignment, 16u);
}

TEST(TensorCore, AllLanesHaveToBeThere) {
  std::vector<uint32_t> out(64 * 4);
  auto module = load(transferKernel(loadFour("")));
  ASSERT_TRUE(module);
  LaunchReport report = launch(*module, {1, 1, 1}, {40, 1, 1}, {out.data()});
  ASSERT_EQ(report.divergences.size(), 1u);
  EXPECT_EQ(report.divergences.front().kind,
            BarrierDivergence::Kind::PartialWarp);
  // A lane that has left.
  std::string text = transferKernel(
      "%first = icmp eq i32 %t, 3\nbr i1 %first, label %end, label "
      "%together\nend:\nret void\ntogether:\n" +
      loadFour(""));
  module = load(text);
  ASSERT_TRUE(module);
  report = launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()});
  ASSERT_EQ(report.divergences.size(), 1u);
  EXPECT_EQ(report.divergences.front().kind, BarrierDivergence::Kind::Exited);
  EXPECT_EQ(report.divergences.front().otherThread.x, 3u);
}

} // namespace
