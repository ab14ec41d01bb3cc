//===- Conversion.cpp - Models of dialect conversion ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an apply_conversion_patterns leaves of the payload model, and when it
// cannot fail. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
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

bool Interpreter::mayHoldAny(Operation *op, ArrayRef<KindPattern> kinds) {
  return llvm::any_of(lookup(op->getOperand(0)).nodes, [&](NodeId target) {
    return llvm::any_of(kinds, [&](const KindPattern &kind) {
      return state.payload.mayHold(target, kind);
    });
  });
}

bool Interpreter::mayConvert(Operation *op) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(op);
  return llvm::any_of(apply.getPatterns().front(), [&](Operation &group) {
    const Contract *contract = contracts.lookup(group.getName().getStringRef());
    return !contract || !contract->payload ||
           mayHoldAny(op, resolve(&group, *contract).payload->rewrites);
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

SmallVector<FailureClause, 1>
Interpreter::getConversionFailures(Operation *op, const Contract &contract) {
  if (lacksTypeConverter(cast<transform::ApplyConversionPatternsOp>(op)))
    return {{"pattern descriptor does not specify type converter and "
             "apply_conversion_patterns op has no default type converter",
             /*always=*/true, /*definite=*/true, contract.opName,
             /*when=*/{}}};
  if (mayConversionFail(op))
    return contract.failures;
  return {};
}

bool Interpreter::mayConversionFail(Operation *op) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(op);
  // Only what is illegal has to go; what is neither that nor legal may stay.
  if (!apply.getPartialConversion() || mayHoldAny(op, getIllegalKinds(apply)))
    return true;
  // What is folded or converted needs a replacement, be its handle used or not.
  if (apply.getPreserveHandles()) {
    KindPatterns rewritten = getConversion(op).rewrites;
    bool mayBeHeld = false;
    state.handles.forEach([&](Value, const HandleState &handle) {
      if (handle.kind != HandleState::Params && !handle.consumedBy)
        mayBeHeld |= llvm::any_of(handle.nodes, [&](NodeId id) {
          return mayBeOfKind(state.payload[id], rewritten);
        });
    });
    if (mayBeHeld)
      return true;
  }
  auto isComplete = [&](Operation &group) {
    const Contract *contract = contracts.lookup(group.getName().getStringRef());
    return contract && contract->complete &&
           resolve(&group, *contract).failures.empty();
  };
  auto areComplete = [&](Region &groups) {
    return llvm::all_of(groups.front(), isComplete);
  };
  return !llvm::all_of(apply.getDefaultTypeConverterRegion(), areComplete) ||
         (mayConvert(op) && !areComplete(apply.getPatterns()));
}

PayloadClause Interpreter::getConversion(Operation *op) {
  auto apply = cast<transform::ApplyConversionPatternsOp>(op);
  PayloadClause write;
  write.extent = WriteExtent::Target;
  // Where types of neighbours do not fit, the framework casts.
  write.introduces.push_back("builtin.unrealized_conversion_cast");
  bool converts = mayConvert(op);
  for (Operation &group : apply.getPatterns().front()) {
    const Contract *contract = contracts.lookup(group.getName().getStringRef());
    if (!contract || !contract->payload) {
      withoutContract.insert(group.getName().getStringRef());
      write.introduces.push_back("*");
      write.rewrites.push_back("*");
    } else if (converts) {
      const PayloadClause &here = *resolve(&group, *contract).payload;
      llvm::append_range(write.introduces, here.introduces);
      llvm::append_range(write.rewrites, here.rewrites);
      // What may become anything may do so in the body of an op, too.
      if (llvm::is_contained(here.introduces, "*"))
        write.rewrites.push_back("*");
    }
  }
  // What is not legal is folded, if it can be, before any rule is tried.
  std::optional<ArrayAttr> legal = apply.getLegalDialects();
  for (StringRef dialect : {"affine", "arith", "complex", "index", "math",
                            "memref", "tensor", "vector"}) {
    bool isLegal =
        legal && llvm::any_of(legal->getAsRange<StringAttr>(), [&](auto name) {
          return name.getValue() == dialect;
        });
    if (isLegal)
      continue;
    MLIRContext *context = op->getContext();
    write.introduces.push_back(StringAttr::get(context, dialect + ".constant"));
    write.rewrites.push_back(StringAttr::get(context, dialect + ".*"));
  }
  // So are ops that no list names.
  write.rewrites.append({"builtin.unrealized_conversion_cast",
                         "bufferization.*", "linalg.pack", "linalg.transpose",
                         "linalg.unpack"});
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
