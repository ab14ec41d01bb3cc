//===- Runtime.h - What prepared code calls ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions through which prepared device code reaches its Launch, with the
// type that their declaration in LLVM IR has. One table, so that the two sides
// cannot drift apart. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_RUNTIME_H
#define FORMWORK_TRANSFORMS_EMULATE_RUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class FunctionCallee;
class Module;
} // namespace llvm

namespace formwork::transforms::emulate {

struct RuntimeFunction {
  llvm::StringLiteral name;
  /// One letter for the result, then one for each argument: v(oid), p(ointer),
  /// i (32 bits), l (64 bits). The first argument is the ThreadRegisters.
  llvm::StringLiteral signature;
  void *address;
  /// The thread that calls it can have to wait for others.
  bool waits;
};

namespace runtime {
/// (thread, address, bytes, place) -> the address to access instead.
inline constexpr llvm::StringLiteral access = "fw.access";
/// (thread, address, bytes of an element, mask of elements, place) -> address.
inline constexpr llvm::StringLiteral accessMasked = "fw.access.masked";
/// (thread, address of an access that reaches no workgroup memory, place).
inline constexpr llvm::StringLiteral align = "fw.align";
/// (thread, barrier, BarrierOp, value, place) -> result.
inline constexpr llvm::StringLiteral barrier = "fw.barrier";
/// (thread, WarpOp, mask, value, b, c, place) -> result and predicate.
inline constexpr llvm::StringLiteral warp = "fw.warp";
/// (thread, MatrixOp, words of the lane, place).
inline constexpr llvm::StringLiteral matrix = "fw.matrix";
/// (thread, address, MatrixOp, words of the lane, place).
inline constexpr llvm::StringLiteral matrixLoad = "fw.matrix.load";
inline constexpr llvm::StringLiteral matrixStore = "fw.matrix.store";
/// (thread, target, source, bytes, source bytes, place of the write, place of
/// the read).
inline constexpr llvm::StringLiteral copy = "fw.copy";
inline constexpr llvm::StringLiteral commit = "fw.copy.commit";
/// (thread, groups that may stay pending).
inline constexpr llvm::StringLiteral wait = "fw.copy.wait";
inline constexpr llvm::StringLiteral waitAll = "fw.copy.wait.all";
/// (thread, block of the profiled module).
inline constexpr llvm::StringLiteral traceBlock = "fw.trace.block";
/// (thread, address or null).
inline constexpr llvm::StringLiteral traceAccess = "fw.trace.access";
/// (thread, place of the assertion that does not hold).
inline constexpr llvm::StringLiteral failAssertion = "fw.assert";
/// (thread, place).
inline constexpr llvm::StringLiteral exit = "fw.exit";
} // namespace runtime

llvm::ArrayRef<RuntimeFunction> getRuntimeFunctions();

/// The entry of the table with that name, null if there is none.
const RuntimeFunction *findRuntimeFunction(llvm::StringRef name);

/// Declares a function of the table in `module`.
llvm::FunctionCallee declareRuntimeFunction(llvm::Module &module,
                                            llvm::StringRef name);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_RUNTIME_H
