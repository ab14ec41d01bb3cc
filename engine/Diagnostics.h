//===- Diagnostics.h - Findings and their emission --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user-facing diagnostic as a value: one message at the place of use, a
// stable id, notes in a fixed order, and fix-its with their text edits. MLIR's
// diagnostic engine carries the finding to the printer: the text as the
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
  Established,   ///< where the fact was established or the handle was set
  Lost,          ///< the step that invalidated or destroyed it
  Evidence,      ///< payload, counterexample, arithmetic
  Approximation, ///< a part that was not modelled and took part
  FixIt          ///< what to write instead
};

/// Replaces the text in `range` by `text`. Columns count bytes from 1; the end
/// column is exclusive. An empty range is an insertion.
struct TextEdit {
  mlir::FileLineColRange range;
  std::string text;
};
using TextEdits = llvm::SmallVector<TextEdit, 1>;

struct Note {
  NoteKind kind;
  mlir::Location loc;
  std::string message;
  /// For a fix-it: the edits that carry it out, all or nothing. Empty where
  /// only a person can do it, or where the source text is not known.
  TextEdits edits;
};

/// One diagnostic. `id` has the form `fw-<kebab>`. It is stable, never reused,
/// and printed in brackets after the message.
struct Finding {
  mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error;
  mlir::Location loc;
  std::string id;
  std::string message;
  /// The form that a step lacks, without '@'; empty if it lacks none. MLIR's
  /// diagnostics do not carry it.
  std::string lackedForm;
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

/// Turns a diagnostic that a handler received back into a value. A finding
/// comes back with its id, the kinds of its notes, their edits, and the notes
/// in order. A diagnostic that is not Formwork's has an empty id, and its notes
/// count as evidence.
Finding readDiagnostic(mlir::Diagnostic &diagnostic);

/// Emits one finding at once. For callers that stop at the first error. Always
/// returns failure.
llvm::LogicalResult emitFinding(Finding finding);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_DIAGNOSTICS_H
