//===- FormLibrary.h - The loaded forms of a context ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms that a context knows: the built-in library, which is a file in the
// `normalform` dialect inside the binary, then the user's files. Layer:
// normalforms. It knows the parts of a form. How to reach a form is the
// engine's (Normalizer); contracts say which steps need a form.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_FORMLIBRARY_H
#define FORMWORK_NORMALFORMS_FORMLIBRARY_H

#include "engine/Normalizer.h"
#include "normalforms/IR/Predicate.h"
#include "normalforms/Lattice.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace formwork::normalforms {

/// The smallest op at which a form may be established and evaluated. A larger
/// op is always allowed, because forms hold for everything below their anchor.
enum class AnchorKind {
  Isolated, ///< any op isolated from above: function, gpu.func, module
  LoopNest, ///< those, and loops
  Module    ///< only a module: builtin.module or gpu.module
};

/// Whether normalizing to a form is known to terminate.
enum class Ending {
  Known,   ///< it runs the rewrites of a built-in form (ClaimsTest)
  OfRules, ///< if its rules do: its procedures end with any (GroupsTest)
  Unknown
};

/// One declared form, together with everything that it refines.
struct Form {
  AtomId atom;
  std::string name; ///< without the `@`
  std::string summary;
  /// The declaration; lives as long as the library.
  mlir::Operation *declaration;

  /// Rule-group descriptors (`transform.apply_patterns.*` ops): first those of
  /// the refined forms, each distinct group once.
  llvm::SmallVector<mlir::Operation *> descriptors;
  /// Procedure names, in the same order.
  llvm::SmallVector<std::string> procedures;
  /// The names of the descriptors, then of the procedures.
  llvm::SmallVector<llvm::StringRef, 4> rewriteNames;
  /// The part that this declaration adds to the refined forms.
  llvm::SmallVector<mlir::Operation *> ownDescriptors;
  llvm::SmallVector<std::string> ownProcedures;

  /// As declared, not closed; the lattice holds the closures.
  llvm::SmallVector<AtomId> refines;
  llvm::SmallVector<AtomId> excludes;
  llvm::SmallVector<AtomId> preserves;

  /// The registered name of the form's own predicate, the `@symbol` of its
  /// matcher sequence, or empty.
  std::string predicate;
  AnchorKind anchor = AnchorKind::Isolated;
  /// Whether a plan may insert the form (DESIGN §2). A form that is not
  /// automatic and has no rules of its own can only be asserted.
  bool automatic = true;
  /// The author's choice that normalizing would change; empty when automatic.
  std::string whyManual;
  /// Schedules that reach the form by hand or ask for it: `REPOSITORY PATH`.
  llvm::SmallVector<std::string, 1> seenIn;
  /// The relative cost of one normalization; at least 1.
  unsigned weight = 1;

  /// Whether the greedy driver runs, that is, the form is or refines `@driver`.
  bool greedy = false;
  /// Whether one of the procedures has `replacesBody`.
  bool replacesBody = false;
  Ending ending = Ending::Unknown;

  /// Whether normalizing can change the payload.
  bool hasDriver() const { return greedy || !procedures.empty(); }
};

/// The form whose rules are the greedy driver's own rewrites. Every form with a
/// rule group refines it.
inline constexpr llvm::StringLiteral kDriverForm = "driver";

/// Whether `op` can be an anchor of a form of kind `kind`.
bool isAnchor(mlir::Operation *op, AnchorKind kind);
/// `"isolated"`, `"loop-nest"`, `"module"`: as written in a declaration.
llvm::StringRef stringifyAnchorKind(AnchorKind kind);

/// The forms of one context. Immutable; may be read from several threads.
class FormLibrary {
public:
  /// Parses and checks the built-in library, then `extraFiles` in order. These
  /// files add forms, which may refine and exclude earlier forms but not
  /// redefine them (fw-form-redefined). Errors are emitted at the place in the
  /// file. Loads the dialects that the library uses. Do not call this from a
  /// pass.
  static llvm::FailureOr<std::unique_ptr<FormLibrary>>
  load(mlir::MLIRContext *context, llvm::ArrayRef<std::string> extraFiles = {});

  /// The library of the context's `normalform` dialect. Loads the built-in
  /// library on first use. Returns null and emits an error when that fails.
  /// Thread-safe.
  static const FormLibrary *get(mlir::MLIRContext *context);

  /// As `get`, but with `extraFiles`. Call it before anything else asks for the
  /// library of `context`.
  static llvm::LogicalResult
  install(mlir::MLIRContext *context,
          llvm::ArrayRef<std::string> extraFiles = {});

  /// The form called `name` (without `@`), or null.
  const Form *lookup(llvm::StringRef name) const;
  const Form &getForm(AtomId atom) const { return forms[atom]; }
  llvm::ArrayRef<Form> getForms() const { return forms; }
  const FormLattice &lattice() const { return order; }

  /// The driver that normalizes to `form`. The rule set is frozen on first use.
  engine::Driver getDriver(const Form &form) const;

  /// Every violation at `anchor` of the predicates of `form` and of all forms
  /// that it refines, in walk order. A pure walk; irreducibility is not
  /// checked.
  llvm::SmallVector<Violation> checkPredicates(const Form &form,
                                               mlir::Operation *anchor) const;

  /// The forms without rules whose predicates all hold at `anchor`, and the
  /// forms that they refine.
  FormSet getHolding(mlir::Operation *anchor) const;

  /// The clauses of the predicate that `form` itself names.
  llvm::ArrayRef<PredicateClause> getClauses(const Form &form) const {
    return predicates[form.atom].clauses;
  }

  /// The text of the built-in library's file.
  static llvm::StringRef getBuiltinText();

private:
  mlir::MLIRContext *context = nullptr;
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> files;
  std::vector<Form> forms;
  /// For each form: the predicate that its own declaration names, or an empty
  /// one.
  std::vector<Predicate> predicates;
  FormLattice order;

  class Loader;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_FORMLIBRARY_H
