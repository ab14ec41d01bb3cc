//===- HostModule.cpp - A device module for the host ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/HostModule.h"

#include "transforms/emulate/DeviceMath.h"
#include "transforms/emulate/NvvmLowering.h"
#include "transforms/emulate/Places.h"
#include "transforms/emulate/ProfileInstrumentation.h"
#include "transforms/emulate/Runtime.h"
#include "transforms/emulate/WorkgroupInstrumentation.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace formwork::transforms::emulate {

using namespace llvm;

std::string getEntryName(StringRef kernel) {
  return ("fw.run." + kernel).str();
}

//===----------------------------------------------------------------------===//
// On the device module
//===----------------------------------------------------------------------===//

/// Stands for the ThreadRegisters until functions have a parameter for them.
static constexpr StringLiteral threadPlaceholder = "fw.thread";

/// Tells the runtime where threads leave a kernel.
static void instrumentExits(Function &function, Value *thread,
                            ModuleInfo &info) {
  for (BasicBlock &block : function) {
    auto *ret = dyn_cast<ReturnInst>(block.getTerminator());
    if (!ret)
      continue;
    IRBuilder<> builder(ret);
    builder.CreateCall(
        declareRuntimeFunction(*function.getParent(), runtime::exit),
        {thread, builder.getInt32(addPlace(info, {.place = getPlace(*ret)}))});
  }
}

static void prepareFunction(Function &function, ModuleInfo &info) {
  Module &module = *function.getParent();
  simplify(function);
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  Value *thread = builder.CreateCall(
      module.getOrInsertFunction(threadPlaceholder, builder.getPtrTy()));
  if (info.profile && isKernel(function))
    instrumentProfile(function, thread, *info.profile);
  instrumentAccesses(function, thread, info);
  applyNvvmLowering(function, thread, info);
  if (isKernel(function))
    instrumentExits(function, thread, info);
  replaceWorkgroupVariables(function, thread, info);
  for (Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      info.localBytes +=
          alloca->getAllocationSize(module.getDataLayout())->getFixedValue();
}

/// The product of an attribute's comma-separated numbers; 0 without it.
static uint64_t getThreadLimit(const Function &function, StringRef attribute) {
  SmallVector<StringRef> numbers;
  function.getFnAttribute(attribute).getValueAsString().split(
      numbers, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  uint64_t product = numbers.empty() ? 0 : 1;
  for (StringRef text : numbers) {
    uint64_t number = 0;
    text.trim().getAsInteger(10, number);
    product *= number;
  }
  return product;
}

static bool isUsedIn(const User &user, const Function &function) {
  if (auto *instruction = dyn_cast<Instruction>(&user))
    return instruction->getFunction() == &function;
  return any_of(user.users(),
                [&](const User *outer) { return isUsedIn(*outer, function); });
}

/// The static workgroup memory that `kernel` itself names.
static uint64_t countWorkgroupBytes(const Function &kernel) {
  const Module &module = *kernel.getParent();
  const DataLayout &layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != AddressSpace::Workgroup ||
        !isUsedIn(variable, kernel))
      continue;
    bytes = alignTo(bytes, layout.getPreferredAlign(&variable)) +
            layout.getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

static KernelInfo describeKernel(Function &kernel, uint64_t workgroupBytes) {
  KernelInfo result;
  result.workgroupBytes = workgroupBytes;
  result.numArguments = kernel.arg_size();
  result.maxThreads = getThreadLimit(kernel, "nvvm.maxntid");
  if (uint64_t required = getThreadLimit(kernel, "nvvm.reqntid"))
    result.maxThreads = required;
  SetVector<Function *> reachable;
  reachable.insert(&kernel);
  for (unsigned i = 0; i != reachable.size(); ++i) {
    for (Instruction &instruction : instructions(*reachable[i])) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee)
        continue;
      reachable.insert(callee);
      const RuntimeFunction *function = findRuntimeFunction(callee->getName());
      result.waits |= function && function->waits;
      if (callee->getName() == runtime::warp)
        result.syncsWarps |=
            cast<ConstantInt>(call->getArgOperand(1))->isZero();
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// To the host module
//===----------------------------------------------------------------------===//

namespace {
/// Makes every pointer a pointer in address space 0.
class FlattenAddressSpaces : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    auto [known, isNew] = types.try_emplace(type, type);
    if (!isNew)
      return known->second;
    Type *flat = flatten(type);
    types[type] = flat;
    return flat;
  }

private:
  Type *flatten(Type *type) {
    LLVMContext &context = type->getContext();
    if (type->isPointerTy())
      return PointerType::get(context, 0);
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()),
                            array->getNumElements());
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      return FixedVectorType::get(remapType(vector->getElementType()),
                                  vector->getNumElements());
    SmallVector<Type *> elements;
    for (Type *element : type->subtypes())
      elements.push_back(remapType(element));
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(elements[0], ArrayRef(elements).drop_front(),
                               function->isVarArg());
    auto *structure = dyn_cast<StructType>(type);
    if (!structure || equal(elements, structure->elements()))
      return type;
    return StructType::get(context, elements, structure->isPacked());
  }

  DenseMap<Type *, Type *> types;
};

class HostModuleBuilder {
public:
  HostModuleBuilder(Module &device, Module &host)
      : device(device), host(host) {}

  void build() {
    declareVariables();
    for (Function &function : device)
      declare(function);
    for (GlobalVariable &variable : device.globals())
      if (variable.hasInitializer() && values.count(&variable))
        cast<GlobalVariable>(values[&variable])
            ->setInitializer(
                MapValue(variable.getInitializer(), values, RF_None, &types));
    for (Function &function : device)
      if (!function.isDeclaration())
        cloneBody(function);
    for (Function &function : host)
      finishBody(function);
    for (Function &function : device)
      if (isKernel(function) && !function.isDeclaration())
        buildEntry(*cast<Function>(values[&function]), function);
  }

private:
  void declareVariables() {
    for (GlobalVariable &variable : device.globals()) {
      if (variable.getAddressSpace() == AddressSpace::Workgroup)
        continue;
      auto *copy = new GlobalVariable(
          host, types.remapType(variable.getValueType()), variable.isConstant(),
          GlobalValue::InternalLinkage, /*Initializer=*/nullptr,
          variable.getName());
      copy->setAlignment(variable.getAlign());
      values[&variable] = copy;
    }
  }

  void declare(Function &function) {
    auto *type =
        cast<FunctionType>(types.remapType(function.getFunctionType()));
    if (!function.isDeclaration()) {
      SmallVector<Type *> parameters{PointerType::get(host.getContext(), 0)};
      append_range(parameters, type->params());
      type = FunctionType::get(type->getReturnType(), parameters,
                               /*isVarArg=*/false);
    }
    Function *copy = Function::Create(type, GlobalValue::ExternalLinkage,
                                      function.getName(), host);
    if (!function.isDeclaration())
      copy->setLinkage(GlobalValue::InternalLinkage);
    if (function.isIntrinsic()) {
      // Overloaded names spell the address spaces of their pointers.
      if (auto renamed = Intrinsic::remangleIntrinsicFunction(copy)) {
        copy->eraseFromParent();
        copy = *renamed;
      }
      copy->setAttributes(Intrinsic::getAttributes(
          host.getContext(), copy->getIntrinsicID(), copy->getFunctionType()));
    }
    values[&function] = copy;
  }

  void cloneBody(Function &function) {
    auto *copy = cast<Function>(values[&function]);
    for (auto [from, to] : zip(function.args(), drop_begin(copy->args()))) {
      to.setName(from.getName());
      values[&from] = &to;
    }
    SmallVector<ReturnInst *> returns;
    CloneFunctionInto(copy, &function, values,
                      CloneFunctionChangeType::DifferentModule, returns, "",
                      /*CodeInfo=*/nullptr, &types);
    // Attributes of a device function need not hold for its instrumented copy.
    copy->setAttributes({});
    copy->addFnAttr(Attribute::NoUnwind);
    copy->setCallingConv(CallingConv::C);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    copy->setSection("");
  }

  void finishBody(Function &function) {
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
        finishCall(*call, function);
      }
    }
  }

  void finishCall(CallInst &call, Function &function) {
    Function *callee = call.getCalledFunction();
    if (!callee)
      callee = cast<Function>(call.getCalledOperand());
    if (callee->getName() == threadPlaceholder) {
      call.replaceAllUsesWith(function.getArg(0));
      call.eraseFromParent();
      return;
    }
    if (callee->isIntrinsic())
      return;
    call.setAttributes({});
    call.setCallingConv(CallingConv::C);
    if (Intrinsic::ID id = getEquivalentIntrinsic(callee->getName())) {
      IRBuilder<> builder(&call);
      SmallVector<Value *> operands(call.args());
      call.replaceAllUsesWith(
          builder.CreateIntrinsic(call.getType(), id, operands));
      call.eraseFromParent();
      return;
    }
    if (callee->isDeclaration())
      return;
    SmallVector<Value *> arguments{function.getArg(0)};
    append_range(arguments, call.args());
    CallInst *replacement =
        CallInst::Create(callee, arguments, "", call.getIterator());
    call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
  }

  /// void entry(ThreadRegisters *, void *const *arguments)
  void buildEntry(Function &kernel, const Function &deviceKernel) {
    LLVMContext &context = host.getContext();
    Type *pointer = PointerType::get(context, 0);
    Function *entry = Function::Create(
        FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false),
        GlobalValue::ExternalLinkage, getEntryName(deviceKernel.getName()),
        host);
    entry->addFnAttr(Attribute::NoUnwind);
    IRBuilder<> builder(BasicBlock::Create(context, "", entry));
    SmallVector<Value *> arguments{entry->getArg(0)};
    for (const Argument &parameter : deviceKernel.args()) {
      Value *slot = builder.CreateLoad(
          pointer, builder.CreateConstGEP1_64(pointer, entry->getArg(1),
                                              parameter.getArgNo()));
      // An aggregate passed by value is its own storage on the device; others
      // lie where the host has put them, with the alignment that it likes.
      arguments.push_back(
          parameter.hasByValAttr()
              ? slot
              : builder.CreateAlignedLoad(types.remapType(parameter.getType()),
                                          slot, Align(1)));
    }
    builder.CreateCall(&kernel, arguments);
    builder.CreateRetVoid();
  }

  Module &device, &host;
  ValueToValueMapTy values;
  FlattenAddressSpaces types;
};
} // namespace

Expected<std::unique_ptr<Module>> createHostModule(Module &device,
                                                   const TargetMachine &target,
                                                   ModuleInfo &info) {
  // Sizes and offsets within types are the same on both sides.
  device.setDataLayout(target.createDataLayout());
  layOutWorkgroup(device, info);
  StringMap<uint64_t> workgroupBytes;
  for (const Function &function : device)
    if (isKernel(function))
      workgroupBytes[function.getName()] = countWorkgroupBytes(function);
  for (Function &function : device)
    if (!function.isDeclaration())
      prepareFunction(function, info);
  for (Function &function : device)
    if (isKernel(function) && !function.isDeclaration())
      info.kernels[function.getName()] =
          describeKernel(function, workgroupBytes[function.getName()]);
  StripDebugInfo(device);

  auto host = std::make_unique<Module>(device.getName(), device.getContext());
  host->setTargetTriple(target.getTargetTriple());
  host->setDataLayout(target.createDataLayout());
  HostModuleBuilder(device, *host).build();
  std::string message;
  raw_string_ostream os(message);
  if (verifyModule(*host, &os))
    return createStringError("the module prepared for emulation is invalid: " +
                             message);
  return host;
}

} // namespace formwork::transforms::emulate
