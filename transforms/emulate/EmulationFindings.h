//===- EmulationFindings.h - Launch reports as diagnostics ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says to the user what an emulated launch did wrong, at the places in the
// source where it did. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_EMULATIONFINDINGS_H
#define FORMWORK_TRANSFORMS_EMULATE_EMULATIONFINDINGS_H

#include "engine/Diagnostics.h"
#include "transforms/emulate/EmulatedDevice.h"

namespace formwork::transforms::emulate {

/// `place` in the source; `fallback` without a debug location.
mlir::Location getLocation(const Place &place, mlir::Location fallback);

/// Adds one finding for each defect in `report`, races of a kind on one buffer
/// together. Places without a debug
/// location are put at `fallback`, by the name of their function. Ids:
/// fw-workgroup-race, fw-global-race (a warning where both write: often all
/// write the same), fw-barrier-divergence, fw-workgroup-out-of-bounds,
/// fw-global-out-of-bounds, fw-misaligned-access, fw-assertion-failed.
void addFindings(const LaunchReport &report, mlir::Location fallback,
                 engine::Findings &findings);

/// Adds the findings of all launches of `device`; also fw-launch-refused for
/// one that was not carried out.
void addFindings(const EmulatedDevice &device, mlir::Location fallback,
                 engine::Findings &findings);

/// Consumes the error of a DeviceModule that could not be loaded:
/// fw-emulate-unsupported for each thing that is not supported, otherwise
/// fw-emulate-failed.
void addFindings(llvm::Error error, mlir::Location fallback,
                 engine::Findings &findings);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_EMULATIONFINDINGS_H
