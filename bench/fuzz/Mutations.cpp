//===- Mutations.cpp - Inputs that are nearly right -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Mutations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace formwork::fuzz;
using llvm::StringRef;

StringRef formwork::fuzz::getName(Level level) {
  static constexpr llvm::StringLiteral names[] = {"bytes", "words",
                                                  "structure"};
  return names[static_cast<unsigned>(level)];
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// A part of some text of the corpus.
static StringRef pickPart(const Corpus &corpus, size_t most, Random &random) {
  const Input &input = random.oneOf(corpus.getInputs());
  bool isSchedule = random.chance(0.7) && !input.schedule.empty();
  StringRef text = isSchedule ? input.schedule : input.payload;
  size_t begin = random.below(text.size());
  return text.substr(begin, 1 + random.below(most));
}

static void mutateByte(std::string &text, const Corpus &corpus,
                       Random &random) {
  if (text.empty()) {
    text = pickPart(corpus, 60, random).str();
    return;
  }
  size_t at = random.below(text.size());
  size_t size = std::min<size_t>(text.size() - at, 1 + random.below(20));
  switch (random.below(7)) {
  case 0:
    text[at] ^= 1 << random.below(8);
    break;
  case 1:
    text[at] = static_cast<char>(random.below(256));
    break;
  case 2:
    text.insert(at, 1, static_cast<char>(random.below(256)));
    break;
  case 3:
    text.erase(at, size);
    break;
  case 4:
    text.insert(random.below(text.size()), text.substr(at, size));
    break;
  case 5:
    text.insert(at, pickPart(corpus, 60, random).str());
    break;
  default:
    // The end is missing, which is rarer.
    if (random.chance(0.2))
      text.resize(at);
    else
      text[at] = text[random.below(text.size())];
    break;
  }
}

/// One to eight bytes, or ranges of them, are others, gone, or there twice.
static void mutateBytes(std::string &text, const Corpus &corpus,
                        Random &random) {
  unsigned count = random.chance(0.6) ? 1 : 1 + random.below(8);
  for (unsigned i = 0; i < count; ++i)
    mutateByte(text, corpus, random);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kNumbers[] = {"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "3",
                                                   "7",
                                                   "1024",
                                                   "65536",
                                                   "2147483647",
                                                   "2147483648",
                                                   "4294967296",
                                                   "-2147483648",
                                                   "4611686018427387904",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "18446744073709551616",
                                                   "0x7FFFFFFFFFFFFFFF",
                                                   "1.0e+300",
                                                   "0x7FF0000000000000"};

/// Another word of the kind of `token`.
static std::string pickWord(const Token &token, const Corpus &corpus,
                            Random &random) {
  if (token.kind == Token::Number && random.chance(0.6))
    return random.oneOf(llvm::ArrayRef(kNumbers)).str();
  if (token.kind == Token::Text && random.chance(0.1))
    return "\"\"";
  return random.oneOf(corpus.getWords(token.kind));
}

/// One to four words are gone, exchanged, there twice, or others of the corpus
/// of the same kind; numbers also those at the edge of a range.
static void mutateWords(std::string &text, const Corpus &corpus,
                        Random &random) {
  std::vector<std::string> words;
  std::vector<Token> tokens = tokenize(text);
  llvm::SmallVector<size_t> places;
  for (auto [i, token] : llvm::enumerate(tokens)) {
    words.push_back(token.text.str());
    if (token.kind != Token::Space)
      places.push_back(i);
  }
  if (places.empty())
    return;
  unsigned count = random.chance(0.6) ? 1 : 1 + random.below(4);
  for (unsigned i = 0; i < count; ++i) {
    size_t at = places[random.below(places.size())];
    size_t other = places[random.below(places.size())];
    switch (random.below(8)) {
    case 0:
      words[at].clear();
      break;
    case 1:
      words[at] += " " + words[at];
      break;
    case 2:
      std::swap(words[at], words[other]);
      break;
    case 3:
      words[at] = words[other];
      break;
    default:
      words[at] = pickWord(tokens[at], corpus, random);
      break;
    }
  }
  text = llvm::join(words, "");
}

//===----------------------------------------------------------------------===//
// Inputs by number
//===----------------------------------------------------------------------===//

Input formwork::fuzz::mutate(const Corpus &corpus, uint64_t seed,
                             uint64_t number, mlir::MLIRContext &context,
                             Level &level) {
  Random random = Random::forStream(seed, number);
  Input input = random.oneOf(corpus.getInputs());
  // Most of what has another byte does not parse.
  bool isBytes = random.chance(0.15), isWords = random.chance(0.4);
  level = isBytes ? Level::Bytes : isWords ? Level::Words : Level::Structure;
  bool isSchedule = !input.schedule.empty() && random.chance(0.7);
  std::string &text = isSchedule ? input.schedule : input.payload;
  if (level == Level::Structure &&
      !mutateStructure(text, corpus, random, context))
    level = Level::Words;
  if (level == Level::Words)
    mutateWords(text, corpus, random);
  else if (level == Level::Bytes)
    mutateBytes(text, corpus, random);
  return input;
}
