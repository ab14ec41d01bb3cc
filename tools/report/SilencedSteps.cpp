//===- SilencedSteps.cpp - Steps that silence their warnings ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/SilencedSteps.h"

#include "engine/Diagnostics.h"
#include "engine/NearName.h"
#include "tools/report/Catalogue.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;

std::optional<std::string> formwork::tools::findIdFault(StringRef id) {
  if (id == kForeignId || lookupDiagnostic(id))
    return std::nullopt;
  SmallVector<StringRef> ids = getDiagnosticIds();
  std::string fault = "there is no diagnostic '" + id.str() + "'";
  if (std::optional<size_t> near = engine::findNearName(id, ids))
    fault += "; did you mean '" + ids[*near].str() + "'?";
  return fault;
}

LogicalResult SilencedSteps::read(Operation *schedule) {
  silenced.clear();
  WalkResult result = schedule->walk([&](Operation *op) {
    Attribute attribute = op->getDiscardableAttr(kSilenceAttribute);
    if (!attribute)
      return WalkResult::advance();
    auto refuse = [&](const Twine &message) {
      (void)emitFinding(Finding(op->getLoc(), "fw-silence-id", message));
      return WalkResult::interrupt();
    };
    auto ids = dyn_cast<ArrayAttr>(attribute);
    if (!ids || !llvm::all_of(ids, llvm::IsaPred<StringAttr>))
      return refuse("requires a list of ids in '" + kSilenceAttribute +
                    "' but has another attribute");
    for (auto id : ids.getAsRange<StringAttr>()) {
      if (std::optional<std::string> fault = findIdFault(id))
        return refuse("requires ids of diagnostics in '" + kSilenceAttribute +
                      "' but " + *fault);
      op->walk([&](Operation *inner) {
        silenced.insert({inner->getLoc().getAsOpaquePointer(), id.str()});
      });
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
