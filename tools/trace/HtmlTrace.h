//===- HtmlTrace.h - A check as a page to step through ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The trace of a check as one HTML page: the schedule, what each step does to
// handles, parameters and the payload, and what was found there. The page needs
// nothing else. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_TRACE_HTMLTRACE_H
#define FORMWORK_TOOLS_TRACE_HTMLTRACE_H

#include "engine/Child.h"
#include "normalforms/FormLibrary.h"
#include "tools/report/SourceFiles.h"
#include "tools/trace/PayloadTrace.h"
#include "transforms/settle/ObservedRun.h"
#include "verifier/Verifier.h"
#include "verifier/report/FollowedHandles.h"
#include "verifier/report/StateTable.h"
#include "verifier/source/SourceNames.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"

#include "mlir/IR/BuiltinOps.h"
#include <chrono>
#include <functional>
#include <string>

namespace formwork::tools {

/// An observer that writes the page as the check goes on, each step as a script
/// of its own: what a crash leaves is a page of the steps before. Cost: for
/// each step, linear in the handles that are followed there; for the first step
/// of each region, in the handles that can be named. The page holds only what a
/// step changes.
class HtmlTrace : public verifier::StateObserver {
public:
  /// Writes the beginning of the page. `names` describes the text of the
  /// schedule, which is called `name`; all must outlive this.
  HtmlTrace(const normalforms::FormLibrary &forms,
            const verifier::SourceNames &names, llvm::StringRef name,
            std::function<std::string(mlir::Value)> nameOf,
            llvm::raw_ostream &os);

  void observe(mlir::Operation *step,
               llvm::ArrayRef<verifier::RegionVisit> path,
               const verifier::State &state) override;

  /// The run of the schedule on `payload` begins; all that was observed before
  /// comes from a check.
  void beginRun(mlir::ModuleOp payload);
  /// The run comes to `step`, or is behind it. `written`, if given, says for
  /// which values of the schedule a handle of `state` stands. Cost: behind it,
  /// that of PayloadTrace::describeStep.
  void run(mlir::Operation *step, bool isDone,
           const mlir::transform::TransformState &state,
           transforms::WrittenValues written = nullptr);

  /// The result of the payload behind `step`, when it ran after `visit` times
  /// before, is that of the payload in front of all steps, or is not.
  void compare(mlir::Operation *step, unsigned visit, bool isSame);

  /// Says why the page has no run.
  void explainNoRun(llvm::StringRef why);

  /// The listener that has a page of its own in the child of a run; append()
  /// adds what it writes to this one.
  transforms::RunListener listen();
  /// Writes what a child has written, but for a last line that is not whole,
  /// and what ended it if it did not end by itself.
  void append(const engine::ChildEnd &child);

  /// Writes the end of the page: the verdict and `findings`, of which the
  /// reasons why steps are not proved are part (addReasons).
  void finish(const verifier::CheckResult &result,
              const engine::Findings &findings);

private:
  void write(llvm::StringRef function, llvm::json::Value argument);
  llvm::json::Object describeStep(mlir::Operation *step);
  unsigned getNumber(mlir::Operation *step);
  /// None for a value without a name, which no step can use.
  std::optional<unsigned> getNumber(mlir::Value handle);
  /// `file:line` for another file than the schedule's; the line alone there.
  llvm::json::Value describePlace(mlir::Location loc);

  const normalforms::FormLibrary &forms;
  const verifier::SourceNames &names;
  std::string name;
  std::function<std::string(mlir::Value)> nameOf;
  llvm::raw_ostream *os;
  SourceFiles files;

  /// By which the page knows the steps.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  std::optional<PayloadTrace> payload;
  /// Handles that the page hears of by the run, with their names.
  llvm::json::Object newNames;
  /// When the steps that are under way began.
  llvm::DenseMap<mlir::Operation *, std::chrono::steady_clock::time_point>
      begun;

  /// The number of each handle on the page, and what the page shows of it.
  struct Shown {
    unsigned number;
    verifier::HandleSummary summary;
  };
  llvm::DenseMap<mlir::Value, Shown> shown;
  /// Takes `nameable` to the handles that can be named behind `step`; returns
  /// whether handles of before may not be among them.
  bool updateNameable(mlir::Operation *step, const verifier::State &state);
  /// The step that was observed last.
  mlir::Operation *last = nullptr;
  /// The handles that a step behind it can name, numbered by their place.
  llvm::DenseMap<mlir::Value, unsigned> nameable;
  verifier::FollowedHandles followed;
  /// Those that are not followed any more.
  llvm::DenseSet<mlir::Value> left;
  /// Those that the page shows at present.
  llvm::DenseSet<mlir::Value> visible;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_TRACE_HTMLTRACE_H
