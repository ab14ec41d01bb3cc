//===- Shrink.cpp - The smallest pair that is wrong -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Shrink.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::campaign;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

std::string formwork::campaign::generalize(StringRef text) {
  std::string result;
  unsigned depth = 0;
  for (char c : text) {
    if (c == '<')
      ++depth;
    if (depth == 0 && !llvm::isDigit(c) && c != '-')
      result += c;
    if (c == '>' && depth != 0)
      --depth;
  }
  return StringRef(result).take_front(100).trim().str();
}

std::string formwork::campaign::getClass(const Pair &pair,
                                         const Outcome &outcome) {
  StringRef step = "no step";
  if (!outcome.steps.empty())
    step = outcome.steps.back();
  // The last step in the text is the one that fails, once it is shrunk.
  size_t best = 0;
  for (const std::string &name : outcome.steps) {
    StringRef text = pair.schedule;
    size_t at = StringRef(name).starts_with("pass:")
                    ? text.rfind("\"" + name.substr(5) + "\"")
                    : text.rfind("transform." + name + " ");
    if (at != StringRef::npos && at >= best) {
      best = at;
      step = name;
    }
  }
  std::string what = outcome.truth == Truth::Runs
                         ? llvm::join(outcome.errors, ",")
                         : generalize(outcome.failure);
  return (campaign::getName(outcome.getWrong()) + "|" + step + "|" + what)
      .str();
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Erases `op` and all that uses what it gives.
static bool eraseWithUsers(Operation *op) {
  llvm::SetVector<Operation *> doomed;
  doomed.insert(op);
  for (size_t i = 0; i < doomed.size(); ++i)
    doomed[i]->walk([&](Operation *inner) {
      for (Operation *user : inner->getUsers())
        doomed.insert(user);
    });
  for (Operation *each : doomed)
    if (each->hasTrait<OpTrait::IsTerminator>())
      return false;
  llvm::SetVector<Operation *> outermost;
  for (Operation *each : doomed) {
    bool isInner = llvm::any_of(doomed, [&](Operation *other) {
      return other->isProperAncestor(each);
    });
    if (!isInner)
      outermost.insert(each);
  }
  for (Operation *each : outermost)
    each->dropAllReferences();
  for (Operation *each : outermost) {
    each->dropAllUses();
    each->erase();
  }
  return true;
}

/// Makes the results of `op` arguments of its function, and erases it.
static bool replaceByArguments(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<ModuleOp>(op))
    return false;
  auto function = op->getParentOfType<func::FuncOp>();
  if (op->use_empty() || isa<FunctionOpInterface>(op)) {
    op->dropAllReferences();
    op->dropAllUses();
    op->erase();
    return true;
  }
  if (!function || function.isDeclaration())
    return false;
  Block &entry = function.getBody().front();
  for (Value result : op->getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(
          entry.addArgument(result.getType(), op->getLoc()));
  function.setType(FunctionType::get(op->getContext(), entry.getArgumentTypes(),
                                     function.getResultTypes()));
  op->erase();
  return true;
}

/// Makes a function return nothing, and lose what nobody uses.
static bool trimFunction(func::FuncOp function) {
  if (function.isDeclaration())
    return false;
  bool changed = false;
  for (Block &block : function.getBody())
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator());
        end && end->getNumOperands()) {
      end->setOperands({});
      changed = true;
    }
  if (changed)
    function.setResAttrsAttr(nullptr);
  Block &entry = function.getBody().front();
  for (unsigned i = entry.getNumArguments(); i-- > 0;)
    if (entry.getArgument(i).use_empty()) {
      entry.eraseArgument(i);
      changed = true;
    }
  if (changed)
    function.setArgAttrsAttr(nullptr);
  function.setType(FunctionType::get(
      function.getContext(), entry.getArgumentTypes(),
      changed ? TypeRange() : TypeRange(function.getResultTypes())));
  return changed;
}

namespace {
class Shrinker {
public:
  Shrinker(Judge &judge, Pair pair, const Outcome &outcome, unsigned trials,
           const BatchOptions &options)
      : judge(judge), pair(std::move(pair)), options(options), trials(trials),
        wrong(outcome.getWrong()), failure(describe(outcome)) {}

  Pair run() {
    for (bool changed = true; changed && trials > 0;) {
      changed = shrinkText(pair.schedule, /*isSchedule=*/true);
      changed |= shrinkText(pair.payload, /*isSchedule=*/false);
    }
    return pair;
  }

private:
  static std::string describe(const Outcome &outcome) {
    return outcome.truth == Truth::Runs ? llvm::join(outcome.errors, ",")
                                        : generalize(outcome.failure);
  }

  /// Tries what `edit` makes of a copy of `text`, which is a text of the pair,
  /// and keeps it if it is valid, and wrong.
  bool tryEdit(std::string &text, llvm::function_ref<bool(ModuleOp)> edit) {
    if (trials == 0)
      return false;
    OwningOpRef<ModuleOp> module = judge.parse(text);
    if (!module || !edit(*module))
      return false;
    --trials;
    std::string before = text;
    Outcome outcome;
    // Ops that are not valid cannot always be printed: that is for the child.
    judgeMany(
        judge, 0, 1,
        [&](uint64_t) {
          text = print(*module);
          return pair;
        },
        [&](uint64_t, const Outcome &known) { outcome = known; }, options);
    if (!outcome.rejected.empty() || outcome.getWrong() != wrong ||
        describe(outcome) != failure)
      return false;
    text = print(*module);
    return text != before;
  }

  static Operation *getOp(ModuleOp module, unsigned number) {
    Operation *found = nullptr;
    unsigned count = 0;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (count++ == number)
        found = op;
    });
    return found;
  }

  bool shrinkText(std::string &text, bool isSchedule) {
    bool changed = false;
    auto count = [&] {
      unsigned ops = 0;
      if (OwningOpRef<ModuleOp> module = judge.parse(text))
        module->walk([&](Operation *) { ++ops; });
      return ops;
    };
    for (unsigned i = count(); i-- > 1 && trials > 0;)
      changed |= tryEdit(text, [&](ModuleOp module) {
        Operation *op = getOp(module, i);
        if (!op || op == module || isa<transform::NamedSequenceOp>(op))
          return false;
        return isSchedule ? eraseWithUsers(op) : replaceByArguments(op);
      });
    if (isSchedule)
      changed |= shrinkAttributes(text, count());
    for (unsigned i = 1; !isSchedule && i < count() && trials > 0; ++i)
      changed |= tryEdit(text, [&](ModuleOp module) {
        auto function = dyn_cast_or_null<func::FuncOp>(getOp(module, i));
        return function && trimFunction(function);
      });
    return changed;
  }

  bool shrinkAttributes(std::string &text, unsigned numOps) {
    bool changed = false;
    for (unsigned i = 1; i < numOps && trials > 0; ++i)
      for (unsigned k = 0; k < 16; ++k)
        changed |= tryEdit(text, [&](ModuleOp module) {
          Operation *op = getOp(module, i);
          if (!op || !op->isRegistered() ||
              isa<transform::NamedSequenceOp, transform::MatchOp>(op) ||
              k >= op->getName().getAttributeNames().size())
            return false;
          StringAttr name = op->getName().getAttributeNames()[k];
          std::optional<Attribute> held = op->getInherentAttr(name);
          if (!held || !*held || name.getValue().contains("egment"))
            return false;
          op->setInherentAttr(name, Attribute());
          return true;
        });
    return changed;
  }

  Judge &judge;
  Pair pair;
  const BatchOptions &options;
  unsigned trials;
  Wrong wrong;
  std::string failure;
};
} // namespace

Pair formwork::campaign::shrink(Judge &judge, Pair pair, const Outcome &outcome,
                                unsigned trials, const BatchOptions &options) {
  return Shrinker(judge, std::move(pair), outcome, trials, options).run();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool writeFile(const llvm::Twine &path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path.str(), error);
  if (error)
    return false;
  os << text;
  return true;
}

bool formwork::campaign::writeReproducer(Judge &judge, const Pair &pair,
                                         const Outcome &outcome,
                                         StringRef folder, StringRef name) {
  std::string comment =
      ("   (" + campaign::getName(outcome.claim) +
       (outcome.errors.empty() ? "" : ": " + llvm::join(outcome.errors, ", ")) +
       "); stock MLIR " + campaign::getName(outcome.truth) +
       (outcome.failure.empty() ? "" : ": " + outcome.failure) +
       "\n// features: " + llvm::join(outcome.features, ", ") + "\n")
          .str();
  OwningOpRef<ModuleOp> payload = judge.parse(pair.payload);
  OwningOpRef<ModuleOp> schedule = judge.parse(pair.schedule);
  std::string base = (folder + "/" + name).str();
  if (pair.withoutPayload || !payload || !schedule)
    return writeFile(base + ".mlir",
                     ("// formwork check --static --no-payload " + name +
                      ".mlir" + comment + pair.schedule)
                         .str()) &&
           writeFile(base + "-payload.mlir", pair.payload);
  // Some schedules that are valid cannot be printed.
  std::string text = print(*payload);
  text.insert(text.rfind('}'), pair.schedule);
  return writeFile(
      base + ".mlir",
      ("// formwork check --static " + name + ".mlir" + comment + text).str());
}
