//===- Facet.h - What is said of few values ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An optional part of a value that most values lack. Layer: verifier; a value.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_FACET_H
#define FORMWORK_VERIFIER_STATE_FACET_H

#include <memory>

namespace formwork::verifier {

/// A `T` that copies share until one of them changes it; `T()` where nothing is
/// said. Law: `edit` on one copy changes no other. Example: of 10 000 nodes,
/// those that tiling made have a `Facet<TileFacts>`, and the others pay for a
/// null pointer.
template <typename T> class Facet {
public:
  const T &operator*() const {
    static const T none;
    return said ? *said : none;
  }
  const T *operator->() const { return &**this; }
  /// The value, to be changed.
  T &edit() {
    if (!said || said.use_count() > 1)
      said = std::make_shared<T>(**this);
    return *said;
  }
  /// Keeps what both say, by `T::join`.
  void join(const Facet &other) {
    if (said != other.said)
      edit().join(*other);
  }

private:
  std::shared_ptr<T> said;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_FACET_H
