//===- BranchingVector.h - A vector that several paths change ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector that grows, and that can return to its state at a *fork*, so that
// another path continues from there. The changes of a path are then a *branch*:
// the elements that it changed or added. Forks and branches cost no more than
// the number of these elements. Layer: verifier; a container.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_BRANCHINGVECTOR_H
#define FORMWORK_VERIFIER_STATE_BRANCHINGVECTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace formwork::verifier {

/// Forks nest; all but the last are out of reach until that has ended. A copy
/// has the elements, and no forks.
///
/// Example: of [a, b], `fork`, a change of b to c, and another element d,
/// `leave` makes [a, b, absent], and a branch that has c in the place of b, and
/// d behind it; `take` of that makes [a, c, d].
template <typename T> class BranchingVector {
public:
  struct Branch {
    llvm::SmallVector<std::pair<unsigned, T>, 0> changed;
    llvm::SmallDenseMap<unsigned, unsigned, 16> positions;
    /// Those from `size` on, which was the size at the fork.
    std::vector<T> added;
    size_t size = 0;

    size_t getEnd() const { return size + added.size(); }
  };

  BranchingVector() = default;
  BranchingVector(const BranchingVector &other) : items(other.items) {}
  BranchingVector &operator=(const BranchingVector &other) {
    return *this = BranchingVector(other);
  }
  BranchingVector(BranchingVector &&) = default;
  BranchingVector &operator=(BranchingVector &&) = default;

  const T &operator[](size_t i) const { return items[i]; }
  size_t size() const { return items.size(); }
  operator llvm::ArrayRef<T>() const { return items; }
  void push_back(T &&item) { items.push_back(std::move(item)); }
  T &emplace_back() { return items.emplace_back(); }
  /// The element, to be changed at once.
  T &write(size_t i) {
    if (!forks.empty())
      remember(i);
    return items[i];
  }

  void fork() { forks.push_back({items.size(), ++lastFork, {}}); }
  /// Goes back to the last fork, but for the size: what was added since is
  /// `absent`, so that its indices are not used again.
  Branch leave(const T &absent);
  /// From the last fork, goes along `branch`.
  void take(Branch &&branch);
  /// The last fork is one no more; what was done since stays.
  void endFork();

  /// As it was at the last fork, for what was there.
  const T &getBefore(size_t i) const {
    const Fork &last = forks.back();
    return isRemembered(i) ? last.saved[marks[i].position].item : items[i];
  }
  /// As it is on `branch`, which left the last fork.
  const T &get(const Branch &branch, size_t i) const {
    if (i >= branch.size)
      return branch.added[i - branch.size];
    auto it = branch.positions.find(i);
    return it == branch.positions.end() ? getBefore(i)
                                        : branch.changed[it->second].second;
  }
  /// The elements that existed at the last fork and were changed since then or
  /// on `branch`, in order.
  llvm::SmallVector<unsigned> getChanged(const Branch &branch) const;
  size_t getSizeBefore() const { return forks.back().size; }

private:
  /// In which fork an element was saved last, and where.
  struct Mark {
    unsigned fork = 0;
    unsigned position = 0;
  };
  struct Saved {
    unsigned index;
    Mark previous;
    T item;
  };
  struct Fork {
    size_t size;
    unsigned number;
    llvm::SmallVector<Saved, 0> saved;
  };

  bool isRemembered(size_t i) const {
    return i < marks.size() && marks[i].fork == forks.back().number;
  }
  void remember(size_t i) {
    Fork &last = forks.back();
    if (i >= last.size || isRemembered(i))
      return;
    if (marks.size() < last.size)
      marks.resize(last.size);
    last.saved.push_back({static_cast<unsigned>(i), marks[i], items[i]});
    marks[i] = {last.number, static_cast<unsigned>(last.saved.size() - 1)};
  }

  std::vector<T> items;
  std::vector<Mark> marks;
  llvm::SmallVector<Fork, 0> forks;
  unsigned lastFork = 0;
};

template <typename T>
typename BranchingVector<T>::Branch BranchingVector<T>::leave(const T &absent) {
  Fork &last = forks.back();
  Branch branch;
  branch.size = last.size;
  branch.changed.reserve(last.saved.size());
  for (Saved &saved : last.saved) {
    branch.positions.try_emplace(saved.index, branch.changed.size());
    branch.changed.push_back({saved.index, std::move(items[saved.index])});
    items[saved.index] = std::move(saved.item);
    marks[saved.index] = saved.previous;
  }
  last.saved.clear();
  branch.added.reserve(items.size() - last.size);
  for (size_t i = last.size; i < items.size(); ++i) {
    branch.added.push_back(std::move(items[i]));
    items[i] = absent;
  }
  return branch;
}

template <typename T> void BranchingVector<T>::take(Branch &&branch) {
  for (auto &[i, item] : branch.changed)
    write(i) = std::move(item);
  for (auto [i, item] : llvm::enumerate(branch.added))
    items[branch.size + i] = std::move(item);
}

template <typename T> void BranchingVector<T>::endFork() {
  Fork last = forks.pop_back_val();
  for (Saved &saved : last.saved) {
    marks[saved.index] = saved.previous;
    if (forks.empty())
      continue;
    Fork &around = forks.back();
    if (saved.index >= around.size || isRemembered(saved.index))
      continue;
    marks[saved.index] = {around.number,
                          static_cast<unsigned>(around.saved.size())};
    around.saved.push_back(std::move(saved));
  }
}

template <typename T>
llvm::SmallVector<unsigned>
BranchingVector<T>::getChanged(const Branch &branch) const {
  llvm::SmallVector<unsigned> indices;
  for (const Saved &saved : forks.back().saved)
    indices.push_back(saved.index);
  for (const auto &[i, item] : branch.changed)
    if (!isRemembered(i))
      indices.push_back(i);
  llvm::sort(indices);
  return indices;
}

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_BRANCHINGVECTOR_H
