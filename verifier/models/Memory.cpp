//===- Memory.cpp - Models of steps that allocate ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that move operands to another memory: how many bytes of workgroup
// memory a block needs, and of which step. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether `space` is the memory that the threads of a block share.
static bool isWorkgroup(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3;
  return false;
}

/// The bytes of the tile of operand `operand`, or none when a size is dynamic.
static std::optional<int64_t> getTileBytes(const IterationSpace &space,
                                           unsigned operand) {
  if (operand >= space.maps.size() || operand >= space.elementTypes.size() ||
      !space.elementTypes[operand].isIntOrFloat())
    return std::nullopt;
  int64_t bytes =
      llvm::divideCeil(space.elementTypes[operand].getIntOrFloatBitWidth(), 8);
  for (AffineExpr expr : space.maps[operand].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !space.loops[dim.getPosition()].size)
      return std::nullopt;
    bytes *= *space.loops[dim.getPosition()].size;
  }
  return bytes;
}

void Interpreter::countWorkgroupBytes(Operation *op, int64_t bytes,
                                      const Twine &what) {
  workgroupBytes += bytes;
  workgroupSteps.push_back({op, (Twine(bytes) + " bytes for " + what).str()});
  // The least that any architecture allows, when none is given.
  int64_t limit = options.target ? options.target->staticWorkgroupBytes
                                 : getTargets().front().staticWorkgroupBytes;
  if (workgroupBytes <= limit)
    return;
  Finding &finding =
      report(op, "fw-workgroup-memory",
             "requires at most " + Twine(limit) +
                 " bytes of workgroup memory per block" +
                 (options.target ? " on " + options.target->name : Twine()) +
                 " but the schedule allocates " + Twine(workgroupBytes),
             /*definite=*/options.target != nullptr);
  for (const auto &[step, text] : workgroupSteps)
    finding.note(NoteKind::Evidence, step->getLoc(), text);
  finding.note(NoteKind::FixIt, op->getLoc(),
               "use smaller tiles, or promote fewer operands");
}

void Interpreter::promoteModel(Operation *op, const Contract &contract) {
  auto promote = dyn_cast<transform::PromoteOp>(op);
  if (promote) {
    bool toWorkgroup = isWorkgroup(promote.getMemorySpaceAttr());
    if (std::optional<ArrayAttr> mapping = promote.getMapping())
      toWorkgroup |= llvm::any_of(*mapping, [](Attribute attr) {
        auto space = dyn_cast<gpu::GPUMemorySpaceMappingAttr>(attr);
        return space && space.getAddressSpace() == gpu::AddressSpace::Workgroup;
      });
    for (NodeId target : NodeList(lookup(promote.getTarget()).nodes)) {
      const Node &node = state.payload[target];
      if (!node.space) {
        unprove(op, "promotes operands of unknown size");
        continue;
      }
      if (node.space->onTensors && node.exact)
        report(op, "fw-not-bufferized",
               "requires an op on buffers but '" + node.kind->getStringRef() +
                   "' is on tensors",
               node.present == Certainty::Yes);
      SmallVector<int64_t> operands;
      for (Attribute attr : promote.getOperandsToPromote())
        operands.push_back(cast<IntegerAttr>(attr).getInt());
      if (operands.empty())
        operands =
            llvm::to_vector(llvm::seq<int64_t>(0, node.space->maps.size()));
      for (int64_t operand : operands)
        if (std::optional<int64_t> bytes = getTileBytes(*node.space, operand);
            bytes && toWorkgroup)
          countWorkgroupBytes(op, *bytes,
                              "operand #" + Twine(operand) + " of '" +
                                  node.kind->getStringRef() + "'");
    }
  }
  applyClauses(op, contract);
}

void Interpreter::allocationModel(Operation *op, const Contract &contract) {
  auto allocate = cast<transform::BufferizeToAllocationOp>(op);
  if (isWorkgroup(allocate.getMemorySpaceAttr()))
    for (NodeId target : NodeList(lookup(allocate.getTarget()).nodes)) {
      const Node &node = state.payload[target];
      if (!node.space) {
        unprove(op, "allocates workgroup memory of unknown size");
        continue;
      }
      unsigned numOperands = node.space->maps.size();
      for (unsigned i = numOperands - node.space->numInits; i < numOperands;
           ++i)
        if (std::optional<int64_t> bytes = getTileBytes(*node.space, i))
          countWorkgroupBytes(
              op, *bytes, "the result of '" + node.kind->getStringRef() + "'");
        else
          unprove(op, "allocates workgroup memory of unknown size");
    }
  applyClauses(op, contract);
}
