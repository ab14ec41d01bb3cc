//===- Diagnostics.cpp - Findings and their emission ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlir;
using namespace formwork::engine;

Finding &Finding::note(NoteKind kind, Location noteLoc,
                       const llvm::Twine &text) {
  notes.push_back({kind, noteLoc, text.str()});
  return *this;
}

Finding &Findings::add(Finding finding) {
  findings.push_back(std::move(finding));
  return findings.back();
}

bool Findings::hasErrors() const {
  return count(DiagnosticSeverity::Error) != 0;
}

size_t Findings::count(DiagnosticSeverity severity) const {
  return llvm::count_if(
      findings, [&](const Finding &f) { return f.severity == severity; });
}

/// File, line and column of the first file location in `loc`; findings without
/// one come last.
static std::tuple<bool, StringRef, unsigned, unsigned> sourceKey(Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    return {false, file.getFilename().strref(), file.getLine(),
            file.getColumn()};
  return {true, "", 0, 0};
}

static void emitOne(const Finding &finding) {
  Diagnostic diag(finding.loc, finding.severity);
  diag << finding.message << " [" << finding.id << "]";
  SmallVector<const Note *> ordered;
  for (const Note &note : finding.notes)
    ordered.push_back(&note);
  llvm::stable_sort(
      ordered, [](const Note *a, const Note *b) { return a->kind < b->kind; });
  for (const Note *note : ordered) {
    Diagnostic &attached = diag.attachNote(note->loc);
    if (note->kind == NoteKind::FixIt)
      attached << "fix-it: ";
    attached << note->message;
  }
  finding.loc->getContext()->getDiagEngine().emit(std::move(diag));
}

void Findings::emit() {
  llvm::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return sourceKey(a.loc) < sourceKey(b.loc);
  });
  auto last = llvm::unique(findings, [](const Finding &a, const Finding &b) {
    return a.loc == b.loc && a.id == b.id && a.message == b.message;
  });
  findings.erase(last, findings.end());
  for (const Finding &finding : findings)
    emitOne(finding);
}

LogicalResult formwork::engine::emitFinding(Finding finding) {
  emitOne(finding);
  return failure();
}
