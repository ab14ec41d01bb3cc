//===- Distributor.h - Builds the code of one thread ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Distribute.cpp, Accesses.cpp, Combine.cpp and Fragments.cpp share: the pieces of vectors
// that a thread has, and the builder of its code. Private to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H

#include "transforms/distribute/Barriers.h"
#include "transforms/distribute/Layout.h"

#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

using AxisList = llvm::SmallVector<std::optional<AxisId>>;

/// What one thread has of a vector: one-dimensional vectors of neighbours along
/// the last dimension. With the sizes l0, l1, ... of the thread's part, piece
/// `(i0 * l1 + i1) * n + p` has element `p * width + e` of the last dimension at
/// its place `e`, at index i0, i1 of the others.
struct Pieces {
  /// The sizes of the thread's part, of all dimensions but the last, and the
  /// number of pieces along that.
  llvm::SmallVector<int64_t> shape;
  int64_t width = 1;
  llvm::SmallVector<mlir::Value> values;
};

/// Calls `visit` with each index below `shape`, the last one fastest.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);
/// The place of `index` in that order.
int64_t linearize(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

class Distributor {
public:
  Distributor(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
              const Axes &axes, const Layout &layout)
      : rewriter(rewriter), launch(launch), axes(axes), layout(layout),
        barriers(rewriter) {}

  void run();

private:
  // Distribute.cpp
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp loop);
  void visitBranch(mlir::scf::IfOp branch);
  void visitElementwise(mlir::Operation *op);
  void visitConstant(mlir::Operation *op);
  void visitCount(mlir::Operation *op, const Count &count);
  void relayout(mlir::Value from, mlir::Value to,
                llvm::ArrayRef<std::optional<unsigned>> dims);

  // Accesses.cpp
  void visitRead(mlir::vector::TransferReadOp read);
  void visitWrite(mlir::vector::TransferWriteOp write);
  void visitLoad(mlir::memref::LoadOp load);
  void visitStore(mlir::memref::StoreOp store);
  void visitMask(mlir::Operation *mask);
  void visitGather(mlir::vector::GatherOp gather);
  Access describe(mlir::VectorTransferOpInterface transfer);
  /// The indices of the element of this thread's part, in vector space.
  mlir::OpFoldResult getOffset(mlir::Location loc, std::optional<AxisId> axis,
                               int64_t local);
  /// Whether the element `local` of this thread's part is on the axis; none if it
  /// is in each thread.
  mlir::Value isOnAxis(mlir::Location loc, std::optional<AxisId> axis,
                       int64_t local);
  /// Both, where none stands for a condition that holds.
  mlir::Value conjoin(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// Where `piece` of a vector is accessed. `inside` is whether any of its elements is
  /// in the buffer; none if that is sure. `inBounds` is whether the others then are,
  /// too: the last dimension of the buffer is full, or pieces start at multiples of
  /// their width, which divides its size.
  llvm::SmallVector<mlir::Value>
  getIndices(mlir::VectorTransferOpInterface transfer,
             llvm::ArrayRef<int64_t> piece, const AxisList &own,
             mlir::Value &inside, bool &inBounds);


  // Combine.cpp
  void visitReduction(mlir::vector::MultiDimReductionOp reduce);
  void visitContraction(mlir::vector::ContractionOp contract);
  struct Exchange;
  llvm::SmallVector<mlir::Value>
  combineThreads(mlir::Location loc, mlir::vector::CombiningKind kind,
                 llvm::SmallVector<mlir::Value> partial, const AxisList &kept,
                 const AxisList &reduced);

  // Fragments.cpp
  void visitTensorCores(mlir::vector::ContractionOp contract);

  // Pieces
  AxisList getAxes(mlir::Value value) const { return axes.get(value); }
  int64_t getLocalSize(std::optional<AxisId> axis) const {
    return axis ? layout[*axis].getLocalSize() : 1;
  }
  int64_t getWidth(const AxisList &own) const {
    return own.empty() || !own.back() ? 1 : layout[*own.back()].width;
  }
  Pieces makePieces(const AxisList &own) const;
  mlir::VectorType getPieceType(mlir::Value vector, const Pieces &pieces) const;
  const Pieces &lookup(mlir::Value vector);
  void set(mlir::Value vector, Pieces pieces);
  /// The element at `index` of this thread's part.
  mlir::Value getElement(mlir::Location loc, const Pieces &pieces,
                         llvm::ArrayRef<int64_t> index);
  /// Pieces with the axes `own` of the elements that `get` returns.
  Pieces gather(mlir::Location loc, mlir::Type elementType, const AxisList &own,
                llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t>)> get);
  /// Whether this thread has zero for each of the digits; none if there are
  /// none.
  mlir::Value isFirst(mlir::Location loc, llvm::ArrayRef<Layout::Digit> digits);
  /// A digit of this thread's index as a value of its own, made once. An affine
  /// expression of several digits is simplified to a longer sum, of which LLVM no
  /// longer sees how it is aligned.
  mlir::Value getDigit(const Layout::Digit &digit);

  mlir::RewriterBase &rewriter;
  mlir::gpu::LaunchOp launch;
  const Axes &axes;
  const Layout &layout;
  Barriers barriers;
  mlir::Value thread;
  llvm::DenseMap<mlir::Value, Pieces> pieces;
  llvm::SmallVector<mlir::Operation *> dead;
  llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value> digits;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
