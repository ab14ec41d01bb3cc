//===- Layout.h - Which thread has which elements ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the threads of a block share the axes of its vectors. Layer: transforms.
// It chooses, and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_LAYOUT_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_LAYOUT_H

#include "transforms/distribute/Axes.h"

#include "llvm/Support/MathExtras.h"

namespace formwork::transforms::distribute {

/// The number of threads in a warp.
constexpr int64_t kWarpSize = 32;

/// What the author decides.
struct Decision {
  /// Threads along the last loops of what is combined, outermost first. The
  /// thread with the linear index `t` is number `t mod threads.back()` along the
  /// last one.
  llvm::SmallVector<int64_t> threads;
  /// The most elements of an access; none for what fits 16 bytes.
  std::optional<int64_t> width;

  int64_t getNumThreads() const;
};

/// How threads share one axis. Element `e` belongs to thread number
/// `e / width mod threads` along it, which holds `width` neighbours at a time:
/// with 4 threads and width 2, thread 1 has elements 2, 3, 10, 11, 18, ...
/// Each thread has as many pieces as the first one; of an axis that is not shared
/// evenly, the last pieces of some threads are behind its end.
struct AxisLayout {
  int64_t size = 1;
  int64_t threads = 1;
  /// The distance of two neighbours along the axis, as linear thread indices.
  int64_t stride = 1;
  int64_t width = 1;
  /// With more than one, the axis is shared among that many groups of `threads`
  /// as well, of which two neighbours are `warpStride` apart: the thread `t` is
  /// number `t / stride mod threads + threads * (t / warpStride mod warps)` along
  /// the axis. Tensor cores give the columns of a row to 4 lanes, and the rows to
  /// 8, of each warp.
  int64_t warps = 1;
  int64_t warpStride = 1;
  /// Whether tensor cores decide how the axis is shared.
  bool isOfFragments = false;

  /// How many threads share the axis.
  int64_t getNumThreads() const { return threads * warps; }
  /// The elements of one thread, and the number of its pieces.
  int64_t getNumPieces() const {
    return llvm::divideCeil(size, getNumThreads() * width);
  }
  int64_t getLocalSize() const { return getNumPieces() * width; }
  /// Whether the piece with the element `local` of a thread's part is behind the
  /// end of the axis in some thread.
  bool mayBeOutside(int64_t local) const {
    return (local / width + 1) * getNumThreads() * width > size;
  }
};

/// The layouts of all axes of a launch. The axes of a group do not share
/// threads; what is on few of them is the same in several threads.
class Layout {
public:
  /// Chooses layouts for `axes`. Where the vectors of a group are reduced or
  /// contracted, the threads are those of the decision. Of other groups,
  /// neighbours are next to each other in memory. What tensor cores contract is
  /// shared as they have it. Refuses (`fw-uneven-warps`) where what is combined
  /// across threads is neither of whole warps nor of a power of two of the lanes
  /// of one, (`fw-cannot-distribute`) where a thread would have more elements
  /// than code can be made for, and (`fw-not-for-tensor-cores`) where tensor
  /// cores cannot do what they should.
  std::optional<Refusal> choose(mlir::gpu::LaunchOp launch, const Axes &axes,
                                const Decision &decision);

  const AxisLayout &operator[](AxisId axis) const { return layouts[axis]; }
  int64_t getNumThreads() const { return numThreads; }

  /// Some of the bits of a thread's index: `index / stride mod count`.
  struct Digit {
    int64_t stride, count;
  };
  /// The digits that `axes` do not use: threads that differ in them only have
  /// the same elements.
  llvm::SmallVector<Digit>
  getUnused(llvm::ArrayRef<std::optional<AxisId>> axes) const;

private:
  struct Group;
  void share(const Group &group, const Decision &decision);
  /// Shares what is combined on axes that the operation with the most of them
  /// has not, such as the columns of a second product: by the threads along its
  /// own loops, where no axis beside it has these.
  void shareOthers(mlir::gpu::LaunchOp launch, const Axes &axes,
                   const Decision &decision);
  std::optional<Refusal> shareFragments(mlir::gpu::LaunchOp launch,
                                        const Axes &axes,
                                        llvm::MutableArrayRef<Group> groups);
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
