//===- DetourKinds.h - Breakage of how handles get about --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that pass a handle on otherwise: by a way around, merged and split
// again, with repetitions, or to a few of its readers only. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_DETOURKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_DETOURKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Reads an op by way of what is next to it or around it.
bool thereAndBack(mlir::transform::NamedSequenceOp entry, Random &random);
/// Merges two handles, and splits them again.
bool mergeAndSplit(mlir::transform::NamedSequenceOp entry, Random &random);
/// Repeats what a handle holds, once for each op of another.
bool replicateHandle(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on results that nothing has read so far.
bool useUnused(mlir::transform::NamedSequenceOp entry, Random &random);
/// Writes an op anew, and tells only some of its readers.
bool halfRebind(mlir::transform::NamedSequenceOp entry, Random &random);
/// Names the kinds that handles hold.
bool preciseTypes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on the function of each op, however many share one.
bool eachParent(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_DETOURKINDS_H
