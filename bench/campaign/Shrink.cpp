//===- Shrink.cpp - The smallest pair that is wrong -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Shrink.h"

#include "transforms/reduce/Reduce.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::campaign;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

std::string formwork::campaign::generalize(StringRef text) {
  std::string result;
  unsigned depth = 0;
  for (char c : text) {
    if (c == '<')
      ++depth;
    if (depth == 0 && !llvm::isDigit(c) && c != '-')
      result += c;
    if (c == '>' && depth != 0)
      --depth;
  }
  return StringRef(result).take_front(100).trim().str();
}

/// The error of a wrong pair: it stays while the pair shrinks.
static std::string describe(const Outcome &outcome) {
  if (outcome.getWrong() == Wrong::FalseFact)
    return generalize(outcome.falseFact);
  return outcome.truth == Truth::Runs ? llvm::join(outcome.errors, ",")
                                      : generalize(outcome.failure);
}

std::string formwork::campaign::getClass(const Pair &pair,
                                         const Outcome &outcome) {
  StringRef step = "no step";
  if (!outcome.steps.empty())
    step = outcome.steps.back();
  // The last step in the text is the one that fails, once it is shrunk.
  size_t best = 0;
  for (const std::string &name : outcome.steps) {
    StringRef text = pair.schedule;
    size_t at = StringRef(name).starts_with("pass:")
                    ? text.rfind("\"" + name.substr(5) + "\"")
                    : text.rfind("transform." + name + " ");
    if (at != StringRef::npos && at >= best) {
      best = at;
      step = name;
    }
  }
  return (campaign::getName(outcome.getWrong()) + "|" + step + "|" +
          describe(outcome))
      .str();
}

//===----------------------------------------------------------------------===//
// Shrinking
//===----------------------------------------------------------------------===//

Pair formwork::campaign::shrink(Judge &judge, Pair pair, const Outcome &outcome,
                                unsigned trials, const BatchOptions &options) {
  OwningOpRef<ModuleOp> whole = judge.parse(pair.payload);
  OwningOpRef<ModuleOp> schedule = judge.parse(pair.schedule);
  if (!whole || !schedule)
    return pair;
  auto shows = [&](ModuleOp payload, ModuleOp steps) {
    if (trials == 0)
      return false;
    --trials;
    Pair smaller = pair;
    auto write = [&] {
      smaller.payload = print(payload);
      smaller.schedule = print(steps);
      return smaller;
    };
    Outcome known;
    // Some ops cannot be printed: that is for the child.
    judgeMany(
        judge, 0, 1, [&](uint64_t) { return write(); },
        [&](uint64_t, const Outcome &one) { known = one; }, options);
    if (!known.rejected.empty() || known.getWrong() != outcome.getWrong() ||
        describe(known) != describe(outcome))
      return false;
    pair = write();
    return true;
  };
  (void)transforms::reduce(
      *whole, *schedule,
      {transform::TransformDialect::kTransformEntryPointSymbolName.str(),
       /*entry=*/"", /*budget=*/std::chrono::hours(1)},
      shows);
  return pair;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool writeFile(const llvm::Twine &path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path.str(), error);
  if (error)
    return false;
  os << text;
  return true;
}

bool formwork::campaign::writeReproducer(Judge &judge, const Pair &pair,
                                         const Outcome &outcome,
                                         StringRef folder, StringRef name) {
  std::string comment =
      ("   (" + campaign::getName(outcome.claim) +
       (outcome.errors.empty() ? "" : ": " + llvm::join(outcome.errors, ", ")) +
       "); stock MLIR " + campaign::getName(outcome.truth) +
       (outcome.failure.empty() ? "" : ": " + outcome.failure) +
       (outcome.falseFact.empty() ? "" : "; " + outcome.falseFact) +
       "\n// features: " + llvm::join(outcome.features, ", ") + "\n")
          .str();
  OwningOpRef<ModuleOp> payload = judge.parse(pair.payload);
  OwningOpRef<ModuleOp> schedule = judge.parse(pair.schedule);
  std::string base = (folder + "/" + name).str();
  if (pair.withoutPayload || !payload || !schedule)
    return writeFile(base + ".mlir",
                     ("// formwork check --static --no-payload " + name +
                      ".mlir" + comment + pair.schedule)
                         .str()) &&
           writeFile(base + "-payload.mlir", pair.payload);
  // Some schedules that are valid cannot be printed.
  std::string text = print(*payload);
  text.insert(text.rfind('}'), pair.schedule);
  return writeFile(
      base + ".mlir",
      ("// formwork check --static " + name + ".mlir" + comment + text).str());
}
