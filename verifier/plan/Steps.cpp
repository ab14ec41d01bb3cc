//===- Steps.cpp - Needed steps that the user has to allow ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Steps.h"

#include "verifier/plan/ProblemPolicy.h"
#include "verifier/source/FixIts.h"
#include "verifier/walk/Interpreter.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;

ArrayRef<StepKind> formwork::verifier::getStepKinds() {
  static const StepKind kinds[] = {
      {StepKind::Bufferize, "bufferize", "bufferized", "bufferizes the module"},
      {StepKind::Promote, "promote", "gpu.static_workgroup_memory",
       "promotes allocations in workgroup memory to static memory of the "
       "kernel"},
  };
  return kinds;
}

const StepKind *formwork::verifier::lookupStepKind(StringRef name) {
  const auto *it = llvm::find_if(
      getStepKinds(), [&](const StepKind &kind) { return kind.name == name; });
  return it == getStepKinds().end() ? nullptr : it;
}

const StepKind *formwork::verifier::lookupStepKindFor(const Form &form) {
  const auto *it = llvm::find_if(getStepKinds(), [&](const StepKind &kind) {
    return kind.form == form.name;
  });
  return it == getStepKinds().end() ? nullptr : it;
}

namespace {
/// Collects the needs that a step of some kind would meet.
class StepPolicy : public FormPolicy {
public:
  explicit StepPolicy(const FormLibrary &forms) : forms(forms) {}

  SmallVector<VirtualStep> getSteps(Operation *, const Analysis &) override {
    return {};
  }
  void reportUnmet(const FormNeed &need, const Analysis &analysis) override;

  /// The op of the entry that is being interpreted.
  Operation *top = nullptr;
  SmallVector<StepProposal, 0> found;

private:
  const FormLibrary &forms;
};

/// Writes proposals, at one point of a propagation.
class StepWriter {
public:
  StepWriter(const ScheduleModel &schedule, const Analysis &analysis,
             const SourceNames *names)
      : schedule(schedule), analysis(analysis), fixes(names) {}

  void write(StepProposal &proposal);

private:
  void writeBufferization(StepProposal &proposal);
  void writePromotion(StepProposal &proposal);
  /// Whether all functions of the root, and nothing else, are payload of
  /// `value`.
  bool holdsAllFunctions(Value value) const;
  const NodeList &getNodes(Value value) const {
    return analysis.state.handles.find(value)->nodes;
  }

  const ScheduleModel &schedule;
  const Analysis &analysis;
  FixIts fixes;
};
} // namespace

void StepPolicy::reportUnmet(const FormNeed &need, const Analysis &) {
  auto add = [&](const Form &form) {
    const StepKind *kind = lookupStepKindFor(form);
    bool isNew = llvm::none_of(found, [&](const StepProposal &other) {
      return other.neededBy == need.op && other.step == kind;
    });
    if (!kind || !isNew)
      return;
    StepProposal proposal;
    proposal.step = kind;
    proposal.neededBy = need.op;
    proposal.top = top;
    proposal.form = form.atom;
    proposal.clause = need.clause ? need.clause->id : "goal";
    if (need.clause) {
      proposal.handle = need.op->getOperand(need.clause->operand);
      proposal.required = need.clause->required;
      proposal.otherwise = need.clause->otherwise;
    } else {
      proposal.otherwise = "the payload does not end in the goal form";
    }
    found.push_back(std::move(proposal));
  };
  if (need.clause)
    return add(forms.getForm(need.form));
  for (AtomId part : forms.lattice().closure(need.form).atoms())
    add(forms.getForm(part));
}

static std::string printType(Value value) {
  return debugString(value.getType());
}

bool StepWriter::holdsAllFunctions(Value value) const {
  const PayloadModel &payload = analysis.state.payload;
  NodeList nodes(getNodes(value));
  if (std::optional<NodeList> functions = payload.getFunctions(analysis.root)) {
    bool areFunctions = llvm::all_of(*functions, [&](NodeId id) {
      return payload[id].kind &&
             payload[id].kind->getStringRef() == "func.func";
    });
    llvm::sort(*functions);
    llvm::sort(nodes);
    return areFunctions && nodes == *functions;
  }
  // The functions that a match found, whichever they are.
  return llvm::all_of(nodes, [&](NodeId id) {
    auto match = llvm::dyn_cast_or_null<transform::MatchOp>(payload[id].origin);
    if (!match || !match.getOps() || match.getInterface() ||
        match.getOpAttrs() || match.getFilterResultType() ||
        match.getFilterOperandTypes())
      return false;
    const HandleState *scope =
        analysis.state.handles.find(match->getOperand(0));
    return llvm::hasSingleElement(*match.getOps()) &&
           cast<StringAttr>((*match.getOps())[0]).getValue() == "func.func" &&
           scope && scope->nodes == NodeList{analysis.root};
  });
}

void StepWriter::writeBufferization(StepProposal &proposal) {
  Operation *top = proposal.top;
  NodeId root = analysis.root;
  SmallVector<Value> visible = getVisibleValues(top);
  auto isRoot = [&](Value value) {
    return analysis.isUsable(value) && getNodes(value) == NodeList{root};
  };
  auto module = llvm::find_if(visible, isRoot);
  if (module == visible.end()) {
    proposal.obstacle = "no live handle is to the module";
    return;
  }
  std::string type = printType(*module);
  std::string bufferized = fixes.makeName("%bufferized");
  std::string text = bufferized +
                     " = transform.bufferization.one_shot_bufferize "
                     "layout{IdentityLayoutMap} " +
                     analysis.nameOf(*module) +
                     " {bufferize_function_boundaries = true} : (" + type +
                     ") -> " + type + "\n";
  SmallVector<std::pair<Value, std::string>> renamed = {{*module, bufferized}};
  llvm::StringMap<std::string> functions;
  for (Value value : visible) {
    const HandleState *handle = analysis.state.handles.find(value);
    if (value == *module || !handle || handle->kind == HandleState::Params ||
        !isUsedFrom(value, top) || !analysis.isUsable(value))
      continue;
    if (isRoot(value) && printType(value) == type) {
      renamed.push_back({value, bufferized});
      continue;
    }
    if (!holdsAllFunctions(value)) {
      proposal.obstacle = analysis.nameOf(value) +
                          " is used later, and is neither to the module nor to "
                          "its functions, which are all that can be found "
                          "again after it";
      return;
    }
    std::string &name = functions[printType(value)];
    if (name.empty()) {
      name = fixes.makeName("%functions");
      text += name + " = transform.structured.match ops{[\"func.func\"]} in " +
              bufferized + " : (" + type + ") -> " + printType(value) + "\n";
    }
    renamed.push_back({value, name});
  }
  proposal.insertBefore = top;
  proposal.text = text;
  proposal.edits = fixes.insertBefore(top, text);
  if (proposal.edits.empty())
    return;
  for (auto &[value, name] : renamed)
    llvm::append_range(proposal.edits, fixes.renameFrom(top, value, name));
  // The argument is consumed now, and has to say so.
  transform::NamedSequenceOp entry = schedule.getEntry();
  auto argument = dyn_cast<BlockArgument>(*module);
  if (!argument ||
      !entry.getArgAttr(argument.getArgNumber(),
                        transform::TransformDialect::kArgReadOnlyAttrName))
    return;
  engine::TextEdits marked =
      fixes.replaceWords(entry, "transform.readonly", "transform.consumed");
  if (marked.empty())
    proposal.obstacle =
        "the argument of the entry is marked transform.readonly";
  llvm::append_range(proposal.edits, marked);
}

void StepWriter::writePromotion(StepProposal &proposal) {
  const PayloadModel &payload = analysis.state.payload;
  Value handle = proposal.handle;
  bool areModules = handle && analysis.isUsable(handle) &&
                    llvm::all_of(getNodes(handle), [&](NodeId id) {
                      return payload[id].kind &&
                             payload[id].kind->getStringRef() == "gpu.module";
                    });
  if (!areModules) {
    proposal.obstacle = "the kernels are not known to be in a gpu.module yet";
    return;
  }
  Operation *before = proposal.neededBy;
  std::string name = fixes.makeName("%promoted"), type = printType(handle);
  proposal.insertBefore = before;
  proposal.text = name +
                  " = transform.apply_registered_pass "
                  "\"formwork-gpu-workgroup-buffers\" to " +
                  analysis.nameOf(handle) + " : (" + type + ") -> " + type +
                  "\n";
  proposal.edits = fixes.insertBefore(before, proposal.text);
  if (!proposal.edits.empty())
    llvm::append_range(proposal.edits, fixes.renameFrom(before, handle, name));
}

void StepWriter::write(StepProposal &proposal) {
  switch (proposal.step->kind) {
  case StepKind::Bufferize:
    writeBufferization(proposal);
    break;
  case StepKind::Promote:
    writePromotion(proposal);
    break;
  }
  if (!proposal.obstacle.empty())
    proposal.edits.clear();
}

void formwork::verifier::writeSteps(const ScheduleModel &schedule,
                                    Operation *payload,
                                    const normalforms::Libraries &libraries,
                                    const CheckOptions &options,
                                    const SourceNames *names,
                                    MutableArrayRef<StepProposal> proposals) {
  Interpreter interpreter(schedule, libraries, options);
  interpreter.begin(payload);
  for (Operation &op : schedule.getEntry().getBody().front()) {
    for (StepProposal &proposal : proposals)
      if (proposal.top == &op)
        StepWriter(schedule, interpreter.getAnalysis(), names).write(proposal);
    if (!op.hasTrait<OpTrait::IsTerminator>())
      interpreter.step(&op);
  }
}

SmallVector<StepProposal, 0> formwork::verifier::proposeSteps(
    const ScheduleModel &schedule, Operation *payload,
    const normalforms::Libraries &libraries, const CheckOptions &options,
    const SourceNames *names) {
  StepPolicy policy(*libraries.forms);
  Interpreter interpreter(schedule, libraries, options, &policy);
  interpreter.begin(payload);
  for (Operation &op : schedule.getEntry().getBody().front()) {
    policy.top = &op;
    if (!op.hasTrait<OpTrait::IsTerminator>())
      interpreter.step(&op);
  }
  (void)interpreter.end();
  // A second propagation finds what lives in front of each.
  if (!policy.found.empty())
    writeSteps(schedule, payload, libraries, options, names, policy.found);
  return std::move(policy.found);
}
