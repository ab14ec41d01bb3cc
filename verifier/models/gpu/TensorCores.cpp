//===- TensorCores.cpp - Models of steps to tensor cores --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which shapes the instructions of tensor cores take, and what copies that feed
// them need beside their buffers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/TensorCores.h"
#include "normalforms/Condition.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// The shape of mma.sync that transform.nvgpu.rewrite_matmul_as_mma_sync has
/// for such elements: m, n and k.
static std::optional<std::array<int64_t, 3>>
getMmaShape(ArrayRef<Type> elements) {
  if (elements.size() != 3 || !llvm::all_equal(elements))
    return std::nullopt;
  if (elements.front().isF32())
    return std::array<int64_t, 3>{16, 8, 4};
  if (elements.front().isF16())
    return std::array<int64_t, 3>{16, 8, 16};
  return std::nullopt;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  return llvm::interleaved(shape, "x");
}

/// Whether the maps are those of a matmul without transposed operands.
static bool isPlainMatmul(const IterationSpace &space, MLIRContext *context) {
  if (space.maps.size() != 3 || space.loops.size() != 3)
    return false;
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  auto is = [&](unsigned operand, AffineExpr row, AffineExpr column) {
    return space.maps[operand] == AffineMap::get(3, 0, {row, column}, context);
  };
  return is(0, m, k) && is(1, k, n) && is(2, m, n);
}

/// Why vectors of `op` cannot be operands of mma.sync; empty if they can, for
/// all that is known. `foldsExtensions`: a contraction extends what it reads.
static std::string explainRefusal(linalg::LinalgOp op, bool foldsExtensions) {
  auto getElement = [](OpOperand *operand) {
    return getElementTypeOrSelf(operand->get().getType());
  };
  Type result = getElement(op.getDpsInitOperand(0));
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type element = getElement(input);
    std::string name;
    llvm::raw_string_ostream(name) << "'" << element << "'";
    if (element.isBF16())
      return "operands of " + name + ", which nvgpu does not convert";
    if (!foldsExtensions && element.isF16() && result.isF32())
      return "operands of " + name + " that an arith.extf before it extends";
  }
  return "";
}

void formwork::verifier::checkMmaOperands(const Step &step) {
  std::optional<Attribute> option =
      normalforms::getPassOption(step.op, "use-nvgpu");
  auto uses = option ? dyn_cast_or_null<BoolAttr>(*option) : BoolAttr();
  HandleState &handle = step.lookup(step.op->getOperand(0));
  bool mayContract = llvm::any_of(handle.nodes, [&](NodeId id) {
    return step.payload.mayHold(id, "vector.contract");
  });
  if (!step.analysis.payloadRoot || !uses || !uses.getValue() || !mayContract)
    return;
  step.analysis.payloadRoot->walk([&](linalg::LinalgOp inner) {
    std::string refusal =
        linalg::isaContractionOpInterface(inner)
            ? explainRefusal(inner, step.state.foldsExtensions)
            : "";
    if (refusal.empty())
      return WalkResult::advance();
    Finding &finding = step.warn(
        "fw-mma-operands",
        "converts contractions to mma.sync but cannot convert one with " +
            refusal);
    finding.note(NoteKind::Established, inner.getLoc(),
                 "the contraction comes from this op");
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 "failed to convert op during vector-to-nvgpu conversion");
    return WalkResult::interrupt();
  });
}

static void propagateMmaSync(const Step &step) {
  solver::TermContext &terms = step.terms;
  for (NodeId target : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    const Node &node = step.payload[target];
    bool isMatmul = isKind<linalg::MatmulOp>(node);
    if (!isMatmul || !node.space) {
      step.unprove("rewrites an op whose shape is not known");
      continue;
    }
    bool present = node.isSurelyThere();
    Location made = step.locOf(node);
    if (!isPlainMatmul(*node.space, step.op->getContext()))
      step.unprove("rewrites a matmul with maps of its own");
    std::optional<std::array<int64_t, 3>> shape =
        getMmaShape(node.space->elementTypes);
    if (!shape) {
      step.report("fw-mma-shape",
                  "requires a matmul of f32 or of f16 elements only, which "
                  "mma.sync supports, but has others",
                  present)
          .note(NoteKind::Established, made, "the matmul is made here");
      continue;
    }
    bool isF32 = node.space->elementTypes.front().isF32();
    std::string instruction =
        printShape(*shape) + (isF32 ? " of f32" : " of f16");
    // f32 in the payload is multiplied as tf32.
    const MmaShape *row =
        lookupMmaShape(*shape, isF32 ? "tf32" : "f16", isF32 ? "f32" : "f16");
    if (step.options.target && row && !row->isOn(*step.options.target))
      step.report("fw-target-instruction",
                  "mma.sync " + instruction + " requires sm_" +
                      Twine(row->firstArchitecture) +
                      " or later but the target is " +
                      step.options.target->name,
                  present)
          .note(NoteKind::Established, made, "the matmul is made here");
    SmallVector<int64_t> sizes;
    for (auto [dim, wanted] : llvm::enumerate(*shape)) {
      const Extent &extent = node.space->loops[dim];
      if (extent.size) {
        sizes.push_back(*extent.size);
        continue;
      }
      StaticNeed need{
          ("'" + step.op->getName().getStringRef() + "' requires static shapes")
              .str(),
          "rewrites a matmul that may be dynamic", present};
      bool isStatic = requireStatic(step, extent, need, [&]() -> Finding & {
        return step
            .report("fw-mma-shape",
                    "requires a matmul of " + instruction + " but dimension " +
                        Twine(dim) + " is dynamic",
                    present)
            .note(NoteKind::Established, made, "the matmul is made here");
      });
      if (isStatic)
        step.require(step.op, "mma.shape",
                     terms.equal(extent.size.getTerm(), terms.constant(wanted)),
                     solver::toInfix(extent.size.getTerm()) +
                         ", the size of dimension " + Twine(dim) + ", is " +
                         Twine(wanted) + ", as mma.sync of " + instruction +
                         " takes",
                     ConstraintKind::Required, present);
      else if (extent.reason.definite)
        break;
    }
    if (sizes.size() == 3 && sizes != ArrayRef<int64_t>(*shape))
      step.report("fw-mma-shape",
                  "requires a matmul of " + instruction + " but has " +
                      printShape(sizes),
                  present)
          .note(NoteKind::Established, made, "the matmul is made here")
          .note(NoteKind::FixIt, made,
                "tile by " + llvm::interleaved_array(*shape).str());
    step.payload.edit(target).present = Certainty::No;
  }
  applyWriteOf(step, step.contract.payload->introduces);
}

static void propagateTma(const Step &step) {
  // Upstream makes one barrier for all the copies, which is lowered to 64 bits
  // of workgroup memory of their own.
  constexpr int64_t barrierBytes = 8;
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  auto isSure = [&](NodeId target) {
    const Node &node = step.payload[target];
    return node.isSurelyThere();
  };
  auto first = llvm::find_if(targets, isSure);
  bool isThere = first != targets.end();
  // They write to buffers that are there.
  confirmGivenMemory(step);
  if (!targets.empty())
    countWorkgroupBytes(step, isThere ? *first : targets.front(),
                        Size(barrierBytes), "the barrier of copies by TMA",
                        Count{isThere, 1});
  applyClauses(step);
}

void formwork::verifier::registerTensorCoresModels(ModelRegistry &models) {
  models.add("mma-sync", propagateMmaSync,
             decides{"fw-mma-shape", "fw-target-instruction"},
             leavesOpen{"rewrites a matmul with maps of its own"});
  models.add("tma", propagateTma, decides{"fw-workgroup-memory"});
}
