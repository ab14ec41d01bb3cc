//===- NameReader.h - What a document names, and where ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handles, sequences, forms and steps of a schedule that was checked, for
// an editor. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_NAMEREADER_H
#define FORMWORK_TOOLS_SERVICE_NAMEREADER_H

#include "normalforms/Libraries.h"
#include "tools/report/Report.h"
#include "tools/service/DocumentFacts.h"
#include "tools/service/HandleHistory.h"
#include "transforms/schedule/CheckPair.h"

namespace formwork::tools {

/// Adds to `facts` what `input` names: the entities, the handles with what
/// `history` says of them, and the steps. `input` was read with the state of
/// the parser. `parameters` are those of its check, or null.
void readNames(const transforms::ScheduleInput &input,
               const HandleHistory &history,
               const normalforms::Libraries &libraries,
               const verifier::ParameterModel *parameters, SourceFiles &files,
               DocumentFacts &facts);

/// Takes the facts that the check inferred from `before` instead, which are
/// those of another text whose ops `reached` have the same text in the same
/// places; the check came to no other ops.
void keepInferred(const DocumentFacts &before,
                  const transforms::ScheduleInput &input,
                  llvm::ArrayRef<mlir::Operation *> reached,
                  DocumentFacts &facts);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_NAMEREADER_H
