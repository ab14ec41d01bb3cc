//===- Pool.cpp - The values that new ops may use -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Pool.h"

#include "engine/Check.h"

using namespace mlir;

namespace formwork::testing {

Kind Pool::getKind(Type model) {
  if (isa<RankedTensorType>(model))
    return Kind::Tensor;
  if (isa<VectorType>(model))
    return Kind::Vector;
  if (isa<MemRefType>(model))
    return Kind::Buffer;
  if (isa<IndexType>(model))
    return Kind::Index;
  FW_CHECK(model.isIntOrFloat(), "payload has values of these kinds only");
  return isa<IntegerType>(model) ? Kind::Integer : Kind::Float;
}

void Pool::add(const Entry &entry) {
  unsigned index = entries.size();
  entries.push_back(entry);
  byKind[static_cast<size_t>(getKind(entry.model))].push_back(index);
  byModel[entry.model].push_back(index);
}

void Pool::rollback(size_t mark) {
  while (entries.size() > mark) {
    Type model = entries.back().model;
    byKind[static_cast<size_t>(getKind(model))].pop_back();
    byModel[model].pop_back();
    entries.pop_back();
  }
}

ArrayRef<unsigned> Pool::ofModel(Type model) const {
  auto it = byModel.find(model);
  if (it == byModel.end())
    return {};
  return it->second;
}

} // namespace formwork::testing
