//===- Suggestions.h - Fix-its of the verifier ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fix-its: the notes and the edits that several models have in common. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_SUGGESTIONS_H
#define FORMWORK_VERIFIER_FINDINGS_SUGGESTIONS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Adds the note that says what to use instead of `dead`, which `by`
/// consumed: a result of it, with an edit if that has payload of the same
/// kind and can be used here.
void suggestLiveHandle(const Step &step, engine::Finding &finding,
                       mlir::Value dead, mlir::Operation *by);

/// Adds the note that inserts a normalization of `handle` before `op`; with
/// `around`, of what is around its payload.
void suggestNormalize(const Step &step, engine::Finding &finding,
                      mlir::Value handle, const normalforms::Form &form,
                      bool around);

/// Adds the notes that say why the size of `reason` is dynamic.
void explainTile(Analysis &analysis, engine::Finding &finding,
                 const DynamicReason &reason);

/// Adds the notes that say where `value`, which has an op twice, comes from.
void suggestDeduplicate(Analysis &analysis, engine::Finding &finding,
                        mlir::Value value);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_SUGGESTIONS_H
