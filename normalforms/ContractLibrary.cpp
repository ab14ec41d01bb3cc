//===- ContractLibrary.cpp - The contracts of transform ops -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractLibrary.h"

#include "embedded/controlContracts.h"
#include "embedded/formworkContracts.h"
#include "embedded/gpuContracts.h"
#include "embedded/loopContracts.h"
#include "embedded/memoryContracts.h"
#include "embedded/parametersContracts.h"
#include "embedded/passesContracts.h"
#include "embedded/patternsContracts.h"
#include "embedded/programContracts.h"
#include "embedded/structuredContracts.h"
#include "embedded/transformContracts.h"
#include "engine/Diagnostics.h"
#include "normalforms/ContractCheck.h"
#include "normalforms/ContractReader.h"
#include "normalforms/FormLibrary.h"
#include "normalforms/IR/ModelNames.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork::normalforms;

FailureOr<std::unique_ptr<ContractLibrary>>
ContractLibrary::load(MLIRContext *context, const FormLibrary &forms,
                      ArrayRef<std::string> extraFiles, bool mayReplace) {
  auto library = std::make_unique<ContractLibrary>();
  auto addFile = [&](OwningOpRef<ModuleOp> file,
                     bool isBuiltin) -> LogicalResult {
    if (!file)
      return failure();
    for (Operation &op : file->getOps())
      if (failed(library->add(&op, forms, isBuiltin, mayReplace)))
        return failure();
    library->files.push_back(std::move(file));
    return success();
  };
  // A test verifies the built-in files; verifying here would slow each
  // start-up.
  ParserConfig builtin(context, /*verifyAfterParse=*/false);
  for (const auto &[name, text] : getBuiltinFiles())
    if (failed(addFile(parseSourceString<ModuleOp>(text, builtin, name),
                       /*isBuiltin=*/true)))
      return failure();
  ParserConfig config(context);
  for (const std::string &path : extraFiles)
    if (failed(addFile(parseSourceFile<ModuleOp>(path, config),
                       /*isBuiltin=*/false)))
      return failure();
  return library;
}

/// The name of the model that a tool or a plugin has registered for the op of
/// `contract`; empty without one.
static StringRef lookupOwnModel(ContractOp contract) {
  Dialect *dialect = contract->getDialect();
  const auto *models = dialect->getRegisteredInterface<ModelNames>();
  return models ? models->lookupName(contract.getOpName()) : StringRef();
}

LogicalResult ContractLibrary::add(Operation *op, const FormLibrary &forms,
                                   bool isBuiltin, bool mayReplace) {
  auto declaration = dyn_cast<ContractOp>(op);
  if (!declaration)
    return engine::emitFinding({op->getLoc(), "fw-contract-clause",
                                "requires contracts in a contract file but "
                                "has '" +
                                    op->getName().getStringRef() + "'"});
  FailureOr<Contract> contract = readContract(forms.lattice(), declaration);
  if (failed(contract))
    return failure();
  // A model is written for the class of its op.
  if (!isBuiltin && !mayReplace)
    if (StringRef own = lookupOwnModel(declaration); own != contract->model)
      return engine::emitFinding(
          {op->getLoc(), "fw-contract-clause",
           "requires " +
               (own.empty() ? "clauses alone, because no model is registered"
                            : "the model '" + own + "', which is registered") +
               " for '" + contract->opName + "', but names " +
               (contract->model.empty()
                    ? "none"
                    : "the model '" + contract->model + "'")});
  // A test checks the built-in contracts.
  if (!isBuiltin) {
    SmallVector<StringRef> passes;
    for (StringRef name : contracts.keys())
      if (name.consume_front("pass:"))
        passes.push_back(name);
    llvm::sort(passes);
    engine::Findings findings = checkContract(declaration, passes);
    findings.emit();
    if (findings.hasErrors())
      return failure();
  }
  contract->isConditional = contract->hasConditions();
  StringRef name = contract->opName;
  if (mayReplace && contracts.erase(name))
    llvm::erase_if(declarations,
                   [&](ContractOp old) { return old.getOpName() == name; });
  if (!contracts.try_emplace(name, std::move(*contract)).second) {
    engine::Finding finding(op->getLoc(), "fw-contract-redefined",
                            "'" + name + "' has a contract already");
    for (ContractOp first : declarations)
      if (first.getOpName() == name)
        finding.note(engine::NoteKind::Established, first.getLoc(),
                     "first declared here");
    return engine::emitFinding(std::move(finding));
  }
  declarations.push_back(declaration);
  return success();
}

const Contract *ContractLibrary::lookup(StringRef opName) const {
  auto it = contracts.find(opName);
  return it == contracts.end() ? nullptr : &it->second;
}

bool ContractLibrary::has(Operation *op, SideEffect effect) const {
  auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op);
  const Contract *contract = pass ? lookupPass(pass.getPassName())
                                  : lookup(op->getName().getStringRef());
  return contract && contract->has(effect);
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
      {"contracts/formwork.mlir", embedded::formworkContracts},
      {"contracts/gpu.mlir", embedded::gpuContracts},
      {"contracts/program.mlir", embedded::programContracts},
      {"contracts/patterns.mlir", embedded::patternsContracts},
      {"contracts/passes.mlir", embedded::passesContracts},
  };
  return files;
}
