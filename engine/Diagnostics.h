//===- Diagnostics.h - Findings and their emission --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user-facing diagnostic as a value: one message at the use, a stable id,
// notes in the house's fixed order, and fix-its with the edits that carry them
// out. MLIR's diagnostic engine takes it to whoever prints it: the text in the
// message, the rest as metadata. Layer: engine; it knows nothing of forms,
// contracts or schedules.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_DIAGNOSTICS_H
#define FORMWORK_ENGINE_DIAGNOSTICS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace formwork::engine {

/// The order in which the notes of one finding are printed.
enum class NoteKind {
  Established,   ///< where the fact or handle came from
  Lost,          ///< what invalidated or destroyed it
  Evidence,      ///< payload, counterexample, arithmetic
  Approximation, ///< what was not modelled and took part
  FixIt          ///< what to write instead
};

/// `text` goes where `range` was. Columns count bytes from 1, the last one is
/// not part of the range; an empty range is an insertion.
struct TextEdit {
  mlir::FileLineColRange range;
  std::string text;
};
using TextEdits = llvm::SmallVector<TextEdit, 1>;

struct Note {
  NoteKind kind;
  mlir::Location loc;
  std::string message;
  /// Of a fix-it: what carries it out, all or nothing. Empty where only a
  /// person can, or where the text is not known.
  TextEdits edits;
};

/// One diagnostic. `id` is of the shape `fw-<kebab>`, stable, never reused, and
/// printed in brackets behind the message.
struct Finding {
  mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error;
  mlir::Location loc;
  std::string id;
  std::string message;
  llvm::SmallVector<Note, 4> notes;

  Finding(mlir::Location loc, llvm::StringRef id, const llvm::Twine &message,
          mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error)
      : severity(severity), loc(loc), id(id), message(message.str()) {}

  Finding &note(NoteKind kind, mlir::Location loc, const llvm::Twine &message,
                TextEdits edits = {});
};

/// Collects findings, then emits them once: deduplicated, in source order,
/// notes in the order of `NoteKind`.
class Findings {
public:
  Finding &add(Finding finding);

  bool hasErrors() const;
  size_t count(mlir::DiagnosticSeverity severity) const;
  bool empty() const { return findings.empty(); }
  llvm::ArrayRef<Finding> get() const { return findings; }

  /// Puts the findings in source order, each once.
  void sort();

  /// Sorts and deduplicates, then hands every finding to the diagnostic engine
  /// of its location's context. Cost: n log n in the number of findings.
  void emit();

private:
  llvm::SmallVector<Finding, 4> findings;
};

/// What a handler of the diagnostic engine is given, as a value again: a
/// finding with its id, the kinds of its notes and their edits, notes in order;
/// or a diagnostic that is not ours, with an empty id and its notes as
/// evidence.
Finding readDiagnostic(mlir::Diagnostic &diagnostic);

/// Emits one finding at once; for places that stop at the first error.
/// Always returns failure.
llvm::LogicalResult emitFinding(Finding finding);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_DIAGNOSTICS_H
