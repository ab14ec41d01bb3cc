//===- SharedCopy.cpp - A copy that threads share -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/SharedCopy.h"

#include "mlir/Dialect/Linalg/TransformOps/GPUHeuristics.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using Mapping = transform::gpu::CopyMappingInfo;

std::optional<CopyRequest>
formwork::verifier::makeCopyRequest(int64_t numThreads, int64_t elementBits,
                                    int64_t alignment) {
  constexpr int64_t maxBits = Mapping::kMaxVectorLoadBitWidth;
  if (numThreads <= 0 || numThreads > (1 << 20) || alignment <= 0 ||
      maxBits % elementBits != 0)
    return std::nullopt;
  // An alignment that no element has is taken for that of one.
  int64_t perThread =
      alignment % elementBits == 0 ? alignment / elementBits : 1;
  return CopyRequest{numThreads, elementBits,
                     std::gcd(perThread, maxBits / elementBits)};
}

/// As upstream shares a copy of these sizes.
static std::optional<SharedCopy> shareKnown(solver::TermContext &terms,
                                            MLIRContext *context,
                                            const CopyRequest &request,
                                            ArrayRef<int64_t> sizes) {
  Mapping mapping(context, request.numThreads,
                  request.elementBits * request.maxVector, sizes,
                  /*favorPredication=*/false, request.elementBits);
  int64_t widest = std::gcd(request.maxVector, sizes.back());
  SharedCopy shared{terms.truth(mapping.status != Mapping::Status::Invalid),
                    terms.truth(mapping.status == Mapping::Status::Success),
                    terms.constant(widest),
                    {},
                    {}};
  if (shared.fits.isFalse())
    return shared;
  if (mapping.numThreads.size() != sizes.size())
    return std::nullopt;
  shared.threads.assign(mapping.numThreads.begin(), mapping.numThreads.end());
  for (auto [size, threads] : llvm::zip(sizes, shared.threads))
    shared.parts.push_back(llvm::divideCeil(size, threads));
  shared.vector = terms.constant(shared.parts.back());
  return shared;
}

/// How upstream shares a copy of `outer` rows (1 if there are none) of `inner`
/// elements: each thread takes the widest vector that divides a row, or, as
/// long as not all threads have work, one of half the width; but a row has at
/// most as many vectors as there are threads. Where no width gives all of them
/// work, it is the widest again.
static SharedCopy shareOpen(solver::TermContext &terms,
                            const CopyRequest &request, IntTerm outer,
                            IntTerm inner) {
  IntTerm threads = terms.constant(request.numThreads);
  auto divides = [&](int64_t vector) {
    return terms.divides(terms.constant(vector), inner);
  };
  SharedCopy shared{
      terms.truth(false), terms.truth(false), terms.constant(1), {}, {}};
  for (int64_t widest = 1; widest <= request.maxVector; widest *= 2) {
    // From the narrowest to `widest`, each in terms of the next narrower one.
    BoolTerm fits = terms.truth(true), isFull = terms.truth(false);
    IntTerm vector = terms.constant(widest);
    for (int64_t width = 1; width <= widest; width *= 2) {
      // Where `width` divides, as it does below, this rounds nothing.
      IntTerm perRow = terms.ceilDiv(inner, terms.constant(width));
      BoolTerm enough = terms.lessEqual(perRow, threads);
      BoolTerm all = terms.logicalAnd(
          terms.divides(perRow, threads),
          terms.divides(terms.ceilDiv(threads, perRow), outer));
      fits = terms.logicalAnd(enough, terms.logicalOr(all, fits));
      vector = terms.select(all, terms.constant(width), vector);
      isFull = terms.logicalOr(all, isFull);
    }
    BoolTerm isWidest = divides(widest);
    if (widest != request.maxVector)
      isWidest =
          terms.logicalAnd(isWidest, terms.logicalNot(divides(2 * widest)));
    shared.fits = terms.choose(isWidest, fits, shared.fits);
    shared.isFull = terms.choose(isWidest, isFull, shared.isFull);
    shared.vector = terms.select(isWidest, vector, shared.vector);
  }
  return shared;
}

std::optional<SharedCopy>
formwork::verifier::shareCopy(solver::TermContext &terms, MLIRContext *context,
                              const CopyRequest &request,
                              ArrayRef<IntTerm> sizes) {
  auto isConstant = [](IntTerm size) { return size.isConstant(); };
  if (llvm::all_of(sizes, isConstant))
    return shareKnown(terms, context, request,
                      llvm::map_to_vector(sizes, [](IntTerm size) {
                        return size.getConstant();
                      }));
  if (sizes.size() > 2)
    return std::nullopt;
  return shareOpen(terms, request,
                   sizes.size() == 2 ? sizes.front() : terms.constant(1),
                   sizes.back());
}
