//===- Variants.cpp - Payload like another --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/property/witnesses/Variants.h"

#include "test/lib/generator/PayloadGenerator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::testing;

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

/// Replaces the sizes `from` in the shapes of `text`, and with `everywhere` the
/// numbers `from` elsewhere.
static std::string replaceSize(StringRef text, StringRef from, StringRef to,
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

/// Replaces the element type `from` in `text`.
static std::string replaceElement(StringRef text, StringRef from,
                                  StringRef to) {
  std::string result;
  while (true) {
    size_t at = text.find(from);
    if (at == StringRef::npos)
      return result + text.str();
    char before = at ? text[at - 1] : ' ';
    size_t end = at + from.size();
    char after = end < text.size() ? text[end] : ' ';
    bool isType = StringRef("x<( ").contains(before) && !llvm::isAlnum(after);
    result += text.take_front(at);
    result += isType ? to : from;
    text = text.drop_front(end);
  }
}

static SmallVector<StringRef> findSizes(StringRef text) {
  llvm::SetVector<StringRef> sizes;
  for (size_t i = 1; i < text.size(); ++i) {
    if ((text[i - 1] != '<' && text[i - 1] != 'x') || !llvm::isDigit(text[i]))
      continue;
    StringRef size = text.substr(i).take_while(llvm::isDigit);
    if (text.substr(i + size.size()).starts_with("x"))
      sizes.insert(size);
  }
  return sizes.takeVector();
}

static OwningOpRef<ModuleOp> parse(MLIRContext *context, StringRef text) {
  return parseSourceString<ModuleOp>(text, ParserConfig(context));
}

/// Keeps the change if what comes of it is valid.
static bool keepIfValid(MLIRContext *context, std::string &text,
                        std::string changed) {
  if (changed == text || !parse(context, changed))
    return false;
  text = std::move(changed);
  return true;
}

static void varyTypes(MLIRContext *context, std::string &text, Random &random) {
  static constexpr StringLiteral sizes[] = {"1", "2", "3",  "4",  "6",
                                            "7", "8", "12", "16", "?"};
  SmallVector<StringRef> found = findSizes(text);
  for (unsigned tries = 0; tries < 3 && !found.empty(); ++tries) {
    StringRef from = found[random.below(found.size())];
    StringRef to = random.chance(0.3) ? StringRef("?")
                                      : StringRef(sizes[random.below(10)]);
    bool everywhere = random.chance(0.7);
    if (keepIfValid(context, text, replaceSize(text, from, to, everywhere)) ||
        keepIfValid(context, text, replaceSize(text, from, to, !everywhere)))
      break;
  }
  if (!random.chance(0.35))
    return;
  static constexpr StringLiteral floats[] = {"f16", "bf16", "f32", "f64"};
  static constexpr StringLiteral integers[] = {"i8", "i16", "i32", "i64"};
  const StringLiteral *types = random.chance(0.7) ? floats : integers;
  StringRef from = types[random.below(4)], to = types[random.below(4)];
  for (unsigned i = 0; i < 4 && !StringRef(text).contains(from); ++i)
    from = types[i];
  keepIfValid(context, text, replaceElement(text, from, to));
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// Bodies of functions that have nothing to do with any case.
static constexpr StringLiteral strangers[] = {
    R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %x = arith.constant 2.5 : f32
      %m = memref.alloc() : memref<9xf32>
      scf.for %i = %c0 to %c9 step %c1 {
        memref.store %x, %m[%i] : memref<9xf32>
      }
      memref.dealloc %m : memref<9xf32>
    )",
    R"(
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.5 : f64
      %e = tensor.empty() : tensor<5x3xf64>
      %f = linalg.fill ins(%x : f64) outs(%e : tensor<5x3xf64>) -> tensor<5x3xf64>
      %s = tensor.extract_slice %f[1, 0] [2, 3] [1, 1] : tensor<5x3xf64> to tensor<2x3xf64>
      %y = tensor.extract %s[%c0, %c0] : tensor<2x3xf64>
      %m = memref.alloca() : memref<1xf64>
      memref.store %y, %m[%c0] : memref<1xf64>
    )",
    R"(
      %c0 = arith.constant 0 : index
      %x = arith.constant 0.0 : f32
      %m = memref.alloca() : memref<4x8xf32>
      %v = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
      %w = arith.addf %v, %v : vector<8xf32>
      vector.transfer_write %w, %m[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, memref<4x8xf32>
    )",
    R"(
      %c2 = arith.constant 2 : index
      %m = memref.alloca() : memref<3xindex>
      %i = memref.load %m[%c2] : memref<3xindex>
      %c = arith.cmpi eq, %i, %c2 : index
      scf.if %c {
        %j = arith.addi %i, %c2 : index
        memref.store %j, %m[%c2] : memref<3xindex>
      }
    )",
    // Nobody needs these.
    R"(
      %a = arith.constant 3 : i32
      %b = arith.constant 3 : i32
      %c = arith.addi %a, %b : i32
      %d = arith.muli %c, %b : i32
    )",
};

static OwningOpRef<ModuleOp> makeStranger(MLIRContext *context,
                                          Random &random) {
  StringRef body = strangers[random.below(std::size(strangers))];
  return parse(context,
               "func.func @stranger() {\n" + body.str() + "  return\n}\n");
}

/// Puts the ops of a stranger somewhere into a body of `module` in which
/// statements stand.
static void addInside(ModuleOp module, Random &random) {
  SmallVector<Block *> blocks;
  module.walk([&](Block *block) {
    if (isa<func::FuncOp, scf::ForOp, scf::ForallOp, scf::IfOp, gpu::LaunchOp>(
            block->getParentOp()) &&
        block->mightHaveTerminator())
      blocks.push_back(block);
  });
  if (blocks.empty())
    return;
  Block *block = blocks[random.below(blocks.size())];
  size_t place = random.below(std::distance(block->begin(), block->end()));
  OwningOpRef<ModuleOp> stranger = makeStranger(module.getContext(), random);
  OpBuilder builder(block, std::next(block->begin(), place));
  IRMapping values;
  auto function = *stranger->getOps<func::FuncOp>().begin();
  for (Operation &op : function.getBody().front().without_terminator())
    builder.clone(op, values);
}

/// Puts the functions of `from` before or behind what `to` has, under names
/// that it has not.
static void addBeside(ModuleOp to, ModuleOp from, bool before,
                      StringRef prefix) {
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      continue;
    function.setName((prefix + function.getName()).str());
    op.remove();
    if (before)
      to.getBody()->push_front(&op);
    else
      to.getBody()->push_back(&op);
  }
}

static OwningOpRef<ModuleOp> makeNeighbour(MLIRContext *context,
                                           Random &random) {
  if (random.chance(0.5))
    return makeStranger(context, random);
  GeneratorOptions options;
  options.ops = random.between(3, 10);
  options.depth = 2;
  static constexpr Level levels[] = {Level::Linalg, Level::Loops, Level::Vector,
                                     Level::Buffers, Level::Mixed};
  options.level = levels[random.below(5)];
  return generatePayload(context, random.next(), options);
}

/// A second of each function that has a body, which nothing calls.
static void copyFunctions(ModuleOp module, Random &random) {
  OwningOpRef<ModuleOp> copy = module.clone();
  addBeside(module, *copy, random.chance(0.5), "copy_of_");
}

static void mark(ModuleOp module, Random &random) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (unsigned i = 0; i < 3; ++i)
    ops[random.below(ops.size())]->setDiscardableAttr(
        "witness.mark",
        IntegerAttr::get(IndexType::get(module.getContext()), random.below(3)));
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> formwork::testing::makeVariant(MLIRContext *context,
                                                     StringRef original,
                                                     Random &random,
                                                     bool inModule) {
  std::string text = original.str();
  if (random.chance(0.7))
    varyTypes(context, text, random);
  OwningOpRef<ModuleOp> module = parse(context, text);
  if (!module)
    return nullptr;
  auto edit = [&](double probability,
                  llvm::function_ref<void(ModuleOp)> change) {
    if (!random.chance(probability))
      return;
    OwningOpRef<ModuleOp> changed = module->clone();
    change(*changed);
    if (succeeded(verify(*changed)))
      module = std::move(changed);
  };
  edit(0.5, [&](ModuleOp changed) { addInside(changed, random); });
  edit(0.3, [&](ModuleOp changed) { copyFunctions(changed, random); });
  edit(0.4, [&](ModuleOp changed) { mark(changed, random); });
  if (inModule && random.chance(0.6)) {
    module.get()->setAttr("witness.scope", UnitAttr::get(context));
    auto outer = ModuleOp::create(module->getLoc());
    outer.push_back(module.release());
    module = outer;
  }
  edit(0.6, [&](ModuleOp changed) {
    OwningOpRef<ModuleOp> neighbour = makeNeighbour(context, random);
    addBeside(changed, *neighbour, random.chance(0.5), "beside_");
  });
  return module;
}
