//===- Matrix.h - Claims against the truth, counted -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts trials and prints the confusion matrix, the shares that matter, and
// why running schedules stay unproved. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MATRIX_H
#define FORMWORK_TEST_LIB_SCHEDULES_MATRIX_H

#include "test/lib/schedules/Trial.h"

#include <map>

namespace formwork::testing {

/// The class of a warning, seen by the author of a schedule that runs.
///  - advice: a form that is wanted, a step or match without effect, a race; it
///    says nothing about failure;
///  - alarm: something may fail. fw-unproved, which only gives a reason, is
///    neither.
bool isAdvice(llvm::StringRef id);

class Matrix {
public:
  void add(const Trial &trial);

  /// Failing schedules that were proved, and running ones that were refuted.
  unsigned getNumFalseProofs() const { return falseProofs; }
  unsigned getNumFalseRefusals() const { return falseRefusals; }

  /// The matrix and the shares, as Markdown.
  void print(llvm::raw_ostream &os) const;
  /// How the trials ended, as a row of a Markdown table that `name` heads.
  void printTruth(llvm::StringRef name, llvm::raw_ostream &os) const;
  /// Prints the reasons that keep running schedules from being proved, the most
  /// frequent first: in how many schedules each stands, in how many alone.
  void printReasons(llvm::raw_ostream &os) const;

private:
  /// By claim and truth.
  unsigned counts[3][4] = {};
  /// Upstream's pass: by whether it warns (2: it crashed), and truth.
  unsigned uses[3][4] = {};
  unsigned falseProofs = 0, falseRefusals = 0, checkCrashes = 0;
  /// Counts of the schedules that run.
  unsigned alarms = 0, advised = 0;
  /// Counts for each class of failure: an alarm without an error; nothing but
  /// fw-unproved.
  unsigned alarmed[4] = {}, onlyUnproved[4] = {};
  std::map<std::string, std::pair<unsigned, unsigned>> reasons;
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MATRIX_H
