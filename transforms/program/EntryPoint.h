//===- EntryPoint.h - What a compiled schedule is called with ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which function of a payload is run, what buffers it is called with, and in
// which of them the payload's results end. Layer: transforms; derived from the
// payload before the schedule and the module after the lowering, and it knows
// neither how the schedule was run nor what the target is.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_ENTRYPOINT_H
#define FORMWORK_TRANSFORMS_PROGRAM_ENTRYPOINT_H

#include "runtime/FormworkProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// The largest buffer that an entry function may have: more than any device.
inline constexpr uint64_t maxByteSize = uint64_t(1) << 40;

/// A dimension of an argument that integers of another one are indices of.
struct IndexedSize {
  unsigned parameter;
  unsigned dimension;
  /// How many places before the end they are at least, as a slice begins there.
  int64_t behind;
};

/// One argument of the lowered entry function.
struct EntryParameter {
  std::string name;
  /// Row-major, without padding. A size that is only known when a program runs
  /// is `ShapedType::kDynamic` until then.
  llvm::SmallVector<int64_t> shape;
  FwElementType type = FwElementF32;
  FwRole role = FwRoleInput;
  bool byValue = false; ///< a scalar: empty shape, role input
  /// Where that is more than the tolerance of the type: what a result is held
  /// to, and why, such as "2 roundings to bf16".
  double leastTolerance = 0;
  std::string toleranceReason;
  /// Of integers that are indices: generated ones are not negative, and below
  /// this; else 0.
  uint64_t indexLimit = 0;
  /// Sizes that are still open, and limit them as well.
  llvm::SmallVector<IndexedSize> indexedSizes;

  bool hasOpenSize() const { return mlir::ShapedType::isDynamicShape(shape); }
  /// Whether it would take more than `maxByteSize`. Not of open sizes.
  bool isTooLarge() const;
  uint64_t getElementCount() const;
  /// At most `maxByteSize`.
  uint64_t getByteSize() const;
  /// Limits its integers, which are indices, to those below `size`.
  void limitIndices(int64_t size);
  /// `128x80x32xf32`, as in MLIR's types; `?` for an open size.
  std::string getTypeText() const;
};

/// The interface of a compiled schedule.
///
/// Vocabulary: an *argument* is one of the payload function; a *parameter* is
/// one of the lowered function. The first `numArguments` parameters are the
/// arguments; the others are results that became trailing out-parameters.
struct EntryPoint {
  std::string name;
  mlir::Location loc; ///< of the payload function
  llvm::SmallVector<EntryParameter> parameters;
  unsigned numArguments = 0;
  /// For each result of the payload function, the parameter that holds it after
  /// the run: an out-parameter, or an argument that it was computed in.
  llvm::SmallVector<unsigned> resultParameters;

  /// The parameters to compare: arguments that are written and hold no result,
  /// and then the results.
  llvm::SmallVector<unsigned> listResults() const;

  explicit EntryPoint(mlir::Location loc) : loc(loc) {}
};

/// The function of `payload` called `name`; with an empty `name`, the only
/// public function with a body. Errors: fw-entry-missing, fw-entry-ambiguous.
mlir::FailureOr<mlir::func::FuncOp> lookupEntry(mlir::ModuleOp payload,
                                                llvm::StringRef name);

/// The functions of `payload` that can be meant as entry: the public ones with
/// a body; where one of them is not called by the others, only that one.
llvm::SmallVector<mlir::func::FuncOp> listEntries(mlir::ModuleOp payload);

/// Whether a value of `type` can pass the boundary of an entry function, if its
/// sizes can: a scalar, tensor or row-major buffer of a type that EntryPoint
/// knows. A scalar cannot be a result.
bool isEntryType(mlir::Type type);

/// Derives the interface of the entry function from `payload`, on tensors or
/// buffers and untouched by the schedule, and from the function of the same
/// name in `lowered`. Where the lowered function has fewer out-parameters than
/// the payload has results, bufferization dropped those that are computed in an
/// argument, and they are found by following destinations up to the argument.
/// Every size that the types leave open is `dynamicSize`, if that is given;
/// `ShapedType::kDynamic` leaves it open.
///
/// Errors: those of `lookupEntry`, fw-entry-dynamic-shape,
/// fw-entry-too-large, fw-entry-unsupported-type, fw-entry-mismatch,
/// fw-entry-lost-result.
mlir::FailureOr<EntryPoint>
inferEntryPoint(mlir::ModuleOp payload, mlir::ModuleOp lowered,
                llvm::StringRef name,
                std::optional<int64_t> dynamicSize = std::nullopt);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_ENTRYPOINT_H
