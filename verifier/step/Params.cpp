//===- Params.cpp - Parameters of steps -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters that a step reads and sets. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Extents.h"
#include "verifier/step/Step.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::IntTerm;

std::optional<IntTerm> Analysis::getTerm(const Size &size) const {
  return toTerm(*parameters->context, size);
}

bool Analysis::mayBeZero(const Size &size) const {
  if (!size.isSymbolic())
    return size == 0;
  solver::TermContext &terms = *parameters->context;
  return !parameters->isSurely(
      terms.notEqual(size.getTerm(), terms.constant(0)));
}

Size Analysis::getParam(Value value, unsigned index, bool anyWidth) {
  HandleState &handle = lookup(value);
  if (handle.kind != HandleState::Params || index >= handle.params.size())
    return std::nullopt;
  const ParamValue &param = handle.params[index];
  bool isTaken = param.isSize || (anyWidth && param.isSigned);
  return isTaken ? param.size : std::nullopt;
}

void Analysis::setParams(Value value, Operation *origin,
                         ArrayRef<ParamValue> values) {
  bind(value, origin, {}).params.assign(values.begin(), values.end());
}

void Analysis::setOpaqueParam(Value value, Operation *origin,
                              const Twine &reason) {
  bind(value, origin, {}).opaqueReason = reason.str();
}

/// The single attribute of the parameter, if it is an integer with a term.
std::optional<IntTerm> Analysis::getSingleTerm(const HandleState &param,
                                               std::string &reason) const {
  if (param.params.size() == 1) {
    reason = param.params.front().reason;
    return getTerm(param.params.front().size);
  }
  reason =
      param.params.empty()
          ? param.opaqueReason
          : "is a list of " + std::to_string(param.params.size()) + " values";
  if (reason.empty())
    reason = param.origin && param.origin->getNumResults() != 0
                 ? "is a result of '" +
                       param.origin->getName().getStringRef().str() + "'"
                 : std::string("is an argument of a region");
  return std::nullopt;
}

Size Analysis::assign(IntTerm term) const {
  if (options.assignment && term.isVariable()) {
    auto it = options.assignment->find(
        parameters->context->getName(term.getVariable()));
    if (it != options.assignment->end())
      return it->second;
  }
  return Size::of(term);
}
