//===- TriedSteps.h - Steps that depend on a kernel's code ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the models of our own steps: the numbers that such a step takes,
// and whether it succeeds on the code of a kernel. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_TRIEDSTEPS_H
#define FORMWORK_VERIFIER_MODELS_GPU_TRIEDSTEPS_H

#include "verifier/step/ModelRegistry.h"
#include "verifier/step/Step.h"
#include "verifier/trials/Replay.h"

#include <variant>

namespace formwork::verifier {

/// One entry of a mixed list: a number, or a parameter, which has a number for
/// all targets or one for each.
using MixedNumber = std::variant<int64_t, mlir::Value>;

/// The list of which attribute `name` has the static part, and operand segment
/// `segment` the parameters.
llvm::SmallVector<MixedNumber>
getMixedNumbers(mlir::Operation *op, llvm::StringRef name, unsigned segment);

/// The sizes of `list` for target number `target`; a size is unknown where its
/// parameter is.
llvm::SmallVector<Size>
getNumbers(const Step &step, llvm::ArrayRef<MixedNumber> list, unsigned target);

/// For how many targets the entries of `list` differ: 1 where all parameters
/// have one value. Errors: `id`, for a parameter with another number of values
/// than the step has targets. Not proved where a parameter is not known.
unsigned checkNumberOfValues(const Step &step, llvm::ArrayRef<MixedNumber> list,
                             Count targets, llvm::StringRef id);

/// Requires that `size` is at least `least`: an error `id` where the number is
/// less and the failure `definite`, `constraint` where it is open. `what` is
/// the subject of the sentence. Returns whether it is not known to be less.
bool requireAtLeast(const Step &step, const Size &size, int64_t least,
                    llvm::StringRef id, llvm::StringRef constraint,
                    const llvm::Twine &what, bool definite, bool silenceable);

/// Requires that each of `sizes`, which are `what`, is at least one, and that
/// their product times `factor` is a number of threads that a block can have.
/// `constraint` is for the former where a size is open. Returns the product;
/// none where it is not known. Errors: fw-bad-threads.
std::optional<solver::IntTerm>
requireThreads(const Step &step, llvm::ArrayRef<Size> sizes, int64_t factor,
               llvm::StringRef constraint, llvm::StringRef what, bool definite);

/// The result of the step at its place. Reports an error. None if the step
/// fails, or if the result is not known; the step is then not proved.
std::optional<Replay> tryStep(const Step &step);

/// Whether the step succeeds where it stands, in a trial; false also where none
/// is possible. Nothing is reported.
bool succeedsInTrial(const Step &step);

/// The reasons of `tryStep` for a step of which nothing is known.
leavesOpen getUntriedReasons();

/// Counts the workgroup memory that `replay` found in the kernels of `targets`.
void countTriedBytes(const Step &step, llvm::ArrayRef<NodeId> targets,
                     const Replay &replay);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_TRIEDSTEPS_H
