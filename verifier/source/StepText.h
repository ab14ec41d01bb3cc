//===- StepText.h - Steps as text -------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of a schedule that fix-its and plans insert. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_STEPTEXT_H
#define FORMWORK_VERIFIER_SOURCE_STEPTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::verifier {

/// `parent = transform.get_parent_op handle`, for the nearest op that is
/// isolated from above, of any kind; `type` is that of `handle`. With a
/// newline.
std::string writeIsolatedParent(llvm::StringRef parent, llvm::StringRef handle,
                                llvm::StringRef type);

/// `transform.normalform.normalize handle to @form : type`, without a newline.
std::string writeNormalize(llvm::StringRef handle, llvm::StringRef form,
                           llvm::StringRef type);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_STEPTEXT_H
