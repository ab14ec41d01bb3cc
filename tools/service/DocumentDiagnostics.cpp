//===- DocumentDiagnostics.cpp - Findings in a document ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/DocumentDiagnostics.h"

using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using engine::Note;
using engine::NoteKind;
using llvm::StringRef;
using mlir::DiagnosticSeverity;
namespace lsp = llvm::lsp;

lsp::Range formwork::tools::toRange(const Place &place) {
  auto position = [](unsigned line, unsigned column) {
    return lsp::Position(line == 0 ? 0 : line - 1,
                         column == 0 ? 0 : column - 1);
  };
  return {position(place.line, place.column),
          position(place.endLine, place.endColumn)};
}

/// The edits of a fix-it, if all of them are in `file`.
static std::optional<DocumentFix> readFix(const Note &note, StringRef file,
                                          SourceFiles &files) {
  DocumentFix fix;
  fix.title = note.message;
  for (const engine::TextEdit &edit : note.edits) {
    Place place = files.locate(edit.range);
    if (place.file != file)
      return std::nullopt;
    fix.edits.push_back({toRange(place), edit.text});
  }
  if (fix.edits.empty())
    return std::nullopt;
  return fix;
}

DocumentDiagnostic formwork::tools::toDiagnostic(const Finding &finding,
                                                 StringRef file,
                                                 SourceFiles &files) {
  DocumentDiagnostic diagnostic;
  diagnostic.severity = finding.severity == DiagnosticSeverity::Error     ? 1
                        : finding.severity == DiagnosticSeverity::Warning ? 2
                                                                          : 3;
  diagnostic.id = finding.id;
  diagnostic.message = finding.message;
  std::optional<Place> place = files.locate(finding.loc);
  if (place && place->file == file)
    diagnostic.range = toRange(*place);
  else if (place) {
    diagnostic.message = place->file + ": " + finding.message;
    diagnostic.related.push_back(
        {place->file, toRange(*place), finding.message});
  }
  for (const Note &note : finding.notes) {
    if (note.kind == NoteKind::FixIt)
      if (std::optional<DocumentFix> fix = readFix(note, file, files))
        diagnostic.fixes.push_back(std::move(*fix));
    std::string message =
        (note.kind == NoteKind::FixIt ? "fix-it: " : "") + note.message;
    if (std::optional<Place> at = files.locate(note.loc))
      diagnostic.related.push_back({at->file, toRange(*at), message});
    else
      diagnostic.message += "\n" + message;
  }
  return diagnostic;
}
