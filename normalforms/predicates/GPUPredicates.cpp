//===- GPUPredicates.cpp - Predicates on GPU code ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"
#include "normalforms/predicates/PrivateBuffers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::normalforms;

static bool isInWorkgroupMemory(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
}

/// no-parallel-loops: a forall that no transform mapped runs sequentially.
static void checkNoParallelLoops(Operation *op, ViolationSink &sink) {
  if (isa<scf::ForallOp, scf::ParallelOp>(op))
    sink.report(op, isa<scf::ForallOp>(op) ? 1 : 2,
                "requires parallel loops mapped to a launch but has " +
                    toText(op));
}

/// The largest number of iterations of a structured op that the lowering turns
/// into loops. A larger op is work that a schedule forgot to vectorize.
static constexpr int64_t maxLeftoverSteps = 64;

/// Whether `op` is on buffers and has at most `maxLeftoverSteps` iterations.
static bool isSmallLeftover(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return false;
  int64_t steps = 1;
  for (int64_t range : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(range) || (steps *= range) > maxLeftoverSteps)
      return false;
  return true;
}

/// kernel-ready: required by outlining and the lowering of kernels.
static void checkKernelReady(Operation *op, ViolationSink &sink) {
  // Test this before the walk upwards, which is long in a deep nest.
  if (!isa<linalg::LinalgOp, gpu::LaunchOp, memref::AllocOp>(op))
    return;
  Operation *kernel = getEnclosing<gpu::LaunchOp>(op, sink.getAnchor());
  if (!kernel)
    kernel = getEnclosing<gpu::GPUFuncOp>(op, sink.getAnchor());
  if (!kernel)
    return;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && !isSmallLeftover(structured))
    sink.report(
        op, 1, "requires vectors or scalars in a kernel but has " + toText(op));
  if (isa<gpu::LaunchOp>(op))
    sink.report(op, 2, "requires one launch but has one in another");
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    if (!isInWorkgroupMemory(alloc.getType()) && !isPrivateBuffer(op, kernel))
      sink.report(op, 3,
                  "requires no heap allocation in a kernel but has one of "
                  "type " +
                      toText(alloc.getType()));
}

/// workgroup-memory-global: workgroup memory is neither heap nor stack memory.
static void checkWorkgroupMemory(Operation *op, ViolationSink &sink) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op) ||
      !isInWorkgroupMemory(op->getResult(0).getType()))
    return;
  sink.report(op, isa<memref::AllocOp>(op) ? 1 : 2,
              "requires workgroup memory in a global or an attribution but "
              "has " +
                  toText(op));
}

/// no-launch: kernels are functions of a GPU module.
static void checkNoLaunch(Operation *op, ViolationSink &sink) {
  if (isa<gpu::LaunchOp>(op))
    sink.report(op, 1, "requires outlined kernels but has 'gpu.launch'");
}

void formwork::normalforms::registerGPUPredicates(NormalFormDialect &dialect) {
  dialect.registerPredicate(createPerOpPredicate(
      "no-parallel-loops", {"no scf.forall", "no scf.parallel"},
      checkNoParallelLoops));
  dialect.registerPredicate(createPerOpPredicate(
      "kernel-ready",
      {"no structured op of more than 64 steps in a kernel",
       "no launch in a kernel",
       "no allocation in a kernel but of workgroup memory, and of small "
       "buffers "
       "that each thread can have for itself"},
      checkKernelReady));
  dialect.registerPredicate(
      createPerOpPredicate("workgroup-memory-global",
                           {"no memref.alloc of workgroup memory",
                            "no memref.alloca of workgroup memory"},
                           checkWorkgroupMemory));
  dialect.registerPredicate(
      createPerOpPredicate("no-launch", {"no gpu.launch"}, checkNoLaunch));
}
