//===- PayloadGenerator.cpp - Seeded, verified payload modules ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/PayloadGenerator.h"

#include "engine/Check.h"
#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

#include <cmath>

using namespace mlir;

namespace formwork::testing {

void registerPayloadDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
              gpu::GPUDialect, linalg::LinalgDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
}

//===----------------------------------------------------------------------===//
// The table of producers
//===----------------------------------------------------------------------===//

ArrayRef<Producer> getProducers() {
  static const SmallVector<Producer> table = [] {
    SmallVector<Producer> table;
    addArithProducers(table);
    addPatternProducers(table);
    addTensorProducers(table);
    addLinalgProducers(table);
    addVectorProducers(table);
    addBufferProducers(table);
    addControlProducers(table);
    addParallelProducers(table);
    addAffineProducers(table);
    return table;
  }();
  return table;
}

uint64_t getWeight(const Producer &producer, const GeneratorOptions &options) {
  unsigned level = 1u << static_cast<unsigned>(options.level);
  if (!(producer.levels & level) ||
      (producer.has(Producer::Affine) && !options.affine) ||
      (producer.has(Producer::Nesting) && options.depth == 0))
    return 0;
  // An integer, so that sums of weights are the same on every machine.
  double factor = producer.density ? options.densities.*producer.density : 1;
  return std::llround(producer.weight * std::clamp(factor, 0.0, 1e6) * 1000);
}

SmallVector<StringRef> getFamilies(const GeneratorOptions &options) {
  SmallVector<StringRef> names;
  for (const Producer &producer : getProducers())
    if (getWeight(producer, options) > 0)
      names.push_back(producer.name);
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Decides whether the function has tensors, buffers, or both.
static void pickWorld(Emitter &e) {
  switch (e.options.level) {
  case Level::Linalg:
    e.buffers = false;
    break;
  case Level::Buffers:
    e.tensors = false;
    break;
  case Level::Loops:
  case Level::Vector:
    e.tensors = e.random.chance(0.5);
    e.buffers = !e.tensors;
    break;
  case Level::Mixed:
    break;
  }
}

/// The models of the arguments: shaped values first, then scalars.
static SmallVector<Type> pickArgumentModels(Emitter &e) {
  SmallVector<Type> models;
  unsigned count = e.random.between(2, 5);
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int64_t> shape = e.pickShape(1, e.random.chance(0.3) ? 4 : 2);
    Type element = e.pickElement();
    if (e.pickShapedKind() == Kind::Tensor)
      models.push_back(RankedTensorType::get(shape, element));
    else
      models.push_back(MemRefType::get(shape, element));
  }
  if (e.options.level == Level::Vector || e.options.level == Level::Mixed) {
    SmallVector<int64_t> shape = e.pickShape(1, 2);
    models.push_back(VectorType::get(shape, e.pickElement()));
  }
  models.push_back(e.pickElement());
  models.push_back(e.pickElement());
  models.push_back(e.b.getIndexType());
  if (e.random.chance(0.5))
    models.push_back(e.b.getI1Type());
  return models;
}

/// Gives `function` its arguments, and tells the pool and `callee` about them.
static void addArguments(Emitter &e, func::FuncOp function, Block *body,
                         ArrayRef<Type> types, Callee &callee) {
  MLIRContext *context = e.b.getContext();
  for (auto [i, model] : llvm::enumerate(callee.argumentModels)) {
    Entry entry{.value = body->addArgument(types[i], e.loc), .model = model};
    if (isa<MemRefType>(model))
      entry.root = e.newRoot();
    if (auto shaped = dyn_cast<ShapedType>(types[i]);
        shaped && !shaped.hasStaticShape())
      function.setArgAttr(
          i, "formwork.shape",
          DenseI64ArrayAttr::get(context, cast<ShapedType>(model).getShape()));
    callee.argumentValues.push_back(0);
    if (isa<IndexType>(model)) {
      int64_t value = e.pickDim();
      entry.low = entry.high = callee.argumentValues.back() = value;
      function.setArgAttr(i, "formwork.value", e.b.getIndexAttr(value));
    }
    e.add(entry);
  }
}

/// Values of the function's own block that nobody uses, newest first.
static SmallVector<Entry> pickResults(Emitter &e) {
  constexpr size_t most = 4, window = 64;
  SmallVector<Entry> results;
  for (size_t i = e.pool.size(), end = i > window ? i - window : 0; i > end;) {
    const Entry &entry = e.pool[--i];
    if (results.size() == most)
      break;
    if (!entry.undefined && !isa<MemRefType>(entry.model) &&
        !isa<BlockArgument>(entry.value) && entry.value.use_empty())
      results.push_back(entry);
  }
  return results;
}

static Callee generateFunction(ModuleOp module, unsigned number, uint64_t seed,
                               const GeneratorOptions &options,
                               ArrayRef<Callee> callees,
                               llvm::StringMap<uint64_t> *families) {
  MLIRContext *context = module.getContext();
  // Its own stream, so that asking for more functions keeps the first ones.
  Emitter e(context, options, Random::forStream(seed, number), callees);
  e.families = families;
  pickWorld(e);
  e.setProducers(getProducers());

  Callee callee;
  callee.argumentModels = pickArgumentModels(e);
  SmallVector<Type> types;
  for (Type model : callee.argumentModels) {
    bool hides = isa<RankedTensorType, MemRefType>(model);
    types.push_back(hides ? e.hideSizes(model) : model);
  }
  e.b.setInsertionPointToEnd(module.getBody());
  callee.function =
      func::FuncOp::create(e.b, e.loc, "f" + std::to_string(number),
                           FunctionType::get(context, types, {}));
  Block *body = new Block();
  callee.function.getBody().push_back(body);
  addArguments(e, callee.function, body, types, callee);

  e.b.setInsertionPointToStart(body);
  if (options.spine && options.depth > 0)
    emitSpine(e);
  e.emitUntil(options.ops);
  SmallVector<Value> results;
  SmallVector<Type> resultTypes;
  for (const Entry &entry : pickResults(e)) {
    results.push_back(entry.value);
    resultTypes.push_back(entry.value.getType());
    callee.resultModels.push_back(entry.model);
  }
  e.freeAllocations();
  func::ReturnOp::create(e.b, e.loc, results);
  callee.function.setFunctionType(
      FunctionType::get(context, types, resultTypes));
  callee.work = std::max<uint64_t>(e.work, 1);
  return callee;
}

OwningOpRef<ModuleOp> generatePayload(MLIRContext *context, uint64_t seed,
                                      const GeneratorOptions &options,
                                      llvm::StringMap<uint64_t> *families) {
  DialectRegistry registry;
  registerPayloadDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);

  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  SmallVector<Callee> callees;
  for (unsigned number = 0; number < options.functions; ++number)
    callees.push_back(
        generateFunction(*module, number, seed, options, callees, families));
  bool verifies = succeeded(verify(*module));
  if (!verifies)
    llvm::errs() << "formwork-generate " << getArguments(seed, options) << "\n";
  FW_CHECK(verifies, "generated payload verifies");
  return module;
}

void printReproducer(raw_ostream &os, ModuleOp module, uint64_t seed,
                     const GeneratorOptions &options) {
  os << "// formwork-generate " << getArguments(seed, options) << "\n";
  module.print(os);
}

} // namespace formwork::testing
