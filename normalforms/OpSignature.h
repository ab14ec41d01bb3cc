//===- OpSignature.h - What a registered op takes and gives -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands, results and attributes that a registered transform op can have,
// as its own verifier says. MLIR keeps no table of them, so that an instance
// without meaning is built and shown to the verifier. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_OPSIGNATURE_H
#define FORMWORK_NORMALFORMS_OPSIGNATURE_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace formwork::normalforms {

/// What an operand or a result of a transform op may be.
struct HandleRoles {
  bool op = true;    ///< a handle of payload ops
  bool value = true; ///< a handle of payload values
  bool param = true; ///< a parameter

  bool isParam() const { return param && !op && !value; }
  bool operator==(const HandleRoles &other) const = default;
};

/// Of one registered op. Where the verifier does not tell, everything is
/// possible.
///
/// Example: `transform.loop.unroll` has one operand, a handle of ops, and no
/// result; `transform.structured.match` has one attribute called `ops`.
class OpSignature {
public:
  /// Cost: some dozen small ops, built and verified. The dialect of `name` is
  /// loaded. What the verifier says goes nowhere.
  explicit OpSignature(mlir::RegisteredOperationName name);

  /// How many there can be; none when there is no bound.
  std::optional<unsigned> getMaxOperands() const { return maxOperands; }
  std::optional<unsigned> getMaxResults() const { return maxResults; }
  /// Of an index that is within the bound.
  HandleRoles getOperandRoles(unsigned index) const {
    // Those of open number come last, and are alike.
    bool isOpen = endsOpen && index >= operands.size();
    return isOpen ? operands.back() : getRoles(operands, index);
  }
  HandleRoles getResultRoles(unsigned index) const {
    return getRoles(results, index);
  }
  /// The names of the attributes that the op's definition lists.
  llvm::ArrayRef<mlir::StringAttr> getAttributes() const { return attributes; }
  /// Whether attribute `name`, one of these, can be an integer or a list of
  /// integers.
  bool mayBeIntegers(llvm::StringRef name) const;

private:
  static HandleRoles getRoles(llvm::ArrayRef<HandleRoles> known,
                              unsigned index) {
    return index < known.size() ? known[index] : HandleRoles();
  }

  mlir::RegisteredOperationName name;
  std::optional<unsigned> maxOperands, maxResults;
  llvm::SmallVector<HandleRoles, 4> operands, results;
  bool endsOpen = false;
  llvm::ArrayRef<mlir::StringAttr> attributes;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_OPSIGNATURE_H
