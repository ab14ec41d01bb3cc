//===- PassageKinds.cpp - Breakage on the way through regions -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/PassageKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::identityTurn(NamedSequenceOp entry, Random &random) {
  Uses uses = getGuessedUses(entry);
  llvm::erase_if(uses, [](OpOperand *use) {
    return !isa<transform::AnyOpType>(use->get().getType());
  });
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *place = use->getOwner();
  Value handle = use->get();
  std::string turn =
      pickText(random, {"transform.yield %x : @",
                        "transform.annotate %x \"mutant.turn\" : @\n"
                        "transform.yield %x : @",
                        "transform.debug.emit_remark_at %x, \"turn\" : @\n"
                        "transform.yield %x : @",
                        "%c = transform.merge_handles %x, %x : @\n"
                        "transform.yield %c : @",
                        "%c = transform.select \"linalg.generic\" in %x : "
                        "(@) -> @\ntransform.yield %c : @"})
          .str();
  Operation *loop = insertSteps(place, handle,
                                "%r = transform.foreach %h : @ -> @ {\n"
                                "^bb0(%x: @):\n" +
                                    turn + "\n}");
  if (!loop)
    return false;
  if (random.chance(0.6)) {
    use->set(loop->getResult(0));
    rebindToResult(loop, handle);
    return true;
  }
  // Others read what there was.
  use->set(loop->getResult(0));
  return true;
}

bool formwork::testing::nestedLibrary(NamedSequenceOp entry, Random &random) {
  transform::IncludeOp include = pickInclude(entry, random);
  if (!include || random.chance(0.7)) {
    Ops run = pickRun(entry, random, 5);
    if (run.empty())
      return false;
    include = moveIntoSequence(entry, run, "mutant_shelf",
                               /*suppress=*/random.chance(0.2));
  }
  NamedSequenceOp callee = getCallee(include);
  // Others may call it by its name, and the entry stays where it is.
  if (callee == entry || callee->getParentOp() != entry->getParentOp())
    return false;
  bool others = false;
  entry->getParentOp()->walk([&](transform::IncludeOp other) {
    others |= other != include && getCallee(other) == callee;
  });
  bool inside = false;
  callee->walk([&](transform::IncludeOp) { inside = true; });
  if (others || inside)
    return false;
  if (!insertSequences(entry, "module @mutant_library attributes "
                              "{transform.with_named_sequence} {\n}"))
    return false;
  auto library = cast<ModuleOp>(entry->getPrevNode());
  callee->moveBefore(library.getBody(), library.getBody()->end());
  StringAttr name = callee.getSymNameAttr();
  bool isPath = random.chance(0.8);
  if (isPath)
    include->setAttr("target",
                     SymbolRefAttr::get(library.getSymNameAttr(),
                                        FlatSymbolRefAttr::get(name)));
  if (random.chance(0.2))
    callee.setVisibility(SymbolTable::Visibility::Private);
  return true;
}

bool formwork::testing::forwardedSize(NamedSequenceOp entry, Random &random) {
  Ops found = getUntypedTilings(entry);
  llvm::erase_if(found, [](Operation *step) {
    return !isStructuredKind(guessKind(step->getOperand(0))) ||
           !isa<transform::TileUsingForOp>(step);
  });
  Operation *tile = pickStep(found, random);
  if (!tile)
    return false;
  Numbers sizes = getSizes(tile);
  std::string list;
  int64_t size = 0;
  for (auto [i, one] : llvm::enumerate(sizes)) {
    bool isSize = one > 0 && size == 0;
    if (isSize)
      size = one;
    list += (i ? ", " : "") + (isSize ? "%size" : std::to_string(one));
  }
  if (size == 0)
    return false;
  StringRef kind = guessKind(tile->getOperand(0));
  bool all = random.chance(0.2);
  std::string handles = "&";
  for (unsigned i = 1, e = tile->getNumResults(); i < e; ++i)
    handles += ", &";
  std::string number = std::to_string(tile->getNumResults());
  std::string matcher =
      "transform.named_sequence @mutant_asks(%op: & {transform.readonly}, "
      "%size: $ {transform.readonly}) -> (&, $) {\n" +
      (all ? std::string("transform.match.structured failures(propagate) %op : "
                         "& {\n^bb0(%s: &):\n%r = "
                         "transform.match.structured.rank %s : (&) -> $\n"
                         "transform.match.structured.yield\n}\n")
           : ("transform.match.operation_name %op [\"" + kind + "\"] : &\n")
                 .str()) +
      "transform.yield %op, %size : &, $\n}\n";
  std::string action =
      "transform.named_sequence @mutant_tiles(%op: & {transform.consumed}, "
      "%size: $ {transform.readonly}) -> (" +
      handles + ") {\n%t:" + number +
      " = transform.structured.tile_using_for %op tile_sizes [" + list +
      "] : (&, $) -> (" + handles + ")\ntransform.yield ";
  for (unsigned i = 0, e = tile->getNumResults(); i < e; ++i)
    action += (i ? ", %t#" : "%t#") + std::to_string(i);
  action += " : " + handles + "\n}";
  if (!insertSequences(entry, withTypes(matcher + action)))
    return false;
  Value functions = insertFunctions(tile, tile->getOperand(0));
  if (!functions)
    return false;
  if (random.chance(0.2))
    size *= 2;
  std::string type = getTypeText(functions);
  Operation *dispatch = insertText(
      tile, functions,
      withTypes("%size = transform.param.constant " + std::to_string(size) +
                " : i64 -> $\n%u, %r:" + number +
                " = transform.foreach_match in %h, %size @mutant_asks -> "
                "@mutant_tiles : (" +
                type + ", $) -> (" + type + ", " + handles + ")"));
  if (!dispatch)
    return false;
  rebindToResult(dispatch, functions);
  return replaceStep(tile, dispatch, /*first=*/1);
}
