//===- OwnModels.cpp - Models of operations of others -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the models of a context. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/OwnModels.h"

#include "normalforms/IR/NormalFormOps.h"
#include "verifier/models/Models.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// Ends the process, which a plugin makes unsafe.
[[noreturn]] static void refusePlugin(const Twine &why) {
  llvm::errs() << "formwork: error: a plugin has " << why << "\n";
  llvm::errs().flush();
  std::_Exit(EXIT_FAILURE);
}

Model &OwnModels::addFor(StringRef opName, StringRef name) {
  auto [model, isNew] = models.try_emplace(name);
  bool isOfFormwork = getModels().lookup(name);
  if (isOfFormwork || (!isNew && lookupName(opName) != name))
    refusePlugin("a model '" + name + "' for '" + opName +
                 "', which is also the name of one of " +
                 (isOfFormwork ? "Formwork's own" : "another operation"));
  names[opName] = name.str();
  return model->second;
}

const Model *OwnModels::lookup(StringRef name) const {
  auto found = models.find(name);
  return found == models.end() ? nullptr : &found->second;
}

StringRef OwnModels::lookupName(StringRef opName) const {
  auto found = names.find(opName);
  return found == names.end() ? StringRef() : StringRef(found->second);
}

const OwnModels *OwnModels::get(MLIRContext *context) {
  Dialect *dialect = context->getLoadedDialect("normalform");
  return dialect ? static_cast<const OwnModels *>(
                       dialect->getRegisteredInterface<ModelNames>())
                 : nullptr;
}

namespace {
/// Adds models once the dialect that holds them is loaded.
class ModelExtension
    : public DialectExtension<ModelExtension, normalforms::NormalFormDialect> {
public:
  ModelExtension(void (*add)(OwnModels &), uint64_t layout)
      : add(add), layout(layout) {}

  void apply(MLIRContext *,
             normalforms::NormalFormDialect *dialect) const override {
    auto *models = static_cast<OwnModels *>(
        dialect->getRegisteredInterface<normalforms::ModelNames>());
    if (!models)
      models = &dialect->addInterface<OwnModels>(layout);
    // Each of the two would take the data of the other for its own.
    if (models->layout != layout)
      refusePlugin("models that were compiled against the headers of another "
                   "version of Formwork; build the plugin from scratch");
    add(*models);
  }

private:
  void (*add)(OwnModels &);
  uint64_t layout;
};
} // namespace

void formwork::verifier::registerModels(DialectRegistry &registry,
                                        void (*add)(OwnModels &),
                                        uint64_t layout) {
  registry.addExtension(
      TypeID::getFromOpaquePointer(reinterpret_cast<const void *>(add)),
      std::make_unique<ModelExtension>(add, layout));
}
