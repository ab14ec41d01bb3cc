//===- TensorCore.h - What a warp computes on matrices ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mma.sync`, `ldmatrix` and `stmatrix` on the registers of the 32 lanes of a
// warp. Layer: transforms. Pure functions; they know nothing of threads, of
// memory, or of how lanes meet.
//
// A *fragment* is the part of a matrix that one lane holds, as 32-bit words. A
// matrix instruction takes the words of its operands one after the other (A, B,
// C) and leaves those of its result at the start of the same storage.
//
// The arithmetic is our choice where the PTX ISA leaves it open: products are
// exact; each result starts with the element of C and adds the products in the
// order of k, in f32, rounding to nearest even after each addition. A result in
// f16 is rounded once, at the end. Subnormal numbers are kept. The low 13
// bits of a tf32 operand are ignored, so kernels have to round explicitly.
//
// Source: PTX ISA, "Matrix fragments for mma.m16n8k…", "ldmatrix", "stmatrix".
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_TENSORCORE_H
#define FORMWORK_TRANSFORMS_EMULATE_TENSORCORE_H

#include "transforms/emulate/Warp.h"

#include <array>
#include <cstdint>

namespace formwork::transforms::emulate {

/// A matrix instruction, small enough to be an operand of prepared code.
struct MatrixOp {
  enum class Kind : uint8_t { Multiply, Load, Store };
  enum class Type : uint8_t { F16, BF16, TF32, F32 };

  Kind kind = Kind::Multiply;
  /// The types of A and B, and of C and D.
  Type input = Type::F16, accumulator = Type::F32;
  /// The last of the three extents of a multiplication; the others are 16, 8.
  uint8_t k = 0;
  /// How many 8 × 8 matrices are loaded or stored.
  uint8_t count = 0;
  bool transposed = false;

  static MatrixOp multiply(Type input, Type accumulator, uint8_t k) {
    return {Kind::Multiply, input, accumulator, k, 0, false};
  }
  static MatrixOp load(uint8_t count, bool transposed) {
    return {Kind::Load, Type::F16, Type::F16, 0, count, transposed};
  }
  static MatrixOp store(uint8_t count, bool transposed) {
    return {Kind::Store, Type::F16, Type::F16, 0, count, transposed};
  }

  /// The operation as one number, and back.
  uint32_t encode() const;
  static MatrixOp decode(uint32_t code);

  unsigned getNumWordsA() const { return k / getElementsPerWord() / 2; }
  unsigned getNumWordsB() const { return k / getElementsPerWord() / 4; }
  unsigned getElementsPerWord() const { return input == Type::TF32 ? 1 : 2; }
};

/// The largest number of words of the operands of an instruction.
inline constexpr unsigned maxFragmentWords = 12;

/// The storage of each lane's words.
using Fragments = std::array<uint32_t *, warpSize>;

/// Performs `op` for a whole warp, in place.
///
/// Multiply: takes the words of A, B and C, leaves those of D.
/// Load: lane 8 i + r holds row r of matrix i, 16 bytes; afterwards every lane
/// holds one word of each matrix.
/// Store: the inverse.
void applyMatrixOp(MatrixOp op, const Fragments &fragments);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_TENSORCORE_H
