//===- CheckFixture.h - Checks of edited schedules --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_VERIFIER_CHECKFIXTURE_H
#define FORMWORK_TEST_UNIT_VERIFIER_CHECKFIXTURE_H

#include "VerifierFixture.h"

namespace formwork::verifier {

/// Replaces one occurrence, which must be there.
inline std::string replaced(llvm::StringRef text, llvm::StringRef from,
                            llvm::StringRef to) {
  auto [before, after] = text.split(from);
  EXPECT_NE(before.size(), text.size()) << from.str();
  return (before + to + after).str();
}

/// The first finding called `id`.
inline const engine::Finding &find(const CheckResult &result,
                                   llvm::StringRef id) {
  for (const engine::Finding &finding : result.findings.get())
    if (finding.id == id)
      return finding;
  ADD_FAILURE() << "no finding " << id.str();
  static const engine::Finding *none = nullptr;
  return *none;
}

inline std::vector<std::string> getNotes(const engine::Finding &finding,
                                         engine::NoteKind kind) {
  std::vector<std::string> notes;
  for (const engine::Note &note : finding.notes)
    if (note.kind == kind)
      notes.push_back(note.message);
  return notes;
}

class CheckTest : public VerifierTest {
protected:
  /// The batch matmul with one place of its schedule edited.
  CheckResult checkEdited(llvm::StringRef from, llvm::StringRef to,
                          CheckOptions options = {}) {
    return check(replaced(getBatchMatmulSchedule(), from, to), getBatchMatmul(),
                 options);
  }
  CheckResult checkBody(llvm::StringRef body, llvm::StringRef payload) {
    return check(makeSchedule(body), payload);
  }
};

} // namespace formwork::verifier

#endif // FORMWORK_TEST_UNIT_VERIFIER_CHECKFIXTURE_H
