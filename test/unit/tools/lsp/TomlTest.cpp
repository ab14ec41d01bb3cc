//===- TomlTest.cpp - The part of TOML that settings need -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/Toml.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace formwork::tools;
using llvm::StringRef;

/// The entries as `key=JSON;`, then the fault as `at OFFSET: MESSAGE`.
static std::string read(StringRef text) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  TomlFile file = readToml(text);
  for (const TomlEntry &entry : file.entries)
    os << entry.key << "=" << entry.value << ";";
  if (file.fault)
    os << "at " << file.fault->offset << ": " << file.fault->message;
  return printed;
}

TEST(Toml, ReadsStrings) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("# a comment alone"), "");
  EXPECT_EQ(read("a = \"x # y\" # z\nb='q'"), R"(a="x # y";b="q";)");
  EXPECT_EQ(read("  a\t=\t\"\" \r\n\r\nb = ''"), R"(a="";b="";)");
  EXPECT_EQ(read("\"a b\" = 'x'\n'\"' = 'y'"), R"(a b="x";"="y";)");
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a = true\nb-_1 = false"),
            "a=true;b-_1=false;");
  // Escapes are those of strings in double quotes.
  EXPECT_EQ(readToml(R"(a = "\\\"\t\n\b\f\r\u00e9\U0001F600")")
                .entries[0]
                .value.getAsString(),
            "\\\"\t\n\b\f\r\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(readToml(R"(a = 'C:\new "x"')").entries[0].value.getAsString(),
            R"(C:\new "x")");
}

TEST(Toml, ReadsLists) {
  EXPECT_EQ(read("a = []"), "a=[];");
  EXPECT_EQ(read("a = [ \"x\" , 'y', ] # z"), R"(a=["x","y"];)");
  EXPECT_EQ(
      read("a = [ # first\n  \"x\" # second\n  ,\r\n\n  'y',\n]\nb = true"),
      R"(a=["x","y"];b=true;)");
  EXPECT_EQ(read("a = [[], [true]]"), "a=[[],[true]];");
}

TEST(Toml, SaysWhereAValueIsNone) {
  StringRef other = "requires a string in quotes, a list of strings, true or "
                    "false";
  for (StringRef value :
       {"1", "-1.5", "1979-05-27", "{ x = 1 }", "yes", "", "trueish", "x\"y\""})
    EXPECT_EQ(read(("a = " + value).str()), ("a=null;at 4: " + other).str())
        << value.str();
  EXPECT_EQ(read("a = ['x', 1]"), ("a=null;at 10: " + other).str());
  EXPECT_EQ(read("a = [,]"), ("a=null;at 5: " + other).str());
  EXPECT_EQ(read("a = [\n'x'\n'y']"),
            "a=null;at 10: requires ',' or ']' after the value");
  EXPECT_EQ(read("a = ['x',\n"), "a=null;at 4: a list is not closed");
  EXPECT_EQ(read("a = ['x'"), "a=null;at 4: a list is not closed");
  EXPECT_EQ(read("a = 'x\n'"),
            "a=null;at 4: a string is not closed in its line");
  EXPECT_EQ(read("a = \"x"), "a=null;at 4: a string is not closed in its line");
  EXPECT_EQ(read("a = \"\"\"x\"\"\""),
            "a=null;at 4: strings of several lines are not accepted here");
  EXPECT_EQ(read("a = '''x'''"),
            "a=null;at 4: strings of several lines are not accepted here");
  // An escape that is none, half of one, and characters that are none.
  for (StringRef escape : {"\\q", "\\u12", "\\uD800", "\\U00110000", "\\u12 4"})
    EXPECT_EQ(read(("a = \"x" + escape + "\"").str()),
              "a=null;at 6: unknown escape sequence in a string; in a string "
              "in single quotes, a backslash is itself")
        << escape.str();
  EXPECT_EQ(read("a = " + std::string(20, '[')),
            "a=null;at 21: lists are nested too deeply");
}

TEST(Toml, SaysWhereALineIsNone) {
  EXPECT_EQ(read("[table]"), "at 0: tables are not accepted here");
  EXPECT_EQ(read("a.b = 'x'"), "at 1: keys with dots are not accepted here");
  EXPECT_EQ(read("= 'x'"), "at 0: requires a line 'key = value'");
  EXPECT_EQ(read("a 'x'"), "at 2: requires '=' after the key");
  EXPECT_EQ(read("a"), "at 1: requires '=' after the key");
  EXPECT_EQ(read("\"\"\"a\"\"\" = 1"), "at 0: requires a key");
  EXPECT_EQ(read("a = 'x' b = 'y'"),
            R"(a="x";at 8: requires the end of the line after the value)");
  EXPECT_EQ(read("a = true\rb = true"),
            "a=true;at 8: requires the end of the line after the value");
  EXPECT_EQ(read(StringRef("# \0", 3)),
            "at 2: a comment may not hold control characters");
  EXPECT_EQ(read("a = 'x'\nb = '\xFF'"), "at 13: the text is not UTF-8");
}
