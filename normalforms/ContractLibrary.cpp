//===- ContractLibrary.cpp - What transform ops promise ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractLibrary.h"

#include "embedded/controlContracts.h"
#include "embedded/gpuContracts.h"
#include "embedded/loopContracts.h"
#include "embedded/memoryContracts.h"
#include "embedded/parametersContracts.h"
#include "embedded/structuredContracts.h"
#include "embedded/transformContracts.h"
#include "engine/Diagnostics.h"
#include "normalforms/FormLibrary.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

static KindPatterns toPatterns(std::optional<ArrayAttr> kinds) {
  KindPatterns patterns;
  if (kinds)
    for (auto kind : kinds->getAsRange<StringAttr>())
      patterns.push_back(kind.str());
  return patterns;
}

/// The enumerator that `word` names among `words`, which are in its order.
template <typename EnumTy>
static FailureOr<EnumTy> readWord(Operation *clause, StringRef word,
                                  ArrayRef<StringRef> words) {
  const auto *it = llvm::find(words, word);
  if (it != words.end())
    return static_cast<EnumTy>(it - words.begin());
  return engine::emitFinding({clause->getLoc(), "fw-contract-clause",
                              "requires one of " + llvm::join(words, ", ") +
                                  " but has '" + word + "'"});
}

namespace {
/// Turns one `normalform.contract` op into a value.
class ContractReader {
public:
  ContractReader(const FormLattice &lattice, ContractOp op)
      : lattice(lattice), op(op) {}

  FailureOr<Contract> read() {
    contract.opName = op.getOpName().str();
    contract.complete = op.getComplete();
    if (op.getModel())
      contract.model = op.getModel()->str();
    unsigned number = 0;
    for (Operation &clause : op.getBody().front()) {
      id = contract.opName + ".c" + std::to_string(++number);
      if (failed(readClause(&clause)))
        return failure();
    }
    return std::move(contract);
  }

private:
  FailureOr<AtomId> resolve(Operation *clause, FlatSymbolRefAttr form) {
    if (std::optional<AtomId> atom = lattice.lookup(form.getValue()))
      return *atom;
    return engine::emitFinding(
        {clause->getLoc(), "fw-unknown-form",
         "requires a declared form but has @" + form.getValue()});
  }

  template <typename OpTy> LogicalResult readForm(OpTy clause, bool required) {
    FailureOr<AtomId> atom = resolve(clause, clause.getFormAttr());
    if (failed(atom))
      return failure();
    contract.forms.push_back({*atom, static_cast<unsigned>(clause.getOperand()),
                              required, id, clause.getOtherwise().str()});
    return success();
  }

  LogicalResult readResult(ResultOp clause) {
    auto index = static_cast<unsigned>(clause.getIndex());
    if (contract.results.size() <= index)
      contract.results.resize(index + 1);
    if (contract.results[index])
      return engine::emitFinding({clause.getLoc(), "fw-contract-redefined",
                                  "requires one clause per result but has "
                                  "another one for result " +
                                      Twine(index)});
    ResultClause &result = contract.results[index].emplace();
    FailureOr<ResultRelation> relation = readWord<ResultRelation>(
        clause, clause.getRelation(),
        {"same", "replaces", "inside", "around", "fresh", "any"});
    FailureOr<ResultCount> count = readWord<ResultCount>(
        clause, clause.getCount(),
        {"per_target", "at_most_per_target", "one", "unbounded"});
    if (failed(relation) || failed(count))
      return failure();
    result.relation = *relation;
    result.count = *count;
    if (clause.getOperand())
      result.operand = static_cast<unsigned>(*clause.getOperand());
    result.kinds = toPatterns(clause.getKinds());
    return success();
  }

  LogicalResult readClause(Operation *clause) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(clause)
        .Case([&](RequiresOp op) { return readForm(op, /*required=*/true); })
        .Case([&](WantsOp op) { return readForm(op, /*required=*/false); })
        .Case([&](AcceptsOp op) {
          contract.operands.push_back({static_cast<unsigned>(op.getOperand()),
                                       toPatterns(op.getKinds()),
                                       /*single=*/false, id,
                                       op.getOtherwise().str()});
          return success();
        })
        .Case([&](SingleOp op) {
          contract.operands.push_back({static_cast<unsigned>(op.getOperand()),
                                       KindPatterns(), /*single=*/true, id,
                                       op.getOtherwise().str()});
          return success();
        })
        .Case([&](EnsuresOp op) -> LogicalResult {
          FailureOr<AtomId> atom = resolve(op, op.getFormAttr());
          if (failed(atom))
            return failure();
          contract.ensures.push_back(
              {*atom, static_cast<unsigned>(op.getOperand())});
          return success();
        })
        .Case([&](PreservesOp op) -> LogicalResult {
          contract.preservesAll |= !op.getForms();
          if (!op.getForms())
            return success();
          for (auto form : op.getForms()->getAsRange<FlatSymbolRefAttr>()) {
            FailureOr<AtomId> atom = resolve(op, form);
            if (failed(atom))
              return failure();
            contract.preserves.push_back(*atom);
          }
          return success();
        })
        .Case([&](ResultOp op) { return readResult(op); })
        .Case([&](PayloadOp op) -> LogicalResult {
          FailureOr<WriteExtent> extent = readWord<WriteExtent>(
              op, op.getExtent(), {"target", "anchor", "root"});
          FailureOr<HandleEffect> handles =
              readWord<HandleEffect>(op, op.getHandles().value_or("keeps"),
                                     {"keeps", "may_shrink", "may_move"});
          if (failed(extent) || failed(handles))
            return failure();
          contract.payload = {*extent, toPatterns(op.getIntroduces()),
                              toPatterns(op.getRewrites()), *handles};
          return success();
        })
        .Case([&](PerformsOp op) {
          for (auto name : op.getProcedures().getAsRange<StringAttr>())
            contract.procedures.push_back(name.str());
          return success();
        })
        .Default([&](Operation *other) {
          return engine::emitFinding({other->getLoc(), "fw-contract-clause",
                                      "requires a clause but has '" +
                                          other->getName().getStringRef() +
                                          "'"});
        });
  }

  const FormLattice &lattice;
  ContractOp op;
  Contract contract;
  std::string id;
};
} // namespace

FailureOr<std::unique_ptr<ContractLibrary>>
ContractLibrary::load(MLIRContext *context, const FormLibrary &forms,
                      ArrayRef<std::string> extraFiles) {
  auto library = std::make_unique<ContractLibrary>();
  auto addFile = [&](OwningOpRef<ModuleOp> file) -> LogicalResult {
    if (!file)
      return failure();
    for (auto op : file->getOps<ContractOp>()) {
      FailureOr<Contract> contract = ContractReader(forms.lattice(), op).read();
      if (failed(contract))
        return failure();
      std::string name = contract->opName;
      library->contracts[name] = std::move(*contract);
    }
    return success();
  };
  ParserConfig config(context);
  for (const auto &[name, text] : getBuiltinFiles())
    if (failed(addFile(parseSourceString<ModuleOp>(text, config, name))))
      return failure();
  for (const std::string &path : extraFiles)
    if (failed(addFile(parseSourceFile<ModuleOp>(path, config))))
      return failure();
  return library;
}

const Contract *ContractLibrary::lookup(StringRef opName) const {
  auto it = contracts.find(opName);
  return it == contracts.end() ? nullptr : &it->second;
}

SmallVector<StringRef> ContractLibrary::getOpNames() const {
  SmallVector<StringRef> names(contracts.keys());
  llvm::sort(names);
  return names;
}

ArrayRef<std::pair<StringRef, StringRef>> ContractLibrary::getBuiltinFiles() {
  static const std::pair<StringRef, StringRef> files[] = {
      {"contracts/transform.mlir", embedded::transformContracts},
      {"contracts/parameters.mlir", embedded::parametersContracts},
      {"contracts/structured.mlir", embedded::structuredContracts},
      {"contracts/control.mlir", embedded::controlContracts},
      {"contracts/loop.mlir", embedded::loopContracts},
      {"contracts/memory.mlir", embedded::memoryContracts},
      {"contracts/gpu.mlir", embedded::gpuContracts},
  };
  return files;
}
