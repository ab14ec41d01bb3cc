//===- Walker.h - What walks the regions of a schedule ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the interpreter that a model of control flow uses: it visits the
// regions of an op, or the sequence that an op calls. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_WALKER_H
#define FORMWORK_VERIFIER_STEP_WALKER_H

#include "verifier/step/Step.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace formwork::verifier {

/// Where a schedule can go several ways, the walker takes each way and keeps
/// the facts that hold on all.
class Walker {
public:
  virtual ~Walker() = default;

  virtual void visitBlock(mlir::Block &block) = 0;
  /// Visits the body of an op with regions, or of the sequence that an include
  /// names; `visit` describes its executions.
  virtual void visitRegion(mlir::Block &block, const RegionVisit &visit) = 0;
  /// Takes each of `paths` from the present state and goes on with what holds
  /// whichever was taken; `inPart`: and however far it got.
  virtual void visitPaths(mlir::Operation *op,
                          llvm::ArrayRef<std::function<void()>> paths,
                          bool inPart = false) = 0;
  /// As `visitPaths`, when the one path may not be taken at all.
  void visitOptional(mlir::Operation *op, llvm::function_ref<void()> path,
                     bool inPart = false) {
    visitPaths(op, {[] {}, [&] { path(); }}, inPart);
  }
  /// Visits what runs under a failure propagation mode; `visit` is called with
  /// the walker that is to do it, perhaps more than once, and the last time
  /// with this one. Cost: that of a visit and of a copy of the state, and of a
  /// further visit for each chain of failures that one step finds out.
  virtual void visitSuppressing(bool suppresses,
                                llvm::function_ref<void(Walker &)> visit) = 0;
  /// The operands of the terminator that was visited last, and whether they
  /// are valid there.
  virtual Yields getYields() = 0;
  /// Whether more has been interpreted than is linear in the schedule, or
  /// sequences include each other deeper than the stack may have room for.
  virtual bool isExhausted() const = 0;

  /// The sequences that are being interpreted, the entry first.
  llvm::SmallVector<mlir::Operation *> callStack;
  /// A call that changed nothing, and what it yielded.
  struct Call {
    llvm::SmallVector<HandleState> arguments;
    bool certain, suppressed, recovers;
    unsigned stamp;
    FormTable forms;
    Yields yields;
    unsigned numOps;
    bool doubtful;
  };
  /// By the sequence that was called.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Call, 0>> calls;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_WALKER_H
