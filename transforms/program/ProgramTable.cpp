//===- ProgramTable.cpp - The table of an emitted program -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/ProgramTable.h"

#include "engine/Check.h"
#include "transforms/program/Reference.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace formwork::transforms;

namespace {
/// Makes constants of the kinds that the table has.
class TableBuilder {
public:
  explicit TableBuilder(llvm::Module &module)
      : module(module), context(module.getContext()) {}

  llvm::Constant *u32(uint32_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  }
  llvm::Constant *u64(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  }
  llvm::Constant *number(double value) {
    return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value);
  }
  llvm::Constant *null() {
    return llvm::ConstantPointerNull::get(
        llvm::PointerType::getUnqual(context));
  }
  llvm::Constant *addressOf(llvm::Constant *value) {
    auto *global = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, value, "formwork.table");
    return global;
  }
  llvm::Constant *string(llvm::StringRef text) {
    return addressOf(llvm::ConstantDataArray::getString(context, text));
  }
  /// The address of the values; null if there are none.
  template <typename T> llvm::Constant *array(llvm::ArrayRef<T> values) {
    if (values.empty())
      return null();
    return addressOf(llvm::ConstantDataArray::get(context, values));
  }
  /// The address of the structures; null if there are none.
  llvm::Constant *structures(llvm::ArrayRef<llvm::Constant *> values) {
    if (values.empty())
      return null();
    return addressOf(llvm::ConstantArray::get(
        llvm::ArrayType::get(values[0]->getType(), values.size()), values));
  }
  llvm::Constant *structure(llvm::ArrayRef<llvm::Constant *> fields,
                            size_t size) {
    llvm::Constant *value = llvm::ConstantStruct::getAnon(context, fields);
    FW_CHECK(module.getDataLayout().getTypeAllocSize(value->getType()) == size,
             "the table is not what the header declares");
    return value;
  }

private:
  llvm::Module &module;
  llvm::LLVMContext &context;
};
} // namespace

void formwork::transforms::addProgramTable(llvm::Module &module,
                                           const Program &program,
                                           const EmitOptions &options) {
  const EntryPoint &entry = program.entry;
  TableBuilder table(module);
  llvm::SmallVector<llvm::Constant *> buffers;
  for (const EntryParameter &parameter : entry.parameters)
    buffers.push_back(table.structure(
        {table.string(parameter.name),
         table.array<uint64_t>(llvm::SmallVector<uint64_t>(
             parameter.shape.begin(), parameter.shape.end())),
         table.u32(parameter.type), table.u32(parameter.role),
         table.u32(parameter.shape.size()), table.u32(parameter.byValue),
         table.number(parameter.leastTolerance),
         parameter.leastTolerance == 0
             ? table.null()
             : table.string(parameter.toleranceReason),
         table.u64(parameter.indexLimit)},
        sizeof(FwBuffer)));
  llvm::SmallVector<llvm::Constant *> kernels;
  for (const KernelAssumptions &kernel : program.kernels)
    kernels.push_back(table.structure(
        {table.string(kernel.name), table.u32(kernel.alignments.size()),
         table.array<uint32_t>(kernel.alignments)},
        sizeof(FwKernel)));

  llvm::Constant *value = table.structure(
      {table.u32(FW_PROGRAM_ABI), table.u32(entry.parameters.size()),
       table.string(entry.name), table.string(options.target),
       table.structures(buffers), table.u32(entry.numArguments),
       table.u32(entry.resultParameters.size()),
       table.array<uint32_t>(entry.resultParameters), table.u64(options.seed),
       table.number(options.tolerance), table.number(program.flops.value_or(0)),
       module.getFunction(runTrampoline),
       module.getFunction(referenceTrampoline), table.structures(kernels),
       table.u32(kernels.size())},
      sizeof(FwProgram));
  new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, value,
                           "formwork_program");
}
