//===- ReferenceHeap.cpp - Memory of a reference's temporaries --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/ReferenceHeap.h"

#include "engine/Check.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

/// A list of blocks: each begins with the address of the one before, and 64
/// bytes further, so that malloc's alignment stays, is what the reference sees.
static constexpr llvm::StringLiteral heapText = R"mlir(
  llvm.mlir.global internal @formwork.heap() : !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    llvm.return %null : !llvm.ptr
  }
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @free(!llvm.ptr)
  llvm.func internal @formwork.allocate(%bytes: i64) -> !llvm.ptr {
    %header = llvm.mlir.constant(64 : i64) : i64
    %heap = llvm.mlir.addressof @formwork.heap : !llvm.ptr
    %total = llvm.add %bytes, %header : i64
    %block = llvm.call @malloc(%total) : (i64) -> !llvm.ptr
    %last = llvm.load %heap : !llvm.ptr -> !llvm.ptr
    llvm.store %last, %block : !llvm.ptr, !llvm.ptr
    llvm.store %block, %heap : !llvm.ptr, !llvm.ptr
    %data = llvm.getelementptr %block[64] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.return %data : !llvm.ptr
  }
  llvm.func internal @formwork.release() {
    %null = llvm.mlir.zero : !llvm.ptr
    %heap = llvm.mlir.addressof @formwork.heap : !llvm.ptr
    %last = llvm.load %heap : !llvm.ptr -> !llvm.ptr
    llvm.br ^next(%last : !llvm.ptr)
  ^next(%block: !llvm.ptr):
    %end = llvm.icmp "eq" %block, %null : !llvm.ptr
    llvm.cond_br %end, ^done, ^give
  ^give:
    %before = llvm.load %block : !llvm.ptr -> !llvm.ptr
    llvm.call @free(%block) : (!llvm.ptr) -> ()
    llvm.br ^next(%before : !llvm.ptr)
  ^done:
    llvm.store %null, %heap : !llvm.ptr, !llvm.ptr
    llvm.return
  }
)mlir";

void formwork::transforms::addReferenceHeap(ModuleOp module,
                                            StringRef trampoline) {
  SmallVector<LLVM::CallOp> allocations = collectCalls(module, "malloc"),
                            deallocations = collectCalls(module, "free");
  if (allocations.empty() && deallocations.empty())
    return;

  for (StringRef name : {"malloc", "free"})
    if (Operation *declaration = module.lookupSymbol(name))
      declaration->erase();
  OwningOpRef<ModuleOp> heap =
      parseSourceString<ModuleOp>(heapText, module.getContext());
  FW_CHECK(heap, "the text of the heap does not parse");
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           heap->getBody()->getOperations());

  for (LLVM::CallOp call : allocations)
    call.setCallee("formwork.allocate");
  // The heap frees everything; the payload's own deallocations are dropped.
  for (LLVM::CallOp call : deallocations)
    call.erase();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(trampoline);
  FW_CHECK(function, "there is no trampoline");
  function.walk([&](LLVM::ReturnOp op) {
    OpBuilder builder(op);
    LLVM::CallOp::create(builder, op.getLoc(), TypeRange(), "formwork.release",
                         ValueRange());
  });
}
