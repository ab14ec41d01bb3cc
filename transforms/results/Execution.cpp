//===- Execution.cpp - A payload executed as it is --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/Execution.h"

#include "transforms/results/OpenSizes.h"

#include "engine/AnyBelow.h"
#include "runtime/FormworkData.h"
#include "transforms/emulate/DebugScopes.h"
#include "transforms/emulate/EmulationFindings.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/program/ArgumentBuffer.h"
#include "transforms/program/HostLowering.h"
#include "transforms/program/Reference.h"
#include "transforms/program/ToLLVM.h"
#include "transforms/results/AccessInstrumentation.h"
#include "transforms/results/EntryBoundary.h"
#include "transforms/results/LargeVectors.h"
#include "verifier/target/Target.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/thread.h"

#include <cstring>
#include <limits>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// The architecture that kernels are lowered for: the newest one that the
/// emulator knows completely.
static constexpr llvm::StringLiteral emulatedArchitecture = "sm_90";

/// The stack of code that runs: vectors that are not lowered yet lie there, as
/// large as a tile of a block.
static constexpr unsigned stackBytes = 1u << 30;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static bool hasKernels(ModuleOp module) {
  return engine::holdsAny<gpu::LaunchOp, gpu::LaunchFuncOp>(module);
}

static bool hasCopiesInFlight(ModuleOp module) {
  return engine::holdsAny<nvgpu::DeviceAsyncCopyOp, NVVM::CpAsyncOp>(module);
}

/// The shipped lowering, but it takes what it is given: a payload halfway need
/// not have the forms that a schedule ends in.
static OwningOpRef<ModuleOp> loadLenientLowering(MLIRContext *context) {
  OwningOpRef<ModuleOp> lowering = loadLowering(context);
  if (!lowering)
    return nullptr;
  SmallVector<Operation *> asserts;
  lowering->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "transform.normalform.assert")
      asserts.push_back(op);
  });
  for (Operation *op : asserts)
    op->erase();
  return lowering;
}

static LogicalResult runPasses(ModuleOp module,
                               llvm::function_ref<void(PassManager &)> add) {
  PassManager passes(module.getContext());
  add(passes);
  return passes.run(module);
}

/// Erases what nothing uses, and gives each use of an empty tensor one of its
/// own: otherwise what is dead may fill the buffer of what is not.
static void separateEmptyTensors(ModuleOp module) {
  SmallVector<Operation *> all;
  module->walk<WalkOrder::PostOrder>([&](Operation *op) { all.push_back(op); });
  llvm::DenseSet<Operation *> gone;
  for (Operation *op : llvm::reverse(all)) {
    if (gone.contains(op))
      continue;
    if (isOpTriviallyDead(op)) {
      op->walk([&](Operation *inner) { gone.insert(inner); });
      op->erase();
      continue;
    }
    auto empty = dyn_cast<tensor::EmptyOp>(op);
    if (!empty)
      continue;
    OpBuilder builder(op);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(empty->getUses())))
      use.set(builder.clone(*op)->getResult(0));
  }
}

/// Copies tensors that have to lie in a certain buffer. Bufferization refuses
/// them where the former contents of that buffer are read later.
static void copyMaterialized(ModuleOp module) {
  module.walk([](bufferization::MaterializeInDestinationOp op) {
    Type type = op.getDest().getType();
    if (!isa<RankedTensorType>(type) || op.getSource().getType() != type ||
        op->getNumResults() != 1)
      return;
    OpBuilder builder(op);
    auto copy = linalg::CopyOp::create(builder, op.getLoc(), op.getSource(),
                                       op.getDest());
    op.getResult().replaceAllUsesWith(copy->getResult(0));
    op->erase();
  });
}

/// Lets all buffers lie in the memory that there is.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// The target that kernels are lowered for. Payload halfway may have more
/// memory for a block than a device has: a later step may share or move it.
static verifier::Target getEmulatedTarget() {
  verifier::Target target = *verifier::lookupTarget(emulatedArchitecture);
  target.staticWorkgroupBytes = target.optInWorkgroupBytes =
      std::numeric_limits<int64_t>::max();
  return target;
}

/// Lowers kernels and loads them into `device`; returns the images by which the
/// host finds them.
static FailureOr<KernelImages> loadKernels(ModuleOp original, ModuleOp module,
                                           Location loc,
                                           emulate::EmulatedDevice &device) {
  OwningOpRef<ModuleOp> lowering = loadLenientLowering(module.getContext());
  if (!lowering)
    return failure();
  LaunchAssumptions assumptions;
  assumptions.byValue = findByValueArguments(original);
  assumptions.mayLackKernels = true;
  if (failed(runPasses(module,
                       [](PassManager &passes) {
                         passes.addPass(createForallToForLoopPass());
                       })) ||
      failed(
          lowerToDevice(module, *lowering, getEmulatedTarget(), assumptions)))
    return failure();
  KernelImages images;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    auto loaded = emulate::DeviceModule::load(kernels);
    if (!loaded) {
      engine::Findings findings;
      emulate::addFindings(loaded.takeError(), loc, findings);
      findings.emit();
      return failure();
    }
    images[kernels.getSymName()].bytes = device.addModule(std::move(*loaded));
  }
  return images;
}

std::optional<llvm::DenseSet<Operation *>>
formwork::transforms::findReachable(ModuleOp module,
                                    ArrayRef<std::string> entries) {
  SymbolTable symbols(module);
  llvm::DenseSet<Operation *> reached;
  SmallVector<Operation *> open;
  for (Operation &op : *module.getBody())
    if (auto function = dyn_cast<func::FuncOp>(op);
        !function || llvm::is_contained(entries, function.getSymName()))
      open.push_back(&op);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!reached.insert(op).second)
      continue;
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(op);
    if (!uses)
      return std::nullopt;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used =
              symbols.lookup(use.getSymbolRef().getRootReference()))
        open.push_back(used);
  }
  return reached;
}

/// Erases the functions that nothing leads to from `entry`.
static void eraseOthers(ModuleOp module, StringRef entry) {
  auto needed = findReachable(module, entry.str());
  if (!needed)
    return;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!needed->contains(function))
      function.erase();
}

/// Whether all that `module` calls can be executed; says what cannot.
static LogicalResult checkCalls(ModuleOp module) {
  WalkResult result = module.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || !callee.isExternal())
      return WalkResult::advance();
    call.emitError() << "requires a body of each function that is called but '"
                     << call.getCallee() << "' has none";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Leaves out what is printed while the payload runs.
static void erasePrints(ModuleOp module) {
  module.walk([](vector::PrintOp print) { print->erase(); });
}

/// Gives the open dimensions of `entry` sizes that fit each other.
static void fitSizes(func::FuncOp function, int64_t size, EntryPoint &entry) {
  OpenSizes sizes = chooseOpenSizes(function, size);
  auto fit = [&](Type type, const OpenSizes::Shape &shape, unsigned parameter) {
    // Buffers of other layouts are passed as a whole.
    if (isEntryType(type) &&
        entry.parameters[parameter].shape.size() == shape.size())
      entry.parameters[parameter].shape = shape;
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    fit(type, sizes.arguments[i], i);
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (entry.resultParameters[i] >= entry.numArguments)
      fit(type, sizes.results[i], entry.resultParameters[i]);
}

FailureOr<std::unique_ptr<Execution>>
Execution::create(ModuleOp original, ModuleOp payload,
                  const ExecutionOptions &options) {
  FailureOr<func::FuncOp> function = lookupEntry(original, options.entry);
  if (failed(function))
    return failure();
  StringRef name = function->getSymName();
  auto present = payload.lookupSymbol<func::FuncOp>(name);
  if (!present || present.isExternal()) {
    // Says so.
    (void)inferEntryPoint(original, payload, name, options.dynamicSize);
    return failure();
  }
  OwningOpRef<ModuleOp> given = original.clone();
  OwningOpRef<ModuleOp> module = payload.clone();
  eraseOthers(*module, name);
  if (failed(checkCalls(*module)))
    return failure();
  erasePrints(*module);
  for (ModuleOp side : {*given, *module})
    passElements(side.lookupSymbol<func::FuncOp>(name), options.dynamicSize);
  copyMaterialized(*module);
  separateEmptyTensors(*module);
  std::vector<AccessSite> sites;
  addSliceChecks(*module, sites);
  if (failed(bufferizeForHost(*module, name)))
    return failure();
  if (!hasKernels(*module))
    dropMemorySpaces(*module);
  FailureOr<EntryPoint> entry =
      inferEntryPoint(*given, *module, name, options.dynamicSize);
  if (failed(entry))
    return failure();
  if (options.dynamicSize)
    fitSizes(*function, *options.dynamicSize, *entry);
  std::unique_ptr<Execution> execution(new Execution(std::move(*entry)));
  execution->sites = std::move(sites);
  if (failed(runPasses(*module, [](PassManager &passes) {
        passes.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
      })))
    return failure();
  // Accesses in affine loops are checked like others.
  if (!hasKernels(*module) &&
      failed(runPasses(*module, [](PassManager &passes) {
        passes.addNestedPass<func::FuncOp>(createLowerAffinePass());
      })))
    return failure();
  addAccessChecks(*module, execution->sites);
  lowerLargeVectors(*module);

  if (hasKernels(*module)) {
    execution->copiesAsynchronously = hasCopiesInFlight(*module);
    execution->device.emplace(options.emulation);
    FailureOr<KernelImages> images =
        loadKernels(*given, *module, execution->loc, *execution->device);
    if (failed(images))
      return failure();
    FailureOr<OwningOpRef<ModuleOp>> host =
        lowerHost(*module, name, *images, /*reachesDeviceMemory=*/true);
    if (failed(host))
      return failure();
    module = std::move(*host);
  } else {
    if (failed(lowerBuffers(*module)) ||
        failed(verifyLowered(*module, "fw-reference-unsupported", "a payload")))
      return failure();
    addTrampoline(*module, name, runTrampoline);
  }
  if (failed(emulate::addDebugScopes(*module)))
    return failure();
  bool emulates = execution->device.has_value();
  FailureOr<Jit> code = Jit::create(
      *module, runTrampoline,
      [&](llvm::orc::MangleAndInterner mangle) {
        llvm::orc::SymbolMap symbols = AccessRuntime::getSymbols(mangle);
        if (emulates)
          for (auto &[symbol, definition] :
               emulate::EmulatedDevice::getSymbols(mangle))
            symbols.try_emplace(symbol, definition);
        return symbols;
      },
      [&](llvm::Module &translated) {
        execution->granule = instrumentAccesses(translated, execution->places);
      });
  if (failed(code))
    return failure();
  execution->code.emplace(std::move(*code));
  return execution;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static void encode(FwElementType type, int64_t value, char *at) {
  auto putFloat = [&](const llvm::fltSemantics &semantics) {
    llvm::APFloat number(static_cast<double>(value));
    bool losesInfo;
    number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    uint64_t bits = number.bitcastToAPInt().getZExtValue();
    std::memcpy(at, &bits, fwElementSize(type));
  };
  switch (type) {
  case FwElementF16:
    return putFloat(llvm::APFloat::IEEEhalf());
  case FwElementBF16:
    return putFloat(llvm::APFloat::BFloat());
  case FwElementF32:
    return putFloat(llvm::APFloat::IEEEsingle());
  case FwElementF64:
    return putFloat(llvm::APFloat::IEEEdouble());
  case FwElementI1:
    value &= 1;
    break;
  default:
    break;
  }
  std::memcpy(at, &value, fwElementSize(type));
}

/// Whether the element at `indices` is at an edge; see InputSet::edge.
static bool isAtEdge(ArrayRef<int64_t> indices, ArrayRef<int64_t> shape) {
  // A scalar may be a size or an index.
  if (shape.size() < 2)
    return !shape.empty();
  return llvm::is_contained(indices, 0) ||
         llvm::all_of(llvm::zip(indices, shape), [](auto pair) {
           auto [index, extent] = pair;
           return index < extent / 4;
         });
}

/// Goes on to the next indices in row-major order.
static void increment(MutableArrayRef<int64_t> indices,
                      ArrayRef<int64_t> shape) {
  for (size_t i = indices.size(); i-- > 0;) {
    if (++indices[i] != shape[i])
      return;
    indices[i] = 0;
  }
}

/// Gives the float of `size` bytes at `bytes` a sign: its last bit.
static void setSign(bool isNegative, char *bytes, size_t size) {
  char &last = bytes[size - 1];
  last = static_cast<char>(isNegative ? last | 0x80 : last & 0x7f);
}

static void fill(const EntryParameter &parameter, unsigned number,
                 const InputSet &inputs, char *bytes) {
  uint64_t count = parameter.getElementCount();
  size_t size = fwElementSize(parameter.type);
  bool isIndex = parameter.type == FwElementIndex,
       isBool = parameter.type == FwElementI1;
  int64_t sign = inputs.edge == InputSet::Negative ? -1 : 1;
  SmallVector<int64_t> indices(parameter.shape.size(), 0);
  for (uint64_t i = 0; i != count; ++i, increment(indices, parameter.shape)) {
    char *element = bytes + i * size;
    bool atEdge = isAtEdge(indices, parameter.shape);
    if (inputs.fill == InputSet::Reals) {
      fwGenerate(parameter.type, parameter.indexLimit, inputs.seed, number, i,
                 bytes);
      if (atEdge && fwIsFloat(parameter.type))
        setSign(sign < 0, element, size);
      continue;
    }
    int64_t value = isBool ? 1 : inputs.magnitude;
    uint64_t bits = fwRandomBits(
        fwRandomBits(inputs.seed, (uint64_t(1) << 33) + number), i);
    if (inputs.fill == InputSet::Integers) {
      value = int64_t((bits >> 32) % uint64_t(2 * inputs.magnitude + 1)) -
              inputs.magnitude;
      if (atEdge)
        value = sign * std::max<int64_t>(std::abs(value), 1);
      // An extreme and zero are there in the smallest of buffers.
      else if (count > 3 && i + 2 >= count)
        value = i + 1 == count ? 0 : sign * inputs.magnitude;
      if (isBool)
        value = bits >> 63;
    }
    if (parameter.indexLimit != 0)
      value = int64_t(bits % parameter.indexLimit);
    else if (isIndex || (inputs.arePositive && !fwIsFloat(parameter.type)))
      value = std::abs(value);
    encode(parameter.type, value, element);
  }
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

Finding Execution::describe(const BadAccess &access) const {
  if (access.isChecked) {
    const AccessSite &site = sites[access.site];
    return Finding(site.loc, "fw-access-out-of-bounds",
                   "'" + site.name + "' reaches " + access.where);
  }
  Location at = getLocation(places[access.site], loc);
  auto getVerb = [](bool writes) { return writes ? "written" : "read"; };
  if (access.kind == BadAccess::OutOfBounds)
    return Finding(at, "fw-access-out-of-bounds",
                   access.where + " are " + getVerb(access.writes));
  Finding finding(at, "fw-loop-race",
                  access.where + " is " + getVerb(access.writes) +
                      " in one iteration of a parallel loop and " +
                      getVerb(access.otherWrites) + " in another");
  finding.note(NoteKind::Evidence, getLocation(places[access.otherSite], loc),
               std::string("it is ") + getVerb(access.otherWrites) + " here");
  return finding;
}

Execution::Outcome Execution::run(const InputSet &inputs) {
  Outcome outcome;
  AccessRuntime runtime;
  runtime.setFresh(inputs.fresh);
  runtime.setGranule(inputs.findsRaces ? granule : 0);
  struct Argument {
    char *bytes;
    std::vector<int64_t> descriptor;
  };
  std::vector<Argument> arguments;
  for (auto [number, parameter] : llvm::enumerate(entry.parameters)) {
    char *bytes =
        runtime.addBuffer(parameter.getByteSize(), parameter.name,
                          parameter.shape, fwElementSize(parameter.type));
    if (!bytes) {
      outcome.isOutOfMemory = true;
      return outcome;
    }
    if (parameter.role != FwRoleOutput)
      fill(parameter, number, inputs, bytes);
    if (device && !parameter.byValue)
      device->getMemory().add(bytes, parameter.getByteSize(), parameter.name);
    arguments.push_back({bytes, makeDescriptor(bytes, parameter.shape)});
  }
  std::vector<void *> pointers;
  for (auto [argument, parameter] :
       llvm::zip_equal(arguments, entry.parameters))
    pointers.push_back(parameter.byValue
                           ? static_cast<void *>(argument.bytes)
                           : static_cast<void *>(argument.descriptor.data()));

  std::optional<BadAccess> bad;
  std::optional<Finding> failed;
  llvm::thread runner(std::optional<unsigned>(stackBytes), [&] {
    std::optional<emulate::EmulatedDevice::Activation> activation;
    if (device)
      activation.emplace(*device);
    bad = runtime.run([&] { failed = code->call(pointers.data()); });
  });
  runner.join();
  outcome.fault = bad ? describe(*bad) : std::move(failed);
  if (device && !outcome.fault) {
    engine::Findings findings;
    emulate::addFindings(*device, loc, findings);
    findings.sort();
    for (const Finding &finding : findings.get())
      if (finding.severity == DiagnosticSeverity::Error && !outcome.fault)
        outcome.fault = finding;
  }
  // The next run has buffers of its own.
  if (device)
    for (const Argument &argument : arguments)
      device->getMemory().remove(argument.bytes);
  for (unsigned number : entry.listResults())
    outcome.results.emplace_back(arguments[number].bytes,
                                 entry.parameters[number].getByteSize());
  return outcome;
}
