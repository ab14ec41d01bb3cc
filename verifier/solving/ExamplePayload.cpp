//===- ExamplePayload.cpp - What a schedule alone may meet ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/ExamplePayload.h"

#include "engine/Check.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>

using namespace mlir;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Ops of linalg
//===----------------------------------------------------------------------===//

namespace {
/// How many loops an op has, and what it reads.
enum class Shape : uint8_t {
  /// Two operands and a result of fixed ranks.
  Named,
  /// As many loops as the operands have dimensions: one operand, or two.
  Unary,
  Binary,
  /// The same, of a scalar.
  Fill,
  /// The same, with a body.
  Generic,
  /// The same, with the dimensions of the operand the other way round.
  Transpose,
  /// The same, with a body of one op.
  Map,
  /// A unary op that is named by an attribute.
  Elementwise,
  /// As many loops as the operand has dimensions, of which the last one is
  /// reduced.
  Reduce,
  /// As many loops as the result has dimensions, of which the last one is new.
  Broadcast,
};

struct KnownOp {
  StringLiteral name;
  Shape shape;
  /// The ranks of a `Named` op; the result comes last.
  std::array<int, 3> ranks = {};
};

/// The op to make for a match.
struct Instance {
  Instance(const KnownOp *op, DictionaryAttr attributes, Value handle)
      : op(op), attributes(attributes), handle(handle) {}

  const KnownOp *op;
  DictionaryAttr attributes;
  Value handle;
  /// The ranks of the operands; the result comes last.
  SmallVector<int, 3> ranks;
  /// By operand: which of the others produces it.
  std::map<unsigned, unsigned> producers;
  bool isProducer = false;

  bool hasFixedRanks() const { return op->shape == Shape::Named; }
};
} // namespace

static constexpr KnownOp knownOps[] = {
    {"linalg.batch_matmul", Shape::Named, {3, 3, 3}},
    {"linalg.batch_matvec", Shape::Named, {3, 2, 2}},
    {"linalg.batch_mmt4d", Shape::Named, {5, 5, 5}},
    {"linalg.batch_reduce_matmul", Shape::Named, {3, 3, 2}},
    {"linalg.batch_vecmat", Shape::Named, {2, 3, 2}},
    {"linalg.conv_1d", Shape::Named, {1, 1, 1}},
    {"linalg.conv_1d_ncw_fcw", Shape::Named, {3, 3, 3}},
    {"linalg.conv_1d_nwc_wcf", Shape::Named, {3, 3, 3}},
    {"linalg.conv_2d", Shape::Named, {2, 2, 2}},
    {"linalg.conv_2d_nchw_fchw", Shape::Named, {4, 4, 4}},
    {"linalg.conv_2d_nhwc_fhwc", Shape::Named, {4, 4, 4}},
    {"linalg.conv_2d_nhwc_hwcf", Shape::Named, {4, 4, 4}},
    {"linalg.conv_2d_ngchw_fgchw", Shape::Named, {5, 5, 5}},
    {"linalg.conv_2d_ngchw_gfchw", Shape::Named, {5, 5, 5}},
    {"linalg.conv_2d_nhwgc_gfhwc", Shape::Named, {5, 5, 5}},
    {"linalg.conv_3d", Shape::Named, {3, 3, 3}},
    {"linalg.conv_3d_ncdhw_fcdhw", Shape::Named, {5, 5, 5}},
    {"linalg.conv_3d_ndhwc_dhwcf", Shape::Named, {5, 5, 5}},
    {"linalg.depthwise_conv_1d_ncw_cw", Shape::Named, {3, 2, 3}},
    {"linalg.depthwise_conv_1d_nwc_wc", Shape::Named, {3, 2, 3}},
    {"linalg.depthwise_conv_1d_nwc_wcm", Shape::Named, {3, 3, 4}},
    {"linalg.depthwise_conv_2d_nchw_chw", Shape::Named, {4, 3, 4}},
    {"linalg.depthwise_conv_2d_nhwc_hwc", Shape::Named, {4, 3, 4}},
    {"linalg.depthwise_conv_2d_nhwc_hwcm", Shape::Named, {4, 4, 5}},
    {"linalg.depthwise_conv_3d_ncdhw_cdhw", Shape::Named, {5, 4, 5}},
    {"linalg.depthwise_conv_3d_ndhwc_dhwc", Shape::Named, {5, 4, 5}},
    {"linalg.depthwise_conv_3d_ndhwc_dhwcm", Shape::Named, {5, 5, 6}},
    {"linalg.dot", Shape::Named, {1, 1, 0}},
    {"linalg.matmul", Shape::Named, {2, 2, 2}},
    {"linalg.matvec", Shape::Named, {2, 1, 1}},
    {"linalg.mmt4d", Shape::Named, {4, 4, 4}},
    {"linalg.pooling_nchw_max", Shape::Named, {4, 2, 4}},
    {"linalg.pooling_nchw_sum", Shape::Named, {4, 2, 4}},
    {"linalg.pooling_ncw_max", Shape::Named, {3, 1, 3}},
    {"linalg.pooling_ncw_sum", Shape::Named, {3, 1, 3}},
    {"linalg.pooling_ndhwc_max", Shape::Named, {5, 3, 5}},
    {"linalg.pooling_ndhwc_min", Shape::Named, {5, 3, 5}},
    {"linalg.pooling_ndhwc_sum", Shape::Named, {5, 3, 5}},
    {"linalg.pooling_nhwc_max", Shape::Named, {4, 2, 4}},
    {"linalg.pooling_nhwc_min", Shape::Named, {4, 2, 4}},
    {"linalg.pooling_nhwc_sum", Shape::Named, {4, 2, 4}},
    {"linalg.pooling_nwc_max", Shape::Named, {3, 1, 3}},
    {"linalg.pooling_nwc_min", Shape::Named, {3, 1, 3}},
    {"linalg.pooling_nwc_sum", Shape::Named, {3, 1, 3}},
    {"linalg.vecmat", Shape::Named, {1, 2, 1}},
    {"linalg.abs", Shape::Unary},
    {"linalg.ceil", Shape::Unary},
    {"linalg.copy", Shape::Unary},
    {"linalg.erf", Shape::Unary},
    {"linalg.exp", Shape::Unary},
    {"linalg.floor", Shape::Unary},
    {"linalg.log", Shape::Unary},
    {"linalg.negf", Shape::Unary},
    {"linalg.reciprocal", Shape::Unary},
    {"linalg.round", Shape::Unary},
    {"linalg.rsqrt", Shape::Unary},
    {"linalg.sqrt", Shape::Unary},
    {"linalg.square", Shape::Unary},
    {"linalg.tanh", Shape::Unary},
    {"linalg.add", Shape::Binary},
    {"linalg.div", Shape::Binary},
    {"linalg.max", Shape::Binary},
    {"linalg.min", Shape::Binary},
    {"linalg.mul", Shape::Binary},
    {"linalg.powf", Shape::Binary},
    {"linalg.sub", Shape::Binary},
    {"linalg.fill", Shape::Fill},
    {"linalg.generic", Shape::Generic},
    {"linalg.transpose", Shape::Transpose},
    {"linalg.map", Shape::Map},
    {"linalg.elementwise", Shape::Elementwise},
    {"linalg.reduce", Shape::Reduce},
    {"linalg.broadcast", Shape::Broadcast},
};

/// Sets the ranks of an op that has as many loops as `rank`.
static void setRank(Instance &instance, int rank) {
  if (instance.hasFixedRanks()) {
    instance.ranks.assign(instance.op->ranks.begin(), instance.op->ranks.end());
    return;
  }
  unsigned numInputs = instance.op->shape == Shape::Fill     ? 0
                       : instance.op->shape == Shape::Binary ? 2
                                                             : 1;
  instance.ranks.assign(numInputs + 1, rank);
  if (instance.op->shape == Shape::Reduce)
    --instance.ranks.back();
  else if (instance.op->shape == Shape::Broadcast)
    --instance.ranks.front();
}

static std::string getType(int rank) {
  std::string type = "tensor<";
  for (int i = 0; i < rank; ++i)
    type += "?x";
  return type + "f32>";
}

/// The text of the op that makes `%rN` of `operands`, the last of which it
/// writes over.
static std::string getOpText(const Instance &instance, unsigned number,
                             ArrayRef<std::string> operands) {
  std::string names, types;
  for (auto [operand, rank] : llvm::zip_equal(
           operands.drop_back(), ArrayRef(instance.ranks).drop_back())) {
    names += (names.empty() ? "" : ", ") + operand;
    types += (types.empty() ? "" : ", ") + getType(rank);
  }
  if (instance.op->shape == Shape::Fill) {
    names = "%zero";
    types = "f32";
  }
  int rank = instance.ranks.back();
  std::string before, behind, type = getType(rank);
  std::string result = " -> " + type;
  switch (instance.op->shape) {
  case Shape::Map:
    before = " { arith.negf }";
    result.clear();
    break;
  case Shape::Reduce:
    before = " { arith.addf }";
    behind = " dimensions = [" + std::to_string(rank) + "]";
    result.clear();
    break;
  case Shape::Broadcast:
    behind = " dimensions = [" + std::to_string(rank - 1) + "]";
    result.clear();
    break;
  case Shape::Elementwise:
    before = " kind=#linalg.elementwise_kind<exp>";
    break;
  default:
    break;
  }
  auto join = [&](llvm::function_ref<std::string(int)> each) {
    return llvm::join(llvm::map_range(llvm::seq(rank), each), ", ");
  };
  if (instance.op->shape == Shape::Transpose) {
    behind = " permutation = [" +
             join([&](int i) { return std::to_string(rank - 1 - i); }) + "]";
    result.clear();
  } else if (instance.op->shape == Shape::Generic) {
    std::string dims = join([](int i) { return "d" + std::to_string(i); });
    std::string map = "affine_map<(" + dims + ") -> (" + dims + ")>";
    before = " {indexing_maps = [" + map + ", " + map +
             "], iterator_types = [" +
             join([](int) -> std::string { return "\"parallel\""; }) + "]}";
    behind = " {\n  ^bb0(%in: f32, %out: f32):\n    %sum = arith.addf %in, %in "
             ": f32\n    linalg.yield %sum : f32\n  }";
  }
  return llvm::formatv(
             "  %r{0} = {1}{2} ins({3} : {4}) outs({5} : {6}){7}{8}\n", number,
             instance.op->name, before, names, types, operands.back(), type,
             behind, result)
      .str();
}

//===----------------------------------------------------------------------===//
// Facts of a schedule about the ops that it matches
//===----------------------------------------------------------------------===//

/// The known op that the match finds and nothing else; or null.
static const KnownOp *getKnownOp(transform::MatchOp match) {
  std::optional<ArrayAttr> names = match.getOps();
  if (!names || names->size() != 1 || match.getFilterResultType() ||
      match.getFilterOperandTypes())
    return nullptr;
  auto name = cast<StringAttr>((*names)[0]).getValue();
  auto known = llvm::find_if(
      knownOps, [&](const KnownOp &op) { return op.name == name; });
  return known == std::end(knownOps) ? nullptr : known;
}

/// The values that the ops of `handle` are set to, one each.
static SmallVector<Value> getHandles(Value handle) {
  for (Operation *user : handle.getUsers())
    if (auto split = dyn_cast<transform::SplitHandleOp>(user);
        split && !split.getOverflowResult() && split.getNumResults() != 0)
      return llvm::to_vector_of<Value>(split.getResults());
  return {handle};
}

/// The handle of a match that `value` was made of, step by step.
static Value getTiledHandle(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool isStep =
        op->getName().getStringRef().starts_with("transform.structured.") &&
        !isa<transform::MatchOp>(op);
    if (op->getNumOperands() == 0 || !(isStep || isa<transform::CastOp>(op)))
      break;
    auto fuse = dyn_cast<transform::FuseIntoContainingOp>(op);
    value = fuse && value == fuse.getNewContainingOp() ? fuse.getContainingOp()
                                                       : op->getOperand(0);
  }
  return value;
}

/// The number of dimensions up to `dim`.
static int64_t getEnd(uint64_t dim) {
  return static_cast<int64_t>(std::min<uint64_t>(dim, INT64_MAX - 1) + 1);
}

/// How many loops the target of `op` has at least, as far as `op` tells.
static int64_t getNumLoops(Operation *op) {
  if (auto tile = dyn_cast<transform::TileUsingForOp>(op))
    return tile.getMixedSizes().size();
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(op))
    return std::max(tile.getMixedTileSizes().size(),
                    tile.getMixedNumThreads().size());
  if (auto fuse = dyn_cast<transform::FuseOp>(op))
    return fuse.getMixedTileSizes().size();
  if (auto vectorize = dyn_cast<transform::VectorizeOp>(op))
    return vectorize.getMixedVectorSizes().size();
  if (auto split = dyn_cast<transform::SplitOp>(op))
    return getEnd(split.getDimension());
  if (auto sizes = dyn_cast<transform::MultiTileSizesOp>(op))
    return getEnd(sizes.getDimension());
  if (auto sizes = dyn_cast<transform::ContinuousTileSizesOp>(op))
    return getEnd(sizes.getDimension());
  if (auto interchange = dyn_cast<transform::InterchangeOp>(op))
    return interchange.getIteratorInterchange().size();
  int64_t last = -1;
  if (auto match = dyn_cast<transform::MatchStructuredOp>(op))
    for (auto dim :
         match.getBodyRegion().getOps<transform::MatchStructuredDimOp>())
      for (int64_t at : dim.getRawDimList())
        last = std::max(last, at);
  return last < 0 ? 0 : getEnd(last);
}

namespace {
/// Finds out what the ops are like that a schedule matches.
class Reader {
public:
  explicit Reader(const ScheduleModel &schedule) : schedule(schedule) {}

  /// False when two matches may find one op.
  bool readMatches();
  /// False where an op has more loops than anybody writes.
  bool readLoops();
  void readFusions();

  SmallVector<Instance> instances;
  /// Whether the schedule does not say how many loops some op has.
  bool areLoopsGuessed = false;

private:
  std::optional<unsigned> find(Value handle) const;
  /// Makes `producer` one of `reader`, if that has room for it.
  bool connect(unsigned producer, unsigned reader);
  /// Whether `reader` reads, by way of others, what `producer` makes.
  bool dependsOn(unsigned reader, unsigned producer) const;

  const ScheduleModel &schedule;
};
} // namespace

bool Reader::readMatches() {
  bool areApart = true;
  schedule.walkReached([&](transform::MatchOp match) {
    const KnownOp *op = getKnownOp(match);
    if (!op)
      return;
    DictionaryAttr attributes =
        match.getOpAttrs().value_or(DictionaryAttr::get(match.getContext()));
    // One of two matches may find the same as the other: the op itself, or the
    // op that a step has made from it.
    auto covers = [](DictionaryAttr some, DictionaryAttr all) {
      return llvm::all_of(some, [&](NamedAttribute attribute) {
        return all.get(attribute.getName()) == attribute.getValue();
      });
    };
    bool isKnown = false;
    for (const Instance &old : instances) {
      if (old.op != op)
        continue;
      isKnown |= old.attributes == attributes;
      areApart &= old.attributes == attributes ||
                  (!covers(old.attributes, attributes) &&
                   !covers(attributes, old.attributes));
    }
    if (isKnown)
      return;
    for (Value handle : getHandles(match.getResult()))
      instances.emplace_back(op, attributes, handle);
  });
  return areApart;
}

std::optional<unsigned> Reader::find(Value handle) const {
  Value source = getTiledHandle(handle);
  for (auto [i, instance] : llvm::enumerate(instances))
    if (instance.handle == source)
      return i;
  return std::nullopt;
}

/// An example with more would take long to make.
static constexpr int64_t maxNumLoops = 64;

bool Reader::readLoops() {
  SmallVector<int64_t> numLoops(instances.size(), 0);
  schedule.walkReached([&](Operation *op) {
    int64_t number = op->getNumOperands() != 0 ? getNumLoops(op) : 0;
    if (number == 0)
      return;
    if (std::optional<unsigned> target = find(op->getOperand(0)))
      numLoops[*target] = std::max(numLoops[*target], number);
  });
  for (auto [instance, number] : llvm::zip_equal(instances, numLoops)) {
    areLoopsGuessed |= !instance.hasFixedRanks();
    if (number > maxNumLoops)
      return false;
    setRank(instance, std::max<int>(number, 1));
  }
  return true;
}

bool Reader::dependsOn(unsigned reader, unsigned producer) const {
  return reader == producer ||
         llvm::any_of(instances[reader].producers, [&](const auto &entry) {
           return dependsOn(entry.second, producer);
         });
}

bool Reader::connect(unsigned producer, unsigned reader) {
  Instance &from = instances[producer], &to = instances[reader];
  if (to.op->shape == Shape::Fill || dependsOn(producer, reader))
    return false;
  unsigned last = to.ranks.size() - 1;
  // A fill makes what is written over, anything else what is read.
  bool isFill = from.op->shape == Shape::Fill;
  for (unsigned i = isFill ? last : 0; i < (isFill ? last + 1 : last); ++i) {
    bool isFree = !from.hasFixedRanks() && from.producers.empty();
    bool fits = isFree || from.ranks.back() == to.ranks[i];
    if (!fits || to.producers.count(i))
      continue;
    // A reduction has one loop more than its result has dimensions.
    if (isFree)
      setRank(from, to.ranks[i] + (from.op->shape == Shape::Reduce));
    to.producers[i] = producer;
    from.isProducer = true;
    return true;
  }
  return false;
}

void Reader::readFusions() {
  // Per op whose loops take others in: what is in them, the latest last.
  llvm::MapVector<unsigned, SmallVector<unsigned>> inside;
  schedule.walkReached([&](transform::FuseIntoContainingOp fuse) {
    std::optional<unsigned> producer = find(fuse.getProducerOp()),
                            loop = find(fuse.getContainingOp());
    if (!producer || !loop || *producer == *loop ||
        instances[*producer].isProducer)
      return;
    SmallVector<unsigned> &readers = inside[*loop];
    if (readers.empty())
      readers.push_back(*loop);
    if (llvm::is_contained(readers, *producer))
      return;
    for (unsigned reader : llvm::reverse(readers))
      if (connect(*producer, reader)) {
        readers.push_back(*producer);
        break;
      }
  });
}

//===----------------------------------------------------------------------===//
// The example
//===----------------------------------------------------------------------===//

/// The text, with an op for each instance, in the order of `made`.
static std::string getText(ArrayRef<Instance> instances,
                           SmallVectorImpl<unsigned> &made) {
  std::string arguments, body, results, types;
  unsigned number = 0;
  llvm::SmallBitVector isMade(instances.size());
  // A producer comes before its readers.
  auto make = [&](auto &&self, unsigned index) -> void {
    if (isMade.test(index))
      return;
    isMade.set(index);
    const Instance &instance = instances[index];
    SmallVector<std::string> names;
    for (auto [i, rank] : llvm::enumerate(instance.ranks)) {
      if (auto it = instance.producers.find(i);
          it != instance.producers.end()) {
        self(self, it->second);
        names.push_back("%r" + std::to_string(it->second));
        continue;
      }
      names.push_back("%a" + std::to_string(number++));
      arguments +=
          (arguments.empty() ? "" : ", ") + names.back() + ": " + getType(rank);
    }
    body += getOpText(instance, index, names);
    made.push_back(index);
    if (instance.isProducer)
      return;
    results += (results.empty() ? "%r" : ", %r") + std::to_string(index);
    types += (types.empty() ? "" : ", ") + getType(instance.ranks.back());
  };
  for (unsigned i = 0; i < instances.size(); ++i)
    make(make, i);
  return "func.func @example(" + arguments + ") -> (" + types +
         ") {\n  %zero = arith.constant 0.0 : f32\n" + body + "  return " +
         results + " : " + types + "\n}\n";
}

std::optional<ExamplePayload>
ExamplePayload::create(const ScheduleModel &schedule,
                       llvm::function_ref<std::string(Value)> nameOf,
                       bool guessFlow) {
  Reader reader(schedule);
  if (!reader.readMatches() || reader.instances.empty())
    return std::nullopt;
  if (!reader.readLoops())
    return std::nullopt;
  if (guessFlow)
    reader.readFusions();

  ExamplePayload example;
  example.areLoopsGuessed = reader.areLoopsGuessed;
  MLIRContext *context = schedule.getModule()->getContext();
  SmallVector<unsigned> order;
  std::string text = getText(reader.instances, order);
  example.module = parseSourceString<ModuleOp>(text, ParserConfig(context),
                                               "<example payload>");
  FW_CHECK(example.module, "the text of an example is well-formed");
  SmallVector<linalg::LinalgOp> ops(reader.instances.size());
  unsigned next = 0;
  example.module->walk([&](linalg::LinalgOp op) { ops[order[next++]] = op; });
  for (auto [op, instance] : llvm::zip_equal(ops, reader.instances)) {
    for (NamedAttribute attribute : instance.attributes)
      op->setDiscardableAttr(attribute.getName(), attribute.getValue());
    example.handles[op] = nameOf(instance.handle);
    example.isFlowGuessed |= instance.isProducer;
    for (auto [operand, producer] : instance.producers)
      example.identifySizes(ops[producer], op, operand);
  }
  return example;
}

void ExamplePayload::identifySizes(linalg::LinalgOp producer,
                                   linalg::LinalgOp reader, unsigned operand) {
  AffineMap written =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  AffineMap read =
      reader.getMatchingIndexingMap(&reader->getOpOperand(operand));
  for (auto [from, to] :
       llvm::zip_equal(written.getResults(), read.getResults()))
    if (isa<AffineDimExpr>(from) && isa<AffineDimExpr>(to))
      sameSizes[{producer, cast<AffineDimExpr>(from).getPosition()}] = {
          reader, cast<AffineDimExpr>(to).getPosition()};
}

std::string ExamplePayload::getNameOfSize(Operation *op, unsigned dim) const {
  for (auto it = sameSizes.find({op, dim}); it != sameSizes.end();
       it = sameSizes.find({op, dim}))
    std::tie(op, dim) = it->second;
  auto handle = handles.find(op);
  if (handle == handles.end())
    return "";
  return "dim(" + handle->second + ", " + std::to_string(dim) + ")";
}
