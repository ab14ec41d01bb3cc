//===- Collector.h - The walk behind ParameterModel -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows parameters, and handles to single payload ops, through a schedule.
// Layer: verifier; private to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_COLLECTOR_H
#define FORMWORK_VERIFIER_PARAMETERS_COLLECTOR_H

#include "verifier/parameters/ParameterModel.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace formwork::verifier {

/// One attribute of a parameter: its term, or why it has none.
struct ParameterElement {
  std::optional<solver::IntTerm> term;
  std::string reason;
};

/// A parameter: its attributes in order. Without `elements`, not even their
/// number is known.
struct Parameter {
  std::optional<llvm::SmallVector<ParameterElement, 1>> elements;
  std::string reason;

  static Parameter single(solver::IntTerm term) {
    return {{{ParameterElement{term, ""}}}, ""};
  }
  static Parameter opaque(const llvm::Twine &reason) {
    return {std::nullopt, reason.str()};
  }
  /// The term of a parameter with one attribute.
  std::optional<solver::IntTerm> getSingleTerm() const;
  /// Why there is none.
  std::string explainOpaque() const;
};

/// A handle to exactly one payload op: the root, or a structured op or a tile
/// of it with the sizes of its iteration space where they are known.
struct TrackedHandle {
  mlir::Operation *payloadOp = nullptr;
  bool isRoot = false;
  llvm::SmallVector<std::optional<solver::IntTerm>> extents;

  /// One dimension that was tiled on the way here.
  struct Tile {
    mlir::Operation *op;
    unsigned dimension;
    solver::IntTerm size, extent;
  };
  llvm::SmallVector<Tile> tiles;
};

class Collector {
public:
  Collector(ParameterModel &model, mlir::Operation *payload)
      : model(model), context(*model.context), problem(*model.problem),
        payload(payload), guard(model.context->truth(true)) {}

  llvm::LogicalResult run(mlir::transform::NamedSequenceOp entry);

private:
  llvm::LogicalResult visitBlock(mlir::Block &block);
  llvm::LogicalResult visit(mlir::Operation &op);
  llvm::LogicalResult visitKnob(mlir::transform::tune::KnobOp op);
  llvm::LogicalResult
  visitAlternatives(mlir::transform::tune::AlternativesOp op);
  llvm::LogicalResult visitInclude(mlir::transform::IncludeOp op);
  /// Regions of which nothing is known but that they may run.
  llvm::LogicalResult visitRegions(mlir::Operation &op);
  void visitConstrainParams(mlir::transform::smt::ConstrainParamsOp op);
  void visitMerge(mlir::transform::MergeHandlesOp op);

  // Tiling.cpp
  void visitMatch(mlir::Operation &op);
  /// A tiling of `target` by `sizes`, whose result `tiled` is the tile;
  /// `mapped` is the number of mapping attributes, if there are any.
  void visitTiling(mlir::Operation &op, mlir::Value target,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value tiled,
                   std::optional<unsigned> mapped);
  void requireSomeDimension(mlir::Operation &op,
                            llvm::ArrayRef<Parameter> sizes);
  void visitVectorize(mlir::Operation &op, mlir::Value target);
  Parameter getSize(mlir::OpFoldResult size);
  /// The handle, if it is to one op that is known.
  const TrackedHandle *lookupHandle(mlir::Value value) const;
  void dropHandlesTo(mlir::Operation *payloadOp);
  /// What an op that is none of the above does to the handles.
  void visitEffects(mlir::Operation &op);

  Parameter getParameter(mlir::Value value) const;
  /// Adds a constraint that holds wherever the op at hand runs.
  void require(llvm::StringRef id, solver::BoolTerm term, mlir::Operation *op,
               llvm::StringRef text = "");
  solver::IntTerm addKnob(mlir::Operation *op, llvm::StringRef name,
                          solver::Domain domain,
                          std::optional<int64_t> selected);

  ParameterModel &model;
  solver::TermContext &context;
  solver::Problem &problem;
  mlir::Operation *payload;

  llvm::DenseMap<mlir::Value, Parameter> parameters;
  llvm::DenseMap<mlir::Value, TrackedHandle> handles;
  llvm::DenseMap<mlir::Operation *, solver::IntTerm> knobTerms;
  llvm::StringMap<unsigned> numOfName;
  unsigned numRegions = 0;
  llvm::SmallPtrSet<mlir::Operation *, 4> running;
  /// What the enclosing `tune.alternatives` must have chosen.
  solver::BoolTerm guard;
  /// Inside an op that may suppress failures, or run its body zero times: no
  /// failure there is one of the schedule.
  mlir::Operation *suppressor = nullptr;
  /// Whether some step may have changed the payload.
  bool touched = false;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_COLLECTOR_H
