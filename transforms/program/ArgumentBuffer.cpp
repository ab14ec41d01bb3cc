//===- ArgumentBuffer.cpp - Memory for one argument of a run ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/ArgumentBuffer.h"

#include "engine/Check.h"
#include "runtime/FormworkData.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace formwork::transforms;

static constexpr size_t bufferAlignment = 256;

void ArgumentBuffer::Free::operator()(char *memory) const { std::free(memory); }

std::vector<int64_t>
formwork::transforms::makeDescriptor(const void *bytes,
                                     llvm::ArrayRef<int64_t> shape) {
  auto address = reinterpret_cast<int64_t>(bytes);
  std::vector<int64_t> descriptor = {address, address, 0};
  llvm::append_range(descriptor, shape);
  llvm::append_range(descriptor, mlir::computeStrides(shape));
  return descriptor;
}

ArgumentBuffer::ArgumentBuffer(const EntryParameter &parameter)
    : parameter(parameter) {
  // An empty tensor still gets an address of its own.
  size_t size = llvm::alignTo(std::max<uint64_t>(parameter.getByteSize(), 1),
                              bufferAlignment);
  bytes.reset(static_cast<char *>(std::aligned_alloc(bufferAlignment, size)));
  descriptor = makeDescriptor(bytes.get(), parameter.shape);
}

void *ArgumentBuffer::getArgument() {
  if (parameter.byValue)
    return bytes.get();
  return descriptor.data();
}

void ArgumentBuffer::fill(uint64_t seed, unsigned number) {
  uint64_t count = parameter.getElementCount();
  for (uint64_t i = 0; i < count; ++i)
    fwGenerate(parameter.type, parameter.indexLimit, seed, number, i,
               bytes.get());
}

void ArgumentBuffer::poison() {
  fwPoison(parameter.type, parameter.getElementCount(), bytes.get());
}

void ArgumentBuffer::copyFrom(ArgumentBuffer &other) {
  FW_CHECK(other.parameter.getByteSize() == parameter.getByteSize(),
           "buffers of different sizes");
  llvm::copy(other.getBytes(), bytes.get());
}
