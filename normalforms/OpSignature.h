//===- OpSignature.h - The signature of a registered op ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands, results and attributes that a registered transform op can have,
// according to its verifier. MLIR keeps no table of them, so a meaningless
// instance is built and verified. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_OPSIGNATURE_H
#define FORMWORK_NORMALFORMS_OPSIGNATURE_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace formwork::normalforms {

/// The roles that an operand or result of a transform op may have.
struct HandleRoles {
  bool op = true;    ///< a handle of payload ops
  bool value = true; ///< a handle of payload values
  bool param = true; ///< a parameter

  bool isParam() const { return param && !op && !value; }
  bool operator==(const HandleRoles &other) const = default;
};

/// The signature of one registered op. Where the verifier reveals nothing,
/// every role is possible.
///
/// Example: `transform.loop.unroll` has one operand, a handle of ops, and no
/// result; `transform.structured.match` has one attribute called `ops`.
class OpSignature {
public:
  /// Cost: builds and verifies some dozen small ops. Loads the dialect of
  /// `name`. The verifier's messages are dropped.
  explicit OpSignature(mlir::RegisteredOperationName name);

  /// The largest possible number; none if there is no bound.
  std::optional<unsigned> getMaxOperands() const { return maxOperands; }
  std::optional<unsigned> getMaxResults() const { return maxResults; }
  /// The number of operands and results that the op's definition names; a
  /// variadic one counts once. 0 if it is not known.
  unsigned getNumNamedOperands() const { return namedOperands; }
  unsigned getNumNamedResults() const { return namedResults; }
  /// `index` must be within the bound.
  HandleRoles getOperandRoles(unsigned index) const {
    // Variadic operands come last and all have the same roles.
    bool isOpen = endsOpen && index >= operands.size();
    return isOpen ? operands.back() : getRoles(operands, index);
  }
  HandleRoles getResultRoles(unsigned index) const {
    return getRoles(results, index);
  }
  /// The names of the attributes that the op's definition lists.
  llvm::ArrayRef<mlir::StringAttr> getAttributes() const { return attributes; }
  /// Whether attribute `name`, one of `getAttributes`, can be an integer or a
  /// list of integers.
  bool mayBeIntegers(llvm::StringRef name) const;
  /// Whether attribute `name`, one of `getAttributes`, is only present or
  /// absent.
  bool isFlag(llvm::StringRef name) const;
  /// Whether attribute `name`, one of `getAttributes`, can print as `text`,
  /// which is a word. True of any other text.
  bool mayPrintAs(llvm::StringRef name, llvm::StringRef text) const;

private:
  static HandleRoles getRoles(llvm::ArrayRef<HandleRoles> known,
                              unsigned index) {
    return index < known.size() ? known[index] : HandleRoles();
  }

  /// Whether attribute `name` can be one of `values`.
  bool mayBe(llvm::StringRef name,
             llvm::ArrayRef<mlir::Attribute> values) const;

  mlir::RegisteredOperationName name;
  unsigned namedOperands = 0, namedResults = 0;
  std::optional<unsigned> maxOperands, maxResults;
  llvm::SmallVector<HandleRoles, 4> operands, results;
  bool endsOpen = false;
  llvm::ArrayRef<mlir::StringAttr> attributes;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_OPSIGNATURE_H
