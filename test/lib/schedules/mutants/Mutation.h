//===- Mutation.h - Ways to break a schedule --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits of a schedule's IR that people make by mistake, by kind. Each keeps the
// schedule well-formed where it can; whether it still runs is for the
// interpreter to say. Test support: it knows the Transform dialect, and nothing
// of the verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_MUTATION_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_MUTATION_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

struct MutationKind {
  llvm::StringLiteral name;
  /// Left out while the verifier is worked on, and measured at the end.
  bool heldOut;
  /// Edits the entry once; false: there is nothing to edit. What it leaves may
  /// fail to verify.
  bool (*apply)(mlir::transform::NamedSequenceOp entry, Random &random);
};

/// All kinds, those for development first.
llvm::ArrayRef<MutationKind> getMutationKinds();

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_MUTATION_H
