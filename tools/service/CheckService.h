//===- CheckService.h - A document in, a check result out -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check of documents as a service inside of one process: the libraries and
// the payload are read once, then one text after the other is checked, as far
// as the check of the text before does not tell. The server of editors runs it
// in processes of their own, since MLIR can crash on a text that is being
// typed. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_CHECKSERVICE_H
#define FORMWORK_TOOLS_SERVICE_CHECKSERVICE_H

#include "normalforms/Libraries.h"
#include "tools/report/SilencedSteps.h"
#include "tools/report/SourceFiles.h"
#include "tools/service/CheckSettings.h"
#include "tools/service/DocumentFacts.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/Verifier.h"
#include "verifier/solver/Solver.h"
#include "verifier/state/GivenPayload.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <optional>

namespace formwork::tools {

/// One thread at a time. Additions of a check to the context stay there, as
/// MLIR's attributes do: where memory is to be bounded, checks are made in
/// children of the process that holds the service.
class CheckService {
public:
  /// `registry` has what Formwork registers; plugins are added to it. Cost: a
  /// parse of the libraries and of the payload, and some walks over that.
  CheckService(CheckSettings settings, mlir::DialectRegistry &registry);
  ~CheckService();

  /// Checks `text`, the content of `file`, and runs nothing. A text without the
  /// entry sequence is parsed alone. From the check of the last text of that
  /// file that could be read, the payload beside the schedule is kept as long
  /// as it and its places stay as they are, and the verdict with all that
  /// belongs to it as long as, besides, nothing changes that the entry reaches.
  /// Cost: a parse, and that of checkParameters if the verdict is not kept.
  DocumentFacts check(llvm::StringRef file, llvm::StringRef text);

  /// Whether the check of another text of `file` may keep something that a new
  /// service would have to find out again.
  bool keepsFor(llvm::StringRef file) const;
  struct Kept {
    bool payload = false, verdict = false;
  };
  /// The parts that the last check took from an earlier one.
  Kept getKept() const { return kept; }

  /// The text that was checked last with its fix-its carried out, as
  /// transforms::repairSchedule keeps them; none where no fix-it helps. Cost:
  /// some checks. To be called once.
  std::optional<std::string> repair();

  KnownNames getNames() const;

private:
  struct Checked;

  llvm::LogicalResult load();
  llvm::FailureOr<transforms::ScheduleInput>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// Reads `text` with the payload beside its schedule that `before` has; fails
  /// where that may be another one now. Says nothing.
  llvm::FailureOr<transforms::ScheduleInput> readBeside(Checked &before,
                                                        llvm::StringRef text);
  /// Checks `now`, whose input was read, or takes over what `before` says.
  llvm::LogicalResult inspect(Checked &now, const Checked *before,
                              SourceFiles &files, DocumentFacts &facts);
  llvm::FailureOr<verifier::CheckResult>
  checkInput(const transforms::ScheduleInput &input, mlir::ModuleOp payload,
             const verifier::GivenPayload *given,
             verifier::StateObserver *observer);
  /// The payload with which `input` is checked.
  mlir::ModuleOp getPayload(const transforms::ScheduleInput &input);
  DocumentFacts listProblems() const;
  /// Whether a warning is not shown.
  bool isSilenced(const engine::Finding &finding) const;
  void addProblem(const llvm::Twine &message);

  CheckSettings settings;
  std::unique_ptr<mlir::MLIRContext> context;
  normalforms::Libraries libraries;
  const verifier::Target *target = nullptr;
  /// The payload of schedules that have none beside them.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  /// That payload as checks read it.
  std::optional<verifier::GivenPayload> given;
  std::vector<DocumentDiagnostic> problems;
  SilencedSteps silencedSteps;
  verifier::solver::SolverOptions solver;
  /// Of the last text that could be read, which need not be the last one.
  std::unique_ptr<Checked> last;
  bool isLastRead = false;
  Kept kept;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CHECKSERVICE_H
