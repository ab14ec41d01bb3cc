//===- ScheduleText.h - A solved schedule as text ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes chosen values into the source of a schedule, at exact places, so that
// comments, layout and names survive. Layer: verifier; text in, text out: no
// file is touched.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVING_SCHEDULETEXT_H
#define FORMWORK_VERIFIER_SOLVING_SCHEDULETEXT_H

#include "verifier/parameters/ParameterModel.h"

#include "mlir/AsmParser/AsmParserState.h"

namespace formwork::verifier {

/// `text`, from which the schedule of `model` was parsed into `state`, with the
/// values of `assignment` (one for each variable of the problem):
/// - each open knob gets `selected`, each open alternatives `selected_region`;
/// a
///   knob without integer options gets its first one;
/// - each constrain_params becomes one param.constant for each result in use,
///   so that stock mlir-opt runs the schedule.
///
/// Errors, at the op: fw-solve-unwritable (an op that is not in this file, or
/// in generic form; a result that is not modelled; a sequence that is included
/// with different values), also when the text cannot say what was chosen.
llvm::FailureOr<std::string>
writeSolvedSchedule(const ParameterModel &model,
                    const solver::Assignment &assignment,
                    const mlir::AsmParserState &state, llvm::StringRef text);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_SCHEDULETEXT_H
