//===- PayloadGenerator.h - Seeded, verified payload modules ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes payload for property tests and benchmarks: from a seed and options, a
// module that verifies. Test support: it knows MLIR and the check macro, and
// nothing of rules, forms or schedules.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_PAYLOADGENERATOR_H
#define FORMWORK_TEST_LIB_GENERATOR_PAYLOADGENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>

namespace formwork::testing {

/// Which dialects the payload is about. `Loops` and `Vector` choose, function
/// by function, between tensors and buffers; `Mixed` has everything everywhere.
enum class Level { Linalg, Loops, Vector, Buffers, Mixed };

/// Element types that shaped values and scalars have.
enum class Element { F16, BF16, F32, F64, I8, I16, I32, I64 };

/// How often patterns occur that enablers exist for. A density is a factor: 0
/// is never, 1 the default, 2 twice as often, and so on.
struct Densities {
  /// Arithmetic on constants, and identities such as x + 0 and x - x.
  double fold = 1;
  /// Second copies of a pure op, at times with commuted operands.
  double duplicate = 1;
  /// In a loop, ops all of whose operands come from outside.
  double invariant = 1;
  /// A value copied onto itself, in the several spellings of each level.
  double selfCopy = 1;
  /// Pure ops whose results nobody uses.
  double dead = 1;
  /// Extraction and insertion of slices, and subviews.
  double slice = 1;
  /// `tensor.empty`, and buffers allocated in place.
  double empty = 1;
  /// `scf.forall`, half of them with a mapping.
  double forall = 1;
  /// Named and generic linalg ops that can be tiled.
  double tileable = 1;
  /// Dimensions of size one, and reshapes that add and remove them.
  double unitDim = 1;
};

/// The options of `generatePayload`. All of them can be written as, and read
/// from, the arguments of `formwork-generate`.
struct GeneratorOptions {
  unsigned functions = 1;
  /// Ops in a function, all regions together; a function ends at the first op
  /// family that reaches the number, so it may exceed it slightly.
  unsigned ops = 40;
  /// The deepest nesting of loops and branches; 0 means one block a function.
  /// MLIR recurses: with a stack of 8 MB its parser overflows between 2000 and
  /// 3000 nested loops (the generator and the printer take 5000).
  unsigned depth = 3;
  /// Each function starts with a nest of exactly `depth` loops.
  bool spine = false;
  Level level = Level::Mixed;
  /// Whether affine ops take part.
  bool affine = false;
  /// The probability that a dimension's size is hidden from its type.
  double dynamic = 0.2;
  llvm::SmallVector<Element> elements = {Element::F32, Element::F64,
                                         Element::I32};
  /// The largest size of a dimension, at least 1. Sizes are run-time sizes: a
  /// dimension that the type calls dynamic has one, too.
  unsigned maxDim = 8;
  /// The largest trip count of a loop; with `executable`, all loops around an
  /// op together run at most 4096 times.
  unsigned maxTrip = 4;
  /// No undefined behaviour that verification cannot see: indices in bounds, no
  /// division by zero, no poison, no read of what was never written, no race,
  /// no aliased output, bounded loops. Calling such a function is well defined
  /// when
  ///  - each argument whose type hides sizes has those of its `formwork.shape`,
  ///  - each index argument has the value of its `formwork.value`,
  ///  - no two buffers overlap.
  bool executable = false;
  Densities densities;
};

/// The dialects that payload may use, with what their verifiers need.
void registerPayloadDialects(mlir::DialectRegistry &registry);

/// A module that verifies: `seed` and `options` decide every bit of it, on
/// every machine. Loads the payload dialects into `context`. When `families` is
/// given, adds to it how often each op family was used. Linear in the number of
/// ops; its stack grows with `depth`.
mlir::OwningOpRef<mlir::ModuleOp>
generatePayload(mlir::MLIRContext *context, uint64_t seed,
                const GeneratorOptions &options = {},
                llvm::StringMap<uint64_t> *families = nullptr);

/// The names of the op families that `options` can produce, sorted.
llvm::SmallVector<llvm::StringRef> getFamilies(const GeneratorOptions &options);

/// The arguments of `formwork-generate` that make the same module again: every
/// option, whether it has its default or not.
std::string getArguments(uint64_t seed, const GeneratorOptions &options);

/// Sets what `argument`, one of "--name=value" and "--name" (a boolean), says.
/// On failure returns false and explains in `error`.
bool parseArgument(llvm::StringRef argument, uint64_t &seed,
                   GeneratorOptions &options, std::string &error);

/// One line an option: its name, its default, what it means.
void printOptionHelp(llvm::raw_ostream &os);

/// Prints `module` below a comment with the command that generates it, or that
/// generated the module that it was shrunk from.
void printReproducer(llvm::raw_ostream &os, mlir::ModuleOp module,
                     uint64_t seed, const GeneratorOptions &options);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_PAYLOADGENERATOR_H
