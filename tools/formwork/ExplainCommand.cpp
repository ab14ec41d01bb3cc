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

#include "llvm/Support/WithColor.h"

using namespace formwork;
using namespace formwork::tools;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
class ExplainCommand : public Command {
  cl::list<std::string> ids{cl::Positional, cl::desc("[ID...]"),
                            cl::cat(getInputCategory())};
  cl::opt<bool> list{"list", cl::desc("Print all ids, with a line of each"),
                     cl::cat(getCommandCategory())};

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
    // Of the other pages, a terminal has no links.
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

/// So many ids are proposed for one that is unknown.
static constexpr size_t kMaxHints = 4;

/// The id that has a page and is `name`, perhaps without its prefix; or an
/// error, with what may have been meant.
static llvm::FailureOr<StringRef> resolveId(StringRef name) {
  std::string full = (name.starts_with("fw-") ? "" : "fw-") + name.str();
  llvm::SmallVector<StringRef> known = getDiagnosticIds();
  if (const auto *it = llvm::find(known, StringRef(full)); it != known.end())
    return *it;
  // Part of an id is a better hint than one that is spelled alike.
  llvm::SmallVector<StringRef> like;
  llvm::copy_if(known, std::back_inserter(like), [&](StringRef id) {
    return !name.empty() && id.contains(name);
  });
  if (like.empty() || like.size() > kMaxHints)
    if (std::optional<size_t> near = engine::findNearName(full, known))
      like = {known[*near]};
  std::string meant;
  if (!like.empty() && like.size() <= kMaxHints)
    meant = "; did you mean '" + llvm::join(like, "' or '") + "'?";
  (void)failUsage("unknown diagnostic '" + name + "'" + meant +
                  "; 'formwork explain --list' prints all");
  return llvm::failure();
}

ExitCode ExplainCommand::run() {
  if (list != ids.empty())
    return failUsage("'explain' requires an id, or --list");
  for (StringRef id :
       list ? getDiagnosticIds() : llvm::SmallVector<StringRef>())
    if (std::optional<CatalogueEntry> entry = lookupDiagnostic(id))
      llvm::outs() << id << " (" << entry->severity << "): " << entry->summary
                   << "\n";
  llvm::SmallVector<StringRef> pages;
  for (const std::string &name : ids) {
    llvm::FailureOr<StringRef> id = resolveId(name);
    if (failed(id))
      return ExitCode::Usage;
    pages.push_back(*id);
  }
  llvm::interleave(
      pages, llvm::outs(),
      [](StringRef id) { printPage(getDiagnosticText(id), llvm::outs()); },
      "\n");
  return ExitCode::Success;
}

std::unique_ptr<Command> formwork::tools::createExplainCommand() {
  return std::make_unique<ExplainCommand>();
}
