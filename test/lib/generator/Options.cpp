//===- Options.cpp - Generator options as text ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table describes the options, so that what is printed can be read, and
// nothing that decides the payload is left out of a reproducer.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/PayloadGenerator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace formwork::testing {

static constexpr std::pair<Level, StringLiteral> levels[] = {
    {Level::Linalg, "linalg"}, {Level::Loops, "loops"},
    {Level::Vector, "vector"}, {Level::Buffers, "buffers"},
    {Level::Mixed, "mixed"},
};

static constexpr std::pair<Element, StringLiteral> elements[] = {
    {Element::F16, "f16"}, {Element::BF16, "bf16"}, {Element::F32, "f32"},
    {Element::F64, "f64"}, {Element::I8, "i8"},     {Element::I16, "i16"},
    {Element::I32, "i32"}, {Element::I64, "i64"},
};

namespace {
struct State {
  uint64_t &seed;
  GeneratorOptions &options;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values of options: how they are read (true on success) and written
//===----------------------------------------------------------------------===//

static bool read(StringRef text, uint64_t &value) {
  return !text.getAsInteger(0, value);
}

static bool read(StringRef text, unsigned &value) {
  return !text.getAsInteger(0, value);
}

static bool read(StringRef text, bool &value) {
  if (text != "true" && text != "false" && !text.empty())
    return false;
  value = text != "false";
  return true;
}

static bool read(StringRef text, double &value) {
  return !text.getAsDouble(value) && std::isfinite(value) && value >= 0;
}

static bool read(StringRef text, Level &value) {
  for (auto [level, name] : levels) {
    if (text == name) {
      value = level;
      return true;
    }
  }
  return false;
}

static bool read(StringRef text, SmallVector<Element> &value) {
  value.clear();
  for (StringRef part : split(text, ',')) {
    auto it =
        find_if(elements, [&](auto &pair) { return pair.second == part; });
    if (it == std::end(elements))
      return false;
    value.push_back(it->first);
  }
  return !value.empty();
}

static std::string write(uint64_t value) { return utostr(value); }
static std::string write(unsigned value) { return utostr(value); }
static std::string write(bool value) { return value ? "true" : "false"; }

static std::string write(double value) {
  // The fewest digits that read back as the same value.
  for (int digits = 1; digits <= 17; ++digits) {
    char text[40];
    snprintf(text, sizeof(text), "%.*g", digits, value);
    double back = 0;
    if (!StringRef(text).getAsDouble(back) && back == value)
      return text;
  }
  return "0";
}

static std::string write(Level value) {
  for (auto [level, name] : levels)
    if (level == value)
      return name.str();
  llvm_unreachable("all levels have a name");
}

static std::string write(const SmallVector<Element> &value) {
  return join(map_range(value,
                        [](Element wanted) {
                          return find_if(elements,
                                         [&](auto &pair) {
                                           return pair.first == wanted;
                                         })
                              ->second.str();
                        }),
              ",");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct Option {
  StringLiteral name;
  StringLiteral help;
  bool (*parse)(StringRef text, State state);
  std::string (*print)(State state);
};
} // namespace

#define FW_OPTION(NAME, MEMBER, HELP)                                          \
  Option {                                                                     \
    NAME, HELP, [](StringRef text, State s) { return read(text, s.MEMBER); },  \
        [](State s) { return write(s.MEMBER); }                                \
  }

static const Option table[] = {
    FW_OPTION("seed", seed, "decides every choice"),
    FW_OPTION("functions", options.functions, "number of functions"),
    FW_OPTION("ops", options.ops, "ops in a function, regions included"),
    FW_OPTION("depth", options.depth, "deepest nesting of loops and branches"),
    FW_OPTION("spine", options.spine,
              "nest of exactly that depth in each function"),
    FW_OPTION("level", options.level,
              "linalg, loops, vector, buffers or mixed"),
    FW_OPTION("affine", options.affine, "with affine ops"),
    FW_OPTION("dynamic", options.dynamic, "probability that a size is hidden"),
    FW_OPTION("elements", options.elements,
              "comma-separated: f16, bf16, f32, f64, i8, i16, i32, i64"),
    FW_OPTION("max-dim", options.maxDim, "largest size of a dimension"),
    FW_OPTION("max-trip", options.maxTrip, "largest trip count of a loop"),
    FW_OPTION("executable", options.executable, "without undefined behaviour"),
    FW_OPTION("fold", options.densities.fold, "density of foldable arithmetic"),
    FW_OPTION("duplicate", options.densities.duplicate,
              "density of duplicates"),
    FW_OPTION("invariant", options.densities.invariant,
              "density of loop-invariant ops"),
    FW_OPTION("self-copy", options.densities.selfCopy,
              "density of self copies"),
    FW_OPTION("dead", options.densities.dead, "density of dead ops"),
    FW_OPTION("slice", options.densities.slice,
              "density of slices and subviews"),
    FW_OPTION("empty", options.densities.empty,
              "density of empty tensors and new buffers"),
    FW_OPTION("forall", options.densities.forall, "density of scf.forall"),
    FW_OPTION("tileable", options.densities.tileable, "density of linalg ops"),
    FW_OPTION("unit-dim", options.densities.unitDim,
              "density of unit dimensions"),
};

#undef FW_OPTION

std::string getArguments(uint64_t seed, const GeneratorOptions &options) {
  GeneratorOptions copy = options;
  return join(map_range(table,
                        [&](const Option &option) {
                          return "--" + option.name.str() + "=" +
                                 option.print({seed, copy});
                        }),
              " ");
}

bool parseArgument(StringRef argument, uint64_t &seed,
                   GeneratorOptions &options, std::string &error) {
  StringRef text = argument;
  if (!text.consume_front("--")) {
    error = formatv("expected an option but got '{0}'", argument);
    return false;
  }
  auto [name, value] = text.split('=');
  for (const Option &option : table) {
    if (option.name != name)
      continue;
    GeneratorOptions changed = options;
    uint64_t changedSeed = seed;
    bool isGood = option.parse(value, {changedSeed, changed}) &&
                  changed.maxDim > 0 && changed.maxDim <= 4096 &&
                  changed.dynamic <= 1;
    if (!isGood) {
      error = formatv("bad value '{0}' for option '--{1}': {2}", value, name,
                      option.help);
      return false;
    }
    options = changed;
    seed = changedSeed;
    return true;
  }
  error = formatv("unknown option '--{0}'", name);
  return false;
}

void printOptionHelp(raw_ostream &os) {
  uint64_t seed = 0;
  GeneratorOptions options;
  for (const Option &option : table) {
    std::string text =
        "--" + option.name.str() + "=" + option.print({seed, options});
    os << formatv("  {0,-28}{1}\n", text, option.help);
  }
}

} // namespace formwork::testing
