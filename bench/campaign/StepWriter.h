//===- StepWriter.h - Steps of schedules ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the steps of a sequence from templates: handles, attributes, matchers
// and the sequences that they call. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_STEPWRITER_H
#define FORMWORK_BENCH_CAMPAIGN_STEPWRITER_H

#include "bench/campaign/Schedules.h"

#include "llvm/ADT/SmallVector.h"

#include <deque>

namespace formwork::campaign {

/// The text of a step, in which each `$name` stands for what is drawn.
struct Template {
  enum Kind { Step, Query, Around, Predicate } kind;
  llvm::StringRef text;
};

/// Writes the steps of one sequence, or of one body in it.
class StepWriter {
public:
  /// Named sequences that steps call are added to `library`.
  StepWriter(const Vocabulary &vocabulary, Random &random, unsigned &next,
             std::string &library)
      : vocabulary(vocabulary), random(random), next(next), library(library) {}

  /// Makes `name` the handle to all of the payload.
  void setRoot(llvm::StringRef name, llvm::StringRef role);
  /// Lets steps use the handle `name` to what `role` says.
  void add(llvm::StringRef name, llvm::StringRef role);
  /// Writes `length` steps, with queries between them.
  void write(unsigned length, unsigned depth);
  /// Adds a handle that is made before the steps, to be used after them.
  void watch();
  /// Writes a query of each handle that was made to be used later.
  void useWatched();
  /// Adds up to `length` steps, each only if `accepts` what is written then.
  void grow(unsigned length, llvm::function_ref<bool()> accepts);
  std::string text;

private:
  struct Handle {
    std::string name, role;
  };

  void writeOne(Template::Kind kind, unsigned depth);
  void writeOne(const Template &one, unsigned depth);
  const Template &pickStep(Template::Kind kind);
  bool hasPayloadFor(llvm::StringRef text) const;
  std::string drawOp();
  void drawFunction();
  std::string placeholder(llvm::StringRef name, llvm::StringRef argument,
                          unsigned depth);
  std::string writePredicates();
  std::string writeMatcher();
  std::string addSequence(llvm::StringRef text);
  std::string getHandle(llvm::StringRef role, bool consumes);
  std::string makeHandle(llvm::StringRef role);
  std::string fresh() { return "%h" + std::to_string(next++); }
  int64_t drawNumber();
  std::string drawNumbers();
  std::string drawPermutation(unsigned rank);
  void drawTiles();
  std::string drawPass();

  const Vocabulary &vocabulary;
  Random &random;
  unsigned &next;
  std::string &library;
  std::string root, rootRole;
  std::deque<Handle> handles;
  llvm::SmallVector<Handle> watched;
  /// These are about the step that is written now.
  std::string before, tiles, lastType;
  const Vocabulary::Function *function = nullptr;
  /// Taken for the first handle of its kind.
  const Handle *preferred = nullptr;
  unsigned numLoops = 0;
  bool isGrowing = false;
};

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_STEPWRITER_H
