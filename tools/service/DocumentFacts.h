//===- DocumentFacts.h - What a check says of a document --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a check as a value: all that an editor shows of a schedule, in
// places of its text. It goes through a pipe as text. Layer: tools; it knows no
// IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_DOCUMENTFACTS_H
#define FORMWORK_TOOLS_SERVICE_DOCUMENTFACTS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace formwork::tools {

/// A place that belongs to a diagnostic.
struct RelatedPlace {
  std::string file;
  llvm::lsp::Range range;
  std::string message;
};

/// Edits of the document, all or nothing.
struct DocumentFix {
  std::string title;
  std::vector<llvm::lsp::TextEdit> edits;
};

struct DocumentDiagnostic {
  llvm::lsp::Range range;
  /// As in the protocol: 1 error, 2 warning, 3 remark.
  int severity = 1;
  /// Empty where MLIR says it.
  std::string id;
  std::string message;
  std::vector<RelatedPlace> related;
  std::vector<DocumentFix> fixes;
};

/// A name of the document: where it is set, and where it is used.
struct NamedEntity {
  /// `handle`, `sequence` or `form`.
  std::string kind;
  /// With its sigil.
  std::string name;
  /// The file of the definition: empty for the document, `-` where there is
  /// none to open.
  std::string file;
  llvm::lsp::Range definition;
  std::vector<llvm::lsp::Range> uses;
  /// Up to where a handle can be named.
  llvm::lsp::Position scopeEnd;
  /// Markdown.
  std::string hover;
  /// A few words for behind the name where it is set; empty for none.
  std::string hint;
};

/// The facts about one handle after the last step that can name it, in the
/// words of verifier::HandleSummary.
struct HandleFacts {
  /// With its sigil, and `#N` in a group of results.
  std::string name;
  std::string payload, forms, validity;
};

/// Where a step is named.
struct StepFacts {
  llvm::lsp::Range range;
  std::string operation;
  /// Markdown; what is special about this step.
  std::string hover;
};

struct DocumentFacts {
  /// Whether there is a schedule that could be read: without one, there are
  /// diagnostics and nothing else.
  bool isParsed = false;
  std::vector<DocumentDiagnostic> diagnostics;
  /// The same for programs: JSON, an array as docs/report.schema.json describes
  /// findings.
  std::string findings;
  std::vector<NamedEntity> entities;
  std::vector<HandleFacts> handles;
  std::vector<StepFacts> steps;
  /// Markdown for each operation of `steps`.
  std::map<std::string, std::string> operations;
  /// `proved`, `refuted` or `unproved`; empty without a schedule.
  std::string verdict;

  /// Whether a diagnostic has a fix-it.
  bool hasFix() const {
    return llvm::any_of(diagnostics, [](const DocumentDiagnostic &one) {
      return !one.fixes.empty();
    });
  }
};

/// An operation that a schedule can use.
struct KnownOperation {
  std::string name;
  std::string detail;
  bool isRuleGroup = false;
};

struct KnownForm {
  std::string name;
  std::string detail;
};

/// The names that a schedule can use.
struct KnownNames {
  std::vector<KnownOperation> operations;
  std::vector<KnownForm> forms;
};

/// The value as UTF-8, of which other bytes are replaced. A document of some
/// thousand steps has a hundred thousand numbers and names: JSON takes longer
/// than the check. Cost: linear in the text.
std::string pack(const DocumentFacts &facts);
std::string pack(const KnownNames &names);

/// The value of a text that `pack` returned; none of another text.
std::optional<DocumentFacts> unpackFacts(llvm::StringRef text);
std::optional<KnownNames> unpackNames(llvm::StringRef text);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_DOCUMENTFACTS_H
