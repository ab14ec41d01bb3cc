//===- Screen.cpp - Findings for a reader -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Screen.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
using engine::NoteKind;

namespace {
/// A warning that is printed, and what it stands for.
struct Shown {
  Finding finding;
  unsigned moreReasons = 0;
  /// The other steps with the same reason.
  SmallVector<Location> elsewhere;
};
} // namespace

static bool isUnproved(const Finding &finding) {
  return finding.id == "fw-unproved" &&
         finding.severity == DiagnosticSeverity::Warning;
}

/// The reason without the name of the step.
static StringRef getReason(const Finding &finding) {
  return StringRef(finding.message).split("succeeds: ").second;
}

static Finding finish(Shown shown) {
  Finding finding = std::move(shown.finding);
  if (shown.moreReasons != 0)
    finding.note(NoteKind::Evidence, finding.loc,
                 "there " + Twine(shown.moreReasons == 1 ? "is " : "are ") +
                     Twine(shown.moreReasons) + " more reason" +
                     (shown.moreReasons == 1 ? "" : "s") +
                     "; --verbose prints all");
  if (!shown.elsewhere.empty()) {
    size_t others = shown.elsewhere.size() - 1;
    finding.note(
        NoteKind::Evidence, shown.elsewhere.front(),
        "the same holds for this step" +
            (others == 0 ? Twine() : " and for " + Twine(others) + " more"));
  }
  return finding;
}

engine::Findings
formwork::tools::shortenForScreen(const engine::Findings &findings) {
  engine::Findings screen;
  // In the order of the source: the reasons of each step.
  llvm::MapVector<Location, SmallVector<const Finding *, 2>> steps;
  for (const Finding &finding : findings.get())
    if (isUnproved(finding))
      steps[finding.loc].push_back(&finding);
    else
      screen.add(finding);

  std::vector<Shown> shown;
  llvm::StringMap<size_t> shownFor;
  SmallVector<Location> hidden;
  for (auto &[loc, reasons] : steps) {
    const auto *fresh = llvm::find_if(reasons, [&](const Finding *finding) {
      return !shownFor.contains(getReason(*finding));
    });
    if (fresh == reasons.end()) {
      // A reason beyond the tenth is not printed, nor where else it holds.
      size_t index = shownFor[getReason(*reasons.front())];
      if (index < shown.size())
        shown[index].elsewhere.push_back(loc);
      else
        hidden.push_back(loc);
      continue;
    }
    for (const Finding *finding : reasons)
      shownFor.try_emplace(getReason(*finding), shown.size());
    if (shown.size() == kMaxUnprovedShown) {
      hidden.push_back(loc);
      continue;
    }
    shown.push_back({**fresh, static_cast<unsigned>(reasons.size() - 1), {}});
  }
  for (Shown &one : shown)
    screen.add(finish(std::move(one)));
  if (!hidden.empty())
    screen.add(
        Finding(hidden.front(), "fw-unproved",
                "cannot prove that " + Twine(hidden.size()) + " more step" +
                    (hidden.size() == 1 ? "" : "s") + " from here on succeed" +
                    (hidden.size() == 1 ? "s" : "") + "; --verbose prints why",
                DiagnosticSeverity::Warning));
  screen.sort();
  return screen;
}
