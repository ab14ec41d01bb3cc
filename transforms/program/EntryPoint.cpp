//===- EntryPoint.cpp - What a compiled schedule is called with -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/EntryPoint.h"

#include "engine/Diagnostics.h"
#include "runtime/FormworkData.h"
#include "transforms/program/IndexInputs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

bool EntryParameter::isTooLarge() const {
  uint64_t bytes = fwElementSize(type);
  return llvm::any_of(shape, [&](int64_t extent) {
    bytes *= extent;
    return bytes > maxByteSize || uint64_t(extent) > maxByteSize;
  });
}

uint64_t EntryParameter::getElementCount() const {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

uint64_t EntryParameter::getByteSize() const {
  return getElementCount() * fwElementSize(type);
}

SmallVector<unsigned> EntryPoint::listResults() const {
  SmallVector<unsigned> numbers;
  for (unsigned i = 0; i < numArguments; ++i)
    if (parameters[i].role == FwRoleInOut &&
        !llvm::is_contained(resultParameters, i))
      numbers.push_back(i);
  llvm::append_range(numbers, resultParameters);
  return numbers;
}

void EntryParameter::limitIndices(int64_t size) {
  // Indices are extended with their sign.
  unsigned width = type == FwElementI1 ? 1 : 8 * fwElementSize(type);
  uint64_t last = std::clamp<int64_t>(size - 1, 0, llvm::maxIntN(width));
  indexLimit = indexLimit == 0 ? last + 1 : std::min(indexLimit, last + 1);
}

std::string EntryParameter::getTypeText() const {
  std::string text;
  for (int64_t extent : shape)
    text +=
        (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + "x";
  return text + fwElementName(type);
}

SmallVector<func::FuncOp> formwork::transforms::listEntries(ModuleOp payload) {
  SmallVector<func::FuncOp> entries;
  for (auto function : payload.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      entries.push_back(function);
  // A single function that calls all others is the entry.
  llvm::StringSet<> called;
  payload.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  auto isCalled = [&](func::FuncOp function) {
    return called.contains(function.getSymName());
  };
  if (llvm::count_if(entries, isCalled) ==
      static_cast<int64_t>(entries.size()) - 1)
    return {*llvm::find_if_not(entries, isCalled)};
  return entries;
}

FailureOr<func::FuncOp> formwork::transforms::lookupEntry(ModuleOp payload,
                                                          StringRef name) {
  if (!name.empty()) {
    auto function = payload.lookupSymbol<func::FuncOp>(name);
    if (function && !function.isExternal())
      return function;
    return emitFinding(Finding(
        payload.getLoc(), "fw-entry-missing",
        llvm::formatv("requires a function '{0}' with a body as entry but {1}",
                      name,
                      function ? "has its declaration only" : "has none")));
  }

  SmallVector<func::FuncOp> candidates = listEntries(payload);
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty())
    return emitFinding(Finding(payload.getLoc(), "fw-entry-missing",
                               "requires a public function with a body as "
                               "entry but has none"));
  Finding finding(
      candidates[1].getLoc(), "fw-entry-ambiguous",
      llvm::formatv("requires one public function as entry but has {0}",
                    candidates.size()));
  for (func::FuncOp candidate : candidates)
    finding.note(NoteKind::Evidence, candidate.getLoc(),
                 "candidate '" + candidate.getSymName() + "'");
  finding.note(NoteKind::FixIt, candidates[1].getLoc(),
               "choose one with --entry=" + candidates[0].getSymName());
  return emitFinding(std::move(finding));
}

static std::optional<FwElementType> convertElementType(Type type) {
  std::string name = debugString(type);
  for (FwElementType element = 0; element <= FwElementIndex; ++element)
    if (name == fwElementName(element))
      return element;
  return std::nullopt;
}

/// Whether a dense row-major buffer can be passed as `type`: every stride and
/// the offset are dynamic or what row-major has.
static bool acceptsRowMajor(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  if (!ShapedType::isDynamic(offset) && offset != 0)
    return false;
  int64_t expected = 1;
  bool isKnown = true;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    // A dimension of one element is never stepped over.
    if (extent != 1 && !ShapedType::isDynamic(stride) &&
        !(isKnown && stride == expected))
      return false;
    isKnown &= !ShapedType::isDynamic(extent) &&
               !llvm::MulOverflow(expected, extent, expected);
  }
  return true;
}

bool formwork::transforms::isEntryType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type);
      memref && !acceptsRowMajor(memref))
    return false;
  Type element = isa<RankedTensorType, MemRefType>(type)
                     ? cast<ShapedType>(type).getElementType()
                     : type;
  return convertElementType(element).has_value();
}

/// Describes a value of `type` that passes the boundary of the entry function,
/// `what` being its place there in words.
static FailureOr<EntryParameter> describe(Type type, const Twine &what,
                                          Location loc,
                                          std::optional<int64_t> dynamicSize) {
  EntryParameter parameter;
  Type element = type;
  if (auto shaped = dyn_cast<ShapedType>(type);
      shaped && isa<RankedTensorType, MemRefType>(type)) {
    if (!shaped.hasStaticShape() && !dynamicSize)
      return emitFinding(
          Finding(loc, "fw-entry-dynamic-shape",
                  llvm::formatv("requires static shapes at the entry but {0} "
                                "has type {1}",
                                what.str(), type))
              .note(NoteKind::FixIt, loc,
                    "write the payload for one shape; formwork run takes any"));
    for (int64_t extent : shaped.getShape())
      parameter.shape.push_back(ShapedType::isDynamic(extent) ? *dynamicSize
                                                              : extent);
    element = shaped.getElementType();
  } else {
    parameter.byValue = true;
  }
  std::optional<FwElementType> converted = convertElementType(element);
  if (!converted)
    return emitFinding(Finding(
        loc, "fw-entry-unsupported-type",
        llvm::formatv("requires buffers or scalars of f16, bf16, f32, f64, i1, "
                      "i8, i16, i32, i64 or index at the entry but {0} has "
                      "type {1}",
                      what.str(), type)));
  if (auto memref = dyn_cast<MemRefType>(type);
      memref && !acceptsRowMajor(memref))
    return emitFinding(Finding(
        loc, "fw-entry-unsupported-type",
        llvm::formatv("requires row-major buffers at the entry but {0} has "
                      "type {1}",
                      what.str(), type)));
  parameter.type = *converted;

  if (!parameter.hasOpenSize() && parameter.isTooLarge())
    return emitFinding(Finding(
        loc, "fw-entry-too-large",
        llvm::formatv("requires buffers of at most {0} bytes at the entry "
                      "but {1} has type {2}",
                      maxByteSize, what.str(), type)));
  return parameter;
}

/// The argument of `entry` that `value` is computed in when bufferization works
/// in place: follows destinations, shared outputs and initial values upwards.
static std::optional<unsigned> traceDestination(Value value,
                                                func::FuncOp entry) {
  while (true) {
    OpOperand *source = nullptr;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (owner == entry)
        return argument.getArgNumber();
      if (auto forall = dyn_cast<scf::ForallOp>(owner))
        source = argument.getArgNumber() < unsigned(forall.getRank())
                     ? nullptr
                     : forall.getTiedOpOperand(argument);
      else if (auto loop = dyn_cast<LoopLikeOpInterface>(owner))
        source = loop.getTiedLoopInit(argument);
    } else if (auto forall = value.getDefiningOp<scf::ForallOp>()) {
      source = forall.getTiedOpOperand(cast<OpResult>(value));
    } else if (auto loop = value.getDefiningOp<LoopLikeOpInterface>()) {
      source = loop.getTiedLoopInit(cast<OpResult>(value));
    } else if (auto op = value.getDefiningOp<DestinationStyleOpInterface>()) {
      source = op.getTiedOpOperand(cast<OpResult>(value));
    } else if (Operation *cast = value.getDefiningOp();
               isa_and_present<tensor::CastOp>(cast)) {
      source = &cast->getOpOperand(0);
    }
    if (!source)
      return std::nullopt;
    value = source->get();
  }
}

/// Where each result of `entry` ends, given that the lowered function has
/// `numOuts` out-parameters; fills `entryPoint.resultParameters`.
static LogicalResult placeResults(func::FuncOp entry, func::FuncOp lowered,
                                  unsigned numOuts, EntryPoint &entryPoint) {
  unsigned numResults = entry.getNumResults();
  unsigned next = entryPoint.numArguments;
  if (numOuts == numResults) {
    for (unsigned i = 0; i < numResults; ++i)
      entryPoint.resultParameters.push_back(next++);
    return success();
  }

  // With several returns, one result can end in several places.
  auto returns = llvm::to_vector(entry.getBody().getOps<func::ReturnOp>());
  SmallVector<std::optional<unsigned>> inArgument(numResults);
  if (returns.size() == 1)
    for (auto [argument, result] :
         llvm::zip_equal(inArgument, returns.front().getOperands()))
      argument = traceDestination(result, entry);
  unsigned traced = llvm::count_if(
      inArgument, [](auto argument) { return argument.has_value(); });
  llvm::SmallSet<unsigned, 4> distinct;
  for (std::optional<unsigned> argument : inArgument)
    if (argument)
      distinct.insert(*argument);
  if (numOuts > numResults || traced != numResults - numOuts ||
      distinct.size() != traced)
    return emitFinding(
        Finding(entry.getLoc(), "fw-entry-lost-result",
                llvm::formatv("requires to know where the results of '{0}' end "
                              "but the lowered function has {1} out-parameters "
                              "for {2} results, of which {3} are computed in "
                              "an argument of their own",
                              entry.getSymName(), numOuts, numResults,
                              distinct.size()))
            .note(NoteKind::Evidence, lowered.getLoc(),
                  llvm::formatv("the lowered function has type {0}",
                                lowered.getFunctionType())));
  for (std::optional<unsigned> argument : inArgument)
    entryPoint.resultParameters.push_back(argument ? *argument : next++);
  return success();
}

static Finding makeMismatch(func::FuncOp entry, func::FuncOp lowered,
                            const Twine &message) {
  return Finding(entry.getLoc(), "fw-entry-mismatch", message)
      .note(NoteKind::Evidence, lowered.getLoc(),
            llvm::formatv("the lowered function has type {0}",
                          lowered.getFunctionType()));
}

FailureOr<EntryPoint>
formwork::transforms::inferEntryPoint(ModuleOp payload, ModuleOp lowered,
                                      StringRef name,
                                      std::optional<int64_t> dynamicSize) {
  FailureOr<func::FuncOp> entry = lookupEntry(payload, name);
  if (failed(entry))
    return failure();
  auto function = lowered.lookupSymbol<func::FuncOp>(entry->getSymName());
  if (!function || function.isExternal())
    return emitFinding(
        Finding(entry->getLoc(), "fw-entry-mismatch",
                llvm::formatv("requires the schedule to keep the entry "
                              "function '{0}' but it is gone",
                              entry->getSymName())));

  EntryPoint result(entry->getLoc());
  result.name = entry->getSymName().str();
  result.numArguments = entry->getNumArguments();

  // The payload's own types come first: errors about them need no lowering.
  for (auto [i, argument] : llvm::enumerate(entry->getArguments())) {
    std::string what = llvm::formatv("argument {0}", i);
    FailureOr<EntryParameter> parameter =
        describe(argument.getType(), what, argument.getLoc(), dynamicSize);
    if (failed(parameter))
      return failure();
    auto loc = argument.getLoc()->findInstanceOf<NameLoc>();
    parameter->name = loc ? loc.getName().str() : ("arg" + std::to_string(i));
    if (isa<MemRefType>(argument.getType()))
      parameter->role = FwRoleInOut;
    result.parameters.push_back(std::move(*parameter));
  }
  limitIndexInputs(*entry, result.parameters);
  SmallVector<EntryParameter> results;
  for (auto [i, type] : llvm::enumerate(entry->getResultTypes())) {
    std::string what = llvm::formatv("result {0}", i);
    FailureOr<EntryParameter> parameter =
        describe(type, what, entry->getLoc(), dynamicSize);
    if (failed(parameter))
      return failure();
    if (parameter->byValue)
      return emitFinding(
          Finding(entry->getLoc(), "fw-entry-unsupported-type",
                  llvm::formatv("requires results that are tensors or memrefs "
                                "but {0} has type {1}",
                                what, type)));
    parameter->name = entry->getNumResults() == 1
                          ? std::string("result")
                          : "result" + std::to_string(i);
    parameter->role = FwRoleOutput;
    results.push_back(std::move(*parameter));
  }

  if (function.getNumResults() != 0 ||
      function.getNumArguments() < result.numArguments)
    return emitFinding(makeMismatch(
        *entry, function,
        llvm::formatv("requires the lowered '{0}' to take its {1} arguments "
                      "and its results as out-parameters but it has {2} "
                      "arguments and {3} results",
                      result.name, result.numArguments,
                      function.getNumArguments(), function.getNumResults())));
  if (failed(placeResults(*entry, function,
                          function.getNumArguments() - result.numArguments,
                          result)))
    return failure();
  for (auto [i, parameter] : llvm::enumerate(result.resultParameters)) {
    if (parameter < result.numArguments)
      result.parameters[parameter].role = FwRoleInOut;
    else
      result.parameters.push_back(results[i]);
  }

  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    FailureOr<EntryParameter> actual =
        describe(type, llvm::formatv("lowered argument {0}", i),
                 function.getArgument(i).getLoc(), dynamicSize);
    if (failed(actual))
      return failure();
    const EntryParameter &expected = result.parameters[i];
    // Where the payload knows a size, the lowered function may not.
    bool isShape =
        actual->shape.size() == expected.shape.size() &&
        llvm::all_of(llvm::zip_equal(actual->shape, expected.shape),
                     [](auto sizes) {
                       auto [own, given] = sizes;
                       return own == given || ShapedType::isDynamic(own);
                     });
    if (!isShape || actual->type != expected.type ||
        actual->byValue != expected.byValue)
      return emitFinding(makeMismatch(
          *entry, function,
          llvm::formatv("requires lowered argument {0} to be {1} but it has "
                        "type {2}",
                        i, expected.getTypeText(), type)));
  }
  return result;
}
