//===- Violations.cpp - Steps that fail as contracts say ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Violations.h"
#include "bench/campaign/Template.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace formwork;
using llvm::SmallVector;
using llvm::StringRef;

/// A line of a case as a step: a match, if it is only kinds of ops.
static std::string writeStep(StringRef line) {
  auto [name, what] = line.split(" = ");
  bool isTyped = what.consume_back(" typed");
  bool isMatch = name.starts_with("%") && what.contains('.') &&
                 llvm::all_of(what, [](char c) {
                   return llvm::isAlnum(c) || StringRef("_., ").contains(c);
                 });
  std::string any = "!transform.any_op";
  if (isMatch) {
    SmallVector<StringRef> kinds;
    what.split(kinds, ", ");
    std::string list = "\"" + llvm::join(kinds, "\", \"") + "\"";
    return (name + " = transform.structured.match ops{[" + list +
            "]} in %module : (" + any + ") -> " +
            (isTyped ? "!transform.op<" + list + ">" : any))
        .str();
  }
  return campaign::replaceAll(line, "!any", any);
}

llvm::StringMap<std::vector<mistakes::Violation>>
formwork::mistakes::readViolations(StringRef text) {
  llvm::StringMap<std::string> payloads;
  llvm::StringMap<std::vector<Violation>> found;
  std::string *payload = nullptr;
  std::string contract, clause, of, steps, leaves;
  bool isLeftOut = false;
  auto finish = [&] {
    if (!contract.empty() && !isLeftOut && !of.empty())
      found[contract].push_back(
          {clause, of,
           "module attributes {transform.with_named_sequence} {\n"
           "transform.named_sequence @__transform_main(%module: "
           "!transform.any_op {transform.consumed}) {\n" +
               steps + "transform.yield\n}\n}\n",
           leaves});
    contract.clear();
    of.clear();
    leaves.clear();
    steps.clear();
    isLeftOut = false;
  };
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.starts_with("#") || line.trim().empty())
      continue;
    StringRef rest = line;
    if (rest.consume_front("payload ")) {
      finish();
      payload = &payloads[rest];
    } else if (line.starts_with("  ")) {
      *payload += (line + "\n").str();
    } else if (rest.consume_front("==== ")) {
      finish();
      auto [before, after] = rest.split(": ");
      contract = before.str();
      clause = after.str();
    } else if (payloads.contains(line)) {
      of = payloads[line];
    } else if (rest.consume_front("leaves ")) {
      leaves = rest.str();
    } else if (line.starts_with("says ")) {
      continue;
    } else if (line.starts_with("never ") || line == "crashes" ||
               line == "hangs" || line == "inside") {
      isLeftOut = true;
    } else {
      steps += writeStep(line) + "\n";
    }
  }
  finish();
  return found;
}
