//===- Conversion.cpp - Models of dialect conversion ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effect of an apply_conversion_patterns on the payload model, and when it
// cannot fail. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Conversion.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The kinds of ops that the step says must go.
static KindPatterns
getIllegalKinds(transform::ApplyConversionPatternsOp apply) {
  KindPatterns kinds;
  if (std::optional<ArrayAttr> dialects = apply.getIllegalDialects())
    for (auto dialect : dialects->getAsRange<StringAttr>())
      kinds.push_back(
          StringAttr::get(apply.getContext(), dialect.getValue() + ".*"));
  if (std::optional<ArrayAttr> ops = apply.getIllegalOps())
    for (auto name : ops->getAsRange<StringAttr>())
      kinds.push_back(name);
  return kinds;
}

/// Whether an op of `kinds` may be at or below payload of the first operand.
static bool mayHoldAny(const Step &step, ArrayRef<KindPattern> kinds) {
  return llvm::any_of(
      step.lookup(step.op->getOperand(0)).nodes, [&](NodeId target) {
        return llvm::any_of(kinds, [&](const KindPattern &kind) {
          return step.payload.mayHold(target, kind);
        });
      });
}

/// Whether one of the groups may find something to convert.
static bool mayConvert(const Step &step) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(step.op);
  return llvm::any_of(apply.getPatterns().front(), [&](Operation &group) {
    const Contract *contract =
        step.contracts.lookup(group.getName().getStringRef());
    return !contract || !contract->payload ||
           mayHoldAny(step,
                      resolve(step.at(&group), *contract).payload->rewrites);
  });
}

/// Whether a group of patterns has no type converter, of its own or by default,
/// which upstream asks for also where no pattern converts types.
static bool lacksTypeConverter(transform::ApplyConversionPatternsOp apply) {
  if (!apply.getDefaultTypeConverterRegion().empty() ||
      apply.getPatterns().empty())
    return false;
  return llvm::any_of(apply.getPatterns().front(), [](Operation &group) {
    auto descriptor =
        dyn_cast<transform::ConversionPatternDescriptorOpInterface>(group);
    return descriptor && !descriptor.getTypeConverter();
  });
}

/// Whether the conversion may fail for an op that has to go, or that a group
/// does not convert in each case.
static bool mayConversionFail(const Step &step) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(step.op);
  // Only what is illegal has to go; what is neither that nor legal may stay.
  if (!apply.getPartialConversion() || mayHoldAny(step, getIllegalKinds(apply)))
    return true;
  auto isComplete = [&](Operation &group) {
    const Contract *contract =
        step.contracts.lookup(group.getName().getStringRef());
    return contract && contract->complete &&
           resolve(step.at(&group), *contract).failures.empty();
  };
  auto areComplete = [&](Region &groups) {
    return llvm::all_of(groups.front(), isComplete);
  };
  return !llvm::all_of(apply.getDefaultTypeConverterRegion(), areComplete) ||
         (mayConvert(step) && !areComplete(apply.getPatterns()));
}

/// Whether the step has to find a replacement for an op that a handle holds,
/// even if the handle is not used: it is folded or converted.
static bool mayLoseHeld(const Step &step) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(step.op);
  if (!apply.getPreserveHandles())
    return false;
  KindPatterns rewritten = getConversion(step).rewrites;
  bool mayBeHeld = false;
  step.state.handles.forEach([&](Value, const HandleState &handle) {
    if (handle.kind != HandleState::Params && !handle.consumedBy)
      mayBeHeld |= llvm::any_of(handle.nodes, [&](NodeId id) {
        return mayBeOfKind(step.payload[id], rewritten);
      });
  });
  return mayBeHeld;
}

/// Adds the failures of the type converter, which is made also where there is
/// no target. A trial has made it.
static void addConverterFailures(const Step &step,
                                 SmallVectorImpl<FailureClause> &failures) {
  if (llvm::any_of(step.analysis.loneRuns,
                   [](const auto &run) { return run.second.has_value(); }))
    return;
  auto apply = cast<transform::ApplyConversionPatternsOp>(step.op);
  for (Region &region : apply.getDefaultTypeConverterRegion())
    for (Operation &converter : region.getOps())
      if (const Contract *contract =
              step.contracts.lookup(converter.getName().getStringRef()))
        llvm::append_range(failures,
                           resolve(step.at(&converter), *contract).failures);
}

SmallVector<FailureClause, 1>
formwork::verifier::getConversionFailures(const Step &step,
                                          const Contract &contract) {
  if (lacksTypeConverter(cast<transform::ApplyConversionPatternsOp>(step.op)))
    return {{"pattern descriptor does not specify type converter and "
             "apply_conversion_patterns op has no default type converter",
             /*always=*/true, /*definite=*/true, contract.opName,
             /*when=*/{}}};
  static constexpr llvm::StringLiteral conversionFails =
      "dialect conversion failed";
  SmallVector<FailureClause, 1> failures = contract.failures;
  // A trial of the step by itself has no handles to follow.
  if (mayLoseHeld(step))
    failures.push_back({conversionFails, /*always=*/false, /*definite=*/false,
                        contract.opName, /*when=*/{}});
  else if (!mayConversionFail(step))
    llvm::erase_if(failures, [](const FailureClause &clause) {
      return clause.message == conversionFails;
    });
  addConverterFailures(step, failures);
  return failures;
}

PayloadClause formwork::verifier::getConversion(const Step &step) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(step.op);
  PayloadClause write;
  write.extent = WriteExtent::Target;
  // Where types of neighbours do not fit, the framework casts.
  write.introduces.push_back("builtin.unrealized_conversion_cast");
  bool converts = mayConvert(step);
  for (Operation &group : apply.getPatterns().front()) {
    const Contract *contract =
        step.contracts.lookup(group.getName().getStringRef());
    if (!contract || !contract->payload) {
      step.analysis.outcome.withoutContract.insert(
          group.getName().getStringRef());
      write.introduces.push_back("*");
      write.rewrites.push_back("*");
    } else if (converts) {
      const PayloadClause &here = *resolve(step.at(&group), *contract).payload;
      llvm::append_range(write.introduces, here.introduces);
      llvm::append_range(write.rewrites, here.rewrites);
      // An op that may become anything may do so in the body of another op,
      // too.
      if (llvm::is_contained(here.introduces, "*"))
        write.rewrites.push_back("*");
    }
  }
  // An illegal op is folded, if possible, before any rule is tried.
  std::optional<ArrayAttr> legal = apply.getLegalDialects();
  for (StringRef dialect : {"affine", "arith", "complex", "index", "math",
                            "memref", "tensor", "vector"}) {
    bool isLegal =
        legal && llvm::any_of(legal->getAsRange<StringAttr>(), [&](auto name) {
          return name.getValue() == dialect;
        });
    if (isLegal)
      continue;
    MLIRContext *context = step.op->getContext();
    write.introduces.push_back(StringAttr::get(context, dialect + ".constant"));
    write.rewrites.push_back(StringAttr::get(context, dialect + ".*"));
  }
  // So are ops that no list names.
  write.rewrites.append({"builtin.unrealized_conversion_cast",
                         "bufferization.*", "linalg.pack", "linalg.transpose",
                         "linalg.unpack"});
  // These take what a cast of a buffer is made of.
  if (step.payload.mayHold(step.root, "memref.cast"))
    write.rewrites.append({"linalg.*", "gpu.memset"});
  // A conversion that succeeds leaves nothing that is illegal.
  llvm::append_range(write.removes, getIllegalKinds(apply));
  // An op that is legal by name stays, whatever its dialect.
  if (std::optional<ArrayAttr> ops = apply.getLegalOps())
    for (auto name : ops->getAsRange<StringAttr>())
      llvm::erase_if(write.removes, [&](const KindPattern &kind) {
        return !kind.isAny() && kind.names(name.getValue());
      });
  write.handles.failsIfUsedLater = apply.getPreserveHandles();
  write.handles.shrinks = apply.getPreserveHandles();
  return write;
}
