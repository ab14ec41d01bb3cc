//===- Axes.h - Dimensions of vectors that go together ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups the dimensions of the vectors of a kernel that must be shared among
// threads in the same way. Layer: transforms. It only reads the kernel, and
// knows nothing of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_AXES_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_AXES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

#include <optional>
#include <string>

namespace formwork::transforms::distribute {

/// The reason why a kernel cannot be rewritten: the place, the id and the
/// message.
struct Refusal {
  mlir::Location loc;
  std::string id;
  std::string message;
};

/// The refusal `fw-cannot-distribute` at `op`.
inline Refusal refuse(mlir::Operation *op, const llvm::Twine &message) {
  return {op->getLoc(), "fw-cannot-distribute", message.str()};
}

inline bool isVector(mlir::Value value) {
  return llvm::isa<mlir::VectorType>(value.getType());
}

/// Identifies an axis.
using AxisId = unsigned;
/// The axis of each dimension of a vector; none for one of one element.
using AxisList = llvm::SmallVector<std::optional<AxisId>>;

/// An *axis* is a set of vector dimensions along which elements keep their
/// index from one vector to the other. `%c = arith.addf %a, %b :
/// vector<4x8xf32>` puts the first dimension of all three vectors on one axis,
/// and the second on another. A `vector.transpose` of a matrix puts the first
/// dimension of its operand and the second of its result on one axis. A
/// dimension of one element is on no axis.
class Axes {
public:
  /// The axes of the vectors in `launch`, or why its vectors have none
  /// (`fw-cannot-distribute`): an operation takes elements to another place, or
  /// a vector has two dimensions on one axis.
  std::optional<Refusal> infer(mlir::gpu::LaunchOp launch);

  /// The axis of each dimension of `vector`; none for a dimension of one
  /// element.
  AxisList get(mlir::Value vector) const;
  /// The axis of each loop of a contraction.
  AxisList get(mlir::vector::ContractionOp contract) const;

  /// Calls `visit` with the axes of each vector that `op` makes or takes, and
  /// of the loops if `op` is a contraction.
  void forEach(mlir::Operation *op,
               llvm::function_ref<void(const AxisList &)> visit) const;

  unsigned size() const { return sizes.size(); }
  int64_t getSize(AxisId axis) const { return sizes[axis]; }
  /// The group of an axis. All axes of one vector or contraction are in one
  /// group.
  unsigned getGroup(AxisId axis) const { return groups[axis]; }

private:
  std::optional<Refusal> visit(mlir::Operation *op);
  std::optional<Refusal> visitRegionBranch(mlir::Operation *op);
  std::optional<Refusal> visitMask(mlir::vector::MaskOp mask);
  std::optional<Refusal>
  visitTransfer(mlir::VectorTransferOpInterface transfer);
  void visitReduction(mlir::vector::MultiDimReductionOp reduce);
  void visitContraction(mlir::vector::ContractionOp contract);
  void visitBroadcast(mlir::vector::BroadcastOp broadcast);
  std::optional<Refusal> visitShapeCast(mlir::vector::ShapeCastOp cast);
  std::optional<Refusal> visitExtract(mlir::vector::ExtractOp extract);
  std::optional<Refusal> visitGather(mlir::vector::GatherOp gather);
  std::optional<Refusal> visitElementwise(mlir::Operation *op);
  std::optional<Refusal> visitAllocation(mlir::memref::AllocOp alloc);
  std::optional<Refusal> visitScalar(mlir::Operation *op);
  unsigned getPoint(mlir::Value vector, unsigned dim);
  void join(mlir::Value a, unsigned dimOfA, mlir::Value b, unsigned dimOfB);
  void join(mlir::Value a, mlir::Value b);
  std::optional<Refusal> number(mlir::gpu::LaunchOp launch);

  /// The first point of each vector. A vector has one point for each dimension.
  llvm::DenseMap<mlir::Value, unsigned> points;
  llvm::SmallVector<mlir::Value> vectors;
  unsigned numPoints = 0;
  llvm::IntEqClasses classes;
  AxisList axisOfPoint;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> groups;
};

/// The shape of a vector, which is empty for `vector<f32>`; none for any other
/// value.
std::optional<llvm::ArrayRef<int64_t>> getVectorShape(mlir::Value value);

/// Whether `op` copies a buffer to itself: bufferization leaves such copies
/// where a loop over blocks inserts what it computed in place.
bool isCopyToItself(mlir::Operation *op);

/// Whether `op` takes a part of a vector that nothing uses, such as one that is
/// read by itself instead.
bool isUnusedPart(mlir::Operation *op);

/// Describes a vector of integers or indices of rank one whose element `i` is
/// `first + i * step`.
struct Count {
  int64_t first, step;
};
/// The count of `op`, which vectorization makes of `linalg.index`: a
/// `vector.step`, or a constant with different elements; none for any other op.
std::optional<Count> matchCount(mlir::Operation *op);

/// The mask of `op`: that of the `vector.mask` around it, or its own operand.
mlir::Value getMask(mlir::Operation *op);

/// For a `vector.shape_cast` that only adds or drops dimensions of one element:
/// the dimension of the result that corresponds to each dimension of the
/// source, and none for a source dimension of one element. Fails if the cast
/// does more.
llvm::FailureOr<llvm::SmallVector<std::optional<unsigned>>>
matchUnitCast(mlir::VectorType source, mlir::VectorType result);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_AXES_H
