//===- StructuredPayloads.cpp - Payloads around one structured op ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Payloads.h"

#include "embedded/campaignNamedOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace formwork::campaign;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {
/// A named op: the names of the sizes of its operands, `;` between operands.
struct NamedOp {
  StringRef name, inputs, outputs;
  /// How many dimensions a window has; 0: there is none.
  unsigned window = 0;
};

/// An op with its operands, as text.
struct Written {
  SmallVector<std::string> inputTypes, outputTypes;
  /// Up to `ins(`, behind the operands, and behind everything.
  std::string head, tail;
  bool hasIns = true;
};
} // namespace

static SmallVector<NamedOp, 0> readNamedOps() {
  SmallVector<NamedOp, 0> ops;
  for (StringRef line :
       llvm::split(formwork::embedded::campaignNamedOps.trim(), '\n')) {
    SmallVector<StringRef, 4> words;
    line.split(words, ' ');
    if (line.starts_with("#"))
      continue;
    NamedOp &op = ops.emplace_back();
    op.name = words[0];
    op.inputs = words[1];
    op.outputs = words[2] == "-" ? "" : words[2];
    (void)words[3].getAsInteger(10, op.window);
  }
  return ops;
}

static constexpr StringLiteral unaryOps[] = {
    "exp",   "log",  "abs",   "ceil",   "floor", "negf", "reciprocal",
    "round", "sqrt", "rsqrt", "square", "tanh",  "erf",  "copy"};
static constexpr StringLiteral binaryOps[] = {
    "add", "sub", "mul", "div", "div_unsigned", "max", "min", "powf"};
static constexpr StringLiteral anyShapes[] = {
    "",        "m",         "m,n",         "m,n",           "m,n,k",
    "a,b,c,d", "a,b,c,d,e", "a,b,c,d,e,g", "a,b,c,d,e,g,h", "a,b,c,d,e,g,h,i"};

static std::string drawShape(Random &random) {
  return pick(random, anyShapes).str();
}

static SmallVector<std::string> getTypes(Types &types, StringRef operands,
                                         StringRef element) {
  SmallVector<std::string> result;
  SmallVector<StringRef> each;
  operands.split(each, ';');
  for (StringRef dims : each) {
    if (dims.consume_front("!"))
      result.push_back(dims.str());
    else
      result.push_back(types.getType(dims, element));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static Written writeNamed(Types &types, Random &random) {
  static const SmallVector<NamedOp, 0> namedOps = readNamedOps();
  const NamedOp &op = namedOps[random.below(namedOps.size())];
  int64_t stride = 1, dilation = 1;
  if (op.window && random.chance(0.4))
    stride = random.between(1, 3);
  if (op.window && random.chance(0.3))
    dilation = random.between(1, 3);
  types.setWindow(stride, dilation);
  StringRef inputs = op.inputs;
  bool isQuantized = inputs.ends_with(";;");
  Written result;
  if (isQuantized)
    inputs = inputs.drop_back(2);
  result.inputTypes = getTypes(types, inputs, types.getElement());
  if (isQuantized)
    result.inputTypes.append(2, "i32");
  result.outputTypes = getTypes(types, op.outputs, types.getAccumulator());
  result.head = "linalg." + op.name.str() + " {t";
  if (op.window && random.chance(0.7)) {
    std::string type = " : tensor<" + std::to_string(op.window) + "xi64>";
    result.head += ", strides = dense<" + std::to_string(stride) + ">" + type +
                   ", dilations = dense<" + std::to_string(dilation) + ">" +
                   type;
  }
  result.head += "}";
  if ((op.name == "matmul" || op.name == "batch_matmul") &&
      random.chance(0.2)) {
    bool isBatch = op.name != "matmul";
    std::string batch = isBatch ? "b, " : "";
    std::string dims = "(" + batch + "m, n, k) -> (" + batch;
    result.inputTypes[0] =
        types.getType(isBatch ? "b,k,m" : "k,m", types.getElement());
    result.head = "linalg." + op.name.str() + " indexing_maps = [affine_map<" +
                  dims + "k, m)>, affine_map<" + dims + "k, n)>, affine_map<" +
                  dims + "m, n)>] {t}";
  }
  return result;
}

static Written writeElementwise(Types &types, Random &random) {
  std::string dims = drawShape(random);
  Written result;
  std::string type = types.getType(dims, types.getElement());
  auto same = [&] {
    return random.chance(0.8) ? type : types.getType(dims, types.getElement());
  };
  result.outputTypes = {type};
  result.inputTypes = {same()};
  // The parser of MLIR crashes at an elementwise op that does not take the
  // element, and refuses other ops.
  bool isNumber = types.isFloat() || types.isInteger();
  switch (random.below(5)) {
  case 0:
    result.head =
        "linalg." +
        (types.isFloat() ? pick(random, unaryOps).str() : types.drawUnary()) +
        " {t}";
    break;
  case 1:
    result.head = "linalg." + pick(random, binaryOps).str() + " {t}";
    result.inputTypes.push_back(same());
    break;
  case 2:
    if (types.isFloat()) {
      static constexpr StringLiteral kinds[] = {"exp", "negf", "tanh", "abs"};
      result.head = "linalg.elementwise kind=#linalg.elementwise_kind<" +
                    pick(random, kinds).str() + "> {t}";
      break;
    }
    [[fallthrough]];
  case 3:
    if (isNumber) {
      result.head = "linalg.elementwise kind=#linalg.elementwise_kind<add> {t}";
      result.inputTypes.push_back(same());
      break;
    }
    [[fallthrough]];
  default:
    result.head = "linalg.fill {t}";
    result.inputTypes = {types.getElement().str()};
  }
  return result;
}

static Written writeSelect(Types &types, Random &random) {
  std::string dims = drawShape(random);
  std::string type = types.getType(dims, types.getElement());
  Written result;
  result.head = "linalg.select {t}";
  result.inputTypes = {types.getType(dims, "i1"), type, type};
  result.outputTypes = {type};
  return result;
}

/// `permutation = [1, 0]` and the like, and the names in that order.
static SmallVector<unsigned> drawOrder(unsigned rank, Random &random) {
  SmallVector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  for (unsigned i = rank; i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

static std::string printList(llvm::ArrayRef<unsigned> numbers) {
  return llvm::interleaved_array(numbers);
}

static Written writeReshaping(Types &types, Random &random) {
  std::string dims = drawShape(random);
  SmallVector<StringRef> names;
  StringRef(dims).split(names, ',', -1, /*KeepEmpty=*/false);
  Written result;
  StringRef element = types.getElement();
  unsigned kind = random.below(4);
  if (kind == 0) {
    SmallVector<unsigned> order = drawOrder(names.size(), random);
    SmallVector<StringRef> permuted;
    for (unsigned i : order)
      permuted.push_back(names[i]);
    result.head = "linalg.transpose";
    result.inputTypes = {types.getType(dims, element)};
    result.outputTypes = {types.getType(llvm::join(permuted, ","), element)};
    result.tail = " permutation = " + printList(order) + " {t}";
    return result;
  }
  SmallVector<unsigned> chosen;
  SmallVector<StringRef> rest;
  for (auto [i, name] : llvm::enumerate(names))
    if (random.chance(0.5))
      chosen.push_back(i);
    else
      rest.push_back(name);
  std::string full = types.getType(dims, element);
  std::string small = types.getType(llvm::join(rest, ","), element);
  if (kind == 1) {
    result.head = "linalg.broadcast";
    result.inputTypes = {small};
    result.outputTypes = {full};
    result.tail = " dimensions = " + printList(chosen) + " {t}";
    return result;
  }
  if (kind == 2) {
    result.head = "linalg.reduce";
    result.inputTypes = {full};
    result.outputTypes = {small};
    std::string body = Types::combine("%s", "%a", "%b", element, false);
    result.tail = " dimensions = " + printList(chosen) +
                  " {t} (%a: " + element.str() + ", %b: " + element.str() +
                  ") {\n" + body + "\n linalg.yield " +
                  (body.empty() ? "%a" : "%s") + " : " + element.str() + "\n }";
    return result;
  }
  result.head = "linalg.map";
  result.inputTypes = {full};
  result.outputTypes = {full};
  std::string body = Types::combine("%s", "%a", "%a", element, true);
  result.tail = " {t} (%a: " + element.str() + ", %b: " + element.str() +
                ") {\n" + body + "\n linalg.yield " +
                (body.empty() ? "%a" : "%s") + " : " + element.str() + "\n }";
  return result;
}

/// A generic op with up to six loops, two inputs and two outputs.
static Written writeGeneric(Types &types, Random &random) {
  static constexpr StringLiteral letters[] = {"i", "j", "k", "l", "m", "n"};
  unsigned rank = random.chance(0.1) ? 0 : random.between(1, 5);
  std::string loops =
      llvm::join(llvm::ArrayRef(letters).take_front(rank), ", ");
  SmallVector<unsigned> parallel, all;
  std::string iterators;
  for (unsigned i = 0; i < rank; ++i) {
    bool isParallel = random.chance(0.7);
    if (isParallel)
      parallel.push_back(i);
    all.push_back(i);
    iterators += (i ? ", \"" : "\"");
    iterators += isParallel ? "parallel\"" : "reduction\"";
  }
  std::string maps;
  auto add = [&](llvm::ArrayRef<unsigned> dims, StringRef element,
                 bool isInput) -> std::string {
    std::string results;
    SmallVector<int64_t> shape;
    bool any = false;
    for (unsigned position : drawOrder(dims.size(), random)) {
      unsigned dim = dims[position];
      if (isInput && random.chance(0.2))
        continue;
      results += any ? ", " : "";
      any = true;
      int64_t size = types.getSize(letters[dim]);
      if (isInput && random.chance(0.04)) {
        results +=
            letters[dim].str() + " + " + letters[random.below(rank)].str();
        size = kDynamic;
      } else if (isInput && random.chance(0.03)) {
        results += "0";
        size = 1;
      } else {
        results += letters[dim];
      }
      shape.push_back(size);
    }
    maps += (maps.empty() ? "affine_map<(" : ", affine_map<(") + loops +
            ") -> (" + results + ")>";
    return types.getType(shape, element);
  };
  unsigned inputs = random.chance(0.08) ? 0 : random.between(1, 2);
  unsigned outputs = random.chance(0.04) ? 0 : random.chance(0.1) ? 2 : 1;
  StringRef element = types.getElement(), result = types.getElement();
  Written op;
  std::string arguments, body, yields, yieldTypes;
  for (unsigned i = 0; i < inputs; ++i) {
    op.inputTypes.push_back(add(all, element, true));
    arguments += (i ? ", %x" : "%x") + std::to_string(i) + ": " + element.str();
  }
  for (unsigned i = 0; i < outputs; ++i) {
    op.outputTypes.push_back(add(
        random.chance(0.9) ? llvm::ArrayRef(parallel) : all, result, false));
    arguments += (arguments.empty() ? "%y" : ", %y") + std::to_string(i) +
                 ": " + result.str();
    yields += (i ? ", %y" : "%y") + std::to_string(i);
    yieldTypes += (i ? ", " : "") + result.str();
  }
  if (inputs && outputs) {
    std::string product = Types::combine(
        "%p", "%x0", inputs > 1 ? "%x1" : "%x0", element, random.chance(0.7));
    std::string sum = Types::combine("%s", "%y0", "%p", result, false);
    if (!product.empty()) {
      body = "\n " + product;
      bool isCopy = random.chance(0.2);
      if (!isCopy)
        body += "\n " + sum;
      yields.replace(0, 3, isCopy ? "%p" : "%s");
    } else {
      yields.replace(0, 3, "%x0");
    }
  }
  if (rank && random.chance(0.1))
    body += "\n %ix = linalg.index " + std::to_string(random.below(rank)) +
            " : index";
  if (random.chance(0.04))
    body += "\n func.call @outside() : () -> ()";
  op.head = "linalg.generic {indexing_maps = [" + maps +
            "], iterator_types = [" + iterators + "]}";
  op.hasIns = inputs != 0;
  op.tail = " attrs = {t} {\n ^bb0(" + arguments + "):" + body +
            "\n linalg.yield" +
            (outputs ? " " + yields + " : " + yieldTypes : "") + "\n }";
  return op;
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

/// `ins(%i0, %i1 : T0, T1)`, or nothing.
static std::string printOperands(StringRef word,
                                 llvm::ArrayRef<std::string> names,
                                 llvm::ArrayRef<std::string> types) {
  if (names.empty())
    return "";
  return (word + "(" + llvm::join(names, ", ") + " : " +
          llvm::join(types, ", ") + ")")
      .str();
}

/// The op that gives `%name` its value instead of an argument, if one can.
static std::string writeProducer(const std::string &name, StringRef type,
                                 Types &types, Random &random,
                                 std::string &arguments) {
  bool isDynamic = type.contains('?');
  bool isBuffer = type.starts_with("memref");
  StringRef shaped = type;
  StringRef element = types.getElement();
  unsigned kind = random.below(isBuffer ? 2 : 3);
  auto argument = [&](const std::string &argumentName) {
    arguments +=
        (arguments.empty() ? "" : ", ") + argumentName + ": " + shaped.str();
  };
  if (isBuffer) {
    if (isDynamic || type.contains("offset: ?") || type.contains("s0"))
      return "";
    return "  " + name +
           (kind ? " = memref.alloc() : " : " = memref.alloca() : ") +
           type.str() + "\n";
  }
  if (kind == 0 && !isDynamic) {
    std::string zero = Types::makeZero(name + "z", element);
    std::string empty =
        "  " + name + "e = tensor.empty() : " + type.str() + "\n";
    if (zero.empty() || random.chance(0.3))
      return "  " + name + " = tensor.empty() : " + type.str() + "\n";
    return "  " + zero + "\n" + empty + "  " + name +
           " = linalg.fill {p} ins(" + name + "z : " + element.str() +
           ") outs(" + name + "e : " + type.str() + ") -> " + type.str() + "\n";
  }
  argument(name + "a");
  argument(name + "b");
  return "  " + name + " = linalg." + types.drawUnary() + " {p} ins(" + name +
         "a : " + type.str() + ") outs(" + name + "b : " + type.str() +
         ") -> " + type.str() + "\n";
}

std::string formwork::campaign::makeStructuredPayload(Random &random) {
  Types types(random);
  Written op;
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2:
  case 3:
    op = writeNamed(types, random);
    break;
  case 4:
    op = writeElementwise(types, random);
    break;
  case 5:
    op = random.chance(0.2) ? writeSelect(types, random)
                            : writeReshaping(types, random);
    break;
  default:
    op = writeGeneric(types, random);
  }
  if (types.areBuffers() && random.chance(0.05) && !op.inputTypes.empty())
    op.inputTypes[0] =
        "tensor" + StringRef(op.inputTypes[0]).drop_front(6).str();

  std::string arguments, before, results, resultTypes;
  SmallVector<std::string> inputs, outputs;
  double tied = random.chance(0.15) ? 0.6 : 0;
  double produced = random.chance(0.5) ? 0.5 : 0;
  auto makeValue = [&](const std::string &name, const std::string &type,
                       bool isInput) -> std::string {
    // Several operands may be one value.
    if (random.chance(tied)) {
      if (!isInput)
        for (auto [i, other] : llvm::enumerate(op.inputTypes))
          if (i < inputs.size() && other == type)
            return inputs[i];
      for (auto [i, other] :
           llvm::enumerate(isInput ? op.inputTypes : op.outputTypes))
        if (i < (isInput ? inputs : outputs).size() && other == type)
          return (isInput ? inputs : outputs)[i];
    }
    bool isShaped = StringRef(type).starts_with("tensor") ||
                    StringRef(type).starts_with("memref");
    if (isShaped && random.chance(produced))
      if (std::string text =
              writeProducer(name, type, types, random, arguments);
          !text.empty()) {
        before += text;
        return name;
      }
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    return name;
  };
  for (auto [i, type] : llvm::enumerate(op.inputTypes))
    inputs.push_back(makeValue("%i" + std::to_string(i), type, true));
  for (auto [i, type] : llvm::enumerate(op.outputTypes))
    outputs.push_back(makeValue("%o" + std::to_string(i), type, false));

  bool hasResults = false;
  for (const std::string &type : op.outputTypes)
    if (StringRef(type).starts_with("tensor")) {
      hasResults = true;
      resultTypes += (resultTypes.empty() ? "" : ", ") + type;
    }
  unsigned count = op.outputTypes.size();
  std::string text = "  ";
  if (hasResults)
    text += count == 1 ? "%r = " : "%r:" + std::to_string(count) + " = ";
  text += op.head + (inputs.empty() ? "" : " ") +
          printOperands("ins", inputs, op.inputTypes) +
          (outputs.empty() ? "" : " ") +
          printOperands("outs", outputs, op.outputTypes);
  StringRef head = op.head;
  bool isSugared = head.starts_with("linalg.transpose") ||
                   head.starts_with("linalg.broadcast") ||
                   head.starts_with("linalg.reduce") ||
                   head.starts_with("linalg.map");
  if (isSugared)
    text += op.tail;
  else
    text += op.tail + (!hasResults  ? ""
                       : count == 1 ? " -> " + resultTypes
                       : StringRef(op.head).starts_with("linalg.generic")
                           ? " -> (" + resultTypes + ")"
                           : " -> " + resultTypes);
  std::string last = "%r";
  if (hasResults && count == 1 && random.chance(0.2)) {
    text += "\n  %u = linalg." + types.drawUnary() +
            " {c} ins(%r : " + resultTypes + ") outs(" + outputs[0] + " : " +
            op.outputTypes[0] + ") -> " + resultTypes;
    last = random.chance(0.5) ? "%u" : "%r";
  }
  for (unsigned i = 0; hasResults && i < count; ++i)
    results +=
        (i ? ", " : "") + (count == 1 ? last : "%r#" + std::to_string(i));
  bool isLooped = random.chance(0.12);
  std::string result =
      "func.func private @outside()\nfunc.func @f(" + arguments + ")" +
      (hasResults ? " -> (" + resultTypes + ")" : "") + " {\n" + before;
  if (isLooped && !(hasResults && last == "%u")) {
    static constexpr StringLiteral bounds[] = {"0", "1", "4", "7", "-1"};
    result += "  %lb = arith.constant 0 : index\n  %ub = arith.constant " +
              pick(random, bounds).str() + " : index\n  %st = arith.constant " +
              (random.chance(0.5) ? "1" : "2") + " : index\n";
    if (!hasResults)
      result += "  scf.for %iv = %lb to %ub step %st {\n" + text + "\n  }";
    else if (count == 1)
      result += "  %r = scf.for %iv = %lb to %ub step %st iter_args(%acc = " +
                outputs[0] + ") -> (" + resultTypes + ") {\n  %r1" +
                StringRef(text).drop_front(4).str() +
                "\n  scf.yield %r1 : " + resultTypes + "\n  }";
    else
      result += text;
  } else {
    result += text;
  }
  return result + "\n  return" +
         (hasResults ? " " + results + " : " + resultTypes : "") + "\n}\n";
}
