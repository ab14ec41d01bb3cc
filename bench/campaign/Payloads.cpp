//===- Payloads.cpp - Payloads of a campaign ------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Payloads.h"

#include "embedded/campaignPayloads.h"
#include "test/lib/generator/PayloadGenerator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace formwork;
using namespace formwork::campaign;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

static SmallVector<StringRef, 0> splitTemplates() {
  SmallVector<StringRef, 0> templates;
  StringRef(embedded::campaignPayloads).split(templates, "\n==== ");
  // The text in front of the first is the head of the file.
  templates.erase(templates.begin());
  for (StringRef &text : templates)
    text = text.split('\n').second;
  return templates;
}

std::string formwork::campaign::makeTemplatePayload(Random &random) {
  static const SmallVector<StringRef, 0> templates = splitTemplates();
  Types types(random);
  bool buffers = types.areBuffers();
  llvm::StringMap<std::string> drawn;
  auto once = [&](StringRef key, llvm::function_ref<std::string()> draw) {
    auto [it, isNew] = drawn.try_emplace(key);
    if (isNew)
      it->second = draw();
    return it->second;
  };
  auto shaped = [&](bool asBuffers, StringRef prefix, StringRef dims) {
    // One type each, so that values of the same sizes fit.
    return once((prefix + dims).str(), [&] {
      types.setBuffers(asBuffers);
      return types.getType(dims, types.getElement());
    });
  };
  auto number = [&] {
    static constexpr StringLiteral bounds[] = {"0",
                                               "1",
                                               "2",
                                               "3",
                                               "4",
                                               "7",
                                               "8",
                                               "16",
                                               "17",
                                               "64",
                                               "-1",
                                               "-8",
                                               "127",
                                               "128",
                                               "32767",
                                               "2147483647",
                                               "9223372036854775807",
                                               "-9223372036854775808"};
    return pick(random, llvm::ArrayRef(bounds).take_front(
                            random.chance(0.8) ? 10 : std::size(bounds)))
        .str();
  };
  return expand(
      templates[random.below(templates.size())], random,
      [&](StringRef name, StringRef argument) -> std::string {
        if (name == "T")
          return shaped(false, "T", argument);
        if (name == "M")
          return shaped(true, "M", argument);
        if (name == "S")
          return shaped(buffers, "S", argument);
        if (name == "e")
          return types.getElement().str();
        if (name == "unary")
          return types.drawUnary();
        if (name == "zero")
          return Types::makeZero(argument, types.getElement());
        if (name == "int")
          return once("int", [&] {
            static constexpr StringLiteral all[] = {
                "index", "index", "i32", "i64", "i8", "i1", "i7", "i128"};
            return pick(random, all).str();
          });
        if (name == "one")
          return once(("one" + argument).str(), [&] {
            SmallVector<StringRef> each;
            argument.split(each, '|');
            return each[random.below(each.size())].str();
          });
        if (name == "bound")
          return number();
        if (name == "size") {
          auto draw = [&] {
            return std::to_string(random.chance(0.9) ? random.between(1, 16)
                                                     : random.between(0, 70));
          };
          return argument.empty() ? draw() : once(argument, draw);
        }
        llvm::report_fatal_error("payloads.txt has a placeholder $" + name);
      });
}

std::string formwork::campaign::makeGeneratedPayload(mlir::MLIRContext *context,
                                                     Random &random) {
  testing::GeneratorOptions options;
  options.ops = random.between(2, 14);
  options.functions = random.between(1, 2);
  options.depth = random.between(0, 3);
  options.affine = random.chance(0.3);
  static constexpr testing::Level levels[] = {
      testing::Level::Linalg, testing::Level::Loops, testing::Level::Vector,
      testing::Level::Buffers, testing::Level::Mixed};
  options.level = levels[random.below(5)];
  std::string text;
  llvm::raw_string_ostream os(text);
  auto module = testing::generatePayload(context, random.next(), options);
  for (mlir::Operation &op : *module->getBody())
    op.print(os << "\n");
  return text + "\n";
}

//===----------------------------------------------------------------------===//
// Changes of text
//===----------------------------------------------------------------------===//

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '%' || c == '#' ||
         c == '@';
}

/// Replaces the word `from`, also where it ends a shape.
static std::string replaceWord(StringRef text, StringRef from, StringRef to) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t at = text.find(from, i);
    if (at == StringRef::npos)
      return result + text.substr(i).str();
    size_t end = at + from.size();
    char before = at ? text[at - 1] : ' ';
    char after = end < text.size() ? text[end] : ' ';
    bool endsShape = before == 'x' && at > 1 &&
                     StringRef("0123456789?]").contains(text[at - 2]);
    bool isWhole = (!isWord(before) || endsShape) && !isWord(after);
    result += text.slice(i, at);
    result += isWhole ? to : from;
    i = end;
  }
  return result;
}

/// Makes arithmetic that of integers or complex numbers.
static std::string changeElement(std::string text, StringRef from,
                                 StringRef to) {
  text = replaceWord(text, from, to);
  bool isInteger =
      to == "index" || (to.starts_with("i") && llvm::isDigit(to[1]));
  if (isInteger) {
    for (auto [old, replacement] :
         {std::pair<StringRef, StringRef>{"arith.addf", "arith.addi"},
          {"arith.mulf", "arith.muli"},
          {"arith.subf", "arith.subi"},
          {"arith.maximumf", "arith.maxsi"},
          {"0.0 : ", "0 : "},
          {"1.0 : ", "1 : "}})
      text = replaceAll(text, old, replacement);
  } else if (to.starts_with("complex")) {
    text = replaceAll(text, "arith.addf", "complex.add");
    text = replaceAll(text, "arith.mulf", "complex.mul");
    text = replaceAll(text, "arith.constant 0.0 : complex<f32>",
                      "complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>");
  }
  return text;
}

/// Replaces a size wherever it stands in a shape, and perhaps as a number.
static std::string changeSize(StringRef text, StringRef from, StringRef to,
                              bool everywhere) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    char before = i ? text[i - 1] : ' ';
    char after = end < text.size() ? text[end] : ' ';
    bool isSize = (before == '<' || before == 'x') && after == 'x';
    bool isNumber = !llvm::isAlnum(before) && !llvm::isAlnum(after) &&
                    !StringRef("%_#^.").contains(before) && after != '.';
    bool replaced = text.slice(i, end) == from &&
                    (isSize || (everywhere && isNumber && to != "?"));
    result += replaced ? to : text.slice(i, end);
    i = end;
  }
  return result;
}

/// Adds `suffix` to the memrefs or tensors of `text` that have nothing such, to
/// all or to those of one shape.
static std::string changeShaped(StringRef text, StringRef kind,
                                StringRef suffix, Random &random) {
  SmallVector<StringRef> found;
  for (size_t at = text.find(kind); at != StringRef::npos;
       at = text.find(kind, at + 1)) {
    StringRef type = text.substr(at);
    size_t end = type.find_first_of(">,(");
    if (end != StringRef::npos && type[end] == '>' &&
        !type.take_front(end).contains("complex") &&
        !type.take_front(end).contains("vector"))
      found.push_back(type.take_front(end + 1));
  }
  if (found.empty())
    return text.str();
  std::string one = found[random.below(found.size())].str();
  return replaceAll(text, one,
                    StringRef(one).drop_back().str() + suffix.str() + ">");
}

std::string formwork::campaign::varyText(StringRef original, Random &random) {
  std::string text = original.str();
  auto matches = [&](StringRef prefix) {
    return StringRef(text).contains(prefix);
  };
  if (random.chance(0.3)) {
    static constexpr StringLiteral elements[] = {
        "f16",   "bf16", "f64",  "i32",          "i8",
        "index", "i64",  "i1",   "complex<f32>", "f8E4M3FN",
        "f80",   "f128", "tf32", "i7",           "i65",
        "i128",  "si32", "ui8",  "vector<4xf32>"};
    text = changeElement(text, "f32", pick(random, elements));
  }
  if (random.chance(0.4)) {
    static constexpr StringLiteral from[] = {"8", "4", "16", "32", "10",
                                             "3", "2", "1",  "?"};
    static constexpr StringLiteral to[] = {
        "0",  "1",          "?",
        "?",  "5",          "7",
        "64", "2147483648", "9223372036854775807"};
    text = changeSize(text, pick(random, from), pick(random, to),
                      random.chance(0.6));
  }
  if (matches("memref<") && random.chance(0.25)) {
    static constexpr StringLiteral layouts[] = {
        ", strided<[?], offset: ?>",
        ", strided<[?, ?], offset: ?>",
        ", strided<[64, 1]>",
        ", strided<[2]>",
        ", strided<[0, 1]>",
        ", affine_map<(d0, d1) -> (d1, d0)>",
        ", affine_map<(d0) -> (d0 mod 4)>",
        ", 1",
        ", 3",
        ", \"fast\"",
        ", #gpu.address_space<workgroup>"};
    text = changeShaped(text, "memref<", pick(random, layouts), random);
  }
  if (matches("tensor<") && random.chance(0.12))
    text =
        changeShaped(text, "tensor<",
                     random.chance(0.5) ? ", \"packed\"" : ", 7 : i32", random);
  if (matches("scf.for") && random.chance(0.15)) {
    static constexpr StringLiteral integers[] = {"i32", "i64", "i8", "i128"};
    text = replaceWord(text, "index", pick(random, integers));
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Surroundings
//===----------------------------------------------------------------------===//

std::string formwork::campaign::addSurroundings(std::string text,
                                                Random &random) {
  if (random.chance(0.12)) {
    // A terminator in a block of its own.
    size_t at = text.rfind("\n  return");
    if (at != std::string::npos)
      text.insert(at, "\n  cf.br ^last\n^last:");
  }
  static constexpr StringLiteral others[] = {
      "func.func private @declared(%a: tensor<?xf32>) -> tensor<?xf32>\n",
      "func.func @other(%m: memref<9xf32>, %x: f32) {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %c9 = arith.constant 9 : index\n"
      "  scf.for %i = %c0 to %c9 step %c1 {\n"
      "    memref.store %x, %m[%i] : memref<9xf32>\n  }\n  return\n}\n",
      "func.func @other(%a: tensor<5x3xf64>) -> tensor<5x3xf64> {\n"
      "  %x = arith.constant 1.5 : f64\n"
      "  %f = linalg.fill ins(%x : f64) outs(%a : tensor<5x3xf64>) -> "
      "tensor<5x3xf64>\n  return %f : tensor<5x3xf64>\n}\n",
      "func.func @other() {\n  return\n}\n",
      // Ops that fold to constants of several dialects.
      "func.func @other() -> (i32, index, vector<4xf32>) {\n"
      "  %c = arith.constant 40 : i32\n  %p = arith.shli %c, %c : i32\n"
      "  %i = index.constant 2\n  %j = index.add %i, %i\n"
      "  %v = arith.constant dense<1.0> : vector<4xf32>\n"
      "  %w = arith.addf %v, %v : vector<4xf32>\n"
      "  return %p, %j, %w : i32, index, vector<4xf32>\n}\n",
      "memref.global \"private\" @global : memref<4xf32>\n",
      "module @empty {\n}\n",
      "func.func @other(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^a:\n  cf.br ^b\n"
      "^b:\n  return\n}\n"};
  if (random.chance(0.15)) {
    StringRef other = pick(random, others);
    text = random.chance(0.5) ? other.str() + text : text + other.str();
  }
  if (random.chance(0.06))
    text = "module @scope {\n" + text + "}\n";
  return text;
}
