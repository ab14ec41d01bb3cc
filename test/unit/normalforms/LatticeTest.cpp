//===- LatticeTest.cpp - The laws of the form lattice -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exhaustive: every order on four atoms (each a set of edges from a later atom
// to an earlier one), every closed set of each, every triple of sets.
//
//===----------------------------------------------------------------------===//

#include "normalforms/Lattice.h"

#include "gtest/gtest.h"

using namespace formwork::normalforms;

namespace {

std::vector<AtomDecl> makeDecls(unsigned atoms) {
  std::vector<AtomDecl> decls(atoms);
  for (unsigned i = 0; i < atoms; ++i)
    decls[i].name = std::string(1, char('a' + i));
  return decls;
}

/// The declarations whose refines edges are the bits of `edges`.
std::vector<AtomDecl> makeOrder(unsigned atoms, unsigned edges) {
  std::vector<AtomDecl> decls = makeDecls(atoms);
  unsigned bit = 0;
  for (unsigned i = 0; i < atoms; ++i)
    for (unsigned j = 0; j < i; ++j, ++bit)
      if (edges & (1u << bit))
        decls[i].refines.push_back(j);
  return decls;
}

FormLattice create(llvm::ArrayRef<AtomDecl> decls) {
  LatticeError error;
  std::optional<FormLattice> lattice = FormLattice::create(decls, error);
  EXPECT_TRUE(lattice);
  return std::move(*lattice);
}

/// Every element: the closures of all sets of atoms, each once.
std::vector<FormSet> getElements(const FormLattice &lattice) {
  std::vector<FormSet> elements;
  for (unsigned mask = 0; mask < (1u << lattice.size()); ++mask) {
    llvm::SmallVector<AtomId> atoms;
    for (AtomId atom = 0; atom < lattice.size(); ++atom)
      if (mask & (1u << atom))
        atoms.push_back(atom);
    FormSet set = lattice.closure(atoms);
    if (!llvm::is_contained(elements, set))
      elements.push_back(set);
  }
  return elements;
}

bool isClosed(const FormLattice &lattice, const FormSet &set) {
  return lattice.closure(set.atoms()) == set;
}

template <typename Fn> void forEachOrder(unsigned atoms, Fn fn) {
  for (unsigned edges = 0; edges < (1u << (atoms * (atoms - 1) / 2)); ++edges)
    fn(makeOrder(atoms, edges));
}

TEST(LatticeTest, OrderLaws) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    std::vector<FormSet> all = getElements(l);
    for (const FormSet &f : all) {
      ASSERT_TRUE(l.leq(f, f));
      ASSERT_TRUE(l.leq(f, l.top()));
      for (const FormSet &g : all) {
        ASSERT_EQ(l.leq(f, g) && l.leq(g, f), f == g);
        for (const FormSet &h : all)
          ASSERT_TRUE(!l.leq(f, g) || !l.leq(g, h) || l.leq(f, h));
      }
    }
  });
}

TEST(LatticeTest, MeetAndJoinAreBounds) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    std::vector<FormSet> all = getElements(l);
    for (const FormSet &f : all)
      for (const FormSet &g : all) {
        FormSet meet = l.meet(f, g), join = l.join(f, g);
        ASSERT_TRUE(isClosed(l, meet));
        ASSERT_TRUE(isClosed(l, join));
        for (const FormSet &h : all) {
          ASSERT_EQ(l.leq(h, meet), l.leq(h, f) && l.leq(h, g));
          ASSERT_EQ(l.leq(join, h), l.leq(f, h) && l.leq(g, h));
        }
      }
  });
}

TEST(LatticeTest, MeetAndJoinLaws) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    std::vector<FormSet> all = getElements(l);
    for (const FormSet &f : all) {
      ASSERT_EQ(l.meet(f, f), f);
      ASSERT_EQ(l.join(f, f), f);
      ASSERT_EQ(l.meet(f, l.top()), f);
      ASSERT_EQ(l.join(f, l.top()), l.top());
      for (const FormSet &g : all) {
        ASSERT_EQ(l.meet(f, g), l.meet(g, f));
        ASSERT_EQ(l.join(f, g), l.join(g, f));
        ASSERT_EQ(l.meet(f, l.join(f, g)), f);
        ASSERT_EQ(l.join(f, l.meet(f, g)), f);
        for (const FormSet &h : all) {
          ASSERT_EQ(l.meet(f, l.meet(g, h)), l.meet(l.meet(f, g), h));
          ASSERT_EQ(l.join(f, l.join(g, h)), l.join(l.join(f, g), h));
          ASSERT_EQ(l.meet(f, l.join(g, h)),
                    l.join(l.meet(f, g), l.meet(f, h)));
        }
      }
    }
  });
}

TEST(LatticeTest, RefinesIsTheOrderOfClosures) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    for (AtomId a = 0; a < l.size(); ++a)
      for (AtomId b = 0; b < l.size(); ++b)
        ASSERT_EQ(l.refines(a, b), l.leq(l.closure(a), l.closure(b)));
  });
}

TEST(LatticeTest, RemoveIsTheGreatestSubsetWithout) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    std::vector<FormSet> all = getElements(l);
    for (const FormSet &f : all)
      for (AtomId a = 0; a < l.size(); ++a) {
        FormSet removed = l.remove(f, a);
        ASSERT_TRUE(isClosed(l, removed));
        ASSERT_FALSE(removed.contains(a));
        for (const FormSet &g : all)
          if (l.leq(f, g) && !g.contains(a))
            ASSERT_TRUE(l.leq(removed, g));
      }
  });
}

TEST(LatticeTest, RestrictIsTheGreatestSubsetOfTheKept) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    std::vector<FormSet> all = getElements(l);
    for (unsigned mask = 0; mask < 16; ++mask) {
      llvm::SmallVector<AtomId> kept;
      for (AtomId a = 0; a < 4; ++a)
        if (mask & (1u << a))
          kept.push_back(a);
      auto isKept = [&](const FormSet &g) {
        return llvm::all_of(
            g.atoms(), [&](AtomId a) { return llvm::is_contained(kept, a); });
      };
      for (const FormSet &f : all) {
        FormSet rest = l.restrict(f, kept);
        ASSERT_TRUE(isClosed(l, rest));
        ASSERT_TRUE(isKept(rest));
        for (const FormSet &g : all)
          if (l.leq(f, g) && isKept(g))
            ASSERT_TRUE(l.leq(rest, g));
      }
    }
  });
}

/// All declarations of `excludes` and `preserves` on three atoms.
template <typename Fn> void forEachExclusion(Fn fn) {
  forEachOrder(3, [&](std::vector<AtomDecl> decls) {
    for (unsigned out = 0; out < 64; ++out)
      for (unsigned keep = 0; keep < 64; ++keep) {
        std::vector<AtomDecl> declared = decls;
        unsigned bit = 0;
        for (unsigned i = 0; i < 3; ++i)
          for (unsigned j = 0; j < 3; ++j) {
            if (i == j)
              continue;
            if (out & (1u << bit))
              declared[i].excludes.push_back(j);
            if (keep & (1u << bit))
              declared[i].preserves.push_back(j);
            ++bit;
          }
        fn(declared);
      }
  });
}

TEST(LatticeTest, EstablishAndNormalizeLaws) {
  unsigned accepted = 0, refused = 0;
  forEachExclusion([&](const std::vector<AtomDecl> &decls) {
    LatticeError error;
    std::optional<FormLattice> l = FormLattice::create(decls, error);
    if (!l) {
      ++refused;
      return;
    }
    ++accepted;
    std::vector<FormSet> all = getElements(*l);
    for (AtomId a = 0; a < l->size(); ++a)
      for (const FormSet &f : all) {
        for (bool normalize : {false, true}) {
          auto step = [&](const FormSet &s) {
            return normalize ? l->normalize(s, a) : l->establish(s, a);
          };
          FormSet after = step(f);
          ASSERT_TRUE(isClosed(*l, after));
          ASSERT_TRUE(l->leq(after, l->closure(a)));
          ASSERT_EQ(step(after), after);
          // Nothing is invented.
          ASSERT_TRUE(l->leq(l->meet(f, l->closure(a)), after));
          if (!f.contains(a) || !normalize)
            for (AtomId out : l->getExcluded(a))
              ASSERT_FALSE(after.contains(out));
          for (const FormSet &g : all)
            if (l->leq(f, g))
              ASSERT_TRUE(l->leq(after, step(g))) << "not monotone";
        }
        // Normalizing forgets at least what finding out does.
        if (!f.contains(a))
          ASSERT_TRUE(l->leq(l->establish(f, a), l->normalize(f, a)));
      }
  });
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 100u);
}

TEST(LatticeTest, RefusedDeclarationsAreWitnessed) {
  forEachExclusion([&](const std::vector<AtomDecl> &decls) {
    LatticeError error;
    if (FormLattice::create(decls, error))
      return;
    std::vector<AtomDecl> plain = decls;
    for (AtomDecl &decl : plain) {
      decl.excludes.clear();
      decl.preserves.clear();
    }
    FormLattice order = create(plain);
    switch (error.kind) {
    case LatticeError::ContradictoryExcludes:
      // atoms[0] implies atoms[1], which an exclusion that it implies, too,
      // rules out.
      ASSERT_TRUE(order.refines(error.atoms[0], error.atoms[1]));
      ASSERT_TRUE(order.refines(error.atoms[0], error.atoms[2]));
      ASSERT_TRUE(llvm::any_of(decls[error.atoms[2]].excludes, [&](AtomId out) {
        return order.refines(error.atoms[1], out);
      }));
      break;
    case LatticeError::ExcludedPreserved:
      ASSERT_TRUE(
          llvm::is_contained(decls[error.atoms[0]].preserves, error.atoms[1]));
      break;
    default:
      FAIL() << "no such error is possible here";
    }
  });
}

TEST(LatticeTest, CyclesAndDuplicatesAreRefused) {
  std::vector<AtomDecl> decls = makeDecls(3);
  decls[0].refines.push_back(1);
  decls[1].refines.push_back(2);
  decls[2].refines.push_back(1);
  LatticeError error;
  EXPECT_FALSE(FormLattice::create(decls, error));
  EXPECT_EQ(error.kind, LatticeError::RefinesCycle);
  EXPECT_EQ(error.atoms, (llvm::SmallVector<AtomId>{1, 2}));

  decls = makeDecls(2);
  decls[1].name = "a";
  EXPECT_FALSE(FormLattice::create(decls, error));
  EXPECT_EQ(error.kind, LatticeError::DuplicateName);
}

TEST(LatticeTest, WorkedExample) {
  // 0 canonical <- 1 perfect_nest, 2 bufferized excludes 3 on_tensors.
  std::vector<AtomDecl> decls(4);
  decls[0].name = "canonical";
  decls[1].name = "perfect_nest";
  decls[1].refines.push_back(0);
  decls[2].name = "bufferized";
  decls[2].excludes.push_back(3);
  decls[3].name = "on_tensors";
  FormLattice l = create(decls);
  FormSet nest = l.closure(1), buffers = l.closure(2);
  EXPECT_EQ(l.join(nest, l.meet(l.closure(AtomId(0)), buffers)),
            l.closure(AtomId(0)));
  EXPECT_EQ(l.toString(l.meet(nest, buffers)), "@perfect_nest, @bufferized");
  EXPECT_EQ(l.toString(l.top()), "any form");
  FormSet tensors = l.meet(nest, l.closure(3));
  EXPECT_EQ(l.establish(tensors, 2), l.meet(nest, buffers));
  EXPECT_EQ(l.normalize(tensors, 2), buffers) << "nothing is preserved";
  EXPECT_EQ(l.suggest("bufferised"), AtomId(2));
  EXPECT_EQ(l.suggest("quite different"), std::nullopt);
}

TEST(LatticeTest, CoversAreTheEdgesOfTheHasseDiagram) {
  forEachOrder(4, [](const std::vector<AtomDecl> &decls) {
    FormLattice l = create(decls);
    // The order is the transitive closure of the covers, and no cover can be
    // left out.
    std::vector<AtomDecl> reduced = makeDecls(4);
    for (AtomId a = 0; a < 4; ++a)
      reduced[a].refines = l.getCovers(a);
    FormLattice again = create(reduced);
    for (AtomId a = 0; a < 4; ++a)
      ASSERT_EQ(again.closure(a), l.closure(a));
    for (AtomId a = 0; a < 4; ++a)
      for (AtomId cover : l.getCovers(a)) {
        std::vector<AtomDecl> less = reduced;
        llvm::erase(less[a].refines, cover);
        ASSERT_NE(create(less).closure(a), l.closure(a));
      }
  });
}

} // namespace
