//===- FormworkTransformOps.cpp - Decisions of our own --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/blocks/MapForall.h"
#include "transforms/distribute/Distribute.h"
#include "transforms/distribute/TensorCores.h"
#include "transforms/pipeline/Pipeline.h"
#include "transforms/softmax/OnlineSoftmax.h"
#include "transforms/stage/DynamicMemory.h"
#include "transforms/stage/Stage.h"
#include "transforms/stage/Swizzle.h"
#include "transforms/tiles/VectorizeTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace formwork::transforms;

#define GET_OP_CLASSES
#include "transforms/TransformOps/FormworkTransformOps.cpp.inc"

/// The numbers of a mixed list for target number `target`: a parameter has one
/// for all targets, or one for each. Errors definitely.
static DiagnosedSilenceableFailure
readNumbers(Operation *op, transform::TransformState &state,
            ArrayRef<OpFoldResult> list, size_t target, size_t numTargets,
            SmallVectorImpl<int64_t> &numbers) {
  for (OpFoldResult entry : list) {
    if (std::optional<int64_t> number = getConstantIntValue(entry)) {
      numbers.push_back(*number);
      continue;
    }
    ArrayRef<Attribute> values = state.getParams(cast<Value>(entry));
    if (values.size() != 1 && values.size() != numTargets)
      return emitDefiniteFailure(op->getLoc())
             << "requires a parameter of one value, or of one for each of "
             << numTargets << " targets, but has one of " << values.size()
             << " [fw-bad-threads]";
    auto number = dyn_cast<IntegerAttr>(values[values.size() == 1 ? 0 : target]);
    if (!number)
      return emitDefiniteFailure(op->getLoc())
             << "requires a parameter of integers but has one of other "
                "attributes [fw-bad-threads]";
    numbers.push_back(number.getInt());
  }
  return DiagnosedSilenceableFailure::success();
}

/// What keeps `threads` and `width` from being numbers of threads and elements.
static std::optional<std::string> checkNumbers(ArrayRef<int64_t> threads,
                                               ArrayRef<int64_t> width) {
  constexpr int64_t kMostThreads = 1024;
  int64_t product = 1;
  for (int64_t count : threads) {
    if (ShapedType::isDynamic(count))
      return std::nullopt;
    if (count < 1)
      return "requires numbers of threads of at least 1 but has " +
             std::to_string(count);
    if (count > kMostThreads / product)
      return "requires at most 1024 threads per block but has more";
    product *= count;
  }
  for (int64_t count : width)
    if (!ShapedType::isDynamic(count) && count < 1)
      return "requires a width of at least 1 but has " + std::to_string(count);
  return std::nullopt;
}

/// What keeps `numbers` from being one number called `name`, of at least `least`
/// where it is known.
static std::optional<std::string>
checkOneNumber(StringRef name, int64_t least, ArrayRef<int64_t> numbers) {
  if (numbers.size() != 1)
    return ("requires one " + name + " but has " + Twine(numbers.size())).str();
  if (!ShapedType::isDynamic(numbers.front()) && numbers.front() < least)
    return ("requires a " + name + " of at least " + Twine(least) +
            " but has " + Twine(numbers.front()))
        .str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// DistributeVectorsOp
//===----------------------------------------------------------------------===//

LogicalResult transform::DistributeVectorsOp::verify() {
  if (getStaticThreads().empty())
    return emitOpError("requires a number of threads but has none "
                       "[fw-bad-threads]");
  if (getStaticWidth().size() > 1)
    return emitOpError("requires one width but has several [fw-bad-threads]");
  if (std::optional<std::string> problem =
          checkNumbers(getStaticThreads(), getStaticWidth()))
    return emitOpError(*problem + " [fw-bad-threads]");
  return success();
}

void transform::DistributeVectorsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getThreadsMutable(), effects);
  onlyReadsHandle(getWidthMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::DistributeVectorsOp::apply(TransformRewriter &rewriter,
                                      TransformResults &results,
                                      TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> threads =
      getMixedValues(getStaticThreads(), getThreads(), builder);
  SmallVector<OpFoldResult> width =
      getMixedValues(getStaticWidth(), getWidth(), builder);
  for (auto [index, target] : llvm::enumerate(targets)) {
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError()
          << "requires a 'gpu.launch' but has '"
          << target->getName().getStringRef() << "' [fw-wrong-kind]";
      failure.attachNote(target->getLoc()) << "payload op";
      return failure;
    }
    distribute::Decision decision;
    SmallVector<int64_t> widths;
    DiagnosedSilenceableFailure read = readNumbers(
        *this, state, threads, index, targets.size(), decision.threads);
    if (read.succeeded())
      read = readNumbers(*this, state, width, index, targets.size(), widths);
    if (!read.succeeded())
      return read;
    if (std::optional<std::string> problem =
            checkNumbers(decision.threads, widths))
      return emitDefiniteFailure() << *problem << " [fw-bad-threads]";
    if (!widths.empty())
      decision.width = widths.front();
    std::optional<distribute::Refusal> refusal =
        distribute::distributeVectors(rewriter, launch, decision);
    if (!refusal)
      continue;
    DiagnosedSilenceableFailure failure =
        emitSilenceableError() << refusal->message << " [" << refusal->id << "]";
    failure.attachNote(refusal->loc) << "here";
    return failure;
  }
  results.set(cast<OpResult>(getResult()), targets);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// StageOp
//===----------------------------------------------------------------------===//

LogicalResult transform::StageOp::verify() {
  if (getStaticOperandNumbers().empty())
    return emitOpError("requires operands to stage but has none "
                       "[fw-cannot-stage]");
  if (getStaticPadding().size() > 1)
    return emitOpError("requires one padding but has several [fw-cannot-stage]");
  SmallVector<int64_t> sorted(getOrder());
  llvm::sort(sorted);
  for (auto [place, dim] : llvm::enumerate(sorted))
    if (dim != static_cast<int64_t>(place))
      return emitOpError("requires an order in which each dimension stands once "
                         "[fw-cannot-stage]");
  return success();
}

void transform::StageOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  onlyReadsHandle(getOperandNumbersMutable(), effects);
  onlyReadsHandle(getPaddingMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

/// What keeps operand `number` of `target` from being staged.
static std::optional<std::string>
checkStaged(Operation *target, int64_t number,
            const stage::BufferLayout &layout) {
  std::string name = target->getName().getStringRef().str();
  if (number < 0 || number >= target->getNumOperands())
    return "requires the number of an operand of '" + name + "' but has " +
           std::to_string(number);
  auto type = dyn_cast<VectorType>(target->getOperand(number).getType());
  if (!type || type.getRank() == 0 || type.isScalable())
    return "requires operand " + std::to_string(number) + " of '" + name +
           "' to be a vector of a fixed size but has another type";
  if (!layout.order.empty() &&
      static_cast<int64_t>(layout.order.size()) != type.getRank())
    return "requires an order of " + std::to_string(type.getRank()) +
           " dimensions but has one of " + std::to_string(layout.order.size());
  if (layout.padding < 0)
    return "requires a padding of at least 0 but has " +
           std::to_string(layout.padding);
  if (!target->getParentOfType<gpu::LaunchOp>())
    return "requires an operation inside of a 'gpu.launch' but '" + name +
           "' is outside of one";
  if (!layout.swizzled)
    return std::nullopt;
  SmallVector<int64_t> shape(type.getShape());
  if (!layout.order.empty())
    shape.back() = type.getDimSize(layout.order.back());
  if (layout.padding != 0 ||
      !stage::canSwizzle(MemRefType::get(shape, type.getElementType())))
    return "requires rows without padding, of a power of two of at least 32 bytes, "
           "to swizzle a buffer but has others";
  return std::nullopt;
}

DiagnosedSilenceableFailure
transform::StageOp::apply(TransformRewriter &rewriter,
                          TransformResults &results, TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> numbers = getMixedValues(
      getStaticOperandNumbers(), getOperandNumbers(), builder);
  SmallVector<OpFoldResult> padding =
      getMixedValues(getStaticPadding(), getPadding(), builder);
  struct Job {
    Operation *target;
    int64_t number;
    stage::BufferLayout layout;
  };
  SmallVector<Job> jobs;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> operands, paddings;
    DiagnosedSilenceableFailure read = readNumbers(
        *this, state, numbers, index, targets.size(), operands);
    if (read.succeeded())
      read = readNumbers(*this, state, padding, index, targets.size(), paddings);
    if (!read.succeeded())
      return read;
    for (int64_t number : operands) {
      stage::BufferLayout layout{SmallVector<int64_t>(getOrder()),
                                 paddings.empty() ? 0 : paddings.front(),
                                 getSwizzle()};
      if (std::optional<std::string> problem =
              checkStaged(target, number, layout)) {
        DiagnosedSilenceableFailure failure =
            emitSilenceableError() << *problem << " [fw-cannot-stage]";
        failure.attachNote(target->getLoc()) << "payload op";
        return failure;
      }
      jobs.push_back({target, number, std::move(layout)});
    }
  }
  SmallVector<Operation *> writes, buffers;
  llvm::SmallDenseMap<Operation *, Operation *> firstReads;
  for (const Job &job : jobs) {
    Operation *&firstRead = firstReads[job.target];
    stage::Staged staged = stage::stageOperand(
        rewriter, job.target->getParentOfType<gpu::LaunchOp>(),
        job.target->getOpOperand(job.number), job.layout, firstRead);
    if (!firstRead)
      firstRead = staged.read;
    writes.push_back(staged.write);
    buffers.push_back(staged.buffer);
  }
  results.set(cast<OpResult>(getWrites()), writes);
  results.set(cast<OpResult>(getBuffers()), buffers);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ContractOnTensorCoresOp
//===----------------------------------------------------------------------===//

/// What keeps `warps` from being the warps along rows and columns.
static std::optional<std::string> checkWarps(ArrayRef<int64_t> warps) {
  if (warps.size() != 2)
    return "requires the warps along rows and along columns but has " +
           std::to_string(warps.size()) + " numbers";
  SmallVector<int64_t> threads(warps);
  threads.push_back(distribute::kWarpSize);
  return checkNumbers(threads, {});
}

LogicalResult transform::ContractOnTensorCoresOp::verify() {
  if (std::optional<std::string> problem = checkWarps(getStaticWarps()))
    return emitOpError(*problem + " [fw-bad-threads]");
  return success();
}

void transform::ContractOnTensorCoresOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  onlyReadsHandle(getWarpsMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::ContractOnTensorCoresOp::apply(
    TransformRewriter &rewriter, TransformResults &results,
    TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> mixed =
      getMixedValues(getStaticWarps(), getWarps(), builder);
  auto refuse = [&](const distribute::Refusal &refusal, Operation *target) {
    DiagnosedSilenceableFailure failure =
        emitSilenceableError() << refusal.message << " [" << refusal.id << "]";
    failure.attachNote(target->getLoc()) << "payload op";
    if (refusal.loc != target->getLoc())
      failure.attachNote(refusal.loc) << "here";
    return failure;
  };
  SmallVector<distribute::TensorCoreDecision> decisions;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> warps;
    DiagnosedSilenceableFailure read =
        readNumbers(*this, state, mixed, index, targets.size(), warps);
    if (!read.succeeded())
      return read;
    if (std::optional<std::string> problem = checkWarps(warps))
      return emitDefiniteFailure() << *problem << " [fw-bad-threads]";
    auto contract = dyn_cast<vector::ContractionOp>(target);
    auto refuseAs = [&](std::string message) {
      return refuse({target->getLoc(), "fw-not-for-tensor-cores", message},
                    target);
    };
    if (!contract)
      return refuseAs("requires a 'vector.contract' but has '" +
                      target->getName().getStringRef().str() + "'");
    if (!contract->getParentOfType<gpu::LaunchOp>())
      return refuseAs("requires an operation inside of a 'gpu.launch' but has "
                      "one outside");
    distribute::TensorCoreDecision decision{warps[0], warps[1],
                                            getRoundToTf32()};
    distribute::TensorCoreProduct product;
    if (std::optional<distribute::Refusal> refusal =
            distribute::describe(contract, decision, product))
      return refuse(*refusal, target);
    decisions.push_back(decision);
  }
  for (auto [target, decision] : llvm::zip_equal(targets, decisions))
    rewriter.modifyOpInPlace(target, [&, decision = decision] {
      distribute::setDecision(cast<vector::ContractionOp>(target), decision);
    });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// PipelineCopiesOp
//===----------------------------------------------------------------------===//

LogicalResult transform::PipelineCopiesOp::verify() {
  if (std::optional<std::string> problem = checkOneNumber("depth", 2, getStaticDepth()))
    return emitOpError(*problem + " [fw-cannot-pipeline]");
  return success();
}

void transform::PipelineCopiesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getDepthMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::PipelineCopiesOp::apply(TransformRewriter &rewriter,
                                   TransformResults &results,
                                   TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> mixed =
      getMixedValues(getStaticDepth(), getDepth(), builder);
  struct Job {
    scf::ForOp loop;
    int64_t depth;
    pipeline::Stages stages;
  };
  std::vector<Job> jobs;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> depth;
    DiagnosedSilenceableFailure read =
        readNumbers(*this, state, mixed, index, targets.size(), depth);
    if (!read.succeeded())
      return read;
    if (std::optional<std::string> problem = checkOneNumber("depth", 2, depth))
      return emitDefiniteFailure() << *problem << " [fw-cannot-pipeline]";
    Job job{dyn_cast<scf::ForOp>(target), depth.front(), {}};
    std::optional<pipeline::Refusal> refusal;
    if (job.loop)
      refusal = pipeline::findStages(job.loop, job.stages);
    else
      refusal = pipeline::Refusal{target->getLoc(),
                                  "requires an 'scf.for' but has '" +
                                      target->getName().getStringRef().str() +
                                      "'"};
    if (refusal) {
      DiagnosedSilenceableFailure failure = emitSilenceableError()
                                            << refusal->message
                                            << " [fw-cannot-pipeline]";
      failure.attachNote(target->getLoc()) << "payload op";
      if (refusal->loc != target->getLoc())
        failure.attachNote(refusal->loc) << "here";
      return failure;
    }
    jobs.push_back(std::move(job));
  }
  SmallVector<Operation *> loops;
  for (const Job &job : jobs)
    loops.push_back(pipeline::pipelineCopies(rewriter, job.loop, job.stages,
                                             job.depth));
  results.set(cast<OpResult>(getResult()), loops);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// UseDynamicWorkgroupMemoryOp
//===----------------------------------------------------------------------===//

void transform::UseDynamicWorkgroupMemoryOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::UseDynamicWorkgroupMemoryOp::apply(
    TransformRewriter &rewriter, TransformResults &results,
    TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  for (Operation *target : targets) {
    auto refuse = [&](const Twine &message) {
      DiagnosedSilenceableFailure failure = emitSilenceableError() << message;
      failure.attachNote(target->getLoc()) << "payload op";
      return failure;
    };
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch)
      return refuse("requires a 'gpu.launch' but has '" +
                    target->getName().getStringRef() + "' [fw-wrong-kind]");
    if (std::optional<std::string> problem = stage::checkDynamicMemory(launch))
      return refuse(*problem + " [fw-kernel-allocation]");
  }
  for (Operation *target : targets)
    stage::makeMemoryDynamic(rewriter, cast<gpu::LaunchOp>(target));
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// VectorizeTilesOp
//===----------------------------------------------------------------------===//

void transform::VectorizeTilesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getSizesMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::VectorizeTilesOp::apply(TransformRewriter &rewriter,
                                   TransformResults &results,
                                   TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> mixed =
      getMixedValues(getStaticSizes(), getSizes(), builder);
  SmallVector<std::pair<linalg::LinalgOp, SmallVector<int64_t>>> jobs;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> sizes;
    DiagnosedSilenceableFailure read =
        readNumbers(*this, state, mixed, index, targets.size(), sizes);
    if (!read.succeeded())
      return read;
    auto op = dyn_cast<linalg::LinalgOp>(target);
    std::optional<tiles::Refusal> refusal =
        op ? tiles::checkTile(op, sizes)
           : tiles::Refusal{"fw-no-vector-form",
                            "requires a structured operation but has '" +
                                target->getName().getStringRef().str() + "'"};
    if (refusal) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError()
          << refusal->message << " [" << refusal->id << "]";
      failure.attachNote(target->getLoc()) << "payload op";
      return failure;
    }
    jobs.emplace_back(op, std::move(sizes));
  }
  for (auto &[op, sizes] : jobs)
    tiles::vectorizeTile(rewriter, op, sizes,
                         [&](Operation *loop, Operation *by) {
                           (void)rewriter.notifyPayloadOperationReplaced(loop, by);
                         });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// OnlineSoftmaxOp
//===----------------------------------------------------------------------===//

LogicalResult transform::OnlineSoftmaxOp::verify() {
  if (std::optional<std::string> problem = checkOneNumber("step", 1, getStaticStep()))
    return emitOpError(*problem + " [fw-no-online-softmax]");
  return success();
}

void transform::OnlineSoftmaxOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getStepMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::OnlineSoftmaxOp::apply(TransformRewriter &rewriter,
                                  TransformResults &results,
                                  TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> mixed =
      getMixedValues(getStaticStep(), getStep(), builder);
  SmallVector<std::pair<softmax::SoftmaxProduct, int64_t>> jobs;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> step;
    DiagnosedSilenceableFailure read =
        readNumbers(*this, state, mixed, index, targets.size(), step);
    if (!read.succeeded())
      return read;
    if (std::optional<std::string> problem = checkOneNumber("step", 1, step))
      return emitDefiniteFailure() << *problem << " [fw-no-online-softmax]";
    auto match = softmax::matchSoftmaxProduct(target);
    if (const auto *problem = std::get_if<std::string>(&match)) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError() << *problem << " [fw-no-online-softmax]";
      failure.attachNote(target->getLoc()) << "payload op";
      return failure;
    }
    jobs.emplace_back(std::get<softmax::SoftmaxProduct>(match), step.front());
  }
  SmallVector<Operation *> products, loops;
  for (const auto &[match, step] : jobs) {
    softmax::OnlineProduct made = softmax::computeOnline(rewriter, match, step);
    products.push_back(made.product);
    loops.push_back(made.loop);
  }
  results.set(cast<OpResult>(getProduct()), products);
  results.set(cast<OpResult>(getLoop()), loops);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// MapForallToBlocksOp
//===----------------------------------------------------------------------===//

void transform::MapForallToBlocksOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::MapForallToBlocksOp::apply(TransformRewriter &rewriter,
                                      TransformResults &results,
                                      TransformState &state) {
  SmallVector<scf::ForallOp> loops;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto loop = dyn_cast<scf::ForallOp>(target);
    std::optional<blocks::Refusal> refusal =
        loop ? blocks::checkMapping(loop)
             : blocks::Refusal{"fw-wrong-kind",
                               "requires an 'scf.forall' but has '" +
                                   target->getName().getStringRef().str() +
                                   "'"};
    if (refusal) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError()
          << refusal->message << " [" << refusal->id << "]";
      failure.attachNote(target->getLoc()) << "payload op";
      return failure;
    }
    loops.push_back(loop);
  }
  SmallVector<Operation *> launches;
  for (scf::ForallOp loop : loops)
    launches.push_back(blocks::mapForallToBlocks(rewriter, loop));
  results.set(cast<OpResult>(getResult()), launches);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Extension
//===----------------------------------------------------------------------===//

namespace {
class DecisionExtension
    : public transform::TransformDialectExtension<DecisionExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecisionExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<LLVM::LLVMDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<nvgpu::NVGPUDialect>();
    declareGeneratedDialect<NVVM::NVVMDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "transforms/TransformOps/FormworkTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void formwork::transforms::registerDecisions(DialectRegistry &registry) {
  registry.addExtensions<DecisionExtension>();
}
