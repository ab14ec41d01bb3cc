//===- Producer.h - The table of op families --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry an op family. To add a family, write one function that draws its
// operands from the emitter, and one line in its file's table. Test support,
// private to the generator.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_PRODUCER_H
#define FORMWORK_TEST_LIB_GENERATOR_PRODUCER_H

#include "test/lib/generator/Emitter.h"

namespace formwork::testing {

/// Sets of levels, for the table.
enum LevelMask : unsigned {
  OnLinalg = 1u << static_cast<unsigned>(Level::Linalg),
  OnLoops = 1u << static_cast<unsigned>(Level::Loops),
  OnVector = 1u << static_cast<unsigned>(Level::Vector),
  OnBuffers = 1u << static_cast<unsigned>(Level::Buffers),
  OnMixed = 1u << static_cast<unsigned>(Level::Mixed),
  OnAll = OnLinalg | OnLoops | OnVector | OnBuffers | OnMixed,
};

struct Producer {
  /// Makes ops at the insertion point, adds their results to the pool, and
  /// returns true; or returns false and has made nothing but values that others
  /// can use.
  using Run = bool (*)(Emitter &);

  llvm::StringLiteral name;
  unsigned levels;
  unsigned weight;
  Run run;
  /// The density that scales the weight, if any.
  double Densities::*density = nullptr;
  enum Needs : unsigned {
    Nothing = 0,
    Tensors = 1,
    Buffers = 2,
    /// Makes regions that hold arbitrary ops.
    Nesting = 4,
    /// Only with `GeneratorOptions::affine`.
    Affine = 8,
    /// All that it makes is free of effects, and its operands come from the
    /// pool.
    Pure = 16,
    /// The same, as long as it works on tensors.
    PureOnTensors = 32,
  };
  unsigned flags = Nothing;

  bool has(Needs flag) const { return flags & flag; }
};

using ProducerTable = llvm::SmallVectorImpl<Producer>;
void addArithProducers(ProducerTable &table);
void addPatternProducers(ProducerTable &table);
void addTensorProducers(ProducerTable &table);
void addLinalgProducers(ProducerTable &table);
void addVectorProducers(ProducerTable &table);
void addBufferProducers(ProducerTable &table);
void addControlProducers(ProducerTable &table);
void addParallelProducers(ProducerTable &table);
void addAffineProducers(ProducerTable &table);

/// A nest of `GeneratorOptions::depth` loops.
void emitSpine(Emitter &e);

/// The whole table, in a fixed order.
llvm::ArrayRef<Producer> getProducers();
/// In thousandths; 0 when `options` rule the producer out.
uint64_t getWeight(const Producer &producer, const GeneratorOptions &options);

/// Makes `count` ops on scalars or vectors of one type, beginning with `leaves`
/// (not empty), and returns the last value. Free of undefined behaviour.
mlir::Value emitExpression(Emitter &e, mlir::OpBuilder &b, mlir::Location loc,
                           llvm::ArrayRef<mlir::Value> leaves, unsigned count);

/// Offsets, sizes and strides of a random slice of a shaped value, and the
/// sizes at run time. All in bounds.
struct Slice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  llvm::SmallVector<int64_t> shape;
};
Slice pickSlice(Emitter &e, llvm::ArrayRef<int64_t> shape);

/// The same with some sizes of one, all static, and all of which the result is
/// to lack. Where one is dropped and another kept, the canonicalizer of LLVM 22
/// may take the one for the other, and make a cast that does not verify.
Slice pickRankReducingSlice(Emitter &e, llvm::ArrayRef<int64_t> shape);

/// `slice.shape`, and its sizes as a type has them, without those of size one.
struct ReducedShape {
  llvm::SmallVector<int64_t> model, type;
};
ReducedShape dropUnitSizes(const Slice &slice);

/// A `tensor.extract_slice` of `source`; not in the pool.
Entry emitExtractSlice(Emitter &e, const Entry &source, const Slice &slice);
/// A `memref.subview` of `source`, with the root of `source`; not in the pool.
Entry emitSubView(Emitter &e, const Entry &source, const Slice &slice);

/// Computes something from what is in the pool, shaped like the tensor
/// `target`, for a body that has to return it.
mlir::Value emitUpdate(Emitter &e, const Entry &target);
/// Writes something to the buffer `target`.
void emitStoreTo(Emitter &e, const Entry &target);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_PRODUCER_H
