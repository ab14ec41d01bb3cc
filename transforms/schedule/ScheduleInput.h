//===- ScheduleInput.h - Payload and schedule from files --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what every command starts from: a payload, a schedule from its own file
// or from the payload's, and the libraries that the schedule includes. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_SCHEDULEINPUT_H
#define FORMWORK_TRANSFORMS_SCHEDULE_SCHEDULEINPUT_H

#include "verifier/source/SourceNames.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace formwork::transforms {

/// Where the schedule comes from; named as in mlir-transform-opt.
struct ScheduleSource {
  /// The text of --transform, or null: the schedule is in the payload's file.
  std::unique_ptr<llvm::MemoryBuffer> transformBuffer;
  /// --transform-library: files or folders of files.
  std::vector<std::string> libraries;
  /// --transform-entry-point.
  std::string entryPoint = "__transform_main";
  /// --no-payload: the input file is a schedule and nothing else.
  bool noPayload = false;
};

/// The ranges and names in a text, from the parser; they point into the text,
/// which `manager` owns.
struct ParsedText {
  std::shared_ptr<llvm::SourceMgr> manager;
  /// Null for bytecode.
  std::unique_ptr<mlir::AsmParserState> state;

  /// The names of the text's values; nothing for bytecode.
  std::optional<verifier::SourceNames> getNames() const;
};

/// A parsed pair. The two modules are always separate operations, also when
/// both came from one file: transforms such as apply_registered_pass refuse to
/// run on a root that holds the schedule itself.
struct ScheduleInput {
  /// Null when there is no payload.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  /// The payload as it was read, where strategies prepared it; else null.
  mlir::OwningOpRef<mlir::ModuleOp> original;
  /// The schedule with its libraries merged in.
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// In `schedule`.
  mlir::transform::NamedSequenceOp entry;
  /// The sources of `schedule` and its libraries.
  std::string sourceName;
  ParsedText sourceText;
  std::vector<ParsedText> libraryTexts;
  /// Where it came from, without the text.
  ScheduleSource source;
  /// The schedule is not in the payload's file.
  bool isSeparate = false;

  /// A copy of what results are compared with: the payload before its schedule,
  /// and before strategies, run.
  mlir::OwningOpRef<mlir::ModuleOp> copyOriginal() const {
    return (original ? *original : *payload).clone();
  }
  /// The names of the schedule's values as its text has them; nothing for
  /// bytecode.
  std::optional<verifier::SourceNames> getNames() const {
    return sourceText.getNames();
  }
  /// `value` as the text that it is in has it (`%func`, `%x#1`), a library's as
  /// well, or as the printer numbers it.
  std::string getName(mlir::Value value) const;
};

/// Moves the schedule out of `payload`: the first nested module of sequences,
/// or the sequences that stand beside the payload's functions.
mlir::OwningOpRef<mlir::ModuleOp> splitSchedule(mlir::ModuleOp payload);

/// The module of a text or bytecode, verified with its symbols, or a new one
/// around all that stands there. Errors: those of the parser, fw-input-crashes,
/// and those of FatalInput.h.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModule(mlir::MLIRContext *context,
           std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Parses and verifies. `input` is the payload (or, with noPayload, the
/// schedule). Errors, located: those of the parser, fw-no-schedule (no entry
/// sequence), fw-entry-signature (the entry does not take exactly one operation
/// handle), and those of `readModule`. Cost: one parse of each file.
llvm::FailureOr<ScheduleInput>
loadScheduleInput(mlir::MLIRContext *context,
                  std::unique_ptr<llvm::MemoryBuffer> input,
                  ScheduleSource source);

/// The pair that `module` holds, without a text; of `source` the libraries and
/// the entry count. Errors and cost: those of the libraries and of the entry,
/// as above.
llvm::FailureOr<ScheduleInput>
takeScheduleInput(mlir::OwningOpRef<mlir::ModuleOp> module,
                  ScheduleSource source);

/// Parses `text` in the place of what `input` was parsed from, with the same
/// libraries and entry. The result has a payload of its own only if the text
/// holds both. Errors and cost as above.
llvm::FailureOr<ScheduleInput> reloadSchedule(const ScheduleInput &input,
                                              llvm::StringRef text);

/// The same for the payload, too: `input` with `text` for its schedule, and a
/// copy of its payload unless that is in the text. Locations in it name the
/// file as `identifier`, if that is not empty; warnings are not repeated.
llvm::FailureOr<ScheduleInput> replaceSchedule(const ScheduleInput &input,
                                               llvm::StringRef text,
                                               llvm::StringRef identifier = "");

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_SCHEDULEINPUT_H
