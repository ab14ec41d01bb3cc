//===- Diagnostics.cpp - Findings and their emission ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"

#include "engine/SourcePlace.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace formwork::engine;

Finding &Finding::note(NoteKind kind, Location noteLoc, const llvm::Twine &text,
                       TextEdits edits) {
  notes.push_back({kind, noteLoc, text.str(), std::move(edits)});
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

/// File, line and column of the place that `findSourcePlace` shows for `loc`;
/// findings without one come last.
static std::tuple<bool, StringRef, unsigned, unsigned> sourceKey(Location loc) {
  if (FileLineColLoc file = findSourcePlace(loc))
    return {false, file.getFilename().strref(), file.getLine(),
            file.getColumn()};
  return {true, "", 0, 0};
}

static constexpr StringLiteral kFixItPrefix = "fix-it: ";

// The metadata of a diagnostic is its id. The metadata of a note is its kind,
// then the range and the text of each edit.

static void emitOne(const Finding &finding) {
  MLIRContext *context = finding.loc->getContext();
  Diagnostic diag(finding.loc, finding.severity);
  diag << finding.message << " [" << finding.id << "]";
  diag.getMetadata().emplace_back(StringAttr::get(context, finding.id));
  SmallVector<const Note *> ordered;
  for (const Note &note : finding.notes)
    ordered.push_back(&note);
  llvm::stable_sort(
      ordered, [](const Note *a, const Note *b) { return a->kind < b->kind; });
  for (const Note *note : ordered) {
    Diagnostic &attached = diag.attachNote(note->loc);
    if (note->kind == NoteKind::FixIt)
      attached << kFixItPrefix;
    attached << note->message;
    attached.getMetadata().emplace_back(static_cast<int64_t>(note->kind));
    for (const TextEdit &edit : note->edits) {
      attached.getMetadata().emplace_back(Attribute(edit.range));
      attached.getMetadata().emplace_back(StringAttr::get(context, edit.text));
    }
  }
  context->getDiagEngine().emit(std::move(diag));
}

Finding formwork::engine::readDiagnostic(Diagnostic &diagnostic) {
  std::string message = diagnostic.str(), id;
  if (!diagnostic.getMetadata().empty()) {
    id = cast<StringAttr>(diagnostic.getMetadata()[0].getAsAttribute()).str();
    message.resize(message.size() - id.size() - StringRef(" []").size());
  }
  Finding finding(diagnostic.getLocation(), id, message,
                  diagnostic.getSeverity());
  for (Diagnostic &note : diagnostic.getNotes()) {
    ArrayRef<DiagnosticArgument> data = note.getMetadata();
    std::string text = note.str();
    if (data.empty()) {
      finding.note(NoteKind::Evidence, note.getLocation(), text);
      continue;
    }
    auto kind = static_cast<NoteKind>(data[0].getAsInteger());
    if (kind == NoteKind::FixIt)
      text.erase(0, kFixItPrefix.size());
    TextEdits edits;
    for (size_t i = 1; i + 1 < data.size(); i += 2)
      edits.push_back({cast<FileLineColRange>(data[i].getAsAttribute()),
                       cast<StringAttr>(data[i + 1].getAsAttribute()).str()});
    finding.note(kind, note.getLocation(), text, std::move(edits));
  }
  return finding;
}

static bool isGraver(DiagnosticSeverity a, DiagnosticSeverity b) {
  auto getRank = [](DiagnosticSeverity severity) {
    return severity == DiagnosticSeverity::Error     ? 2
           : severity == DiagnosticSeverity::Warning ? 1
                                                     : 0;
  };
  return getRank(a) > getRank(b);
}

void Findings::sort() {
  llvm::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return sourceKey(a.loc) < sourceKey(b.loc);
  });
  // Equal findings need not be adjacent: other findings of the same place can
  // come between them. The gravest severity wins.
  std::map<std::tuple<const void *, std::string, std::string>, size_t> places;
  SmallVector<Finding, 4> distinct;
  for (Finding &finding : findings) {
    auto [it, isNew] = places.try_emplace(
        {finding.loc.getAsOpaquePointer(), finding.id, finding.message},
        distinct.size());
    if (isNew)
      distinct.push_back(std::move(finding));
    else if (isGraver(finding.severity, distinct[it->second].severity))
      distinct[it->second].severity = finding.severity;
  }
  findings = std::move(distinct);
}

void Findings::emit() {
  sort();
  for (const Finding &finding : findings)
    emitOne(finding);
}

LogicalResult formwork::engine::emitFinding(Finding finding) {
  emitOne(finding);
  return failure();
}
