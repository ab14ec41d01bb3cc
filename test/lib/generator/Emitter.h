//===- Emitter.h - What op producers work with ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one function under construction, and the questions that op
// producers ask: give me a value like this, a size, an index in bounds. The
// promises of `GeneratorOptions::executable` are kept here and in the producers
// together. Test support, private to the generator.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_EMITTER_H
#define FORMWORK_TEST_LIB_GENERATOR_EMITTER_H

#include "test/lib/generator/PayloadGenerator.h"
#include "test/lib/generator/Pool.h"
#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"

#include <optional>

namespace formwork::testing {

struct Producer;

/// The use of an operand's content by an op: it only reads it, reads and writes
/// it, or writes all of it without reading.
enum class Use { Read, Update, Overwrite };

/// A function that later functions may call.
struct Callee {
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Type> argumentModels;
  /// The value that an index argument must have, by argument.
  llvm::SmallVector<int64_t> argumentValues;
  llvm::SmallVector<mlir::Type> resultModels;
  uint64_t work = 0;
};

class Emitter {
  /// Counts ops. Before the builder that refers to it.
  struct Counter : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *,
                                 mlir::OpBuilder::InsertPoint) override {
      ++inserted;
    }
    uint64_t inserted = 0;
  };
  Counter counter;

public:
  using Accept = llvm::function_ref<bool(const Entry &)>;

  Emitter(mlir::MLIRContext *context, const GeneratorOptions &options,
          Random random, llvm::ArrayRef<Callee> callees);
  Emitter(const Emitter &) = delete;

  mlir::OpBuilder b;
  mlir::Location loc;
  Random random;
  const GeneratorOptions &options;
  Pool pool;
  llvm::ArrayRef<Callee> callees;

  /// Whether this function has values of these kinds.
  bool tensors = true;
  bool buffers = true;
  /// Regions around the insertion point.
  unsigned depth = 0;
  /// How often the insertion point runs, and scalar steps so far.
  uint64_t trips = 1;
  uint64_t work = 0;
  /// Only values of outer regions are picked: makes loop-invariant ops.
  bool outerOnly = false;
  /// Only ops without effects are made.
  bool pureOnly = false;

  //===--- chance ---------------------------------------------------------===//

  mlir::Type pickElement();
  /// An element type that is a float, or an integer; null when there is none.
  mlir::Type pickElement(bool isFloat);
  int64_t pickDim();
  llvm::SmallVector<int64_t> pickShape(int64_t minRank, int64_t maxRank);
  /// Within `maxTrip`, and with `executable` within what the loops around
  /// leave.
  int64_t pickTripCount(int64_t least = 0);
  /// Tensor or buffer, whichever this function has.
  Kind pickShapedKind();
  /// `model` with some sizes hidden.
  mlir::Type hideSizes(mlir::Type model);
  /// Whether `points` more scalar steps here keep an executable function small;
  /// if so, counts them.
  bool charge(uint64_t points);
  bool hasLinalg() const;
  bool canNest() const { return depth < options.depth; }

  //===--- scalars --------------------------------------------------------===//

  mlir::Value constantIndex(int64_t value);
  mlir::TypedAttr scalarAttr(mlir::Type type, int64_t value);
  mlir::Value constant(mlir::Type type, int64_t value);
  /// A small one.
  mlir::Value randomConstant(mlir::Type type);
  mlir::Value scalar(mlir::Type type);
  /// In [0, bound).
  mlir::Value indexBelow(int64_t bound);
  /// An index of exactly this value, for a size.
  mlir::Value sizeValue(int64_t size);
  /// The sizes that `type` hides, given those of `model`.
  llvm::SmallVector<mlir::Value> dynamicSizes(mlir::Type type,
                                              mlir::Type model);

  //===--- values ---------------------------------------------------------===//

  /// One of the kind that can be read, newer ones preferred.
  std::optional<Entry> pick(Kind kind, Accept accept = {});
  std::optional<Entry> pickModel(mlir::Type model, Use use, Accept accept = {});
  /// Picks one or makes it.
  Entry tensor(mlir::RankedTensorType model, Use use);
  mlir::Value vector(mlir::VectorType type);
  /// Picks one whose root is not in `avoid`, or makes it. A new one for
  /// `Use::Overwrite` enters the pool when `written` is called.
  std::optional<Entry> buffer(mlir::MemRefType model, Use use,
                              llvm::ArrayRef<unsigned> avoid = {});
  /// Makes one. Fails where this level has no way to write all of it.
  std::optional<Entry> newBuffer(mlir::MemRefType model, Use use);
  /// A tensor or buffer.
  std::optional<Entry> shaped(Kind kind, llvm::ArrayRef<int64_t> shape,
                              mlir::Type element, Use use,
                              llvm::ArrayRef<unsigned> avoid = {});
  /// A value of this very type with these run-time sizes. Not for buffers.
  mlir::Value ofType(mlir::Type type, mlir::Type model);
  /// `entry` as a value of `type`, with a cast if need be; null when
  /// impossible.
  mlir::Value coerce(const Entry &entry, mlir::Type type);
  bool isWritable(const Entry &entry) const {
    return entry.root >= firstWritableRoot;
  }

  void add(mlir::Value value, mlir::Type model);
  void add(Entry entry);
  /// `value` is its own model.
  void add(mlir::Value value) { add(value, value.getType()); }
  void written(Entry entry);
  unsigned newRoot() { return nextRoot++; }
  /// The results of a structured op: its tensors enter the pool, and `output`,
  /// if a buffer, counts as written.
  void addStructured(mlir::Operation *op, const Entry &output);

  //===--- bodies ---------------------------------------------------------===//

  /// Ops made so far, whatever their region.
  uint64_t countInserted() const { return counter.inserted; }
  /// Runs producers until `countInserted` reaches `end`. Runs one at least if
  /// `atLeastOne`.
  void emitUntil(uint64_t end, bool atLeastOne = false);
  /// A body here should end then: a random share of what is left.
  uint64_t pickBodyEnd();
  /// Runs one random producer; whether one succeeded.
  bool emitOne();

  /// Chooses those of `all` that suit the options and this function.
  void setProducers(llvm::ArrayRef<Producer> all);
  /// Frees what was allocated since there were `first` allocations.
  void freeAllocations(size_t first = 0);
  llvm::StringMap<uint64_t> *families = nullptr;

  /// A region while it is filled. Restores the emitter when it ends.
  class Scope {
  public:
    /// The region runs `trips` times for each time that the point outside does.
    /// If `parallel`, outer buffers are read-only in it.
    Scope(Emitter &emitter, mlir::Block *block, uint64_t trips,
          bool parallel = false);
    ~Scope();
    /// Frees what the region allocated. To be called before the terminator is
    /// made, with the insertion point where the terminator will be.
    void finish();
    /// Nothing that may overlap `root` is picked in the region.
    void hide(unsigned root);

  private:
    Emitter &emitter;
    mlir::OpBuilder::InsertPoint insertPoint;
    size_t mark;
    uint64_t outerTrips;
    unsigned outerFirstWritableRoot;
    size_t firstAllocation;
    std::optional<unsigned> hidden;
  };

private:
  std::optional<Entry> pickFrom(llvm::ArrayRef<unsigned> list, Accept accept);
  bool isVisible(const Entry &entry) const;
  Entry makeTensor(mlir::RankedTensorType model, Use use);
  /// Writes all of `buffer`, in the way of this level.
  void initialize(mlir::Value buffer, mlir::MemRefType model);

  llvm::SmallVector<int64_t> palette;
  llvm::SmallVector<mlir::Type> elements;
  llvm::SmallVector<const Producer *> producers;
  llvm::SmallVector<uint64_t> cumulativeWeights;
  uint64_t bodyEnd = 0;
  /// Root 0 is that of values that are no buffers.
  unsigned nextRoot = 1;
  unsigned firstWritableRoot = 0;
  llvm::SmallSet<unsigned, 4> hiddenRoots;
  llvm::SmallVector<mlir::Value> allocations;
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_EMITTER_H
