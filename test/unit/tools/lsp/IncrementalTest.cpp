//===- IncrementalTest.cpp - Checks that keep what still holds ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Random.h"
#include "tools/service/CheckService.h"
#include "transforms/Registration.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace formwork::tools;
using formwork::testing::Random;
using llvm::StringRef;

static constexpr llvm::StringLiteral kPayload = R"(
  func.func @f(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %z = linalg.add ins(%x, %y : tensor<64x32xf32>, tensor<64x32xf32>)
                    outs(%x : tensor<64x32xf32>) -> tensor<64x32xf32>
    return %z : tensor<64x32xf32>
  }
)";
static constexpr llvm::StringLiteral kMoreOfIt = R"(
  func.func private @g() attributes {map = #map}
)";
static constexpr llvm::StringLiteral kEntry = R"(
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%add) : (!transform.any_op) -> ()
    transform.yield
  }
)";
static constexpr llvm::StringLiteral kTile = R"(
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) {
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
)";
static constexpr llvm::StringLiteral kOther = R"(
  transform.named_sequence @other(%op: !transform.any_op {transform.readonly}) {
    %size = transform.tune.knob<"size"> = 4 from options = [4, 8] -> !transform.param<i64>
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
)";
static constexpr llvm::StringLiteral kMark =
    " attributes {transform.with_named_sequence} {";

namespace {
class IncrementalTest : public testing::Test {
protected:
  void SetUp() override { formwork::registerFormwork(registry); }

  std::unique_ptr<CheckService> start(bool isIncremental) {
    CheckSettings settings;
    settings.isIncremental = isIncremental;
    return std::make_unique<CheckService>(settings, registry);
  }
  /// All that the check of `text` says.
  static std::string check(CheckService &service, StringRef text) {
    std::string said = pack(service.check("s.mlir", text));
    if (std::optional<std::string> repaired = service.repair())
      said += *repaired;
    return said;
  }

  mlir::DialectRegistry registry;
};
} // namespace

static std::string exchange(StringRef text, StringRef from, StringRef to) {
  auto [before, after] = text.split(from);
  EXPECT_NE(before.size(), text.size()) << from.str();
  return (before + to + after).str();
}

/// Files with a payload and its schedule, in the layouts that there are.
static std::vector<std::string> makeLayouts() {
  const std::string map = "#map = affine_map<(d0) -> (d0)>\n";
  auto join = [](std::initializer_list<StringRef> parts) {
    std::string text;
    for (StringRef part : parts)
      text += part;
    return text;
  };
  return {
      join({map, "module", kMark, kPayload, kEntry, kTile, kOther, kMoreOfIt,
            "}\n"}),
      join({map, "module {", kPayload, "module", kMark, kEntry, kTile, kOther,
            "}\n", kMoreOfIt, "}\n"}),
      join({map, kPayload, kMoreOfIt, "module", kMark, kEntry, kTile, kOther,
            "}\n"}),
      join({"module", kMark, kOther, kEntry, kTile, "}\n", map, kPayload,
            kMoreOfIt}),
  };
}

TEST_F(IncrementalTest, KeepsThePayloadBesideASchedule) {
  for (const std::string &text : makeLayouts()) {
    std::unique_ptr<CheckService> service = start(true), fresh = start(false);
    check(*service, text);
    EXPECT_TRUE(service->keepsFor("s.mlir")) << text;
    EXPECT_FALSE(service->keepsFor("other.mlir"));
    std::string edited = text;
    for (StringRef size : {"16", "7", "64"}) {
      edited =
          exchange(text, "tile_sizes [8]", ("tile_sizes [" + size + "]").str());
      EXPECT_EQ(check(*service, edited), check(*fresh, edited)) << edited;
      EXPECT_TRUE(service->getKept().payload) << edited;
      EXPECT_FALSE(service->getKept().verdict);
    }
    // Its places are facts about it, too.
    std::string longer =
        exchange(edited, "transform.yield", "\ntransform.yield");
    EXPECT_EQ(check(*service, longer), check(*fresh, longer)) << longer;
    bool isBehind = StringRef(text).find("@g()") > text.find("@other");
    EXPECT_EQ(service->getKept().payload, !isBehind) << longer;
    std::string other = exchange(longer, "64x32xf32> {", "64x32xf32>  {");
    EXPECT_EQ(check(*service, other), check(*fresh, other)) << other;
    EXPECT_FALSE(service->getKept().payload) << other;
  }
}

// A negative size is refused unless a step that runs erases the loop.
TEST_F(IncrementalTest, AsksOnlyStepsThatTheEntryReaches) {
  for (StringRef layout : makeLayouts()) {
    std::unique_ptr<CheckService> service = start(true), fresh = start(false);
    std::string text = exchange(layout, "tile_sizes [8]", "tile_sizes [-8]");
    check(*service, text);
    std::string edited =
        exchange(text, "transform.annotate %op \"seen\" : !transform.any_op",
                 "transform.apply_patterns to %op {} : !transform.any_op");
    EXPECT_EQ(check(*service, edited), check(*fresh, edited)) << edited;
    EXPECT_TRUE(service->getKept().verdict) << edited;
  }
}

TEST_F(IncrementalTest, KeepsTheVerdictOfWhatTheEntryReaches) {
  for (auto [number, text] : llvm::enumerate(makeLayouts())) {
    std::unique_ptr<CheckService> service = start(true), fresh = start(false);
    check(*service, text);
    std::string edited = text;
    auto edit = [&](StringRef from, StringRef to, bool isKept) {
      edited = exchange(edited, from, to);
      EXPECT_EQ(check(*service, edited), check(*fresh, edited)) << edited;
      EXPECT_EQ(service->getKept().verdict, isKept) << edited;
    };
    edit("\"seen\"", "\"unseen\"", true);
    edit("= 4 from", "= 8 from", true);
    // Where it is beside the payload, the name may be one of that.
    edit("@other", "@another", number != 0);
    // Names in messages.
    edit("%loop =", "%rows =", false);
    edit("\"unseen\"", "\"seen\"", true);
    // Now it is reached.
    edit("@tile failures", "@another failures", false);
    edit("\"seen\"", "\"unseen\"", false);
    // And what was reached is not.
    edit("tile_sizes [8]", "tile_sizes [4]", true);
  }
}

/// `text` with a step that has a fix-it, which names a handle.
static std::string addFixIt(StringRef text) {
  StringRef types = "(!transform.any_op) -> "
                    "(!transform.any_op, !transform.any_op)\n";
  return exchange(
      text, types,
      (types +
       "transform.apply_patterns to %loop {"
       " transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices"
       " } : !transform.any_op\n")
          .str());
}

// The name is one that the whole text does not have.
TEST_F(IncrementalTest, KeepsFixItsWhoseNamesStayNew) {
  for (StringRef text : makeLayouts()) {
    std::unique_ptr<CheckService> service = start(true), fresh = start(false);
    std::string edited = addFixIt(text);
    EXPECT_THAT(check(*service, edited), testing::HasSubstr("%anchor ="));
    auto edit = [&](StringRef from, StringRef to, bool isKept) {
      edited = exchange(edited, from, to);
      EXPECT_EQ(check(*service, edited), check(*fresh, edited)) << edited;
      EXPECT_EQ(service->getKept().verdict, isKept) << edited;
    };
    edit("\"seen\"", "\"unseen\"", true);
    edit("%size =", "%width =", true);
    edit("%width =", "%anchor =", false);
    edit("\"unseen\"", "\"seen\"", true);
    edit("%anchor =", "%size =", false);
  }
}

TEST_F(IncrementalTest, GoesOnFromTheLastTextThatCouldBeRead) {
  std::string text = makeLayouts().front();
  std::unique_ptr<CheckService> service = start(true), fresh = start(false);
  check(*service, text);
  for (StringRef broken : {"tile_sizes [", "tile_sizes ]8[", "// tile_sizes"}) {
    std::string wrong = exchange(text, "tile_sizes [8]", broken);
    EXPECT_EQ(check(*service, wrong), check(*fresh, wrong));
    EXPECT_TRUE(service->keepsFor("s.mlir"));
    EXPECT_EQ(check(*service, text), check(*fresh, text));
    EXPECT_TRUE(service->getKept().payload);
    EXPECT_TRUE(service->getKept().verdict);
  }
}

TEST_F(IncrementalTest, SeesWhereAScheduleIsNoneAnyMore) {
  std::vector<std::pair<StringRef, StringRef>> edits = {
      // The wrapper ends in the middle, and another one begins.
      {"@other(", "@x(%r: !transform.any_op) { transform.yield } }\nmodule {\n"
                  "transform.named_sequence @other("},
      {"@other(", "@x(%r: !transform.any_op) { transform.yield } }\nmodule "
                  "attributes {transform.with_named_sequence} {\n"
                  "transform.named_sequence @other("},
      // Payload in the middle of the schedule.
      {"@other(", "@x(%r: !transform.any_op) { transform.yield }\nfunc.func "
                  "private @h()\ntransform.named_sequence @other("},
      // A symbol that the payload has.
      {"@other(", "@f("},
      {"@other(", "@g("},
      {"@other(", "@tile("},
      // A schedule in front of the schedule.
      {"@other(", "@x(%r: !transform.any_op) { transform.yield }\nmodule "
                  "attributes {transform.with_named_sequence} {}\n"
                  "transform.named_sequence @other("},
      {"transform.named_sequence @other", "// transform.named_sequence @other"},
      {"@__transform_main", "@main"},
  };
  for (const std::string &text : makeLayouts())
    for (auto [from, to] : edits) {
      std::unique_ptr<CheckService> service = start(true), fresh = start(false);
      check(*service, text);
      std::string edited = exchange(text, from, to);
      EXPECT_EQ(check(*service, edited), check(*fresh, edited)) << edited;
    }
}

/// `text` with one or two small changes, mostly in a sequence.
static std::string editAtRandom(StringRef text, Random &random) {
  static constexpr StringRef tokens[] = {
      "{",     "}",      "//",     "\n",
      "(",     ")",      " ",      "8",
      "@f",    "@other", "@tile",  "%op",
      "#map ", "\"",     "module", "@__transform_main"};
  std::string edited = text.str();
  for (uint64_t count = 1 + random.below(5) / 4; count != 0; --count) {
    size_t at = random.below(edited.size());
    StringRef sequence = random.below(2) == 0 ? "@other" : "@tile";
    size_t begin = edited.find(sequence);
    if (begin != std::string::npos && random.below(4) != 0)
      at = std::min(edited.size() - 1, begin + random.below(250));
    switch (random.below(5)) {
    case 0:
      edited.erase(at, 1 + random.below(4));
      break;
    case 1:
      edited.insert(at, tokens[random.below(std::size(tokens))]);
      break;
    case 2: {
      // A line moves.
      size_t begin = StringRef(edited).rfind('\n', at) + 1;
      size_t end = std::min(edited.size(), edited.find('\n', at) + 1);
      if (end <= begin)
        break;
      std::string line = edited.substr(begin, end - begin);
      edited.erase(begin, end - begin);
      size_t to = edited.empty() ? 0 : random.below(edited.size());
      edited.insert(StringRef(edited).rfind('\n', to) + 1, line);
      break;
    }
    default:
      at = edited.find_first_of("0123456789", at);
      if (at != std::string::npos)
        edited[at] = '1' + random.below(9);
    }
    if (edited.empty())
      return text.str();
  }
  return edited;
}

TEST_F(IncrementalTest, SaysWhatANewServiceSays) {
  const char *given = std::getenv("FORMWORK_TEST_EDITS");
  uint64_t numEdits = 600;
  if (given)
    (void)StringRef(given).getAsInteger(10, numEdits);
  unsigned numPayloads = 0, numVerdicts = 0, numRead = 0;
  std::unique_ptr<CheckService> fresh = start(false);
  std::vector<std::string> texts = makeLayouts();
  llvm::append_range(texts, llvm::map_range(makeLayouts(), addFixIt));
  for (auto [number, text] : llvm::enumerate(texts)) {
    std::unique_ptr<CheckService> service = start(true);
    Random random = Random::forStream(29, number);
    std::string present = text;
    for (uint64_t i = 0; i < numEdits / texts.size(); ++i) {
      // Most texts that are edited on and on cannot be read.
      std::string edited =
          editAtRandom(random.below(3) == 0 ? present : text, random);
      std::string said = check(*service, edited);
      ASSERT_EQ(said, check(*fresh, edited)) << "edit " << i << "\n" << edited;
      numPayloads += service->getKept().payload;
      numVerdicts += service->getKept().verdict;
      if (StringRef(said).contains("proved")) {
        ++numRead;
        present = edited;
      }
    }
  }
  RecordProperty("kept_payloads", numPayloads);
  EXPECT_GT(numRead, numEdits / 8);
  EXPECT_GT(numPayloads, numEdits / 30);
  EXPECT_GT(numVerdicts, numEdits / 30);
}
