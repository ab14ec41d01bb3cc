//===- EffectRules.cpp - When a step does nothing ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/EffectRules.h"

using namespace formwork::verifier;

const EffectRegistry &formwork::verifier::getEffectRules() {
  static const EffectRegistry registry = [] {
    EffectRegistry effects;
    addCopiesEffects(effects);
    addLoopsEffects(effects);
    addMapThreadsEffects(effects);
    addScalarLoopsEffects(effects);
    addVectorizationEffects(effects);
    return effects;
  }();
  return registry;
}
