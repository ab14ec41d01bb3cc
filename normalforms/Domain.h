//===- Domain.h - Values for which a contract holds -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of an attribute or a pass option for which the claims of a
// contract were tried (DESIGN §4, "Envelope"). The documentation of
// `normalform.domain` defines the words. Layer: normalforms. It decides whether
// a value is in a domain; its users draw the conclusions.
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

/// A set of attributes. The default is the ordinary domain: integers from 1 to
/// the 32-bit maximum, nonempty strings and lists, lists of names without
/// duplicates, and all other attributes.
///
/// Example: the ordinary domain contains `[32, 8]` but not `[0, 8]` or `[]`.
/// After `add("at_least 0")` it contains `[0, 8]`.
struct Domain {
  llvm::StringRef name; ///< the name of the attribute or option
  bool isOption = false;
  int64_t least = 1;
  int64_t most = std::numeric_limits<int32_t>::max();
  bool dynamic = false;  ///< contains MLIR's marker of a dynamic size
  bool empty = false;    ///< contains empty strings and lists
  bool distinct = false; ///< lists of any kind must not repeat an element
  bool repeated = false; ///< lists may repeat a name
  bool any = false;
  /// Additional values, printed as conditions print them.
  llvm::SmallVector<llvm::StringRef, 1> also;
  /// If there are any, the domain contains only these values.
  llvm::SmallVector<llvm::StringRef, 0> only;

  /// Reads one word of a domain; the word must outlive the domain. The error
  /// lists the words of the language.
  llvm::Error add(llvm::StringRef word);

  /// Why `value` is not in the domain, such as "is 0, which is less than 1".
  /// None if the value is in the domain. Cost: linear in the elements.
  std::optional<std::string> getWhyOutside(mlir::Attribute value) const;
};

/// A value outside of its domain.
struct OutsideValue {
  std::string name;
  bool isOption;
  std::string why; ///< "is 0, which is less than 1"
};

/// The attributes of `op`, an instance of a registered transform op, with
/// values outside of their domains. `domains` are those of the op's contract.
/// For a step that runs a pass, also its options, with the domains in `ofPass`.
/// Default values from the op's definition are in every domain. Values that a
/// parameter gives are not checked. Cost: linear in the attributes.
llvm::SmallVector<OutsideValue>
getOutsideValues(mlir::Operation *op, llvm::ArrayRef<Domain> domains,
                 llvm::ArrayRef<Domain> ofPass = {});

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_DOMAIN_H
