//===- AccessChecks.h - Bounds and strands of host code ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds to host code what tells the access runtime where accesses leave their
// buffer and which iterations have no order. Layer: transforms; it knows
// neither who runs the code nor what is done about it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_ACCESSCHECKS_H
#define FORMWORK_TRANSFORMS_RESULTS_ACCESSCHECKS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace formwork::transforms {

/// The functions that checked code calls; see AccessRuntime for what they do.
namespace access {
/// (site, dimension, index, extent, size): `extent` elements from `index` on
/// are to lie in a dimension of `size` elements.
inline constexpr llvm::StringLiteral bounds = "formwork.access.bounds";
/// (site) in front of a loop without order, () in front of each of its
/// iterations, and () behind it.
inline constexpr llvm::StringLiteral fork = "formwork.access.fork",
                                     strand = "formwork.access.strand",
                                     join = "formwork.access.join";
/// (address, bytes, kind, site, base) in front of an access through a pointer
/// that was computed from `base`; in LLVM IR only.
inline constexpr llvm::StringLiteral touch = "formwork.access.touch";
} // namespace access

/// An operation that checked code speaks of by its number.
struct AccessSite {
  mlir::Location loc;
  std::string name; ///< 'memref.subview'
};

/// Adds checks to the functions of `module`, which holds buffers and no
/// structured operations any more, but not to what is in a launch: of the
/// bounds of every load, store, vector transfer and view, in every dimension in
/// which it claims to be in bounds; and of the strands of every scf.forall and
/// scf.parallel. Only the lanes that a mask selects count
/// (findActiveLanes). Appends the operations to `sites`.
void addAccessChecks(mlir::ModuleOp module, std::vector<AccessSite> &sites);

/// Adds checks of the bounds of every slice of a tensor that is extracted or
/// inserted, but not to what is in a launch. Bufferization may drop a slice
/// whose contents no result depends on, so these checks are added before it.
/// Appends the operations to `sites`.
void addSliceChecks(mlir::ModuleOp module, std::vector<AccessSite> &sites);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_ACCESSCHECKS_H
