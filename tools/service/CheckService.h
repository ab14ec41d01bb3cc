//===- CheckService.h - A document in, a check result out -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check of documents as a service inside of one process: the libraries and
// the payload are read once, then one text after the other is checked. The
// server of editors runs it in a process of its own, since MLIR can crash on a
// text that is being typed. Layer: tools.
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

/// One thread at a time. What a check adds to the context stays there, as
/// MLIR's attributes do: where memory is to be bounded, checks are made in
/// children of the process that holds the service.
class CheckService {
public:
  /// `registry` has what Formwork registers; plugins are added to it. Cost: a
  /// parse of the libraries and of the payload, and some walks over that.
  CheckService(CheckSettings settings, mlir::DialectRegistry &registry);
  ~CheckService();

  /// Checks `text`, the content of `file`, and runs nothing. A text without the
  /// entry sequence is parsed alone. Cost: that of checkParameters.
  DocumentFacts check(llvm::StringRef file, llvm::StringRef text);

  /// The text that was checked last with its fix-its carried out, as
  /// transforms::repairSchedule keeps them; none where no fix-it helps. Cost:
  /// some checks.
  std::optional<std::string> repair();

  KnownNames getNames() const;

private:
  struct Checked;

  llvm::LogicalResult load();
  /// The payload is in the last input as long as that is kept: no check
  /// changes it, and a copy would cost more than many checks.
  void takePayloadBack(transforms::ScheduleInput &input);
  llvm::FailureOr<transforms::ScheduleInput> read(llvm::StringRef file,
                                                  llvm::StringRef text);
  llvm::FailureOr<verifier::CheckResult>
  checkInput(const transforms::ScheduleInput &input, mlir::ModuleOp payload,
             verifier::StateObserver *observer);
  /// Whether a warning is not shown.
  bool isSilenced(const engine::Finding &finding) const;
  void addProblem(const llvm::Twine &message);

  CheckSettings settings;
  std::unique_ptr<mlir::MLIRContext> context;
  normalforms::Libraries libraries;
  const verifier::Target *target = nullptr;
  /// The payload of schedules that have none beside them, and whether an input
  /// has it.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  bool isPayloadLent = false;
  /// That payload as checks read it.
  std::optional<verifier::GivenPayload> given;
  std::vector<DocumentDiagnostic> problems;
  SilencedSteps silencedSteps;
  verifier::solver::SolverOptions solver;
  std::unique_ptr<Checked> last;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CHECKSERVICE_H
