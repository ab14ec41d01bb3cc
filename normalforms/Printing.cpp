//===- Printing.cpp - Forms as text and as a diagram ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Printing.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

using namespace mlir;
using namespace formwork::normalforms;

StringRef formwork::normalforms::getLevel(const Form &form) {
  StringRef name = form.name;
  if (name == "bufferized")
    return "buffers";
  if (!name.contains('.'))
    return "any";
  StringRef prefix = name.take_until([](char c) { return c == '.'; });
  return llvm::StringSwitch<StringRef>(prefix)
      .Cases({"linalg", "tensor"}, "tensors")
      .Case("vector", "vectors")
      .Case("memref", "buffers")
      .Default(prefix);
}

/// The forms by level, in the order of their declaration.
static llvm::MapVector<StringRef, SmallVector<const Form *>>
groupByLevel(const FormLibrary &library) {
  llvm::MapVector<StringRef, SmallVector<const Form *>> levels;
  for (const Form &form : library.getForms())
    levels[getLevel(form)].push_back(&form);
  return levels;
}

void formwork::normalforms::printLibrary(const FormLibrary &library,
                                         raw_ostream &os) {
  OpPrintingFlags flags;
  // Matchers are printed with the file of the declaration.
  llvm::DenseSet<Operation *> matchers;
  for (const Form &form : library.getForms()) {
    if (StringRef(form.predicate).starts_with("@"))
      for (Operation &op : *form.declaration->getBlock())
        if (op.getDialect() != form.declaration->getDialect() &&
            matchers.insert(&op).second) {
          op.print(os, flags);
          os << "\n";
        }
    form.declaration->print(os, flags);
    os << "\n";
  }
}

void formwork::normalforms::printDot(const FormLibrary &library,
                                     raw_ostream &os) {
  os << "digraph forms {\n"
        "  rankdir=BT;\n"
        "  node [shape=box, fontname=\"Helvetica\"];\n";
  unsigned cluster = 0;
  for (const auto &[level, forms] : groupByLevel(library)) {
    os << "  subgraph cluster_" << cluster++ << " {\n"
       << "    label=\"" << level << "\";\n";
    for (const Form *form : forms) {
      os << "    \"" << form->name << "\" [tooltip=\"";
      llvm::printEscapedString(form->summary, os);
      os << "\"" << (form->automatic ? "" : ", style=dashed") << "];\n";
    }
    os << "  }\n";
  }
  for (const Form &form : library.getForms()) {
    for (AtomId other : library.lattice().getCovers(form.atom))
      os << "  \"" << form.name << "\" -> \"" << library.getForm(other).name
         << "\";\n";
    for (AtomId other : form.excludes)
      os << "  \"" << form.name << "\" -> \"" << library.getForm(other).name
         << "\" [style=dashed, color=red, constraint=false, "
            "label=\"excludes\"];\n";
  }
  os << "}\n";
}

static std::string joinNames(const FormLibrary &library,
                             ArrayRef<AtomId> atoms) {
  return llvm::join(llvm::map_range(atoms,
                                    [&](AtomId atom) {
                                      return "`@" + library.getForm(atom).name +
                                             "`";
                                    }),
                    ", ");
}

static void printNeeds(const Needs &needs, raw_ostream &os) {
  auto print = [&](StringRef what, const auto &names) {
    if (names.empty())
      return;
    os << "- " << what << " ";
    llvm::interleaveComma(names, os, [&](StringRef name) {
      name.consume_front("transform.");
      os << "`" << name << "`";
    });
    os << "\n";
  };
  print("required by", needs.requiredBy);
  print("wanted by", needs.wantedBy);
  print("seen in", needs.seenIn);
}

static void printEntry(const FormLibrary &library, const Form &form,
                       const Needs &needs, raw_ostream &os) {
  os << "### `@" << form.name << "`\n\n" << form.summary << ".\n\n";
  SmallVector<AtomId> covers = library.lattice().getCovers(form.atom);
  if (!covers.empty())
    os << "- refines " << joinNames(library, covers) << "\n";
  if (!form.excludes.empty())
    os << "- excludes " << joinNames(library, form.excludes) << "\n";
  if (!form.preserves.empty())
    os << "- preserves " << joinNames(library, form.preserves) << "\n";
  for (Operation *op : form.ownDescriptors) {
    StringRef name = op->getName().getStringRef();
    name.consume_front("transform.");
    os << "- rules `" << name << "`\n";
  }
  for (const std::string &procedure : form.ownProcedures)
    os << "- procedure `" << procedure << "`\n";
  for (const PredicateClause &clause : library.getClauses(form))
    os << "- `" << clause.id << "`: " << clause.requirement << "\n";
  printNeeds(needs, os);
  os << "- anchor: " << stringifyAnchorKind(form.anchor) << "; ";
  if (form.automatic)
    os << "inserted automatically";
  else
    os << "never inserted: " << form.whyManual;
  os << "; weight " << form.weight << "\n\n";
}

void formwork::normalforms::printCatalogue(const FormLibrary &library,
                                           const ContractLibrary &contracts,
                                           raw_ostream &os) {
  os << "# Forms\n\n"
        "Generated by `formwork forms --catalogue`; a test fails when it is "
        "stale. A form is\ninserted automatically where getting there changes "
        "nothing that the author of a\nschedule chose. `seen in` names "
        "schedules, each by repository and path, that reach\na form by hand or "
        "ask for it.\n\n";
  std::vector<Needs> needs = collectNeeds(library, contracts);
  for (const auto &[level, forms] : groupByLevel(library)) {
    os << "## Level: " << level << "\n\n";
    for (const Form *form : forms)
      printEntry(library, *form, needs[form->atom], os);
  }
}

/// A shortest path of direct `refines` from `a` to `b`, both included.
static SmallVector<AtomId> findPath(const FormLattice &lattice, AtomId a,
                                    AtomId b) {
  llvm::DenseMap<AtomId, AtomId> from;
  std::deque<AtomId> queue = {a};
  from[a] = a;
  while (!queue.empty()) {
    AtomId atom = queue.front();
    queue.pop_front();
    if (atom == b)
      break;
    for (AtomId next : lattice.getCovers(atom))
      if (from.try_emplace(next, atom).second)
        queue.push_back(next);
  }
  SmallVector<AtomId> path = {b};
  while (path.back() != a)
    path.push_back(from.lookup(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

bool formwork::normalforms::explainLeq(const FormLibrary &library,
                                       const Form &a, const Form &b,
                                       raw_ostream &os) {
  const FormLattice &lattice = library.lattice();
  if (lattice.refines(a.atom, b.atom)) {
    os << "@" << a.name << " <= @" << b.name << ": ";
    if (a.atom == b.atom) {
      os << "every form refines itself\n";
      return true;
    }
    llvm::interleave(
        findPath(lattice, a.atom, b.atom), os,
        [&](AtomId atom) { os << "@" << lattice.getName(atom); }, " refines ");
    os << "\n";
    return true;
  }
  os << "@" << a.name << " is not <= @" << b.name << ": @" << a.name
     << " lacks ";
  SmallVector<AtomId> missing;
  for (AtomId atom : lattice.closure(b.atom).atoms())
    if (!lattice.refines(a.atom, atom))
      missing.push_back(atom);
  llvm::interleaveComma(
      missing, os, [&](AtomId atom) { os << "@" << lattice.getName(atom); });
  os << "\n";
  for (AtomId atom : missing) {
    const Form &form = library.getForm(atom);
    for (Operation *op : form.ownDescriptors)
      os << "  @" << form.name << " has the rules " << op->getName() << "\n";
    for (const std::string &procedure : form.ownProcedures)
      os << "  @" << form.name << " has the procedure " << procedure << "\n";
    for (const PredicateClause &clause : library.getClauses(form))
      os << "  @" << form.name << " requires " << clause.requirement << " ("
         << clause.id << ")\n";
  }
  return false;
}
