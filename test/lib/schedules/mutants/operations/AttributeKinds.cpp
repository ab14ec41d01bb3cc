//===- AttributeKinds.cpp - Breakage by an attribute ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/AttributeKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

#include "mlir/AsmParser/AsmParser.h"

#include <limits>

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// An attribute of a step.
using Found = std::pair<Operation *, NamedAttribute>;

static bool isSegments(StringAttr name) {
  return name.getValue().ends_with("egmentSizes");
}

/// The entries of `attr`, an array of some sort; empty for all else.
static SmallVector<Attribute> getEntries(Attribute attr) {
  Builder builder(attr.getContext());
  SmallVector<Attribute> entries;
  if (auto array = dyn_cast<ArrayAttr>(attr))
    llvm::append_range(entries, array);
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attr))
    for (int64_t number : array.asArrayRef())
      entries.push_back(builder.getI64IntegerAttr(number));
  if (auto array = dyn_cast<DenseBoolArrayAttr>(attr))
    for (bool flag : array.asArrayRef())
      entries.push_back(builder.getBoolAttr(flag));
  return entries;
}

/// An array like `attr` with these entries.
static Attribute withEntries(Attribute attr, ArrayRef<Attribute> entries) {
  if (isa<ArrayAttr>(attr))
    return ArrayAttr::get(attr.getContext(), entries);
  if (isa<DenseBoolArrayAttr>(attr)) {
    SmallVector<bool> flags;
    for (Attribute entry : entries)
      flags.push_back(cast<BoolAttr>(entry).getValue());
    return DenseBoolArrayAttr::get(attr.getContext(), flags);
  }
  SmallVector<int64_t> numbers;
  for (Attribute entry : entries)
    numbers.push_back(cast<IntegerAttr>(entry).getInt());
  return DenseI64ArrayAttr::get(attr.getContext(), numbers);
}

/// Whether `entry` stands for an operand: their numbers must agree.
static bool isOperand(Attribute entry) {
  auto number = dyn_cast<IntegerAttr>(entry);
  return number && number.getType().isInteger(64) &&
         number.getInt() == std::numeric_limits<int64_t>::min();
}

bool formwork::testing::editArray(NamedSequenceOp entry, Random &random) {
  SmallVector<Found> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      // The flags go with the sizes.
      if (!isSegments(attr.getName()) && attr.getName() != "scalable_sizes" &&
          !getEntries(attr.getValue()).empty())
        found.push_back({op, attr});
  if (found.empty())
    return false;
  auto [op, attr] = found[random.below(found.size())];
  SmallVector<Attribute> entries = getEntries(attr.getValue());
  unsigned which = random.below(entries.size());
  unsigned other = random.below(entries.size());
  unsigned edit = random.below(3);
  auto change = [&](SmallVector<Attribute> &list) {
    if (edit == 0)
      list.erase(list.begin() + which);
    else if (edit == 1)
      list.insert(list.begin() + other, Attribute(list[which]));
    else
      std::swap(list[which], list[other]);
  };
  if (edit != 2 && isOperand(entries[which]))
    return false;
  if (edit == 2 && entries[which] == entries[other])
    return false;
  Attribute flags = op->getAttr("scalable_sizes");
  SmallVector<Attribute> flagEntries =
      flags ? getEntries(flags) : SmallVector<Attribute>();
  bool goesWith = attr.getName().getValue().starts_with("static_") &&
                  flagEntries.size() == entries.size();
  change(entries);
  op->setAttr(attr.getName(), withEntries(attr.getValue(), entries));
  if (goesWith) {
    change(flagEntries);
    op->setAttr("scalable_sizes", withEntries(flags, flagEntries));
  }
  return true;
}

bool formwork::testing::changeScalar(NamedSequenceOp entry, Random &random) {
  SmallVector<Found> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      // Numbers of 32 bits are the cases of an enumeration.
      if (auto number = dyn_cast<IntegerAttr>(attr.getValue()))
        if (number.getType().isInteger(1) || number.getType().isInteger(64) ||
            number.getType().isIndex())
          found.push_back({op, attr});
  if (found.empty())
    return false;
  auto [op, attr] = found[random.below(found.size())];
  auto number = cast<IntegerAttr>(attr.getValue());
  if (number.getType().isInteger(1)) {
    op->setAttr(attr.getName(),
                BoolAttr::get(op->getContext(), number.getInt() == 0));
    return true;
  }
  int64_t value = number.getInt();
  int64_t choices[] = {value + 1, value - 1, value * 2, 0, -1, 64};
  int64_t chosen = choices[random.below(std::size(choices))];
  op->setAttr(attr.getName(), IntegerAttr::get(number.getType(), chosen));
  return chosen != value;
}

bool formwork::testing::addFlag(NamedSequenceOp entry, Random &random) {
  auto flag = UnitAttr::get(entry.getContext());
  std::vector<std::pair<Operation *, StringAttr>> found;
  for (Operation *op : getSteps(entry)) {
    if (!op->getPropertiesStorage())
      continue;
    for (StringAttr name : op->getName().getAttributeNames()) {
      if (op->hasAttr(name) || isSegments(name))
        continue;
      // An attribute that is no flag does not take one, and stays absent.
      op->setAttr(name, flag);
      if (op->getAttr(name) == flag)
        found.push_back({op, name});
      op->removeAttr(name);
    }
  }
  if (found.empty())
    return false;
  auto [op, name] = found[random.below(found.size())];
  op->setAttr(name, flag);
  return true;
}

bool formwork::testing::editPatterns(NamedSequenceOp entry, Random &random) {
  auto apply = pickStep<transform::ApplyPatternsOp>(
      entry, random, [](auto step) { return step.getRegion().hasOneBlock(); });
  if (!apply)
    return false;
  Block &body = apply.getRegion().front();
  Ops patterns;
  for (Operation &op : body)
    patterns.push_back(&op);
  if (!patterns.empty() && random.chance(0.4)) {
    pickStep(patterns, random)->erase();
    return true;
  }
  static constexpr StringLiteral more[] = {
      "canonicalization",
      "linalg.tiling_canonicalization",
      "linalg.erase_unnecessary_inputs",
      "linalg.fold_unit_extent_dims_via_reshapes",
      "linalg.fold_unit_extent_dims_via_slices",
      "linalg.pad_vectorization",
      "linalg.decompose_pad",
      "scf.for_loop_canonicalization",
      "tensor.bubble_up_extract_slice",
      "tensor.drop_redundant_insert_slice_rank_expansion",
      "tensor.fold_tensor_empty",
      "tensor.fold_tensor_subset_ops",
      "tensor.merge_consecutive_insert_extract_slice",
      "tensor.reassociative_reshape_folding",
      "tensor.rewrite_as_constant",
      "memref.fold_memref_alias_ops",
      "memref.alloc_to_alloca",
      "vector.lower_contraction",
      "vector.lower_transfer",
      "vector.transfer_permutation_patterns"};
  std::string name =
      ("transform.apply_patterns." + more[random.below(std::size(more))]).str();
  if (llvm::any_of(patterns, [&](Operation *op) {
        return op->getName().getStringRef() == name;
      }))
    return false;
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  OperationState state(apply.getLoc(), name);
  if (!state.name.isRegistered())
    return false;
  builder.create(state);
  return true;
}

bool formwork::testing::dropMapping(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForallOp>(
      entry, random, [](auto step) { return step.getMapping().has_value(); });
  if (!tile)
    return false;
  SmallVector<Attribute> mapping(tile.getMapping()->getValue());
  switch (random.below(3)) {
  case 0:
    tile.removeMappingAttr();
    return true;
  case 1:
    mapping.pop_back();
    break;
  default:
    mapping.back() = mapping.front();
  }
  tile.setMappingAttr(ArrayAttr::get(entry.getContext(), mapping));
  return true;
}

bool formwork::testing::changeNumber(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, NamedAttribute>> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      if (auto array = dyn_cast<DenseI64ArrayAttr>(attr.getValue()))
        if (!array.empty())
          found.push_back({op, attr});
  if (found.empty())
    return false;
  auto [op, attr] = found[random.below(found.size())];
  SmallVector<int64_t> numbers(
      cast<DenseI64ArrayAttr>(attr.getValue()).asArrayRef());
  static constexpr int64_t choices[] = {0, 1, 2, 3, 5, 7, 8, 13, 16, 32, 2048};
  numbers[random.below(numbers.size())] = choices[random.below(11)];
  op->setAttr(attr.getName(),
              DenseI64ArrayAttr::get(op->getContext(), numbers));
  return true;
}

bool formwork::testing::dropAttribute(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, StringAttr>> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs())
      // MLIR's verifiers trust that what has a default is there.
      if (isa<UnitAttr>(attr.getValue()) || attr.getName() == "mapping")
        found.push_back({op, attr.getName()});
  if (found.empty())
    return false;
  auto [op, name] = found[random.below(found.size())];
  op->removeAttr(name);
  return true;
}

/// Notes for readers, and options that other steps have.
static constexpr std::pair<StringRef, StringRef> strays[] = {
    {"note", "\"fits the first level of cache\""},
    {"todo", "\"tune for the new machine\""},
    {"level", "1 : i64"},
    {"mapping", "[#gpu.block<x>]"},
    {"deduplicate", "unit"},
    {"apply_cse", "unit"},
    {"vectorize_padding", "unit"},
    {"use_forall", "unit"},
    {"factor", "4 : i64"},
    {"tile_sizes", "[4, 4]"},
    {"interchange", "array<i64: 1, 0>"},
    {"transform.target_tag", "\"tile\""}};

/// Whether the op of `step` defines an attribute `name`.
static bool hasOption(Operation *step, StringRef name) {
  return llvm::any_of(step->getName().getAttributeNames(),
                      [&](StringAttr each) { return each == name; });
}

/// Misspells the name of an option that `step` can do without.
static bool misspellOption(Operation *step, Random &random) {
  SmallVector<NamedAttribute> options;
  for (NamedAttribute attr : step->getAttrs())
    if (hasOption(step, attr.getName()) &&
        (isa<UnitAttr, IntegerAttr>(attr.getValue()) ||
         attr.getName() == "mapping" || attr.getName() == "op_name"))
      options.push_back(attr);
  if (options.empty())
    return false;
  NamedAttribute option = options[random.below(options.size())];
  std::string name = option.getName().str();
  if (random.chance(0.5))
    name.erase(name.begin() + random.between(1, name.size() - 1));
  else
    name += "s";
  if (hasOption(step, name))
    return false;
  // The option gets its default value, as when the step is parsed.
  step->removeAttr(option.getName());
  step->getName().populateDefaultProperties(step->getPropertiesStorage());
  step->setDiscardableAttr(name, option.getValue());
  return true;
}

bool formwork::testing::strayAttributes(NamedSequenceOp entry, Random &random) {
  Ops steps = getSteps(entry);
  if (steps.empty())
    return false;
  bool changed = false;
  if (random.chance(0.5)) {
    Ops left = steps;
    while (!left.empty() && !changed) {
      Operation *step = pickStep(left, random);
      changed = misspellOption(step, random);
      llvm::erase(left, step);
    }
  }
  if (changed && random.chance(0.5))
    return true;
  for (unsigned i = 0, e = random.between(1, 5); i < e; ++i) {
    Operation *step = pickStep(steps, random);
    auto [name, text] = strays[random.below(std::size(strays))];
    Attribute value = parseAttribute(text, entry.getContext());
    if (hasOption(step, name) || !value)
      continue;
    step->setDiscardableAttr(name, value);
    changed = true;
  }
  return changed;
}
