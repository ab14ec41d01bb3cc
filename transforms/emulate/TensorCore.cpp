//===- TensorCore.cpp - What a warp computes on matrices ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/TensorCore.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>

// The loops below are compiled for processors with fused multiplication and
// for all others, and the right one is chosen when the program is loaded.
#if defined(__x86_64__) && defined(__clang__) && defined(__linux__)
#define FORMWORK_FAST_FMA                                                      \
  __attribute__((target_clones("arch=haswell", "default")))
#else
#define FORMWORK_FAST_FMA
#endif

namespace formwork::transforms::emulate {

using Type = MatrixOp::Type;
using Kind = MatrixOp::Kind;

static constexpr unsigned rows = 16, columns = 8, maxDepth = 16;

uint32_t MatrixOp::encode() const {
  return uint32_t(kind) | uint32_t(input) << 2 | uint32_t(accumulator) << 4 |
         uint32_t(transposed) << 6 | uint32_t(k) << 8 | uint32_t(count) << 16;
}

MatrixOp MatrixOp::decode(uint32_t code) {
  return {Kind(code & 3),
          Type(code >> 2 & 3),
          Type(code >> 4 & 3),
          uint8_t(code >> 8 & 255),
          uint8_t(code >> 16 & 255),
          (code >> 6 & 1) != 0};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Exact for every value.
static float fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t rest = uint32_t(bits & 0x7FFF) << 13;
  if (rest >= 0x7C00u << 13)
    return llvm::bit_cast<float>(sign | 0x7F800000u | rest);
  return llvm::bit_cast<float>(
      sign | llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(rest) * 0x1p112f));
}

/// Element `i` of a word of the type `type`.
static float unpack(Type type, uint32_t word, unsigned i) {
  switch (type) {
  case Type::F16:
    return fromF16(word >> 16 * i & 0xFFFF);
  case Type::BF16:
    return llvm::bit_cast<float>((word >> 16 * i & 0xFFFF) << 16);
  case Type::TF32:
    return llvm::bit_cast<float>(word & ~uint32_t(0x1FFF));
  case Type::F32:
    break;
  }
  return llvm::bit_cast<float>(word);
}

static uint16_t toF16(float value) {
  return llvm::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

//===----------------------------------------------------------------------===//
// Multiplication
//===----------------------------------------------------------------------===//

namespace {
/// The operands of a warp as matrices.
struct Matrices {
  float a[rows][maxDepth], b[maxDepth][columns], c[rows][columns];
};
} // namespace

FORMWORK_FAST_FMA
static void multiply(Matrices &m, unsigned depth) {
  for (unsigned row = 0; row != rows; ++row) {
    float sums[columns];
    std::memcpy(sums, m.c[row], sizeof sums);
    for (unsigned k = 0; k != depth; ++k) {
      float a = m.a[row][k];
#pragma clang loop vectorize(enable)
      for (unsigned column = 0; column != columns; ++column)
        sums[column] = std::fmaf(a, m.b[k][column], sums[column]);
    }
    std::memcpy(m.c[row], sums, sizeof sums);
  }
}

static void applyMultiply(MatrixOp op, const Fragments &fragments) {
  Matrices m;
  unsigned perWord = op.getElementsPerWord();
  unsigned wordsA = op.getNumWordsA(), wordsB = op.getNumWordsB();
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    unsigned group = lane / 4, member = lane % 4;
    const uint32_t *words = fragments[lane];
    for (unsigned word = 0; word != wordsA; ++word)
      for (unsigned i = 0; i != perWord; ++i)
        m.a[group + 8 * (word % 2)][(word / 2 * 4 + member) * perWord + i] =
            unpack(op.input, words[word], i);
    words += wordsA;
    for (unsigned word = 0; word != wordsB; ++word)
      for (unsigned i = 0; i != perWord; ++i)
        m.b[(word * 4 + member) * perWord + i][group] =
            unpack(op.input, words[word], i);
    words += wordsB;
    for (unsigned i = 0; i != 4; ++i)
      m.c[group + 8 * (i / 2)][member * 2 + i % 2] =
          op.accumulator == Type::F16 ? unpack(Type::F16, words[i / 2], i % 2)
                                      : unpack(Type::F32, words[i], 0);
  }
  multiply(m, op.k);
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    unsigned group = lane / 4, member = lane % 4;
    uint32_t *words = fragments[lane];
    for (unsigned half = 0; half != 2; ++half) {
      const float *pair = &m.c[group + 8 * half][member * 2];
      if (op.accumulator == Type::F16) {
        words[half] = toF16(pair[0]) | uint32_t(toF16(pair[1])) << 16;
      } else {
        words[2 * half] = llvm::bit_cast<uint32_t>(pair[0]);
        words[2 * half + 1] = llvm::bit_cast<uint32_t>(pair[1]);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Element (row, column) of the matrix `i` is at the same place of the lane's
/// row buffer that `ldmatrix` fills and `stmatrix` empties.
static void applyTransfer(MatrixOp op, const Fragments &fragments) {
  uint16_t matrices[4][8][8];
  auto getRow = [&](unsigned i, unsigned row) {
    return fragments[8 * i + row];
  };
  // A lane's word of a matrix: two elements of a row or, transposed, a column.
  auto getElement = [&](unsigned i, unsigned lane, unsigned j) -> uint16_t & {
    unsigned major = lane / 4, minor = lane % 4 * 2 + j;
    return op.transposed ? matrices[i][minor][major]
                         : matrices[i][major][minor];
  };
  if (op.kind == Kind::Load) {
    for (unsigned i = 0; i != op.count; ++i)
      for (unsigned row = 0; row != 8; ++row)
        std::memcpy(matrices[i][row], getRow(i, row), 16);
    for (unsigned i = 0; i != op.count; ++i)
      for (unsigned lane = 0; lane != warpSize; ++lane)
        fragments[lane][i] =
            getElement(i, lane, 0) | uint32_t(getElement(i, lane, 1)) << 16;
    return;
  }
  for (unsigned i = 0; i != op.count; ++i)
    for (unsigned lane = 0; lane != warpSize; ++lane)
      for (unsigned j = 0; j != 2; ++j)
        getElement(i, lane, j) = uint16_t(fragments[lane][i] >> 16 * j);
  for (unsigned i = 0; i != op.count; ++i)
    for (unsigned row = 0; row != 8; ++row)
      std::memcpy(getRow(i, row), matrices[i][row], 16);
}

void applyMatrixOp(MatrixOp op, const Fragments &fragments) {
  if (op.kind == Kind::Multiply)
    applyMultiply(op, fragments);
  else
    applyTransfer(op, fragments);
}

} // namespace formwork::transforms::emulate
