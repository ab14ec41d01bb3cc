//===- Cases.cpp - A step and a payload for each contract -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/property/witnesses/Cases.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace formwork::testing;
using llvm::SmallVector;
using llvm::StringRef;

/// `%x = KIND, KIND [typed]` is a match of these kinds; `!any` is
/// `!transform.any_op`.
static std::string readStep(StringRef line) {
  auto [name, kinds] = line.split(" = ");
  bool isTyped = kinds.consume_back(" typed");
  bool isMatch = line.starts_with("%") && !kinds.empty() &&
                 !kinds.starts_with("transform.") &&
                 kinds.find_first_of("(:\"") == StringRef::npos;
  if (isMatch) {
    SmallVector<StringRef> each;
    kinds.split(each, ", ");
    std::string list = "\"" + llvm::join(each, "\", \"") + "\"";
    return name.str() + " = transform.structured.match ops{[" + list +
           "]} in %module : (!transform.any_op) -> " +
           (isTyped ? "!transform.op<" + list + ">" : "!transform.any_op");
  }
  std::string step;
  for (StringRef rest = line; !rest.empty();) {
    auto [before, after] = rest.split("!any");
    step += before;
    if (before.size() != rest.size())
      step += "!transform.any_op";
    // `!any` is the beginning of no other word that steps have.
    rest = after;
  }
  return step;
}

/// The function called `name` of a corpus in which each ends with a line `}`.
static std::string findFunction(StringRef corpus, StringRef name) {
  size_t begin = corpus.find(("func.func " + name + "(").str());
  if (begin == StringRef::npos)
    return "";
  StringRef rest = corpus.drop_front(begin);
  return rest.take_front(rest.find("\n}\n") + 3).str();
}

WitnessFile formwork::testing::readWitnesses(StringRef text, StringRef corpus) {
  WitnessFile file;
  std::map<std::string, std::string> payloads;
  std::string name;
  WitnessCase *current = nullptr;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    auto fail = [&, number = number](const llvm::Twine &what) {
      if (file.error.empty())
        file.error = (llvm::Twine(number + 1) + ": " + what).str();
    };
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    if (line.consume_front("payload ")) {
      name = line.str();
      current = nullptr;
      if (!payloads.try_emplace(name).second)
        fail("a second payload " + name);
      if (line.starts_with("@")) {
        payloads[name] = findFunction(corpus, name);
        if (payloads[name].empty())
          fail("no function " + name);
      }
    } else if (line.starts_with("  ") && !current) {
      payloads[name] += line.str() + "\n";
    } else if (line.consume_front("serves ")) {
      SmallVector<StringRef> contracts;
      line.split(contracts, ", ");
      for (StringRef contract : contracts)
        file.cases[contract.str()].push_back({payloads[name], {}});
    } else if (line.consume_front("none ")) {
      auto [contract, why] = line.split(": ");
      file.without[contract.str()] = why.str();
    } else if (line.consume_front("==== ")) {
      auto [contract, payload] = line.split(" on ");
      if (!payloads.count(payload.str()))
        fail("no payload " + payload);
      auto &list = file.cases[contract.str()];
      list.push_back({payloads[payload.str()], {}});
      current = &list.back();
    } else if (current) {
      if (line.starts_with("  ") && !current->steps.empty())
        current->steps.back() += "\n" + readStep(line);
      else
        current->steps.push_back(readStep(line));
    } else {
      fail("a step of no case");
    }
  }
  return file;
}
