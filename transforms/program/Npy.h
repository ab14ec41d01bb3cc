//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one array of NumPy's `.npy` format into the memory of an argument, and
// writes one.
// Layer: transforms; it knows no IR but locations.
//
// Source: NEP 1, "A simple file format for NumPy arrays", versions 1 to 3.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_NPY_H
#define FORMWORK_TRANSFORMS_PROGRAM_NPY_H

#include "transforms/program/EntryPoint.h"

#include "llvm/ADT/ArrayRef.h"

namespace formwork::transforms {

/// The shape of the array in `path`. Errors, at `loc`: fw-input-unreadable,
/// fw-input-malformed.
mlir::FailureOr<llvm::SmallVector<int64_t>> readNpyShape(llvm::StringRef path,
                                                         mlir::Location loc);

/// Fills `out` with the array in `path`, which must have the shape and the
/// element type of `parameter`, in C order and little-endian; bf16 is taken
/// from what ml_dtypes writes (two opaque bytes an element). `out` is
/// unchanged on failure. Errors, at `loc`: fw-input-unreadable,
/// fw-input-malformed, fw-input-mismatch.
llvm::LogicalResult readNpy(llvm::StringRef path,
                            const EntryParameter &parameter,
                            llvm::MutableArrayRef<char> out,
                            mlir::Location loc);

/// The content of a file in version 1 of the format with the elements of
/// `bytes`, which have the shape and the type of `parameter`. Example: the
/// header of 2x3xf32 says "'descr': '<f4'" and "'shape': (2, 3)".
std::string formatNpy(const EntryParameter &parameter,
                      llvm::ArrayRef<char> bytes);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_NPY_H
