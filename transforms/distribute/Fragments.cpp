//===- Fragments.cpp - Contractions by tensor cores -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Distributor.h"
#include "transforms/distribute/TensorCores.h"
#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms;
using namespace formwork::transforms::distribute;

/// The registers of a thread and of a multiprocessor, and the percentage of
/// them that a loop may keep busy from step to step. The rest is for what a
/// step loads and for addresses.
static constexpr int64_t kMostRegisters = 255, kAllRegisters = 65536,
                         kBusyShare = 64;

/// An element of f32 as `mma.sync` takes it, which ignores its last bits.
static Value toTf32(RewriterBase &rewriter, Location loc,
                    const TensorCoreProduct &product, Value element) {
  if (product.decision.truncateToTf32)
    return arith::BitcastOp::create(rewriter, loc, rewriter.getI32Type(),
                                    element);
  return NVVM::ConvertFloatToTF32Op::create(
      rewriter, loc, rewriter.getI32Type(), element, NVVM::FPRoundingMode::RNA);
}

/// Converts 32 bits of a matrix to the type that `mma.sync` takes.
static Value toRegister(RewriterBase &rewriter, Location loc,
                        const TensorCoreProduct &product, Value bits) {
  if (product.operandType.isF16())
    return bits;
  if (product.operandType.isF32())
    return toTf32(rewriter, loc, product,
                  vector::ExtractOp::create(rewriter, loc, bits, int64_t(0)));
  Value word = vector::BitCastOp::create(
      rewriter, loc, VectorType::get({1}, rewriter.getI32Type()), bits);
  return vector::ExtractOp::create(rewriter, loc, word, int64_t(0));
}

namespace {
/// Loads the matrices of 8 rows of 16 bytes that make up fragments. Let the
/// warp be number w of W along the outer loop. Its *chunk* number i along the
/// outer loop starts at element 8 * (w + W * i). Chunk number j along the depth
/// starts at element j * getChunkDepth().
class FragmentLoader {
public:
  using GetDigit = llvm::function_ref<Value(const Layout::Digit &)>;

  FragmentLoader(RewriterBase &rewriter, Location loc, GetDigit getDigit,
                 const TensorCoreProduct &product, const MatrixOperand &operand,
                 const AxisLayout &outer)
      : rewriter(rewriter), loc(loc), getDigit(getDigit), product(product),
        operand(operand), outer(outer) {}

  /// Loads the 32 bits that this lane has of each of `numOuter` x `numDepth`
  /// matrices. If `outerFirst`, the matrices of the first chunk of the depth
  /// come first, and else those of the first outer chunk. The product of the
  /// two numbers is 1, 2 or 4.
  SmallVector<Value> load(int64_t outer, int64_t numOuter, int64_t depth,
                          int64_t numDepth, bool outerFirst) {
    if (!operand.isDepthContiguous && product.getChunkDepth() != kChunk)
      return loadElements(outer, numOuter, depth, numDepth, outerFirst);
    int64_t count = numOuter * numDepth;
    Value ofOuter =
              getDigit({outerFirst ? kChunk : kChunk * numDepth, numOuter}),
          ofDepth =
              getDigit({outerFirst ? kChunk * numOuter : kChunk, numDepth}),
          row = getDigit({1, kChunk}), zero = getDigit({1, 1});
    bool isDepth = operand.isDepthContiguous;
    auto type = VectorType::get({count, 32 / getBits()}, product.operandType);
    Value matrices = nvgpu::LdMatrixOp::create(
        rewriter, loc, type, operand.read.getBase(),
        getIndices(outer, ofOuter, isDepth ? row : zero, depth, ofDepth,
                   isDepth ? zero : row),
        /*transpose=*/!isDepth, count);
    SmallVector<Value> registers;
    for (int64_t i = 0; i != count; ++i)
      registers.push_back(
          toRegister(rewriter, loc, product,
                     vector::ExtractOp::create(rewriter, loc, matrices, i)));
    return registers;
  }

private:
  int64_t getBits() const {
    return product.operandType.getIntOrFloatBitWidth();
  }

  /// Loads 32-bit elements whose neighbours in memory are along the outer loop.
  /// No instruction transposes such elements.
  SmallVector<Value> loadElements(int64_t outer, int64_t numOuter,
                                  int64_t depth, int64_t numDepth,
                                  bool outerFirst) {
    Value row = getDigit({4, kChunk}), column = getDigit({1, 4}),
          zero = getDigit({1, 1});
    SmallVector<Value> registers;
    for (int64_t i = 0; i != numOuter * numDepth; ++i) {
      int64_t ofOuter = outerFirst ? i % numOuter : i / numDepth;
      int64_t ofDepth = outerFirst ? i / numOuter : i % numDepth;
      Value element =
          memref::LoadOp::create(rewriter, loc, operand.read.getBase(),
                                 getIndices(outer + ofOuter, zero, row,
                                            depth + ofDepth, zero, column));
      registers.push_back(toTf32(rewriter, loc, product, element));
    }
    return registers;
  }

  /// The indices of the element `row` of the outer chunk `outer + ofOuter` and
  /// `column` of the depth's chunk `depth + ofDepth`.
  SmallVector<Value> getIndices(int64_t outer, Value ofOuter, Value row,
                                int64_t depth, Value ofDepth, Value column) {
    SmallVector<Value> indices(operand.read.getIndices());
    SmallVector<AffineExpr> d(4);
    bindDimsList(rewriter.getContext(), MutableArrayRef(d));
    auto add = [&](unsigned dim, AffineExpr place, ArrayRef<Value> of) {
      SmallVector<OpFoldResult> operands(of.begin(), of.end());
      operands.insert(operands.begin(), indices[dim]);
      operands.resize(4, rewriter.getIndexAttr(0));
      indices[dim] = getIndex(rewriter, loc, d[0] + place, operands);
    };
    Value warp = getDigit({this->outer.warpStride, this->outer.warps});
    int64_t distance = kChunk * this->outer.warps;
    add(operand.outerDim,
        d[1] * kChunk + d[2] * distance + d[3] + outer * distance,
        {warp, ofOuter, row});
    int64_t chunk = product.getChunkDepth();
    add(operand.depthDim, d[1] * chunk + d[2] + depth * chunk,
        {ofDepth, column});
    if (stage::isSwizzled(operand.read.getBase()))
      stage::swizzleIndices(rewriter, loc,
                            cast<MemRefType>(operand.read.getShapedType()),
                            indices, /*rowsOfThread=*/1);
    return indices;
  }

  RewriterBase &rewriter;
  Location loc;
  GetDigit getDigit;
  const TensorCoreProduct &product;
  MatrixOperand operand;
  const AxisLayout &outer;
};
} // namespace

/// Emits one `mma.sync`. `sums` are the four elements of this lane: two
/// neighbours in the first 8 rows, and two in the other 8.
static void multiply(RewriterBase &rewriter, Location loc,
                     const TensorCoreProduct &product, ArrayRef<Value> a,
                     ArrayRef<Value> b, MutableArrayRef<Value> sums) {
  MLIRContext *context = rewriter.getContext();
  bool isNarrow = product.resultType.isF16();
  auto pair = VectorType::get({2}, product.resultType);
  SmallVector<Value> c(sums.begin(), sums.end());
  if (isNarrow)
    c = {vector::FromElementsOp::create(rewriter, loc, pair,
                                        ValueRange{sums[0], sums[1]}),
         vector::FromElementsOp::create(rewriter, loc, pair,
                                        ValueRange{sums[2], sums[3]})};
  auto type = LLVM::LLVMStructType::getLiteral(
      context, isNarrow ? SmallVector<Type>(2, pair)
                        : SmallVector<Type>(4, product.resultType));
  NVVM::MMATypes ptxType = product.operandType.isF16() ? NVVM::MMATypes::f16
                           : product.operandType.isBF16()
                               ? NVVM::MMATypes::bf16
                               : NVVM::MMATypes::tf32;
  Value result = NVVM::MmaOp::create(
      rewriter, loc, type, a, b, c,
      ArrayRef<int64_t>{2 * kChunk, kChunk, product.instructionDepth},
      std::nullopt, std::nullopt, std::array{ptxType, ptxType},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (int64_t i = 0; i != 4; ++i) {
    Value element = LLVM::ExtractValueOp::create(rewriter, loc, result,
                                                 isNarrow ? i / 2 : i);
    sums[i] = isNarrow
                  ? vector::ExtractOp::create(rewriter, loc, element, i % 2)
                        .getResult()
                  : element;
  }
}

//===----------------------------------------------------------------------===//
// Fragments of a whole operand
//===----------------------------------------------------------------------===//

StepFragments Distributor::loadFragments(Location loc,
                                         const TensorCoreProduct &product,
                                         bool isLeft, int64_t step) {
  auto getDigit = [this](const Layout::Digit &digit) {
    return this->getDigit(digit);
  };
  const AxisLayout &outer = getOuterLayout(product, isLeft);
  FragmentLoader loader(rewriter, loc, getDigit, product,
                        isLeft ? product.a : product.b, outer);
  int64_t size = outer.getLocalSize(), chunks = product.getInstructionChunks(),
          depth = step * chunks;
  StepFragments fragments;
  if (isLeft) {
    for (int64_t row = 0; row != size; row += 2)
      fragments.push_back(
          loader.load(row, 2, depth, chunks, /*outerFirst=*/true));
    return fragments;
  }
  // Load four matrices at a time, then the remaining ones.
  int64_t numColumnChunks = size / 2;
  for (int64_t column = 0; column != numColumnChunks;) {
    int64_t count = 4 / chunks;
    while (column + count > numColumnChunks)
      count /= 2;
    SmallVector<Value> loaded =
        loader.load(column, count, depth, chunks, /*outerFirst=*/false);
    for (int64_t i = 0; i != count; ++i)
      fragments.emplace_back(loaded.begin() + i * chunks,
                             loaded.begin() + (i + 1) * chunks);
    column += count;
  }
  return fragments;
}

const AxisLayout &Distributor::getOuterLayout(const TensorCoreProduct &product,
                                              bool isLeft) const {
  const AxisList &loops = axes.get(product.contract);
  return layout[*loops[isLeft ? product.row : product.column]];
}

void Distributor::accessFragments(Location loc, vector::TransferReadOp read) {
  Access access =
      describe(cast<VectorTransferOpInterface>(read.getOperation()));
  access.shared = false;
  barriers.access(loc, std::move(access));
}

const Fragments *Distributor::findHoisted(Operation *contract,
                                          unsigned operand) const {
  auto it = hoisted.find({contract, operand});
  return it == hoisted.end() ? nullptr : &it->second;
}

int64_t Distributor::countRegisters(Value vector) const {
  Pieces own = makePieces(getAxes(vector));
  int64_t elements = own.width;
  for (int64_t size : own.shape)
    elements *= size;
  return llvm::divideCeil(
      elements * getBitsInMemory(getElementTypeOrSelf(vector)), 32);
}

void Distributor::hoistFragments(scf::ForOp loop) {
  // The registers of values that a thread has all the time.
  int64_t registers = 0;
  for (Value init : loop.getInitArgs())
    if (isVector(init))
      registers += countRegisters(init);
  auto contracts = loop.getBody()->getOps<vector::ContractionOp>();
  for (vector::ContractionOp contract : contracts)
    if (matchPattern(contract.getAcc(), m_Constant()))
      registers += countRegisters(contract.getResult());
  int64_t most =
      std::min(kMostRegisters, kAllRegisters / layout.getNumThreads()) *
      kBusyShare / 100;

  for (vector::ContractionOp contract : contracts) {
    std::optional<TensorCoreDecision> decision = getDecision(contract);
    TensorCoreProduct product;
    if (!decision || distribute::describe(contract, *decision, product))
      continue;
    for (bool isLeft : {true, false}) {
      vector::TransferReadOp read = (isLeft ? product.a : product.b).read;
      if (!read || mayWrite(loop, read.getBase()) ||
          !llvm::all_of(read->getOperands(), [&](Value operand) {
            return loop.isDefinedOutsideOfLoop(operand) ||
                   operand == read.getPadding();
          }))
        continue;
      // A chunk of 8 rows takes a register, or of 8 columns, which are two
      // elements of a lane.
      int64_t chunks = getOuterLayout(product, isLeft).getLocalSize();
      if (!isLeft)
        chunks /= 2;
      int64_t more = chunks * product.depths / product.getChunkDepth();
      if (registers + more > most)
        continue;
      registers += more;
      accessFragments(contract.getLoc(), read);
      Fragments &fragments = hoisted[{contract, isLeft ? 0u : 1u}];
      for (int64_t step = 0; step != product.getNumSteps(); ++step)
        fragments.push_back(
            loadFragments(contract.getLoc(), product, isLeft, step));
    }
  }
}

void Distributor::visitTensorCores(vector::ContractionOp contract) {
  Location loc = contract.getLoc();
  TensorCoreProduct product;
  if (distribute::describe(contract, *getDecision(contract), product,
                           /*checksWriters=*/false))
    llvm_unreachable("the layout was chosen for this contraction");
  const Fragments *hoistedA = findHoisted(contract, 0),
                  *hoistedB = findHoisted(contract, 1);
  if (product.a.read && !hoistedA)
    accessFragments(loc, product.a.read);
  if (!hoistedB)
    accessFragments(loc, product.b.read);

  AxisList own = getAxes(contract.getResult()), loops = axes.get(contract);
  const AxisLayout &rowLayout = layout[*loops[product.row]],
                   &columnLayout = layout[*loops[product.column]];
  int64_t rows = rowLayout.getLocalSize(),
          columns = columnLayout.getLocalSize();
  AffineMap map = contract.getIndexingMapsArray().back();
  const Pieces &accumulators = lookup(contract.getAcc());
  // The sums of this thread, row by row.
  SmallVector<Value> sums;
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column) {
      SmallVector<int64_t> index(own.size(), 0);
      for (unsigned dim = 0; dim != own.size(); ++dim) {
        if (map.getDimPosition(dim) == product.row)
          index[dim] = row;
        if (map.getDimPosition(dim) == product.column)
          index[dim] = column;
      }
      sums.push_back(getElement(loc, accumulators, index));
    }

  int64_t chunks = product.getInstructionChunks();
  // Takes the matrices of a left operand that this thread has in registers.
  AxisList ofLeft = getAxes(contract.getLhs());
  AffineMap leftMap = contract.getIndexingMapsArray().front();
  auto take = [&](int64_t row, int64_t depth) {
    SmallVector<Value> registers;
    for (int64_t i = 0; i != 2 * chunks; ++i) {
      SmallVector<Value> pair;
      for (int64_t element = 0; element != 2; ++element) {
        SmallVector<int64_t> index(ofLeft.size(), 0);
        for (unsigned dim = 0; dim != ofLeft.size(); ++dim) {
          if (leftMap.getDimPosition(dim) == product.row)
            index[dim] = row + i % 2;
          if (leftMap.getDimPosition(dim) == product.depth)
            index[dim] = 2 * (depth + i / 2) + element;
        }
        pair.push_back(getElement(loc, lookup(contract.getLhs()), index));
      }
      registers.push_back(toRegister(
          rewriter, loc, product,
          vector::FromElementsOp::create(
              rewriter, loc, VectorType::get({2}, product.operandType), pair)));
    }
    return registers;
  };
  for (int64_t step = 0; step != product.getNumSteps(); ++step) {
    StepFragments ofA, ofB;
    if (hoistedA)
      ofA = (*hoistedA)[step];
    else if (product.a.read)
      ofA = loadFragments(loc, product, /*isLeft=*/true, step);
    else
      for (int64_t row = 0; row != rows; row += 2)
        ofA.push_back(take(row, step * chunks));
    ofB = hoistedB ? (*hoistedB)[step]
                   : loadFragments(loc, product, /*isLeft=*/false, step);
    for (int64_t row = 0; row != rows; row += 2)
      for (int64_t column = 0; column != columns; column += 2) {
        Value *first = &sums[row * columns + column], *second = first + columns;
        std::array<Value, 4> four{first[0], first[1], second[0], second[1]};
        multiply(rewriter, loc, product, ofA[row / 2], ofB[column / 2], four);
        std::tie(first[0], first[1], second[0], second[1]) =
            std::tie(four[0], four[1], four[2], four[3]);
      }
  }

  set(contract.getResult(),
      gather(loc, product.resultType, own, [&](ArrayRef<int64_t> index) {
        int64_t row = 0, column = 0;
        for (unsigned dim = 0; dim != own.size(); ++dim) {
          if (map.getDimPosition(dim) == product.row)
            row = index[dim];
          if (map.getDimPosition(dim) == product.column)
            column = index[dim];
        }
        return sums[row * columns + column];
      }));
}
