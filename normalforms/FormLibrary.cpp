//===- FormLibrary.cpp - The loaded forms of a context ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/FormLibrary.h"

#include "embedded/builtinForms.h"
#include "engine/Check.h"
#include "engine/Diagnostics.h"
#include "engine/PassProcedure.h"
#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/LibraryFiles.h"
#include "normalforms/MatcherPredicate.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

StringRef formwork::normalforms::stringifyAnchorKind(AnchorKind kind) {
  static constexpr StringLiteral names[] = {"isolated", "loop-nest", "module"};
  return names[static_cast<unsigned>(kind)];
}

bool formwork::normalforms::isAnchor(Operation *op, AnchorKind kind) {
  bool isolated = op->hasTrait<OpTrait::IsIsolatedFromAbove>();
  switch (kind) {
  case AnchorKind::Isolated:
    return isolated;
  case AnchorKind::LoopNest:
    return isolated || isa<LoopLikeOpInterface>(op);
  case AnchorKind::Module:
    return isolated && op->hasTrait<OpTrait::SymbolTable>();
  }
  llvm_unreachable("all anchor kinds are covered");
}

static AnchorKind parseAnchorKind(std::optional<StringRef> text) {
  if (!text || *text == "isolated")
    return AnchorKind::Isolated;
  return *text == "loop-nest" ? AnchorKind::LoopNest : AnchorKind::Module;
}

//===----------------------------------------------------------------------===//
// Loader
//===----------------------------------------------------------------------===//

/// Collects the declarations of all files, then resolves and folds them.
class FormLibrary::Loader {
public:
  explicit Loader(FormLibrary &library) : library(library) {}

  LogicalResult addFile(OwningOpRef<ModuleOp> file);
  LogicalResult finish();

private:
  LogicalResult resolve(FormOp op, std::optional<ArrayAttr> names,
                        SmallVectorImpl<AtomId> &out);
  LogicalResult reportLatticeError(const LatticeError &error);
  void fold(Form &form);

  FormLibrary &library;
  SmallVector<FormOp> ops;
  llvm::StringMap<AtomId> ids;
};

LogicalResult FormLibrary::Loader::addFile(OwningOpRef<ModuleOp> file) {
  if (!file)
    return failure();
  for (Operation &op : file->getOps()) {
    if (isa<transform::NamedSequenceOp>(op))
      continue; // a matcher
    auto form = dyn_cast<FormOp>(op);
    if (!form)
      return engine::emitFinding(engine::Finding(
          op.getLoc(), "fw-not-a-form",
          "requires only forms and matchers in a form library but has '" +
              op.getName().getStringRef() + "'"));
    auto [it, inserted] = ids.try_emplace(form.getSymName(), ops.size());
    if (!inserted) {
      engine::Finding finding(form.getLoc(), "fw-form-redefined",
                              "form @" + form.getSymName() +
                                  " is declared already");
      finding.note(engine::NoteKind::Established, ops[it->second].getLoc(),
                   "first declared here");
      finding.note(engine::NoteKind::FixIt, form.getLoc(),
                   "declare a form of another name that refines @" +
                       form.getSymName());
      return engine::emitFinding(std::move(finding));
    }
    ops.push_back(form);
  }
  library.files.push_back(std::move(file));
  return success();
}

LogicalResult FormLibrary::Loader::resolve(FormOp op,
                                           std::optional<ArrayAttr> names,
                                           SmallVectorImpl<AtomId> &out) {
  if (!names)
    return success();
  for (auto name : names->getAsRange<FlatSymbolRefAttr>()) {
    auto it = ids.find(name.getValue());
    if (it != ids.end()) {
      out.push_back(it->second);
      continue;
    }
    engine::Finding finding(op.getLoc(), "fw-unknown-form",
                            "form @" + op.getSymName() +
                                " requires a declared form but has @" +
                                name.getValue());
    unsigned best = name.getValue().size() / 2 + 1;
    StringRef nearest;
    for (const auto &entry : ids) {
      unsigned distance =
          name.getValue().edit_distance(entry.getKey(), true, best);
      if (distance < best) {
        best = distance;
        nearest = entry.getKey();
      }
    }
    if (!nearest.empty())
      finding.note(engine::NoteKind::FixIt, op.getLoc(),
                   "did you mean @" + nearest + "?");
    return engine::emitFinding(std::move(finding));
  }
  return success();
}

LogicalResult
FormLibrary::Loader::reportLatticeError(const LatticeError &error) {
  auto at = [&](unsigned i) { return ops[error.atoms[i]]; };
  auto name = [&](unsigned i) { return "@" + at(i).getSymName().str(); };
  switch (error.kind) {
  case LatticeError::RefinesCycle: {
    std::string path;
    for (unsigned i = 0; i < error.atoms.size(); ++i)
      path += name(i) + " -> ";
    path += name(0);
    engine::Finding finding(at(0).getLoc(), "fw-refines-cycle",
                            "form " + name(0) + " refines itself: " + path);
    for (unsigned i = 1; i < error.atoms.size(); ++i)
      finding.note(engine::NoteKind::Evidence, at(i).getLoc(),
                   name(i) + " is declared here");
    return engine::emitFinding(std::move(finding));
  }
  case LatticeError::ContradictoryExcludes: {
    engine::Finding finding(at(0).getLoc(), "fw-contradictory-excludes",
                            "form " + name(0) + " implies " + name(1) +
                                ", which " + name(2) + " excludes");
    finding.note(engine::NoteKind::Evidence, at(2).getLoc(),
                 name(2) + " is declared here");
    return engine::emitFinding(std::move(finding));
  }
  case LatticeError::ExcludedPreserved:
    return engine::emitFinding(engine::Finding(
        at(0).getLoc(), "fw-contradictory-excludes",
        "form " + name(0) + " both excludes and preserves " + name(1)));
  case LatticeError::DuplicateName:
    break;
  }
  llvm_unreachable("duplicate names are refused when a file is added");
}

/// The procedure called `name` in a declaration; the declaration's verifier has
/// already looked it up.
static engine::Procedure lookupProcedure(StringRef name) {
  std::string why;
  std::optional<engine::Procedure> procedure =
      name.consume_front("pass:")
          ? engine::lookupPassProcedure(name, /*isVouched=*/true, why)
          : engine::lookupProcedure(name, why);
  FW_CHECK(procedure, "the declaration's verifier asks for a procedure");
  return *procedure;
}

void FormLibrary::Loader::fold(Form &form) {
  // Refined forms come first, and the forms that they refine before them.
  SmallVector<AtomId> parts = library.order.closure(form.atom).atoms();
  llvm::stable_sort(parts, [&](AtomId a, AtomId b) {
    return library.order.closure(a).size() < library.order.closure(b).size();
  });
  llvm::DenseSet<std::pair<const void *, const void *>> groups;
  llvm::StringSet<> procedures;
  bool isEnding = true;
  for (AtomId part : parts) {
    const Form &other = library.forms[part];
    for (Operation *op : other.ownDescriptors)
      if (groups
              .insert({op->getName().getAsOpaquePointer(),
                       op->getAttrDictionary().getAsOpaquePointer()})
              .second)
        form.descriptors.push_back(op);
    for (const std::string &name : other.ownProcedures)
      if (procedures.insert(name).second) {
        engine::Procedure procedure = lookupProcedure(name);
        form.procedures.push_back(name);
        form.replacesBody |= procedure.replacesBody;
        isEnding &= procedure.endsWithRules;
      }
    form.greedy |= other.name == kDriverForm;
  }
  // The refined forms are already folded.
  bool isBuiltin = llvm::any_of(parts, [&](AtomId part) {
    const Form &other = library.forms[part];
    return other.declaration->getParentOp() == library.files.front().get() &&
           other.descriptors.size() == form.descriptors.size() &&
           other.procedures.size() == form.procedures.size();
  });
  form.ending = isBuiltin  ? Ending::Known
                : isEnding ? Ending::OfRules
                           : Ending::Unknown;
  for (Operation *descriptor : form.descriptors)
    form.rewriteNames.push_back(descriptor->getName().getStringRef());
  llvm::append_range(form.rewriteNames, form.procedures);
}

LogicalResult FormLibrary::Loader::finish() {
  auto driver = ids.find(kDriverForm);
  for (auto [id, op] : llvm::enumerate(ops)) {
    Form form;
    form.atom = id;
    form.name = op.getSymName().str();
    form.summary = op.getSummary().str();
    form.declaration = op;
    form.anchor = parseAnchorKind(op.getAnchor());
    form.automatic = !op.getManual();
    form.whyManual = op.getManual().value_or("").str();
    if (std::optional<ArrayAttr> schedules = op.getSeenIn())
      for (StringRef schedule : schedules->getAsValueRange<StringAttr>())
        form.seenIn.push_back(schedule.str());
    form.weight = op.getWeight().value_or(1);
    for (Operation &nested : op.getBody().getOps()) {
      if (auto procedure = dyn_cast<ProcedureOp>(nested))
        form.ownProcedures.push_back(procedure.getName().str());
      else
        form.ownDescriptors.push_back(&nested);
    }
    if (failed(resolve(op, op.getRefines(), form.refines)) ||
        failed(resolve(op, op.getExcludes(), form.excludes)) ||
        failed(resolve(op, op.getPreserves(), form.preserves)))
      return failure();
    if (!form.ownDescriptors.empty() && driver != ids.end() &&
        driver->second != id &&
        !llvm::is_contained(form.refines, driver->second))
      form.refines.push_back(driver->second);

    Predicate predicate;
    if (std::optional<Attribute> attr = op.getPredicate()) {
      if (auto name = dyn_cast<StringAttr>(*attr)) {
        form.predicate = name.str();
        predicate =
            *cast<NormalFormDialect>(op->getDialect())->lookupPredicate(name);
      } else {
        auto matcher = cast<FlatSymbolRefAttr>(*attr);
        form.predicate = ("@" + matcher.getValue()).str();
        FailureOr<Predicate> made = createMatcherPredicate(
            op->getParentOfType<ModuleOp>(), matcher, op.getLoc());
        if (failed(made))
          return failure();
        predicate = std::move(*made);
      }
    }
    library.predicates.push_back(std::move(predicate));
    library.forms.push_back(std::move(form));
  }

  SmallVector<AtomDecl> decls;
  for (const Form &form : library.forms)
    decls.push_back({form.name, form.refines, form.excludes, form.preserves});
  LatticeError error;
  std::optional<FormLattice> order = FormLattice::create(decls, error);
  if (!order)
    return reportLatticeError(error);
  library.order = std::move(*order);
  for (Form &form : library.forms)
    fold(form);
  return success();
}

//===----------------------------------------------------------------------===//
// FormLibrary
//===----------------------------------------------------------------------===//

/// Parses the declarations in `path`. If the file has no module but has
/// matchers, marks the module that the parser adds as one with named sequences.
/// Null after an error.
static OwningOpRef<ModuleOp> parseForms(StringRef path, MLIRContext *context) {
  ParserConfig config(context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, config);
  if (!module)
    return nullptr;
  // The location of a module that the parser adds is line 0.
  auto loc = dyn_cast<FileLineColLoc>(module->getLoc());
  bool hasMatchers = !module->getOps<transform::NamedSequenceOp>().empty();
  if (loc && loc.getLine() == 0 && hasMatchers)
    (*module)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                       UnitAttr::get(context));
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

StringRef FormLibrary::getBuiltinText() { return embedded::builtinForms; }

FailureOr<std::unique_ptr<FormLibrary>>
FormLibrary::load(MLIRContext *context, ArrayRef<std::string> extraFiles) {
  context->getOrLoadDialect<NormalFormDialect>();
  auto library = std::make_unique<FormLibrary>();
  library->context = context;
  Loader loader(*library);
  // A test verifies the built-in file; verifying here would slow each start-up.
  ParserConfig builtin(context, /*verifyAfterParse=*/false);
  if (failed(loader.addFile(parseSourceString<ModuleOp>(
          getBuiltinText(), builtin, "built-in forms"))))
    return failure();
  for (const std::string &path : extraFiles)
    if (failed(loader.addFile(parseForms(path, context))))
      return failure();
  if (failed(loader.finish()))
    return failure();
  return library;
}

const FormLibrary *FormLibrary::get(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<NormalFormDialect>();
  const LibraryFiles *files = LibraryFiles::lookup(context);
  return dialect->getOrLoadLibrary([&]() -> std::shared_ptr<const FormLibrary> {
    FailureOr<std::unique_ptr<FormLibrary>> library =
        load(context, files ? files->forms : std::vector<std::string>());
    if (failed(library))
      return nullptr;
    return std::move(*library);
  });
}

LogicalResult FormLibrary::install(MLIRContext *context,
                                   ArrayRef<std::string> extraFiles) {
  FailureOr<std::unique_ptr<FormLibrary>> library = load(context, extraFiles);
  if (failed(library))
    return failure();
  context->getOrLoadDialect<NormalFormDialect>()->setLibrary(
      std::move(*library));
  return success();
}

const Form *FormLibrary::lookup(StringRef name) const {
  std::optional<AtomId> atom = order.lookup(name);
  return atom ? &forms[*atom] : nullptr;
}

engine::Driver FormLibrary::getDriver(const Form &form) const {
  auto *dialect = context->getLoadedDialect<NormalFormDialect>();
  engine::Driver driver;
  driver.rules = dialect->getRuleSetCache().get(form.descriptors, context);
  driver.greedy = form.greedy;
  for (const std::string &name : form.procedures)
    driver.procedures.push_back(lookupProcedure(name));
  return driver;
}

SmallVector<Violation> FormLibrary::checkPredicates(const Form &form,
                                                    Operation *anchor) const {
  SmallVector<Violation> violations;
  llvm::StringSet<> seen;
  for (AtomId atom : order.closure(form.atom).atoms()) {
    const Predicate &predicate = predicates[atom];
    if (predicate.check && seen.insert(predicate.name).second)
      predicate.check(anchor, violations, /*onlyFirst=*/false);
  }
  return violations;
}

FormSet FormLibrary::getHolding(Operation *anchor) const {
  FormSet held = order.top();
  // Most forms share the forms that they refine, so check each predicate once.
  llvm::StringMap<bool> known;
  auto holds = [&](AtomId atom) {
    const Predicate &predicate = predicates[atom];
    if (!predicate.check)
      return true;
    auto [it, isNew] = known.try_emplace(predicate.name, true);
    if (isNew) {
      SmallVector<Violation> violations;
      predicate.check(anchor, violations, /*onlyFirst=*/true);
      it->second = violations.empty();
    }
    return it->second;
  };
  for (const Form &form : forms)
    if (!form.hasDriver() &&
        llvm::all_of(order.closure(form.atom).atoms(), holds))
      held = order.establish(held, form.atom);
  return held;
}
