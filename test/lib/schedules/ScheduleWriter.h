//===- ScheduleWriter.h - Steps that fit their operands -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a schedule step by step and keeps a belief of each handle, so that
// most steps run. Test support; internal to the schedule generator.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEWRITER_H
#define FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEWRITER_H

#include "test/lib/generator/Random.h"
#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

namespace formwork::testing {

inline constexpr llvm::StringLiteral oneToOne =
    "(!transform.any_op) -> !transform.any_op";

/// The sequences that steps include, match with and act with.
llvm::StringRef getSharedSequences();

class ScheduleWriter {
public:
  ScheduleWriter(mlir::ModuleOp payload, Random &random);

  /// Between 2 and 14 steps.
  ScheduleText write();

private:
  /// The beliefs about a handle; wrong now and then, on purpose.
  struct Handle {
    std::string name;
    std::string kind; ///< an op name, or empty
    int64_t count = 1;
    bool many = false; ///< of another number, or of one that is not known
  };

  std::string fresh() { return "%h" + std::to_string(next++); }
  void emit(const llvm::Twine &step) { text.steps.push_back(step.str()); }
  void add(llvm::StringRef name, llvm::StringRef kind, int64_t count = 1,
           bool many = false);
  /// A handle that `fits` accepts, or null.
  const Handle *pick(llvm::function_ref<bool(const Handle &)> fits);
  /// A handle to a kind that `fits` accepts; most of the time one is made where
  /// there is none, if the payload has such ops. Null otherwise.
  const Handle *pickOrMatch(llvm::function_ref<bool(llvm::StringRef)> fits);
  const Handle *pickKind(llvm::StringRef kind);
  const Handle *pickLinalg();
  const Handle *pickLoop();
  const Handle &pickAny() { return handles[random.below(handles.size())]; }
  /// Handles to this kind are not used again; now and then one is.
  void forget(llvm::StringRef kind);
  void forgetAll();
  void step();

  // NavigationSteps.cpp
  void match();
  /// Matches all ops of `kind`; the handle is the last one.
  void matchKind(llvm::StringRef kind);
  void matchClass();
  void parent();
  void producer();
  void navigate();
  void castOrMerge();
  void split();
  void values();
  void annotate();
  /// Keeps a handle alive, so that what is known of it is looked at.
  void use();

  // StructuredSteps.cpp
  unsigned rankOf(llvm::StringRef kind);
  std::string sizes(unsigned rank, bool someZero);
  void tileFor();
  void tileForall();
  void fuse();
  void fuseNest();
  void tileReduction();
  void rewriteOne();
  void rewriteMore();
  void parameters();

  // LoopSteps.cpp
  void loopOp();
  void loopMore();
  void mapToGPU();

  // RewritingSteps.cpp
  void cleanUp();
  void convert();
  void vectorize();
  void bufferize();
  void memory();
  void pass();

  // ControlSteps.cpp
  /// A step that reads, or one that consumes, for the body of a region.
  std::string bodyFor(llvm::StringRef argument, llvm::StringRef kind,
                      bool consumes);
  void foreach ();
  void foreachSeveral();
  void alternatives();
  void alternativesWithResults();
  void sequence();
  void sequenceWithResults();
  void include();
  void includeMore();
  void collect();
  void foreachMatch();
  void tuneAlternatives();

  Random &random;
  ScheduleText text;
  /// A deque, so that what was picked stays where it is.
  std::deque<Handle> handles;
  /// How many ops of each kind there are, as far as steps are followed.
  llvm::StringMap<int64_t> present;
  std::vector<std::string> names;
  unsigned next = 0;
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEWRITER_H
