//===- Mistakes.h - Contracts with one mistake ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plants one mistake into a copy of a built-in contract: an index, a kind, a
// name, an attribute, a condition or a relation. Bench; it knows nothing of how
// mistakes are found.
//
// Vocabulary: a mistake is *senseless* when the language, the op or MLIR has
// nothing like it, such as a misspelled name. Any other is *plausible*: it says
// something that is valid and wrong. A change that only makes the contract say
// less is no mistake.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CONTRACTS_MISTAKES_H
#define FORMWORK_BENCH_CONTRACTS_MISTAKES_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "test/lib/generator/Random.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace formwork::mistakes {

using testing::Random;

enum class MistakeKind { Index, Kind, Name, Attribute, Condition, Relation };
inline constexpr unsigned kNumMistakeKinds = 6;

llvm::StringRef getName(MistakeKind kind);

struct Mistake {
  MistakeKind kind;
  bool isSenseless = false;
  /// The op of the contract without the mistake.
  std::string opName;
  /// The clause, what it was, and what it is now.
  std::string text;
  /// The contract with the mistake.
  mlir::OwningOpRef<mlir::Operation *> contract;
};

class Planter {
public:
  Planter(const normalforms::ContractLibrary &contracts,
          const normalforms::FormLibrary &forms);

  /// A mistake of `kind` in some contract that has something of the kind.
  Mistake plant(MistakeKind kind, bool isSenseless, Random &random) const;

private:
  /// The present and the former text of a clause; none where it has none.
  using Change = std::optional<std::string>;

  Change change(mlir::Operation *clause, MistakeKind kind, bool isSenseless,
                Random &random) const;
  Change changeIndex(mlir::Operation *clause, bool isSenseless,
                     Random &random) const;
  Change changeKind(mlir::Operation *clause, bool isSenseless,
                    Random &random) const;
  Change changeName(mlir::Operation *clause, bool isSenseless,
                    Random &random) const;
  Change changeAttribute(mlir::Operation *clause, bool isSenseless,
                         Random &random) const;
  Change changeCondition(mlir::Operation *clause, bool isSenseless,
                         Random &random) const;
  Change changeRelation(mlir::Operation *clause, bool isSenseless,
                        Random &random) const;

  /// Another word like `word`, or one that there is not.
  std::string replaceWord(llvm::StringRef word,
                          const std::vector<std::string> &others,
                          bool isSenseless, Random &random) const;

  std::vector<normalforms::ContractOp> declarations;
  std::vector<std::string> forms, facts;
  /// The texts in all lists of this name, each once.
  llvm::StringMap<std::vector<std::string>> words;
};

} // namespace formwork::mistakes

#endif // FORMWORK_BENCH_CONTRACTS_MISTAKES_H
