//===- OtherNames.cpp - Handles that inlining makes one -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/OtherNames.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;

/// Calls inside of calls are followed so deep; a sequence may call itself.
static constexpr unsigned kMostCalls = 16;

/// The first value that is `value` where calls are inlined.
static Value getFirstName(Value value, SymbolTableCollection &symbols,
                          unsigned depth = 0) {
  auto include = value.getDefiningOp<transform::IncludeOp>();
  if (!include || depth == kMostCalls)
    return value;
  auto callee = symbols.lookupNearestSymbolFrom<transform::NamedSequenceOp>(
      include, include.getTarget());
  if (!callee || callee.isExternal())
    return value;
  Block &body = callee.getBody().front();
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (!body.mightHaveTerminator() ||
      index >= body.getTerminator()->getNumOperands())
    return value;
  auto argument = dyn_cast<BlockArgument>(getFirstName(
      body.getTerminator()->getOperand(index), symbols, depth + 1));
  if (!argument || argument.getOwner() != &body ||
      argument.getArgNumber() >= include->getNumOperands())
    return value;
  return getFirstName(include->getOperand(argument.getArgNumber()), symbols,
                      depth + 1);
}

SmallVector<Value>
formwork::verifier::getOtherNames(Value value, SymbolTableCollection &symbols) {
  Value first = getFirstName(value, symbols);
  llvm::SetVector<Value> names;
  names.insert(first);
  for (unsigned next = 0; next != names.size(); ++next)
    for (Operation *user : names[next].getUsers())
      if (isa<transform::IncludeOp>(user))
        for (Value result : user->getResults())
          if (getFirstName(result, symbols) == first)
            names.insert(result);
  names.remove(value);
  return names.takeVector();
}
