//===- SilencedSteps.h - Steps that silence their warnings ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute by which an author silences warnings in the schedule itself.
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_SILENCEDSTEPS_H
#define FORMWORK_TOOLS_REPORT_SILENCEDSTEPS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <set>
#include <string>

namespace formwork::tools {

/// The ids of warnings that a step, or a sequence with all its steps, silences:
/// `transform.structured.match ... {formwork.silence = ["fw-unproved"]}`.
inline constexpr llvm::StringLiteral kSilenceAttribute = "formwork.silence";

/// The id that stands for warnings of MLIR itself.
inline constexpr llvm::StringLiteral kForeignId = "mlir";

/// The fault of `id`, if it has one. Most errors are warnings where they are
/// not certain, so that each id of the catalogue can be meant.
std::optional<std::string> findIdFault(llvm::StringRef id);

class SilencedSteps {
public:
  /// Takes the attributes of the steps of `schedule`, instead of those of an
  /// earlier one. Errors: fw-silence-id.
  llvm::LogicalResult read(mlir::Operation *schedule);

  /// Whether warnings of `id` at `loc` are silenced.
  bool has(mlir::Location loc, llvm::StringRef id) const {
    return silenced.count({loc.getAsOpaquePointer(), id.str()}) != 0;
  }

private:
  std::set<std::pair<const void *, std::string>> silenced;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_SILENCEDSTEPS_H
