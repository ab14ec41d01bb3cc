//===- Fingerprint.cpp - Structural fingerprints of payload -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Fingerprint.h"

#include "engine/ContextClone.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::engine;

void Fingerprint::mix(uint64_t word) {
  // Two multiply-rotate streams with unrelated odd constants. Each alone is a
  // fair 64-bit hash, and a collision needs both.
  low = (low ^ word) * 0x9E3779B97F4A7C15ull;
  low ^= low >> 29;
  high = (high + word) * 0xC2B2AE3D27D4EB4Full;
  high ^= high >> 32;
}

static uint64_t hashProperties(Operation *op) {
  return op->getPropertiesStorageSize() ? uint64_t(op->hashProperties()) : 0;
}

/// Hashes name, attributes and result types of one op, without its
/// surroundings.
static void mixHead(Fingerprint &out, Operation *op) {
  out.mix(op->getName().getAsOpaquePointer());
  out.mix(op->getRawDictionaryAttrs().getAsOpaquePointer());
  out.mix(hashProperties(op));
  out.mix(op->getNumResults());
  for (Type type : op->getResultTypes())
    out.mix(type.getAsOpaquePointer());
}

/// Hashes everything but symbols that rules see above `isolated`.
static void mixAround(Fingerprint &out, Operation *isolated) {
  for (Operation *op = isolated->getParentOp(); op; op = op->getParentOp())
    mixHead(out, op);
}

/// One linear walk that numbers values and blocks in order of appearance.
struct Fingerprinter::Walk {
  Fingerprint out;
  llvm::DenseMap<Value, uint64_t> values;
  llvm::DenseMap<Block *, uint64_t> blocks;
  llvm::SetVector<SymbolRefAttr> *symbols = nullptr;
  Fingerprinter *owner = nullptr;

  void mixValue(Value value) {
    // The payload behind a step that failed may lack an operand.
    if (!value)
      return out.mix(0xD0);
    // Forward references (graph regions, dominance across blocks) and values
    // from outside get their number at their first use. A value from outside is
    // known by this number and its type only.
    auto [it, inserted] = values.try_emplace(value, values.size());
    out.mix(it->second);
    if (inserted)
      out.mix(value.getType().getAsOpaquePointer());
  }

  void mixBlock(Block *block) {
    auto [it, inserted] = blocks.try_emplace(block, blocks.size());
    out.mix(it->second);
  }

  void visitOp(Operation *op) {
    mixHead(out, op);
    out.mix(op->getNumOperands());
    for (Value operand : op->getOperands())
      mixValue(operand);
    for (Block *successor : op->getSuccessors())
      mixBlock(successor);
    for (Value result : op->getResults())
      out.mix(values.try_emplace(result, values.size()).first->second);
    if (symbols)
      for (SymbolRefAttr ref : owner->getSymbolRefs(op))
        symbols->insert(ref);
    visitRegions(op);
  }

  void visitRegions(Operation *op) {
    out.mix(op->getNumRegions());
    for (Region &region : op->getRegions()) {
      out.mix(0xB10C);
      for (Block &block : region) {
        mixBlock(&block);
        out.mix(block.getNumArguments());
        for (BlockArgument argument : block.getArguments())
          mixValue(argument);
        for (Operation &nested : block)
          visitOp(&nested);
      }
    }
  }
};

/// Collects the symbol references in `attribute`. The most common attribute
/// kinds hold none and are not walked.
static void collectSymbolRefs(Attribute attribute,
                              SmallVectorImpl<SymbolRefAttr> &refs) {
  if (isa<IntegerAttr, FloatAttr, StringAttr, UnitAttr, AffineMapAttr,
          IntegerSetAttr, DenseArrayAttr>(attribute))
    return;
  attribute.walk([&](SymbolRefAttr ref) { refs.push_back(ref); });
}

ArrayRef<SymbolRefAttr> Fingerprinter::getSymbolRefs(Operation *op) {
  if (op->getRawDictionaryAttrs().empty() && !op->getPropertiesStorageSize())
    return {};
  OpKey key{
      op->getName().getAsOpaquePointer(),
      {op->getRawDictionaryAttrs().getAsOpaquePointer(), hashProperties(op)}};
  // The keys hold attributes, which are never freed, but their number is
  // unbounded.
  constexpr size_t limit = 1 << 18;
  if (symbolRefs.size() >= limit)
    symbolRefs.clear();
  auto [it, inserted] = symbolRefs.try_emplace(key);
  if (inserted) {
    for (NamedAttribute attribute : op->getRawDictionaryAttrs())
      collectSymbolRefs(attribute.getValue(), it->second);
    // Look them up one by one: the full dictionary would have to be uniqued.
    if (op->getPropertiesStorageSize() && op->isRegistered())
      for (StringAttr name : op->getName().getAttributeNames())
        if (std::optional<Attribute> attribute = op->getInherentAttr(name))
          if (*attribute)
            collectSymbolRefs(*attribute, it->second);
    if (op->getPropertiesStorageSize() && !op->isRegistered())
      if (Attribute properties = op->getPropertiesAsAttribute())
        collectSymbolRefs(properties, it->second);
  }
  return it->second;
}

Fingerprint Fingerprinter::ofBody(Operation *anchor) {
  Walk walk;
  mixHead(walk.out, anchor);
  walk.visitRegions(anchor);
  return walk.out;
}

Fingerprint Fingerprinter::ofAnchor(Operation *anchor) {
  Operation *isolated = getIsolated(anchor);
  llvm::SetVector<SymbolRefAttr> symbols;
  Walk walk;
  walk.symbols = &symbols;
  walk.owner = this;
  mixHead(walk.out, isolated);
  walk.visitRegions(isolated);
  Fingerprint out = walk.out;

  // The anchor's place: the index of the region, block and op on the way down.
  for (Operation *op = anchor; op != isolated; op = op->getParentOp()) {
    out.mix(std::distance(op->getBlock()->begin(), op->getIterator()));
    out.mix(std::distance(op->getParentRegion()->begin(),
                          op->getBlock()->getIterator()));
    out.mix(op->getParentRegion()->getRegionNumber());
  }

  mixAround(out, isolated);
  for (SymbolRefAttr ref : symbols) {
    out.mix(ref.getAsOpaquePointer());
    if (Operation *symbol = SymbolTable::lookupNearestSymbolFrom(isolated, ref))
      mixHead(out, symbol);
  }
  return out;
}

Fingerprint Fingerprinter::ofSurroundings(Operation *anchor) {
  Fingerprint out;
  mixHead(out, anchor);
  mixAround(out, anchor);
  return out;
}
