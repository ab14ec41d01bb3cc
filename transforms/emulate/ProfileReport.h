//===- ProfileReport.h - Profiles as text and JSON --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text that shows a profile to the user. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_PROFILEREPORT_H
#define FORMWORK_TRANSFORMS_EMULATE_PROFILEREPORT_H

#include "transforms/emulate/EmulatedDevice.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace formwork::transforms::emulate {

/// Registers a thread by kernel, of those for which they are known.
using RegisterCounts = llvm::StringMap<unsigned>;

/// A table for each launch of `device`, which ran with a profile: first sums,
/// then each place of the source.
void printProfiles(const EmulatedDevice &device,
                   const RegisterCounts &registers, llvm::raw_ostream &os);

/// The same as one JSON array; docs/commands.md names its members.
llvm::json::Value describeProfiles(const EmulatedDevice &device,
                                   const RegisterCounts &registers);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_PROFILEREPORT_H
