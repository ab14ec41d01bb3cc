//===- Layout.h - Which thread has which elements ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides how the threads of a block share the axes of its vectors. Layer:
// transforms. It changes no code.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_LAYOUT_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_LAYOUT_H

#include "transforms/distribute/Axes.h"

#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace formwork::transforms::distribute {

/// The axis along which `transfer` walks memory element by element.
std::optional<AxisId> getFastestAxis(mlir::VectorTransferOpInterface transfer,
                                     const Axes &axes);

/// The most elements of an access along the last dimension for which every row
/// of `transfer` starts at a multiple of their bytes, as far as it is known.
int64_t getAlignedWidth(mlir::VectorTransferOpInterface transfer);

/// Whether the first elements of two transfers are known to be as far from the
/// starts of their buffers as each other.
bool startAlike(mlir::VectorTransferOpInterface a,
                mlir::VectorTransferOpInterface b);

/// The buffer that `memory` is a view of, or `memory` itself.
mlir::Value getWholeBuffer(mlir::Value memory);

/// The number of threads in a warp.
constexpr int64_t kWarpSize = 32;

/// The bits that a number or index takes in a buffer: a power of two of bytes.
int64_t getBitsInMemory(mlir::Type element);

/// The decision of the schedule's author.
struct Decision {
  /// The numbers of threads along the last loops of operations that combine
  /// elements, outermost first. The thread with the linear index `t` is number
  /// `t mod threads.back()` along the last loop.
  llvm::SmallVector<int64_t> threads;
  /// The largest number of elements of an access; none for as many as fit in 16
  /// bytes.
  std::optional<int64_t> width;
  /// Whether rows that start anywhere are shared from the start of a sector on.
  bool alignsRows = false;
  /// Whether such rows are accessed 16 bytes at a time. Implies `alignsRows`.
  bool widensRows = false;

  int64_t getNumThreads() const;
};

/// How threads share one axis. Element `e` belongs to thread number `e / width
/// mod threads` along the axis. A thread holds `width` neighbours at a time:
/// with 4 threads and width 2, thread 1 has elements 2, 3, 10, 11, 18, ... Each
/// thread has as many pieces as the first one. If the axis is not shared
/// evenly, the last pieces of some threads are behind its end.
struct AxisLayout {
  int64_t size = 1;
  int64_t threads = 1;
  /// The difference of the linear indices of two threads that are neighbours
  /// along the axis.
  int64_t stride = 1;
  int64_t width = 1;
  /// If above one, the axis is shared among this number of groups of `threads`
  /// threads. Two neighbouring groups are `warpStride` apart. Thread `t` is
  /// then number `t / stride mod threads + threads * (t / warpStride mod
  /// warps)` along the axis. Tensor cores share the columns of a row among 4
  /// lanes of each warp, and the rows among 8.
  int64_t warps = 1;
  int64_t warpStride = 1;
  /// Whether tensor cores decide how the axis is shared.
  bool isOfFragments = false;
  /// If above one, the elements are shared as if there were others in front of
  /// them: as many as are in memory between the row that `start` accesses and
  /// the last multiple of `unit` elements before it. No thread has those. The
  /// thread of element `e` is then that of element `e + shift` above, where
  /// `shift` is their number.
  int64_t unit = 1;
  mlir::Operation *start = nullptr;

  /// The number of threads that share the axis.
  int64_t getNumThreads() const { return threads * warps; }
  /// Whether pieces of several elements start at multiples of their width in
  /// memory, in rows that start anywhere. The first piece and the last ones may
  /// then have elements that are not on the axis beside others that are.
  bool isWide() const { return unit != 1 && width != 1; }
  /// The elements of one thread, and the number of its pieces.
  int64_t getNumPieces() const {
    return llvm::divideCeil(size + unit - 1, getNumThreads() * width);
  }
  int64_t getLocalSize() const { return getNumPieces() * width; }
  /// Whether the piece with element `local` of a thread's part is behind the
  /// end of the axis in some thread, or in front of its start.
  bool mayBeOutside(int64_t local) const {
    return mayBeBefore(local) ||
           (local / width + 1) * getNumThreads() * width > size;
  }
  bool mayBeBefore(int64_t local) const {
    return local / width * getNumThreads() * width < unit - 1;
  }
};

/// The layouts of all axes of a launch. Two axes of a group never share the
/// same threads. A vector that is only on some of the axes is the same in
/// several threads.
class Layout {
public:
  /// Chooses layouts for `axes`. If the vectors of a group are reduced or
  /// contracted, its threads are those of the decision. In other groups,
  /// neighbouring threads have neighbouring elements in memory. The operands of
  /// tensor cores are shared as these require. Refusals:
  ///
  /// - `fw-uneven-warps`: the threads that combine elements are neither whole
  /// warps nor a power of two of the lanes of one warp;
  ///
  /// - `fw-cannot-distribute`: a thread would have more elements than code can
  /// be made for;
  ///
  /// - `fw-not-for-tensor-cores`: tensor cores cannot do a contraction that was
  /// decided for them.
  std::optional<Refusal> choose(mlir::gpu::LaunchOp launch, const Axes &axes,
                                const Decision &decision);

  const AxisLayout &operator[](AxisId axis) const { return layouts[axis]; }
  int64_t getNumThreads() const { return numThreads; }

  /// A part of a thread's index: `index / stride mod count`.
  struct Digit {
    int64_t stride, count;
  };
  /// The digits that `axes` do not use. Threads that differ only in these
  /// digits have the same elements.
  llvm::SmallVector<Digit>
  getUnused(llvm::ArrayRef<std::optional<AxisId>> axes) const;

private:
  struct Group;
  void share(const Group &group, const Decision &decision);
  /// Shares the axes that combining operations have but the operation with the
  /// most axes lacks, such as the columns of a second product. They are shared
  /// among the threads along their own loops, unless another axis of the same
  /// operation already uses these threads.
  void shareOthers(mlir::gpu::LaunchOp launch, const Axes &axes,
                   const Decision &decision);
  std::optional<Refusal> shareFragments(mlir::gpu::LaunchOp launch,
                                        const Axes &axes,
                                        llvm::MutableArrayRef<Group> groups);
  // Rows.cpp
  void alignRows(mlir::gpu::LaunchOp launch, const Axes &axes);
  void widenRows(mlir::gpu::LaunchOp launch, const Axes &axes,
                 const Decision &decision);

  std::optional<Refusal> checkWarps(mlir::gpu::LaunchOp launch,
                                    const Axes &axes) const;
  std::optional<Refusal> checkSizes(mlir::gpu::LaunchOp launch,
                                    const Axes &axes) const;
  void spread(const Group &group);

  llvm::SmallVector<AxisLayout> layouts;
  llvm::SmallVector<int64_t> widest;
  int64_t numThreads = 1;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_LAYOUT_H
