//===- ArgumentBuffer.h - Memory for one argument of a run ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of one argument and the descriptor by which compiled code is handed
// them. Layer: transforms; it follows runtime/FormworkProgram.h and knows no
// IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_ARGUMENTBUFFER_H
#define FORMWORK_TRANSFORMS_PROGRAM_ARGUMENTBUFFER_H

#include "transforms/program/EntryPoint.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <vector>

namespace formwork::transforms {

/// The memref descriptor of a row-major buffer at `bytes`.
std::vector<int64_t> makeDescriptor(const void *bytes,
                                    llvm::ArrayRef<int64_t> shape);

/// Memory of one parameter, 64-byte aligned, with its memref descriptor. Not
/// movable, since the descriptor is handed out by address.
class ArgumentBuffer {
public:
  /// Allocates without filling, or not at all when there is not enough memory:
  /// see isAllocated. `parameter` must outlive the buffer.
  explicit ArgumentBuffer(const EntryParameter &parameter);
  ArgumentBuffer(const ArgumentBuffer &) = delete;
  ArgumentBuffer &operator=(const ArgumentBuffer &) = delete;

  /// Without memory, nothing else may be called.
  bool isAllocated() const { return bytes != nullptr; }
  const EntryParameter &getParameter() const { return parameter; }
  llvm::MutableArrayRef<char> getBytes() {
    return {bytes.get(), parameter.getByteSize()};
  }

  /// The argument for a compiled function: the address of the descriptor, or of
  /// the value.
  void *getArgument();

  /// The values of argument `number` of a run with `seed`: the same bits as in
  /// an emitted program.
  void fill(uint64_t seed, unsigned number);
  /// Fills an output before the run, so that an unwritten one shows.
  void poison();
  void copyFrom(ArgumentBuffer &other);

private:
  struct Free {
    void operator()(char *memory) const;
  };
  const EntryParameter &parameter;
  std::unique_ptr<char, Free> bytes;
  /// Allocated and aligned pointer, offset, sizes, strides: eight bytes each.
  std::vector<int64_t> descriptor;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_ARGUMENTBUFFER_H
