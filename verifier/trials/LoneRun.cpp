//===- LoneRun.cpp - A step, tried on a copy of one op ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/LoneRun.h"

#include "engine/FindingTransfer.h"
#include "engine/Fingerprint.h"
#include "verifier/payload/ReadOp.h"
#include "verifier/trials/LoneTrial.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork::verifier;

LoneResult formwork::verifier::describeResult(Operation *op, bool isBeside) {
  return {op->getName(), readSpace(op), llvm::to_vector(op->getOperandTypes()),
          op->getAttrDictionary(), isBeside};
}

OwningOpRef<ModuleOp> formwork::verifier::wrapInSequence(Operation *step) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(step->getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto type = FunctionType::get(step->getContext(), step->getOperandTypes(),
                                step->getResultTypes());
  auto sequence = transform::NamedSequenceOp::create(
      builder, step->getLoc(), "alone", TypeAttr::get(type),
      /*sym_visibility=*/nullptr, /*arg_attrs=*/nullptr,
      /*res_attrs=*/nullptr);
  Block &body = sequence.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (Value operand : step->getOperands())
    mapping.map(operand, body.addArgument(operand.getType(), step->getLoc()));
  Operation *copy = builder.clone(*step, mapping);
  transform::YieldOp::create(builder, step->getLoc(), copy->getResults());
  return module;
}

namespace {
/// One op and those below, and all that they say.
struct OpsThere {
  explicit OpsThere(Operation *top)
      : attributes(top->getAttrDictionary()),
        fingerprint(formwork::engine::Fingerprinter().ofBody(top)) {
    top->walk([&](Operation *op) { ops.push_back(op); });
  }
  bool operator==(const OpsThere &other) const {
    return attributes == other.attributes && fingerprint == other.fingerprint &&
           ops == other.ops;
  }

  DictionaryAttr attributes;
  formwork::engine::Fingerprint fingerprint;
  std::vector<Operation *> ops;
};
} // namespace

LoneRun formwork::verifier::runAlone(Operation *step,
                                     ArrayRef<Operation *> targets,
                                     Operation *top,
                                     ArrayRef<Attribute> params) {
  return runAlone(step, targets, top, params,
                  [](unsigned, Operation *, bool) {});
}

LoneRun formwork::verifier::runAlone(Operation *step,
                                     ArrayRef<Operation *> targets,
                                     Operation *top, ArrayRef<Attribute> params,
                                     SeeResult see) {
  OwningOpRef<ModuleOp> schedule = wrapInSequence(step);
  auto sequence = *schedule->getOps<transform::NamedSequenceOp>().begin();
  LoneRun answer;
  std::string message;
  auto isOurs = [](StringRef text) {
    return !formwork::engine::splitId(text).second.empty();
  };
  auto keep = [&](Diagnostic &diag) {
    message = diag.str();
    answer.notes.clear();
    for (Diagnostic &note : diag.getNotes())
      answer.notes.push_back({note.getLocation(), note.str()});
  };
  // An operation of ours says more than what it runs has said before.
  ScopedDiagnosticHandler capture(top->getContext(), [&](Diagnostic &diag) {
    if (message.empty() || (!isOurs(message) && isOurs(diag.str())))
      keep(diag);
    return success();
  });
  auto fail = [&] {
    auto [text, id] =
        formwork::engine::splitId(StringRef(message).split('\n').first);
    answer.failure = text.str();
    answer.id = id.str();
    if (answer.id.empty())
      answer.notes.clear();
    answer.results.clear();
    return answer;
  };
  Block *block = targets.front()->getBlock();
  Region &region = sequence.getBody();
  // Upstream gives some payload ops a parameter itself as an operand.
  llvm::scope_exit forget([&] { region.front().dropAllDefinedValueUses(); });
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&region, top);
  for (auto [argument, param] :
       llvm::zip_equal(region.getArguments(), params)) {
    SmallVector<transform::MappedValue> values;
    if (param)
      values.push_back(param);
    else
      values.append(targets.begin(), targets.end());
    if (failed(state.mapBlockArgument(argument, values)))
      return fail();
  }
  Operation *copied = &region.front().front();
  OpsThere before(top);
  DiagnosedSilenceableFailure result =
      state.applyTransform(cast<transform::TransformOpInterface>(copied));
  answer.silenceable = result.isSilenceableFailure();
  bool succeeds = result.succeeded();
  if (answer.silenceable) {
    SmallVector<Diagnostic> diagnostics;
    result.takeDiagnostics(diagnostics);
    keep(diagnostics.front());
  }
  if (!succeeds) {
    answer.spoils = failed(verify(top));
    return fail();
  }
  // Nothing is read of what is not valid.
  answer.leavesInvalid = failed(verify(top));
  if (answer.leavesInvalid)
    return fail();
  answer.changesNothing = before == OpsThere(top);
  llvm::DenseSet<Operation *> present;
  top->walk([&](Operation *op) { present.insert(op); });
  for (Value value : copied->getResults()) {
    auto &found = answer.results.emplace_back();
    if (!isa<transform::TransformHandleTypeInterface>(value.getType()))
      continue;
    for (Operation *op : state.getPayloadOps(value)) {
      if (!present.contains(op)) {
        answer.isUnreadable = true;
        return answer;
      }
      bool isBeside = op->getBlock() == block;
      see(cast<OpResult>(value).getResultNumber(), op, isBeside);
      found.push_back(describeResult(op, isBeside));
    }
  }
  return answer;
}

void formwork::verifier::doubtYields(PayloadModel &payload, NodeId target) {
  payload.walkEveryWay(target, [&](NodeId above) {
    const Node &node = payload[above];
    bool mayYield = above != PayloadModel::universe && above != target &&
                    !isKind<scf::ForallOp>(node) &&
                    (!node.kind || node.kind->getDialectNamespace() ==
                                       scf::SCFDialect::getDialectNamespace());
    if (mayYield)
      payload.edit(above).mayYieldOthers = true;
    return true;
  });
}
