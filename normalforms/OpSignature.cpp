//===- OpSignature.cpp - The signature of a registered op -------*- C++ -*-===//
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
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// The possible numbers of operands, results or regions of an op.
struct Arity {
  unsigned least = 0;
  /// None: unbounded.
  std::optional<unsigned> most;
};
} // namespace

/// The number among `Ns` for which `op` has the trait `TraitOf<N>::Impl`.
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
  return findNumber<TraitOf>(op, std::make_integer_sequence<unsigned, 14>());
}

/// The arity according to the traits of `op`: zero, one, exactly N, or at least
/// N.
template <template <typename> class Zero, template <typename> class One,
          template <unsigned> class Exactly, template <unsigned> class AtLeast>
static Arity getArity(RegisteredOperationName op) {
  if (op.hasTrait<Zero>())
    return {0, 0};
  if (op.hasTrait<One>())
    return {1, 1};
  if (auto number =
          findNumber<Exactly>(op, std::make_integer_sequence<unsigned, 14>()))
    return {*number, number};
  return {findLeast<AtLeast>(op).value_or(0), std::nullopt};
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

namespace {
/// Builds instances of one op and verifies them.
class Prober {
public:
  explicit Prober(RegisteredOperationName name);

  /// Builds an instance whose operands and results have these types.
  OwningOpRef<Operation *> build(ArrayRef<Type> operands,
                                 ArrayRef<Type> results);
  /// The verifier's first complaint; empty if there is none.
  std::string verify(ArrayRef<Type> operands, ArrayRef<Type> results);

  RegisteredOperationName name;
  MLIRContext *context;
  Arity operands, results, regions;
  /// The number of segments, each with one operand or result; 0 without
  /// segments.
  unsigned operandSegments = 0, resultSegments = 0;
  /// A type without any role.
  Type wrong;

private:
  /// Adds an attribute that the op requires according to `complaint`; false if
  /// none fits.
  bool satisfy(StringRef complaint);

  Location loc;
  Block holder;
  NamedAttrList attributes;
  /// Usual values of attributes, simplest first.
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
    auto sizes =
        dyn_cast_or_null<DenseI32ArrayAttr>(inherent.value_or(nullptr));
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
  });
  do {
    complaint.clear();
    OwningOpRef<Operation *> op = build(operandTypes, resultTypes);
    // Some verifiers look at the enclosing op, so put one around the op.
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

/// The type that the verifier demands for operand or result `index`, in its
/// words; empty if it does not complain about that one.
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

/// The roles for `wanted`: the words with which op definitions describe the
/// types of transform ops.
static HandleRoles readRoles(StringRef wanted) {
  HandleRoles none{false, false, false}, roles = none;
  if (wanted == "transform operation or value handle" ||
      wanted == "any transform handle")
    return {true, true, false};
  for (StringRef part : llvm::split(wanted, " or "))
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

/// A type that the verifier should accept where it demands `wanted`.
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

/// The roles of the first positions, as far as the verifier reveals them;
/// `good` gets types that it accepts there. `complain` returns the verifier's
/// complaint about an instance with these types. The search goes through the
/// positions in order and keeps all later types wrong. A custom verifier relies
/// on correct types; with one type wrong, it never runs.
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

/// With variable segments, a position may be in any segment.
static void mergeSegments(SmallVector<HandleRoles, 4> &roles, unsigned segments,
                          unsigned fixed) {
  if (segments == 0 || fixed == segments)
    return;
  HandleRoles any{false, false, false};
  // Positions after the last one that the verifier revealed may have any role.
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
  // Provide everything that the verifier demands first, so that it checks the
  // rest.
  auto getNumber = [](const Arity &arity, unsigned segments) {
    return segments ? segments : arity.most.value_or(arity.least + 1);
  };
  unsigned numOperands = getNumber(prober.operands, prober.operandSegments);
  unsigned numResults = getNumber(prober.results, prober.resultSegments);
  namedOperands = numOperands;
  namedResults = numResults;
  // Without operands and results, there is no type to probe.
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
  // If a second one is an error, the optional operand occurs at most once.
  if (!maxOperands && prober.operandSegments == 0 &&
      operands.size() == numOperands) {
    good.push_back(prober.wrong);
    std::string complaint = prober.verify(good, wrongResults);
    if (StringRef(complaint).contains("operand group starting at"))
      maxOperands = numOperands;
  }
  // If one more operand changes the roles of those before it, the variadic
  // operands do not come last.
  if (!maxOperands && prober.operandSegments == 0 &&
      operands.size() == numOperands) {
    SmallVector<HandleRoles, 4> more =
        findRoles(prober.context, "operand", numOperands + 1, prober.wrong,
                  ignored, [&](ArrayRef<Type> types) {
                    return prober.verify(types, wrongResults);
                  });
    endsOpen = ArrayRef(more).take_front(numOperands) == ArrayRef(operands);
    if (!endsOpen)
      operands.clear();
  }
  mergeSegments(operands, prober.operandSegments, prober.operands.least);
  mergeSegments(results, prober.resultSegments, prober.results.least);
}

bool OpSignature::mayBe(StringRef attribute, ArrayRef<Attribute> values) const {
  Prober prober(name);
  OwningOpRef<Operation *> op = prober.build({}, {});
  auto key = StringAttr::get(prober.context, attribute);
  return llvm::any_of(values, [&](Attribute value) {
    op.get()->setInherentAttr(key, Attribute());
    op.get()->setInherentAttr(key, value);
    return op.get()->getInherentAttr(attribute).value_or(nullptr) == value;
  });
}

bool OpSignature::mayBeIntegers(StringRef attribute) const {
  Prober prober(name);
  OwningOpRef<Operation *> op = prober.build({}, {});
  if (!op.get()->getInherentAttr(attribute))
    return true;
  Builder builder(prober.context);
  return mayBe(attribute,
               {builder.getI64IntegerAttr(1), builder.getI32IntegerAttr(1),
                builder.getIndexAttr(1), builder.getDenseI64ArrayAttr({1}),
                builder.getDenseI32ArrayAttr({1}),
                builder.getI64ArrayAttr({1})});
}

bool OpSignature::isFlag(StringRef attribute) const {
  Builder builder(name.getDialect().getContext());
  return mayBe(attribute, {builder.getUnitAttr()}) &&
         !mayBe(attribute, {builder.getStringAttr("x")});
}

bool OpSignature::mayPrintAs(StringRef attribute, StringRef text) const {
  Builder builder(name.getDialect().getContext());
  bool isWord = llvm::all_of(
      text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (!isWord || llvm::isDigit(text.front()))
    return true;
  SmallVector<Attribute> values = {builder.getStringAttr(text)};
  if (text == "true" || text == "false")
    values.push_back(builder.getBoolAttr(text == "true"));
  // An attribute of another dialect prints as it likes.
  return mayBe(attribute, values) ||
         !mayBe(attribute,
                {builder.getI64ArrayAttr({}), builder.getDenseI64ArrayAttr({}),
                 builder.getDenseI32ArrayAttr({}),
                 builder.getDenseBoolArrayAttr({}),
                 builder.getI64IntegerAttr(1), builder.getI32IntegerAttr(1),
                 builder.getIndexAttr(1), builder.getUnitAttr()});
}
