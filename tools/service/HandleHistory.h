//===- HandleHistory.h - What is known of handles, step by step -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Watches a check and keeps what it infers of each handle where that changes.
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_HANDLEHISTORY_H
#define FORMWORK_TOOLS_SERVICE_HANDLEHISTORY_H

#include "verifier/report/FollowedHandles.h"
#include "verifier/report/StateTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::tools {

/// The facts about one handle from one step on.
struct HandleEvent {
  mlir::Operation *step;
  /// The line of that step in its file; 0 where it has none.
  unsigned line;
  verifier::HandleSummary summary;
};

/// An observer that keeps the last changes of each handle, as long as the
/// handle is followed.
class HandleHistory : public verifier::StateObserver {
public:
  explicit HandleHistory(const normalforms::FormLibrary &forms)
      : forms(forms) {}

  void observe(mlir::Operation *step,
               llvm::ArrayRef<verifier::RegionVisit> path,
               const verifier::State &state) override;

  /// In the order of the check; empty where it did not come to the handle.
  llvm::ArrayRef<HandleEvent> get(mlir::Value handle) const;

  /// A few words to stand behind the name of `handle` where it is set:
  /// `1 linalg.matmul, @bufferized, dead since line 12`. Forms beyond the first
  /// two are counted. Empty where nothing is known.
  std::string describeShortly(mlir::Value handle) const;

private:
  void record(mlir::Operation *step, mlir::Value value,
              const verifier::State &state);

  const normalforms::FormLibrary &forms;
  verifier::FollowedHandles followed;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<HandleEvent, 2>> events;
};

/// The words for the validity of a handle: `valid`, `empty`, `dead since line
/// 4`, `may be dead since line 4`.
std::string describeValidity(llvm::StringRef validity);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_HANDLEHISTORY_H
