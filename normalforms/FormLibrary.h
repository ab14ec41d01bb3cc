//===- FormLibrary.h - The loaded forms of a context ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms that a context knows: the built-in library, which is a file in the
// `normalform` dialect inside the binary, and the user's files after it. Layer:
// normalforms; it knows what a form consists of, not how one is reached (that
// is engine's Normalizer) nor who needs it (contracts).
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
/// one always does: forms hold of everything below their anchor.
enum class AnchorKind {
  Isolated, ///< any op isolated from above: function, gpu.func, module
  LoopNest, ///< a loop, too
  Module    ///< only a module: builtin.module or gpu.module
};

/// Whether it is known of a form that normalizing to it comes to an end.
enum class Ending {
  Known,   ///< it runs what one of the built-in forms does (ClaimsTest)
  OfRules, ///< if its rules do: its procedures end with any (GroupsTest)
  Unknown
};

/// One declared form, everything that it refines already folded in.
struct Form {
  AtomId atom;
  std::string name; ///< without the `@`
  std::string summary;
  /// The declaration; lives as long as the library.
  mlir::Operation *declaration;

  /// Rule-group descriptors (`transform.apply_patterns.*` ops): those of the
  /// refined forms first, each distinct group once.
  llvm::SmallVector<mlir::Operation *> descriptors;
  /// Procedure names, in the same order.
  llvm::SmallVector<std::string> procedures;
  /// What both are called, in this order.
  llvm::SmallVector<llvm::StringRef, 4> rewriteNames;
  /// What this declaration alone adds to what it refines.
  llvm::SmallVector<mlir::Operation *> ownDescriptors;
  llvm::SmallVector<std::string> ownProcedures;

  /// As declared, not closed; the lattice holds the closures.
  llvm::SmallVector<AtomId> refines;
  llvm::SmallVector<AtomId> excludes;
  llvm::SmallVector<AtomId> preserves;

  /// Registered name of the own predicate, `@symbol` of an own matcher
  /// sequence, or empty.
  std::string predicate;
  AnchorKind anchor = AnchorKind::Isolated;
  /// Whether a plan may insert it (DESIGN §2). A form that is not automatic and
  /// has no rules of its own can only be asserted.
  bool automatic = true;
  /// What of the author's choices normalizing would change; empty when
  /// automatic.
  std::string whyManual;
  /// Schedules that reach the form by hand or ask for it: `REPOSITORY PATH`.
  llvm::SmallVector<std::string, 1> seenIn;
  /// What one normalization costs, relative to others; at least 1.
  unsigned weight = 1;

  /// Whether the greedy driver runs: the form is, or refines, `@driver`.
  bool greedy = false;
  /// Whether one of the procedures `replacesBody`.
  bool replacesBody = false;
  Ending ending = Ending::Unknown;

  /// Whether normalizing can change the payload.
  bool hasDriver() const { return greedy || !procedures.empty(); }
};

/// The form whose rules are what the greedy driver does by itself; refined by
/// every form with a rule group.
inline constexpr llvm::StringLiteral kDriverForm = "driver";

/// Whether `op` can be an anchor of a form of kind `kind`.
bool isAnchor(mlir::Operation *op, AnchorKind kind);
/// `"isolated"`, `"loop-nest"`, `"module"`: as written in a declaration.
llvm::StringRef stringifyAnchorKind(AnchorKind kind);

/// The forms of one context. Immutable; may be read from several threads.
class FormLibrary {
public:
  /// Parses and checks the built-in library, then `extraFiles` in order: they
  /// add forms and may refine and exclude the earlier ones, but redefine none
  /// (fw-form-redefined). Errors are emitted at the place in the file. Loads
  /// the dialects that the library uses; not to be called from a pass.
  static llvm::FailureOr<std::unique_ptr<FormLibrary>>
  load(mlir::MLIRContext *context, llvm::ArrayRef<std::string> extraFiles = {});

  /// The library that the context's `normalform` dialect holds; on first use
  /// the built-in one is loaded. Null, with an error emitted, when that fails.
  /// Thread-safe.
  static const FormLibrary *get(mlir::MLIRContext *context);

  /// `get`, but with `extraFiles`; to be called before anything else asks for
  /// the library of `context`.
  static llvm::LogicalResult
  install(mlir::MLIRContext *context,
          llvm::ArrayRef<std::string> extraFiles = {});

  /// The form called `name` (without `@`), or null.
  const Form *lookup(llvm::StringRef name) const;
  const Form &getForm(AtomId atom) const { return forms[atom]; }
  llvm::ArrayRef<Form> getForms() const { return forms; }
  const FormLattice &lattice() const { return order; }

  /// What normalizing to `form` runs. The rule set is frozen on first use.
  engine::Driver getDriver(const Form &form) const;

  /// Every violation of the predicates of `form` and of all that it refines at
  /// `anchor`, in walk order; a pure walk. Irreducibility is not looked at.
  llvm::SmallVector<Violation> checkPredicates(const Form &form,
                                               mlir::Operation *anchor) const;

  /// The forms without rules of which all predicates hold at `anchor`, with
  /// those that they refine. With `asked`, a form may be missing that is not in
  /// there, and says nothing of those that are.
  FormSet getHolding(mlir::Operation *anchor,
                     const FormSet *asked = nullptr) const;

  /// The clauses of the predicate that `form` itself names.
  llvm::ArrayRef<PredicateClause> getClauses(const Form &form) const {
    return predicates[form.atom].clauses;
  }

  /// The file of the built-in library, as text.
  static llvm::StringRef getBuiltinText();

private:
  mlir::MLIRContext *context = nullptr;
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> files;
  std::vector<Form> forms;
  /// Per form: the predicate that its own declaration names, or an empty one.
  std::vector<Predicate> predicates;
  FormLattice order;

  class Loader;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_FORMLIBRARY_H
