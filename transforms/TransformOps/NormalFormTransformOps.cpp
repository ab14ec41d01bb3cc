//===- NormalFormTransformOps.cpp - normalize and assert --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "engine/Diagnostics.h"
#include "engine/SourcePlace.h"
#include "normalforms/Establish.h"
#include "normalforms/FormLibrary.h"
#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/Predicates.h"
#include "transforms/TransformOps/FormworkTransformOps.h"
#include "transforms/TransformOps/HandleWatch.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

#define GET_OP_CLASSES
#include "transforms/TransformOps/NormalFormTransformOps.cpp.inc"

/// Fails with an error if the library has no form called `name`.
static LogicalResult verifyForm(Operation *op, StringRef name) {
  const FormLibrary *library = FormLibrary::get(op->getContext());
  if (!library)
    return failure();
  if (library->lookup(name))
    return success();
  engine::Finding finding(op->getLoc(), "fw-unknown-form",
                          "requires a declared form but has @" + name);
  if (std::optional<AtomId> near = library->lattice().suggest(name))
    finding.note(engine::NoteKind::FixIt, op->getLoc(),
                 "did you mean @" + library->lattice().getName(*near) + "?");
  return engine::emitFinding(std::move(finding));
}

/// Returns a silenceable failure if `target` is no anchor of `form`.
static DiagnosedSilenceableFailure checkAnchor(Operation *op, const Form &form,
                                               Operation *target) {
  if (isAnchor(target, form.anchor))
    return DiagnosedSilenceableFailure::success();
  DiagnosedSilenceableFailure failure =
      emitSilenceableFailure(op->getLoc())
      << "form @" << form.name << " requires an anchor of kind '"
      << stringifyAnchorKind(form.anchor) << "' but has '"
      << target->getName().getStringRef() << "' [fw-not-an-anchor]";
  failure.attachNote(engine::getNearestLoc(target)) << "payload op";
  return failure;
}

static bool isSchedule(Operation *op) {
  return isa_and_nonnull<transform::TransformDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// NormalizeOp
//===----------------------------------------------------------------------===//

LogicalResult transform::NormalizeOp::verify() {
  return verifyForm(*this, getForm());
}

void transform::NormalizeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

/// Emits an error if `report` is no success; else returns success.
static LogicalResult checkReport(Operation *op, const Form &form,
                                 Operation *target,
                                 const engine::Report &report) {
  auto fail = [&](StringRef id, const Twine &message, const Twine &evidence) {
    engine::Finding finding(op->getLoc(), id, message);
    finding.note(engine::NoteKind::Established, engine::getNearestLoc(target),
                 "payload op");
    finding.note(engine::NoteKind::Evidence, op->getLoc(), evidence);
    return engine::emitFinding(std::move(finding));
  };
  switch (report.reason) {
  case engine::StopReason::Fixpoint:
    return success();
  case engine::StopReason::Cycle:
    return fail("fw-normalize-diverges",
                "normalization to @" + form.name + " does not end",
                explainReport(report));
  case engine::StopReason::Limit:
    return fail("fw-normalize-diverges",
                "normalization to @" + form.name +
                    " did not end within its limits",
                "fired most: " + explainReport(report));
  case engine::StopReason::Failed:
    return fail("fw-procedure-failed",
                "normalization to @" + form.name + " failed",
                explainReport(report));
  case engine::StopReason::FalseSkip:
    return fail("fw-false-skip",
                "normalization to @" + form.name +
                    " skipped payload that it would change",
                explainReport(report));
  }
  llvm_unreachable("all stop reasons are covered");
}

/// Emits an error if an op of a live handle became something else; else returns
/// success.
static LogicalResult checkLostHandles(Operation *op, const Form &form,
                                      const HandleWatch &watch) {
  const std::optional<HandleWatch::LostOp> &lost = watch.getLostOp();
  if (!lost)
    return success();
  engine::Finding finding(op->getLoc(), "fw-handle-lost",
                          "normalization to @" + form.name + " replaced '" +
                              lost->name +
                              "', which a handle that is used later holds");
  if (lost->handle)
    finding.note(engine::NoteKind::Established, *lost->handle,
                 "the handle is defined here");
  finding.note(engine::NoteKind::Lost, op->getLoc(), "by " + lost->rule);
  finding.note(engine::NoteKind::Evidence, lost->loc, "replaced payload op");
  return engine::emitFinding(std::move(finding));
}

DiagnosedSilenceableFailure
transform::NormalizeOp::apply(TransformRewriter &rewriter,
                              TransformResults &results,
                              TransformState &state) {
  const FormLibrary *library = FormLibrary::get(getContext());
  if (!library)
    return DiagnosedSilenceableFailure::definiteFailure();
  const Form &form = *library->lookup(getForm());

  for (Operation *target : state.getPayloadOps(getTarget())) {
    DiagnosedSilenceableFailure isAnchor = checkAnchor(*this, form, target);
    if (!isAnchor.succeeded())
      return isAnchor;
  }

  HandleWatch watch(state, *this, rewriter);
  engine::NormalizerOptions options;
  options.listener = &watch;
  options.verifySkips = getVerifySkips();
  options.isForeign = isSchedule;
  options.onProcedure = [&](StringRef name) { watch.setProcedure(name); };
  options.onScope = [&](Operation *scope) { watch.watch(scope); };
  FormNormalizer normalizer(*library, form, std::move(options));
  // The rewriting of one anchor may erase another anchor inside of it. Such an
  // anchor disappears from this view of the handle.
  for (Operation *target : state.getPayloadOps(getTarget())) {
    engine::Report report = normalizer.run(target);
    // The errors below name the rule, so the interpreter's own report is not
    // needed.
    rewriter.silenceTrackingFailure();
    if (failed(checkReport(*this, form, target, report)) ||
        failed(checkLostHandles(*this, form, watch)))
      return DiagnosedSilenceableFailure::definiteFailure();
  }

  for (Operation *target : state.getPayloadOps(getTarget())) {
    SmallVector<Violation> violations = library->checkPredicates(form, target);
    if (violations.empty())
      continue;
    engine::Finding finding(getLoc(), "fw-form-not-reached",
                            "normalization does not reach @" + form.name);
    for (const Violation &violation : violations)
      finding.note(engine::NoteKind::Evidence, violation.op->getLoc(),
                   violation.message + " (" + violation.clause + ")");
    (void)engine::emitFinding(std::move(finding));
    return DiagnosedSilenceableFailure::definiteFailure();
  }

  engine::Findings findings;
  watch.explainHandles(findings);
  findings.emit();
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// AssertOp
//===----------------------------------------------------------------------===//

LogicalResult transform::AssertOp::verify() {
  return verifyForm(*this, getForm());
}

void transform::AssertOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
transform::AssertOp::apply(TransformRewriter &rewriter,
                           TransformResults &results, TransformState &state) {
  const FormLibrary *library = FormLibrary::get(getContext());
  if (!library)
    return DiagnosedSilenceableFailure::definiteFailure();
  const Form &form = *library->lookup(getForm());

  engine::NormalizerOptions options;
  options.isForeign = isSchedule;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    DiagnosedSilenceableFailure isAnchor = checkAnchor(*this, form, target);
    if (!isAnchor.succeeded())
      return isAnchor;
    FormCheck check = checkForm(*library, form, target, options);
    if (check.holds())
      continue;
    DiagnosedSilenceableFailure failure =
        emitSilenceableError()
        << "requires payload in form @" << form.name << " but has '"
        << target->getName().getStringRef() << "' out of it [fw-form-violated]";
    failure.attachNote(engine::getNearestLoc(target)) << "payload op";
    for (const Violation &violation : check.violations)
      failure.attachNote(violation.op->getLoc())
          << violation.message << " (" << violation.clause << ")";
    if (check.irreducibility.changed ||
        !check.irreducibility.reachedFixpoint()) {
      Location where = check.irreducibility.fires.empty()
                           ? target->getLoc()
                           : check.irreducibility.fires.front().first;
      failure.attachNote(where)
          << "requires payload that the rules of @" << form.name
          << " do not change but they would fire: "
          << explainReport(check.irreducibility) << " (" << form.name
          << ".irreducible)";
    }
    return failure;
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ObserveOp
//===----------------------------------------------------------------------===//

void transform::ObserveOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
transform::ObserveOp::apply(TransformRewriter &rewriter,
                            TransformResults &results, TransformState &state) {
  if (auto *observer = state.getExtension<PayloadObserver>())
    observer->observe(getStep(), state);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Extension
//===----------------------------------------------------------------------===//

namespace {
class NormalFormTransformExtension
    : public transform::TransformDialectExtension<
          NormalFormTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NormalFormTransformExtension)

  using Base::Base;

  void init() {
    declareDependentDialect<NormalFormDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "transforms/TransformOps/NormalFormTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void formwork::transforms::registerFormworkExtensions(
    DialectRegistry &registry) {
  registerNormalForms(registry);
  registry.addExtensions<NormalFormTransformExtension>();
  registerDecisions(registry);
}
