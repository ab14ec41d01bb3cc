//===- TensorCores.cpp - Contractions on tensor cores ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/TensorCores.h"

#include "transforms/distribute/Barriers.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

static constexpr llvm::StringLiteral kAttribute = "formwork.tensor_cores";
static constexpr llvm::StringLiteral kWarps = "warps";
static constexpr llvm::StringLiteral kRoundToTf32 = "round_to_tf32";
static constexpr llvm::StringLiteral kTruncateToTf32 = "truncate_to_tf32";

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

void formwork::transforms::distribute::setDecision(
    vector::ContractionOp contract, const TensorCoreDecision &decision) {
  Builder builder(contract.getContext());
  NamedAttrList entries;
  entries.set(kWarps, builder.getDenseI64ArrayAttr(
                          {decision.rowWarps, decision.columnWarps}));
  if (decision.roundToTf32)
    entries.set(kRoundToTf32, builder.getUnitAttr());
  if (decision.truncateToTf32)
    entries.set(kTruncateToTf32, builder.getUnitAttr());
  contract->setDiscardableAttr(kAttribute,
                               entries.getDictionary(contract.getContext()));
}

std::optional<TensorCoreDecision>
formwork::transforms::distribute::getDecision(vector::ContractionOp contract) {
  auto entries = contract->getAttrOfType<DictionaryAttr>(kAttribute);
  if (!entries)
    return std::nullopt;
  auto warps = entries.getAs<DenseI64ArrayAttr>(kWarps);
  if (!warps || warps.size() != 2)
    return std::nullopt;
  return TensorCoreDecision{warps[0], warps[1], entries.contains(kRoundToTf32),
                            entries.contains(kTruncateToTf32)};
}

bool formwork::transforms::distribute::isFragmentSource(
    vector::TransferReadOp read) {
  return !read->use_empty() &&
         llvm::all_of(read->getUses(), [](OpOperand &use) {
           auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
           return contract && use.getOperandNumber() < 2 &&
                  getDecision(contract);
         });
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

static Refusal refuseProduct(Operation *op, const Twine &message) {
  return {op->getLoc(), "fw-not-for-tensor-cores", message.str()};
}

/// The first operation between `read` and `user` that may write the memory that
/// `read` reads; null if there is none.
static Operation *findWriter(vector::TransferReadOp read, Operation *user) {
  for (Operation *op = read->getNextNode(); op != user; op = op->getNextNode())
    if (mayWrite(op, read.getBase()))
      return op;
  return nullptr;
}

/// Whether `value` is a left operand that the kernel computes in 16 bits.
/// Threads have such values as fragments, with two neighbours in each register,
/// in the same way as results of other contractions.
static bool isComputed(vector::ContractionOp contract, Value value) {
  return value == contract.getLhs() && value.getDefiningOp() &&
         !isa<VectorTransferOpInterface>(value.getDefiningOp()) &&
         getElementTypeOrSelf(value).getIntOrFloatBitWidth() == 16;
}

/// Describes one operand. `outer` and `depth` are loops of the contraction.
static std::optional<Refusal> describeOperand(vector::ContractionOp contract,
                                              Value value, AffineMap map,
                                              unsigned outer, unsigned depth,
                                              bool checksWriters,
                                              MatrixOperand &operand) {
  if (isComputed(contract, value))
    return std::nullopt;
  auto read = value.getDefiningOp<vector::TransferReadOp>();
  auto type =
      read ? dyn_cast<MemRefType>(read.getBase().getType()) : MemRefType();
  if (!type || !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return refuseProduct(contract,
                         "requires operands that are read from workgroup "
                         "memory but has one that is not");
  if (read->getBlock() != contract->getBlock() || read.getMask() ||
      read.hasOutOfBoundsDim())
    return refuseProduct(
        read, "requires operands that are read beside the contraction, "
              "whole and without a mask, but has one that is not");
  if (Operation *writer = checksWriters ? findWriter(read, contract) : nullptr)
    return refuseProduct(
        writer, "requires buffers that nothing writes between the read "
                "and the contraction but has '" +
                    writer->getName().getStringRef() + "'");
  if (!read.getBase().getDefiningOp<memref::AllocOp>() ||
      !type.hasStaticShape() || !type.getLayout().isIdentity())
    return refuseProduct(read,
                         "requires buffers that are allocated in one piece but "
                         "has one of type " +
                             debugString(type));
  operand.read = read;
  AffineMap permutation = read.getPermutationMap();
  for (auto [dim, result] : llvm::enumerate(permutation.getResults())) {
    auto position = dyn_cast<AffineDimExpr>(result);
    unsigned loop = map.getDimPosition(dim);
    if (loop != outer && loop != depth)
      continue;
    if (!position)
      return refuseProduct(
          read, "requires operands of which each element is in memory "
                "but has one that is broadcast");
    (loop == outer ? operand.outerDim : operand.depthDim) =
        position.getPosition();
  }
  unsigned last = type.getRank() - 1;
  if (operand.outerDim != last && operand.depthDim != last)
    return refuseProduct(
        read, "requires operands of which rows or columns are in one "
              "piece in memory but has one of neither");
  operand.isDepthContiguous = operand.depthDim == last;
  bool loadsMatrices =
      operand.isDepthContiguous || type.getElementTypeBitWidth() == 16;
  if (!loadsMatrices)
    return std::nullopt;
  int64_t bytes = type.getElementTypeBitWidth() / 8, stride = bytes;
  for (unsigned dim = last; dim-- > 0;) {
    stride *= type.getDimSize(dim + 1);
    if (stride % kChunkBytes != 0)
      return refuseProduct(
          read, "requires buffers of which rows start at multiples of "
                "16 bytes but has one of type " +
                    debugString(type));
  }
  std::optional<int64_t> first = getConstantIntValue(read.getIndices()[last]);
  if (!first || *first * bytes % kChunkBytes != 0)
    return refuseProduct(
        read, "requires reads that start at multiples of 16 bytes but "
              "has one that may not");
  return std::nullopt;
}

std::optional<Refusal> formwork::transforms::distribute::describe(
    vector::ContractionOp contract, const TensorCoreDecision &decision,
    TensorCoreProduct &product, bool checksWriters) {
  product.contract = contract;
  product.decision = decision;
  auto result = dyn_cast<VectorType>(contract.getResultType());
  if (!result || contract.getKind() != vector::CombiningKind::ADD ||
      isa<vector::MaskOp>(contract->getParentOp()))
    return refuseProduct(contract,
                         "requires a sum of products for each element of a "
                         "matrix, without a mask, but has another contraction");

  // The loops: one of rows, one of columns, one of the sum; others have one
  // step.
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  SmallVector<int64_t> sizes(maps.front().getNumDims(), 1);
  for (auto [operand, map] : llvm::zip_equal(contract->getOperands(), maps))
    for (auto [dim, size] :
         llvm::enumerate(cast<VectorType>(operand.getType()).getShape()))
      sizes[map.getDimPosition(dim)] = size;
  auto isOf = [&](unsigned loop, AffineMap map) {
    return map.isFunctionOfDim(loop);
  };
  SmallVector<unsigned> rows, columns, depths;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    bool ofA = isOf(loop, maps[0]), ofB = isOf(loop, maps[1]),
         ofResult = isOf(loop, maps[2]);
    SmallVector<unsigned> *kind = nullptr;
    if (ofA && !ofB && ofResult)
      kind = &rows;
    else if (!ofA && ofB && ofResult)
      kind = &columns;
    else if (ofA && ofB && !ofResult)
      kind = &depths;
    if (!kind)
      return refuseProduct(contract,
                           "requires a product of two matrices but has one "
                           "that batches or sums more");
    kind->push_back(loop);
  }
  if (rows.size() != 1 || columns.size() != 1 || depths.size() != 1)
    return refuseProduct(contract,
                         "requires one loop of rows, one of columns and one "
                         "of the sum but has " +
                             Twine(rows.size()) + ", " + Twine(columns.size()) +
                             " and " + Twine(depths.size()));
  product.row = rows.front();
  product.column = columns.front();
  product.depth = depths.front();
  product.rows = sizes[product.row];
  product.columns = sizes[product.column];
  product.depths = sizes[product.depth];

  // Check the types.
  Type type = contract.getLhsType().getElementType();
  product.operandType = type;
  product.resultType = result.getElementType();
  Type otherType = contract.getRhsType().getElementType();
  if (decision.usesTf32() && !(type.isF32() && otherType.isF32()))
    return refuseProduct(contract,
                         Twine("requires operands of f32 to ") +
                             (decision.roundToTf32 ? "round" : "truncate") +
                             " to tf32 but multiplies " + debugString(type) +
                             " by " + debugString(otherType));
  bool isKnown = type == otherType &&
                 (type.isF16() || type.isBF16() || decision.usesTf32());
  if (!isKnown)
    return refuseProduct(
        contract, "requires operands of f16, bf16, or f32 that is "
                  "rounded to tf32, but multiplies " +
                      debugString(type) + " by " + debugString(otherType));
  bool isSummed = product.resultType.isF32() ||
                  (type.isF16() && product.resultType.isF16());
  if (!isSummed)
    return refuseProduct(contract,
                         "requires sums in f32, or of products of f16 also in "
                         "f16, but adds up products of " +
                             debugString(type) + " in " +
                             debugString(product.resultType) +
                             "; 'transform.formwork.widen_sums' lets the "
                             "payload add up in f32");

  // Check the sizes.
  int64_t chunk = product.getChunkDepth();
  product.instructionDepth =
      product.depths % (2 * chunk) == 0 ? 2 * chunk : chunk;
  int64_t rowUnit = 2 * kChunk * decision.rowWarps,
          columnUnit = kChunk * decision.columnWarps;
  if (product.rows % rowUnit != 0 || product.columns % columnUnit != 0 ||
      product.depths % product.instructionDepth != 0)
    return refuseProduct(
        contract, "requires a tile of multiples of " + Twine(rowUnit) + "x" +
                      Twine(columnUnit) + "x" + Twine(chunk) +
                      " but has one of " + Twine(product.rows) + "x" +
                      Twine(product.columns) + "x" + Twine(product.depths));

  if (std::optional<Refusal> refusal =
          describeOperand(contract, contract.getLhs(), maps[0], product.row,
                          product.depth, checksWriters, product.a))
    return refusal;
  return describeOperand(contract, contract.getRhs(), maps[1], product.column,
                         product.depth, checksWriters, product.b);
}
