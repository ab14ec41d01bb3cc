//===- Corpus.h - What mutations start from ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads pairs of a payload and a schedule from tests and examples, and knows
// the words that they are made of. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_FUZZ_CORPUS_H
#define FORMWORK_BENCH_FUZZ_CORPUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace formwork::fuzz {

/// The input of a command: one file that holds both if `schedule` is empty, and
/// a payload with its schedule otherwise.
struct Input {
  std::string payload;
  std::string schedule;
};

/// A word of MLIR's syntax.
struct Token {
  enum Kind { Space, Name, Value, Symbol, Alias, Type, Number, Text, Sign };
  static constexpr unsigned numKinds = Sign + 1;

  Kind kind;
  llvm::StringRef text;
};

/// `text` in pieces, of which it is the sum; comments are space.
std::vector<Token> tokenize(llvm::StringRef text);

class Corpus {
public:
  /// Reads a file, or all of a folder: pieces between `// -----`, and the files
  /// that a lit test splits off, each schedule with each payload beside it. A
  /// file called `payload` is the payload of those in its folder. Files
  /// of more than some thousand lines are left out. False if nothing is there.
  bool add(llvm::StringRef path);

  llvm::ArrayRef<Input> getInputs() const { return inputs; }
  /// All words of `kind` that occur, each once.
  llvm::ArrayRef<std::string> getWords(Token::Kind kind) const {
    return words[kind];
  }

private:
  bool addFile(llvm::StringRef path);
  void addInput(llvm::StringRef payload, llvm::StringRef schedule);

  std::vector<Input> inputs;
  std::vector<std::string> words[Token::numKinds];
};

} // namespace formwork::fuzz

#endif // FORMWORK_BENCH_FUZZ_CORPUS_H
