//===- Domain.h - Values for which a contract holds -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of an attribute or of a pass's option for which the claims of a
// contract were tried (DESIGN §4, "Envelope"). The words of a domain are in the
// documentation of `normalform.domain`. Layer: normalforms; it says whether a
// value is in a domain, not what follows from that.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_DOMAIN_H
#define FORMWORK_NORMALFORMS_DOMAIN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace formwork::normalforms {

/// A set of attributes. As made: the ordinary domain, which is integers from 1
/// to the largest that 32 bits hold, texts and lists that are not empty, lists
/// of names without duplicates, and all that is neither.
///
/// Example: in the ordinary domain, `[32, 8]` is, `[0, 8]` and `[]` are not;
/// after `add("at_least 0")`, `[0, 8]` is.
struct Domain {
  llvm::StringRef name; ///< of the attribute or option
  bool isOption = false;
  int64_t least = 1;
  int64_t most = std::numeric_limits<int32_t>::max();
  bool dynamic = false;  ///< MLIR's marker of a size that is not static
  bool empty = false;    ///< an empty text or list
  bool distinct = false; ///< no element comes twice, whatever it is
  bool repeated = false; ///< a name may come twice
  bool any = false;
  /// Values that are in, printed as conditions print them.
  llvm::SmallVector<llvm::StringRef, 1> also;
  /// If there are any, no others are in.
  llvm::SmallVector<llvm::StringRef, 0> only;

  /// Reads one word of a domain, which has to outlive the domain; the error
  /// says what the language has instead.
  llvm::Error add(llvm::StringRef word);

  /// Why `value` is not in the domain, as in "is 0, which is less than 1"; none
  /// where it is. Cost: linear in the elements.
  std::optional<std::string> getWhyOutside(mlir::Attribute value) const;
};

/// A value outside of its domain.
struct OutsideValue {
  std::string name;
  bool isOption;
  std::string why; ///< "is 0, which is less than 1"
};

/// The attributes of `op`, an instance of a registered transform op, with values
/// outside of their domains in `domains`, which are those of its contract; of a
/// step that runs a pass, its options, too, with `ofPass`. Values that the op's
/// definition has as default are in every domain. What a parameter gives is not
/// looked at. Cost: linear in the attributes.
llvm::SmallVector<OutsideValue>
getOutsideValues(mlir::Operation *op, llvm::ArrayRef<Domain> domains,
                 llvm::ArrayRef<Domain> ofPass = {});

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_DOMAIN_H
