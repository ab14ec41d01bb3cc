//===- Truth.cpp - What happens when a schedule runs ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/study/Truth.h"

#include "transforms/gpu/DeviceCode.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/schedule/RunSchedule.h"
#include "verifier/target/Target.h"

#include <limits>

using namespace mlir;
using namespace formwork::bench;

Truth formwork::bench::findTruth(ModuleOp payload,
                                 transform::NamedSequenceOp entry,
                                 ModuleOp lowering,
                                 ArrayRef<std::string> targets,
                                 const transforms::Toolkit &toolkit,
                                 StringRef ptxas) {
  Truth truth;
  ScopedDiagnosticHandler handler(
      payload.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            truth.message.empty())
          truth.message = diagnostic.str();
      });
  auto refuse = [&](StringRef by, StringRef target = "") {
    truth.refusedBy = by.str();
    if (!target.empty())
      truth.refusedBy += ":" + target.str();
    return truth;
  };
  if (failed(transforms::runSchedule(payload, entry)))
    return refuse("schedule");
  for (const std::string &name : targets) {
    verifier::Target target = *verifier::lookupTarget(name);
    target.staticWorkgroupBytes = std::numeric_limits<int64_t>::max();
    OwningOpRef<ModuleOp> lowered = payload.clone();
    if (failed(transforms::lowerToDevice(*lowered, lowering, target)))
      return refuse("lowering", name);
    auto modules = lowered->getOps<gpu::GPUModuleOp>();
    if (modules.empty())
      return refuse("lowering", name);
    gpu::GPUModuleOp kernels = *modules.begin();
    FailureOr<transforms::DeviceCode> code =
        transforms::generateDeviceCode(kernels, toolkit);
    if (failed(code))
      return refuse("ptx", name);
    FailureOr<std::optional<transforms::Cubin>> cubin =
        transforms::assemble(kernels.getLoc(), code->ptx, name, ptxas);
    if (failed(cubin) || !*cubin)
      return refuse("ptxas", name);
  }
  truth.accepted = true;
  return truth;
}
