//===- PayloadFeatures.h - Unusual features of a payload op -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The payload features outside of the ordinary envelope (DESIGN §4). The claims
// of contracts hold for ordinary payload, and for a feature only where the
// contract admits the feature. This is the only place that looks for features.
// Layer: normalforms; pure: it reads one op as it stands.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PAYLOADFEATURES_H
#define FORMWORK_NORMALFORMS_PAYLOADFEATURES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace formwork::normalforms {

enum class Feature : uint8_t {
  ElementComplex,
  ElementFloat,
  ElementMixed,
  ElementOther,
  ElementSigned,
  ElementVector,
  ElementWide,
  LayoutNotStrided,
  LayoutOverlapping,
  Encoding,
  SizeZero,
  SizeHuge,
  SizeMisfit,
  IndexOutOfBounds,
  ViewUnclear,
  PadFoldable,
  PadNegative,
  RankHigh,
  RankUnranked,
  VectorScalable,
  MemorySpaceOther,
  LoopNotIndex,
  LoopUnsigned,
  LoopsNone,
  OperandsNone,
  InitNone,
  InitTied,
  DestinationInPlace,
  SemanticsMixed,
  BodyStructured,
  BlocksSeveral,
  DialectUnknown
};
inline constexpr unsigned kNumFeatures =
    static_cast<unsigned>(Feature::DialectUnknown) + 1;

/// A set of features, as a value.
class FeatureSet {
public:
  static FeatureSet all() {
    FeatureSet set;
    set.bits = (uint64_t(1) << kNumFeatures) - 1;
    return set;
  }
  void insert(Feature feature) { bits |= getBit(feature); }
  bool contains(Feature feature) const { return bits & getBit(feature); }
  bool empty() const { return bits == 0; }
  /// The features that `admitted` lacks. If some are left, nothing is proved.
  FeatureSet without(FeatureSet admitted) const {
    FeatureSet rest;
    rest.bits = bits & ~admitted.bits;
    return rest;
  }
  FeatureSet &operator|=(FeatureSet other) {
    bits |= other.bits;
    return *this;
  }
  FeatureSet operator&(FeatureSet other) const {
    other.bits &= bits;
    return other;
  }
  bool operator==(const FeatureSet &other) const = default;

  /// The names as contracts write them, in the order of their definition.
  llvm::SmallVector<llvm::StringRef, 2> getNames() const;

private:
  static uint64_t getBit(Feature feature) {
    return uint64_t(1) << static_cast<unsigned>(feature);
  }

  uint64_t bits = 0;
};

struct PayloadFeature {
  Feature feature;
  llvm::StringLiteral name;
  /// The feature in words that complete "an op that …".
  llvm::StringLiteral meaning;
};

/// All features, in the order of the enumerators.
llvm::ArrayRef<PayloadFeature> getPayloadFeatures();
/// The feature called `name`, or null.
const PayloadFeature *lookupPayloadFeature(llvm::StringRef name);

/// The features of `op` itself: of its operands, results, block arguments and
/// type attributes, and of its semantics. The ops inside it do not count; for a
/// scope, use the union over the ops below. Ordinary payload has none.
///
/// Example: `linalg.fill ins(%c : f32) outs(%t : tensor<0x4xf32>)` has
/// `size:zero` alone.
///
/// Cost: linear in the types of the op, including nested types.
FeatureSet getFeatures(mlir::Operation *op);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PAYLOADFEATURES_H
