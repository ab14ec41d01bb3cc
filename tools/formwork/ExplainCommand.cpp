//===- ExplainCommand.cpp - formwork explain --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Session.h"
#include "tools/report/Catalogue.h"
#include "tools/service/OperationPages.h"

#include "llvm/Support/WithColor.h"

using namespace formwork;
using namespace formwork::tools;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
class ExplainCommand : public Command {
  cl::list<std::string> names{cl::Positional, cl::desc("[ID|OPERATION...]"),
                              cl::cat(getInputCategory())};
  Option<bool> list{
      "list", "Print all ids and transform operations, with a line of each"};

public:
  ExitCode run() override;
};
} // namespace

/// Prints Markdown for people: without fences and targets of links, with
/// headings that stand out.
static void printPage(StringRef text, llvm::raw_ostream &os) {
  bool isCode = false;
  for (StringRef line; !text.empty();) {
    std::tie(line, text) = text.split('\n');
    if (line.starts_with("```")) {
      isCode = !isCode;
      continue;
    }
    if (isCode) {
      os << "    " << line << "\n";
      continue;
    }
    // A terminal has no links to the other pages.
    if (line.starts_with("[All diagnostics]"))
      continue;
    if (line.starts_with("#")) {
      llvm::WithColor(os, llvm::HighlightColor::Note).get() << line.ltrim("# ");
      os << "\n";
      continue;
    }
    os << line << "\n";
  }
}

/// The page of `operation`, as Markdown.
static std::string describe(StringRef operation, const OperationPage &page) {
  std::string text = ("# " + operation + "\n\n").str();
  if (!page.summary.empty())
    text += ("Operation. " + page.summary + "\n\n").str();
  if (!page.syntax.empty())
    text += ("## Syntax\n\n```\n" + page.syntax + "\n```\n\n").str();
  if (!page.description.empty())
    text += ("## Description\n\n" + page.description + "\n\n").str();
  return text + ("`formwork contracts " + operation +
                 "` prints what the step requires and leaves.\n")
                    .str();
}

/// So many names are proposed for one that is unknown.
static constexpr size_t kMaxHints = 4;

/// The ids that `name` may mean. Part of an id is a better hint than one that
/// is spelled alike.
static llvm::SmallVector<StringRef> suggestIds(StringRef name) {
  llvm::SmallVector<StringRef> known = getDiagnosticIds(), like, bare;
  llvm::copy_if(known, std::back_inserter(like), [&](StringRef id) {
    return !name.empty() && id.contains(name);
  });
  if (!like.empty() && like.size() <= kMaxHints)
    return like;
  // The prefix makes no two ids alike.
  for (StringRef id : known)
    bare.push_back(id.drop_front(strlen("fw-")));
  name.consume_front("fw-");
  if (std::optional<size_t> near = engine::findNearName(name, bare))
    return {known[*near]};
  return {};
}

/// The transform operations that `name` may mean.
static llvm::SmallVector<StringRef> suggestOperations(StringRef name) {
  llvm::SmallVector<StringRef> known = getOperationPages(), spelled, like;
  llvm::copy_if(known, std::back_inserter(like), [&](StringRef operation) {
    return operation.ends_with(("." + name).str());
  });
  if (!like.empty() && like.size() <= kMaxHints)
    return like;
  for (StringRef operation : known)
    spelled.push_back(name.contains('.') ? operation
                                         : operation.rsplit('.').second);
  if (std::optional<size_t> near = engine::findNearName(name, spelled))
    return {known[*near]};
  return {};
}

/// The page that explains `name`: that of a diagnostic, perhaps without the
/// prefix of its id, or of a transform operation, perhaps without its dialect.
/// An error with similar names if there is none.
static llvm::FailureOr<std::string> resolvePage(StringRef name) {
  bool isId = name.starts_with("fw-");
  std::string id = (isId ? "" : "fw-") + name.str();
  if (llvm::is_contained(getDiagnosticIds(), StringRef(id)))
    return getDiagnosticText(id).str();
  llvm::SmallVector<StringRef> like;
  bool isLastPart = false;
  if (!isId) {
    for (const std::string &operation : {name.str(), "transform." + name.str()})
      if (OperationPage page = lookupOperationPage(operation);
          !page.summary.empty() || !page.description.empty())
        return describe(operation, page);
    like = suggestOperations(name);
    isLastPart = !like.empty() && like.front().ends_with(("." + name).str());
    if (isLastPart && like.size() == 1)
      return describe(like.front(), lookupOperationPage(like.front()));
  }
  if (!isLastPart && !name.contains('.'))
    if (llvm::SmallVector<StringRef> ids = suggestIds(name); !ids.empty())
      like = ids;
  std::string meant;
  if (!like.empty())
    meant = "; did you mean '" + llvm::join(like, "' or '") + "'?";
  (void)failUsage((isId ? "unknown diagnostic '"
                        : "unknown diagnostic or transform operation '") +
                  name + "'" + meant + (meant.empty() ? "; " : " ") +
                  "'formwork explain --list' prints all");
  return llvm::failure();
}

ExitCode ExplainCommand::run() {
  if (list != names.empty())
    return failUsage("'explain' requires the id of a diagnostic, the name of a "
                     "transform operation, or --list");
  if (list) {
    for (StringRef id : getDiagnosticIds())
      if (std::optional<CatalogueEntry> entry = lookupDiagnostic(id))
        llvm::outs() << id << " (" << entry->severity << "): " << entry->summary
                     << "\n";
    for (StringRef operation : getOperationPages())
      llvm::outs() << operation
                   << " (operation): " << lookupOperationPage(operation).summary
                   << "\n";
  }
  llvm::SmallVector<std::string> pages;
  for (const std::string &name : names) {
    llvm::FailureOr<std::string> page = resolvePage(name);
    if (failed(page))
      return ExitCode::Usage;
    pages.push_back(std::move(*page));
  }
  llvm::interleave(
      pages, llvm::outs(),
      [](StringRef page) { printPage(page, llvm::outs()); }, "\n");
  return ExitCode::Success;
}

std::unique_ptr<Command> formwork::tools::createExplainCommand() {
  return std::make_unique<ExplainCommand>();
}
