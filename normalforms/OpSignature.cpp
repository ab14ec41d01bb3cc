//===- OpSignature.cpp - What a registered op takes and gives ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/OpSignature.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// How many operands, results or regions an op has.
struct Arity {
  unsigned least = 0;
  /// None: as many as there are.
  std::optional<unsigned> most;
};
} // namespace

/// The number among `Ns` of which `op` has the trait `TraitOf<N>::Impl`.
template <template <unsigned> class TraitOf, unsigned... Ns>
static std::optional<unsigned>
findNumber(RegisteredOperationName op, std::integer_sequence<unsigned, Ns...>) {
  std::optional<unsigned> number;
  ((op.hasTrait<TraitOf<Ns + 2>::template Impl>() ? (number = Ns + 2, 0) : 0),
   ...);
  return number;
}
template <template <unsigned> class TraitOf>
static std::optional<unsigned> findLeast(RegisteredOperationName op) {
  if (op.hasTrait<TraitOf<1>::template Impl>())
    return 1;
  return findNumber<TraitOf>(op,
                             std::make_integer_sequence<unsigned, 14>());
}

/// What the traits of `op` say: none, one, exactly N, or at least N.
template <template <typename> class Zero, template <typename> class One,
          template <unsigned> class Exactly, template <unsigned> class AtLeast>
static Arity getArity(RegisteredOperationName op) {
  if (op.hasTrait<Zero>())
    return {0, 0};
  if (op.hasTrait<One>())
    return {1, 1};
  if (auto number = findNumber<Exactly>(
          op, std::make_integer_sequence<unsigned, 14>()))
    return {*number, number};
  return {findLeast<AtLeast>(op).value_or(0), std::nullopt};
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

namespace {
/// Builds instances of one op, and asks what its verifier says of them.
class Prober {
public:
  explicit Prober(RegisteredOperationName name);

  /// An instance whose operands and results have these types.
  OwningOpRef<Operation *> build(ArrayRef<Type> operands,
                                 ArrayRef<Type> results);
  /// The first complaint of the verifier; empty if there is none.
  std::string verify(ArrayRef<Type> operands, ArrayRef<Type> results);

  RegisteredOperationName name;
  MLIRContext *context;
  Arity operands, results, regions;
  /// In as many segments as `segments` says, one operand each; 0 without.
  unsigned operandSegments = 0, resultSegments = 0;
  /// Of no role.
  Type wrong;

private:
  /// Adds an attribute that the op asks for, of which `complaint` speaks; false
  /// if none fits.
  bool satisfy(StringRef complaint);

  Location loc;
  Block holder;
  NamedAttrList attributes;
  /// Values that attributes have, simplest first.
  SmallVector<Attribute> candidates;
  llvm::StringMap<unsigned> tried;
};
} // namespace

Prober::Prober(RegisteredOperationName name)
    : name(name), context(name.getDialect().getContext()),
      operands(getArity<OpTrait::ZeroOperands, OpTrait::OneOperand,
                        OpTrait::NOperands, OpTrait::AtLeastNOperands>(name)),
      results(getArity<OpTrait::ZeroResults, OpTrait::OneResult,
                       OpTrait::NResults, OpTrait::AtLeastNResults>(name)),
      regions(getArity<OpTrait::ZeroRegions, OpTrait::OneRegion,
                       OpTrait::NRegions, OpTrait::AtLeastNRegions>(name)),
      wrong(NoneType::get(context)), loc(UnknownLoc::get(context)) {
  Builder builder(context);
  candidates = {builder.getUnitAttr(),
                builder.getBoolAttr(false),
                builder.getI64IntegerAttr(1),
                builder.getI32IntegerAttr(1),
                builder.getIndexAttr(1),
                builder.getStringAttr("x"),
                builder.getArrayAttr({}),
                builder.getDenseI64ArrayAttr({}),
                builder.getDenseI32ArrayAttr({}),
                builder.getDenseBoolArrayAttr({}),
                FlatSymbolRefAttr::get(context, "x"),
                builder.getDictionaryAttr({}),
                TypeAttr::get(builder.getIndexType()),
                TypeAttr::get(FunctionType::get(context, {}, {})),
                builder.getF32FloatAttr(0),
                builder.getI64TensorAttr({1}),
                AffineMapAttr::get(builder.getDimIdentityMap()),
                builder.getArrayAttr({builder.getStringAttr("x")}),
                builder.getI64ArrayAttr({1})};
  OwningOpRef<Operation *> bare = build({}, {});
  auto countSegments = [&](StringRef segments) -> unsigned {
    std::optional<Attribute> inherent = bare.get()->getInherentAttr(segments);
    auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(inherent.value_or(nullptr));
    return sizes ? sizes.size() : 0;
  };
  if (name.hasTrait<OpTrait::AttrSizedOperandSegments>())
    operandSegments = countSegments("operandSegmentSizes");
  if (name.hasTrait<OpTrait::AttrSizedResultSegments>())
    resultSegments = countSegments("resultSegmentSizes");
  auto addSegments = [&](StringRef segments, unsigned number) {
    if (number)
      attributes.set(segments, builder.getDenseI32ArrayAttr(
                                   SmallVector<int32_t>(number, 1)));
  };
  addSegments("operandSegmentSizes", operandSegments);
  addSegments("resultSegmentSizes", resultSegments);
}

OwningOpRef<Operation *> Prober::build(ArrayRef<Type> operandTypes,
                                       ArrayRef<Type> resultTypes) {
  OperationState state(loc, name.getStringRef(), ValueRange(), resultTypes);
  for (Type type : operandTypes)
    state.operands.push_back(holder.addArgument(type, loc));
  for (unsigned i = 0; i < std::max(regions.least, regions.most.value_or(0));
       ++i)
    state.addRegion();
  state.attributes = attributes;
  return Operation::create(state);
}

bool Prober::satisfy(StringRef complaint) {
  if (!complaint.contains("requires attribute '") &&
      !complaint.contains("' failed to satisfy constraint"))
    return false;
  StringRef attribute = complaint.split("attribute '").second.split('\'').first;
  unsigned &next = tried[attribute];
  if (attribute.empty() || next == candidates.size())
    return false;
  attributes.set(attribute, candidates[next++]);
  return true;
}

std::string Prober::verify(ArrayRef<Type> operandTypes,
                           ArrayRef<Type> resultTypes) {
  std::string complaint;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (complaint.empty())
      complaint = diagnostic.str();
    return success();
  });
  do {
    complaint.clear();
    OwningOpRef<Operation *> op = build(operandTypes, resultTypes);
    // Around it, there is something to look at.
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    Operation *inner = op.release();
    module->getBody()->push_back(inner);
    if (succeeded(name.verifyInvariants(inner)))
      complaint.clear();
  } while (satisfy(complaint));
  return complaint;
}

//===----------------------------------------------------------------------===//
// OpSignature
//===----------------------------------------------------------------------===//

/// The type that the verifier asks for at number `index` of the operands or
/// results, in its words; empty if it does not complain about that.
static StringRef getWanted(StringRef complaint, StringRef what,
                           unsigned index) {
  std::string head = (what + " #" + Twine(index) + " must be ").str();
  size_t start = complaint.find(head);
  if (start == StringRef::npos)
    return "";
  StringRef wanted = complaint.substr(start + head.size());
  wanted = wanted.take_front(wanted.rfind(", but got "));
  wanted.consume_front("variadic of ");
  return wanted;
}

static constexpr llvm::StringLiteral kConcrete = "Transform IR handle to ";

/// What `wanted` stands for: definitions describe the types of transform ops in
/// these words.
static HandleRoles readRoles(StringRef wanted) {
  HandleRoles none{false, false, false}, roles = none;
  if (wanted == "transform operation or value handle" ||
      wanted == "any transform handle")
    return {true, true, false};
  SmallVector<StringRef> parts;
  wanted.split(parts, " or ");
  for (StringRef part : parts)
    if (part == "TransformHandleTypeInterface instance" ||
        part.starts_with(kConcrete))
      roles.op = true;
    else if (part == "TransformValueHandleTypeInterface instance")
      roles.value = true;
    else if (part == "TransformParamTypeInterface instance")
      roles.param = true;
    else
      return HandleRoles();
  return roles;
}

/// A type that the verifier may take where it asks for `wanted`.
static Type getGoodType(MLIRContext *context, StringRef wanted) {
  if (wanted.consume_front(kConcrete) && wanted.consume_back(" operations"))
    return transform::OperationType::get(context, wanted);
  HandleRoles roles = readRoles(wanted);
  if (roles.op)
    return transform::AnyOpType::get(context);
  if (roles.value)
    return transform::AnyValueType::get(context);
  return transform::ParamType::get(context, IntegerType::get(context, 64));
}

/// The roles of the first positions, as far as the verifier tells, and types
/// that it takes there. `complain` says what it has against an instance whose
/// positions have these types. It goes through them in order, so that behind
/// the one of interest, the types are always wrong: what an op verifies beyond
/// its types takes for granted that those are right, and is never run.
static SmallVector<HandleRoles, 4>
findRoles(MLIRContext *context, StringRef what, unsigned number, Type wrong,
          SmallVectorImpl<Type> &good,
          llvm::function_ref<std::string(ArrayRef<Type>)> complain) {
  SmallVector<HandleRoles, 4> found;
  SmallVector<Type> types(number, wrong);
  for (unsigned i = 0; i < number; ++i) {
    std::string complaint = complain(types);
    StringRef wanted = getWanted(complaint, what, i);
    if (wanted.empty())
      break;
    types[i] = getGoodType(context, wanted);
    good.push_back(types[i]);
    found.push_back(readRoles(wanted));
  }
  return found;
}

/// Where positions are in segments of open size, any may be in any of them.
static void mergeSegments(SmallVector<HandleRoles, 4> &roles, unsigned segments,
                          unsigned fixed) {
  if (segments == 0 || fixed == segments)
    return;
  HandleRoles any{false, false, false};
  // Those behind the last that the verifier told of may be anything.
  if (roles.size() != segments)
    any = HandleRoles();
  for (const HandleRoles &one : roles) {
    any.op |= one.op;
    any.value |= one.value;
    any.param |= one.param;
  }
  roles.assign(segments, any);
}

OpSignature::OpSignature(RegisteredOperationName name)
    : name(name), attributes(name.getAttributeNames()) {
  Prober prober(name);
  maxOperands = prober.operands.most;
  maxResults = prober.results.most;
  // What is asked for first is there, so that the rest is looked at.
  auto getNumber = [](const Arity &arity, unsigned segments) {
    return segments ? segments : arity.most.value_or(arity.least + 1);
  };
  unsigned numOperands = getNumber(prober.operands, prober.operandSegments);
  unsigned numResults = getNumber(prober.results, prober.resultSegments);
  // Without a type to be wrong, there is nothing to ask.
  if (numOperands + numResults == 0)
    return;
  SmallVector<Type> wrongResults(numResults, prober.wrong), good, ignored;
  operands = findRoles(
      prober.context, "operand", numOperands, prober.wrong, good,
      [&](ArrayRef<Type> types) { return prober.verify(types, wrongResults); });
  if (operands.size() == numOperands)
    results = findRoles(
        prober.context, "result", numResults, prober.wrong, ignored,
        [&](ArrayRef<Type> types) { return prober.verify(good, types); });
  // One that need not be there is one at most.
  if (!maxOperands && prober.operandSegments == 0 &&
      operands.size() == numOperands) {
    good.push_back(prober.wrong);
    std::string complaint = prober.verify(good, wrongResults);
    if (StringRef(complaint).contains("operand group starting at"))
      maxOperands = numOperands;
  }
  // Where one more operand changes what those before it are, those of open
  // number do not come last.
  if (!maxOperands && prober.operandSegments == 0 &&
      operands.size() == numOperands) {
    SmallVector<HandleRoles, 4> more = findRoles(
        prober.context, "operand", numOperands + 1, prober.wrong, ignored,
        [&](ArrayRef<Type> types) {
          return prober.verify(types, wrongResults);
        });
    endsOpen = ArrayRef(more).take_front(numOperands) == ArrayRef(operands);
    if (!endsOpen)
      operands.clear();
  }
  mergeSegments(operands, prober.operandSegments, prober.operands.least);
  mergeSegments(results, prober.resultSegments, prober.results.least);
}

bool OpSignature::mayBeIntegers(StringRef attribute) const {
  Prober prober(name);
  Builder builder(prober.context);
  OwningOpRef<Operation *> op = prober.build({}, {});
  if (!op.get()->getInherentAttr(attribute))
    return true;
  const Attribute integers[] = {
      builder.getI64IntegerAttr(1), builder.getI32IntegerAttr(1),
      builder.getIndexAttr(1), builder.getDenseI64ArrayAttr({1}),
      builder.getDenseI32ArrayAttr({1}), builder.getI64ArrayAttr({1})};
  return llvm::any_of(integers, [&](Attribute value) {
    op.get()->setInherentAttr(builder.getStringAttr(attribute), Attribute());
    op.get()->setInherentAttr(builder.getStringAttr(attribute), value);
    return op.get()->getInherentAttr(attribute).value_or(nullptr) == value;
  });
}
