//===- KnownOptions.cpp - Options of passes by parameters -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/step/KnownOptions.h"
#include "verifier/step/Analysis.h"

using namespace mlir;
using namespace formwork::verifier;

/// Adds the values of `option`, which is one of `params` if it names an
/// operand. A parameter that is not known stays.
static void addValues(Analysis &analysis, OperandRange params, Attribute option,
                      SmallVectorImpl<Attribute> &values) {
  auto named = dyn_cast<transform::ParamOperandAttr>(option);
  if (!named)
    return values.push_back(option);
  const HandleState &param = analysis.lookup(params[named.getIndex().getInt()]);
  SmallVector<Attribute> known;
  for (const ParamValue &value : param.params)
    known.push_back(value.getAttribute(option.getContext()));
  if (param.kind == HandleState::Params && !known.empty() &&
      llvm::all_of(known, [](Attribute value) { return value != nullptr; }))
    values.append(known);
  else
    values.push_back(option);
}

KnownOptions::KnownOptions(Analysis &analysis, Operation *op)
    : step(dyn_cast<transform::ApplyRegisteredPassOp>(op)) {
  if (!step || step.getDynamicOptions().empty()) {
    step = nullptr;
    return;
  }
  given = step.getOptions();
  SmallVector<NamedAttribute> options;
  for (NamedAttribute option : given) {
    SmallVector<Attribute> values;
    Attribute single = option.getValue();
    auto list = dyn_cast<ArrayAttr>(single);
    for (Attribute value : list ? list.getValue() : ArrayRef(single))
      addValues(analysis, step.getDynamicOptions(), value, values);
    bool isList = list || values.size() != 1;
    options.push_back(
        {option.getName(),
         isList ? ArrayAttr::get(op->getContext(), values) : values.front()});
  }
  step.setOptionsAttr(DictionaryAttr::get(op->getContext(), options));
}

KnownOptions::~KnownOptions() {
  if (step)
    step.setOptionsAttr(given);
}
