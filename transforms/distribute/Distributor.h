//===- Distributor.h - Builds the code of one thread ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the builder of the code of one thread, and the pieces of vectors
// that a thread has. Distribute.cpp, Accesses.cpp, Combine.cpp and
// Fragments.cpp implement it. Private to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H

#include "transforms/distribute/Barriers.h"
#include "transforms/distribute/Layout.h"
#include "transforms/distribute/ShiftedReads.h"
#include "transforms/distribute/TensorCores.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace formwork::transforms::distribute {

/// The part of a vector that one thread has, as one-dimensional vectors
/// (pieces) of neighbours along the last dimension. Let l0, l1, ... be the
/// sizes of the thread's part, n the number of pieces along the last dimension,
/// and i0, i1 an index of the other dimensions. Then place `e` of piece `(i0 *
/// l1 + i1) * n + p` holds element `p * width + e` of the last dimension.
struct Pieces {
  /// The sizes of the thread's part along all dimensions except the last, and
  /// then the number of pieces along the last.
  llvm::SmallVector<int64_t> shape;
  int64_t width = 1;
  llvm::SmallVector<mlir::Value> values;

  /// How many values there are to be.
  int64_t getCount() const { return mlir::computeProduct(shape); }
};

/// The fragments of an operand of a tensor core's instruction: the registers of
/// each, for all instructions of one step along the sum, and for all steps.
using StepFragments = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;
using Fragments = std::vector<StepFragments>;

/// `expr`, of which the dimensions are `operands`: a constant, or an
/// `affine.apply` into which those of the operands are folded.
mlir::OpFoldResult applyAffine(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::AffineExpr expr,
                               llvm::ArrayRef<mlir::OpFoldResult> operands);
mlir::Value getIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::AffineExpr expr,
                     llvm::ArrayRef<mlir::OpFoldResult> operands);

/// Calls `visit` with each index below `shape`, the last one fastest.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);
/// The position of `index` in the order of forEachIndex.
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
  void countRowsOfThread();
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp loop);
  void visitBranch(mlir::scf::IfOp branch);
  /// Replaces each of `old` by the next of `values`; a vector, by as many as it
  /// has pieces.
  void bind(mlir::ValueRange old, mlir::ValueRange values);
  /// `values`, with its pieces instead of each vector.
  llvm::SmallVector<mlir::Value> getPieces(mlir::ValueRange values);
  void replaceYield(mlir::Operation *yield);
  void visitElementwise(mlir::Operation *op);
  /// `value`, which is `piece` of a vector with the axes `own`. Elements behind
  /// the end of an axis are those of `filling`, a vector of the same type.
  mlir::Value fillBehindEnd(mlir::Location loc, mlir::Value value,
                            const AxisList &own, llvm::ArrayRef<int64_t> piece,
                            mlir::Value filling);
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
  /// How many elements there are in memory between the last multiple of the
  /// axis' unit and its first element.
  mlir::Value getShift(AxisId axis);
  /// The index along `axis`, in vector space, of element `local` of this
  /// thread's part.
  mlir::OpFoldResult getOffset(mlir::Location loc, std::optional<AxisId> axis,
                               int64_t local);
  /// The sum of that index and the shift of the axis.
  mlir::OpFoldResult getShiftedOffset(mlir::Location loc, AxisId axis,
                                      int64_t local);
  /// A condition that element `local` of this thread's part is on the axis, and
  /// not behind its end; null if this holds in each thread.
  mlir::Value isOnAxis(mlir::Location loc, std::optional<AxisId> axis,
                       int64_t local);
  /// A condition that element `element` of `piece` is on all axes of `own`;
  /// null if this holds in each thread.
  mlir::Value isOnAxes(mlir::Location loc, const AxisList &own,
                       llvm::ArrayRef<int64_t> piece, int64_t width,
                       int64_t element = 0);
  /// The place on an axis, in front of any shift, of the element that is number
  /// `local` of a thread, whose index is dimension 0; `getDigitExpr` a digit of
  /// it.
  mlir::AffineExpr getPlaceExpr(const AxisLayout &axis, int64_t local);
  mlir::AffineExpr getDigitExpr(const Layout::Digit &digit);
  /// Goes on in a branch for `condition`, if that is not null.
  void enterIf(mlir::Location loc, mlir::Value condition);
  /// The conjunction of two conditions; null stands for a condition that always
  /// holds.
  mlir::Value conjoin(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// The indices at which `piece` of a vector is accessed. `inside` is set to
  /// the condition that any of its elements is in the buffer; null if this is
  /// certain. `inBounds` is set to whether the other elements then are in the
  /// buffer, too. They are if the last dimension of the buffer is full, or if
  /// pieces start at multiples of their width and the width divides the size of
  /// the dimension.
  llvm::SmallVector<mlir::Value>
  getIndices(mlir::VectorTransferOpInterface transfer,
             llvm::ArrayRef<int64_t> piece, const AxisList &own,
             mlir::Value &inside, bool &inBounds);

  // WideRows.cpp
  /// Whether the last dimension of a vector with the axes `own` is a row of
  /// pieces that start at multiples of their width in memory.
  bool isWideRow(const AxisList &own) const {
    return !own.empty() && own.back() && layout[*own.back()].isWide();
  }
  void readWideRow(mlir::vector::TransferReadOp read);
  void writeWideRow(mlir::vector::TransferWriteOp write);
  /// The place in `getFlat` of element `local` of this thread's part.
  mlir::Value getPlace(mlir::Location loc, AxisId axis, int64_t local);
  /// `memory` as a buffer of one dimension.
  mlir::Value getFlat(mlir::Value memory);
  /// Whether all elements of the piece that starts with element `local` are on
  /// the axis; null if this holds in each thread.
  mlir::Value isWholeOnAxis(mlir::Location loc, AxisId axis, int64_t local);

  // Combine.cpp
  void visitReduction(mlir::vector::MultiDimReductionOp reduce);
  void visitContraction(mlir::vector::ContractionOp contract);
  llvm::SmallVector<mlir::Value>
  combineThreads(mlir::Location loc, mlir::vector::CombiningKind kind,
                 llvm::SmallVector<mlir::Value> partial,
                 const AxisList &reduced);

  // Fragments.cpp
  void visitTensorCores(mlir::vector::ContractionOp contract);
  /// Loads operands of the contractions of `loop` that it does not change, in
  /// front of it, as long as registers suffice.
  void hoistFragments(mlir::scf::ForOp loop);
  /// The fragments of an operand that was loaded in front of a loop, or null.
  const Fragments *findHoisted(mlir::Operation *contract,
                               unsigned operand) const;
  /// Loads what the instructions of one step along the sum need of an operand.
  StepFragments loadFragments(mlir::Location loc,
                              const TensorCoreProduct &product, bool isLeft,
                              int64_t step);
  void accessFragments(mlir::Location loc, mlir::vector::TransferReadOp read);
  /// How threads share the rows of the left operand, or the columns of the
  /// right one.
  const AxisLayout &getOuterLayout(const TensorCoreProduct &product,
                                   bool isLeft) const;
  /// The registers that a thread needs for its part of `vector`.
  int64_t countRegisters(mlir::Value vector) const;

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
  /// Makes pieces with the axes `own` from the elements that `get` returns.
  Pieces gather(mlir::Location loc, mlir::Type elementType, const AxisList &own,
                llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t>)> get);
  /// A condition that each of the digits is zero for this thread; null if there
  /// are no digits.
  mlir::Value isFirst(mlir::Location loc, llvm::ArrayRef<Layout::Digit> digits);
  /// A digit of this thread's index, computed once as a separate value. A
  /// single affine expression of several digits would be simplified to a longer
  /// sum, and LLVM could no longer see its alignment.
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
  llvm::DenseMap<AxisId, mlir::Value> shifts;
  /// The last multiple of the axis' unit in front of its first element in
  /// memory.
  llvm::DenseMap<AxisId, mlir::Value> starts;
  llvm::DenseMap<mlir::Value, mlir::Value> flat;
  std::optional<ShiftedReads> shiftedReads;
  /// Of each swizzled buffer, the rows that a thread reads at a time.
  llvm::DenseMap<mlir::Value, int64_t> rowsOfThread;
  /// By contraction and operand.
  std::map<std::pair<mlir::Operation *, unsigned>, Fragments> hoisted;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
