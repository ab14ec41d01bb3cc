//===- AccessRuntime.h - What checked code tells as it runs -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the accesses of host code that runs: buffers, bounds, and which
// accesses of one byte no order connects. Layer: transforms; it knows neither
// IR nor schedules.
//
// An iteration of a loop without order is a *strand*. Iterations run one after
// the other, which is one of their orders. Two accesses of a byte race when
// their strands are different iterations of one loop, however deep they are in
// these, and one of them writes.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_ACCESSRUNTIME_H
#define FORMWORK_TRANSFORMS_RESULTS_ACCESSRUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/MathExtras.h"

#include <csetjmp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace formwork::transforms {

/// The access at which a run was ended.
struct BadAccess {
  enum Kind { OutOfBounds, Race };
  Kind kind = OutOfBounds;
  /// Numbers of the access and, of a race, of the one before; of bounds that
  /// the code checked itself, a number of AccessSite.
  uint32_t site = 0, otherSite = 0;
  /// Checked by the code itself, not found at an address.
  bool isChecked = false;
  bool writes = false, otherWrites = false;
  /// "index 64 of dimension 0, which has 60 elements"; "[3, 5] of 'result'".
  std::string where;
};

class AccessRuntime {
public:
  AccessRuntime();
  ~AccessRuntime();
  AccessRuntime(const AccessRuntime &) = delete;
  AccessRuntime &operator=(const AccessRuntime &) = delete;

  /// Memory for a buffer that reports call `name`, with zones around it that no
  /// access may touch; with a shape, its elements have `elementBytes` each. All
  /// goes when this does. Null where there is no memory.
  char *addBuffer(uint64_t bytes, llvm::StringRef name,
                  llvm::ArrayRef<int64_t> shape = {},
                  uint64_t elementBytes = 1);
  /// The contents of new memory; 0xFF is a NaN in every float format.
  void setFresh(unsigned char byte) { freshByte = byte; }

  /// Races are looked for in units of `bytes`, a power of two that divides
  /// every access; with 0, they are not.
  void setGranule(uint64_t bytes) {
    findsRaces = bytes != 0;
    granuleBits = findsRaces ? llvm::Log2_64(bytes) : 0;
  }

  /// Runs `code` up to the first bad access.
  std::optional<BadAccess> run(llvm::function_ref<void()> code);

  /// The functions that checked code calls, with malloc and free. Valid while
  /// this is the runtime of `run`.
  static llvm::orc::SymbolMap getSymbols(llvm::orc::MangleAndInterner mangle);

private:
  struct Calls;
  /// The last accesses of one granule.
  struct Shadow {
    uint32_t writer = 0, reader = 0;
    uint32_t writerSite = 0, readerSite = 0;
  };
  struct Buffer {
    char *begin;
    uint64_t bytes;
    std::unique_ptr<char, void (*)(void *)> memory;
    std::string name;
    llvm::SmallVector<int64_t> shape;
    uint64_t elementBytes;
    /// Empty until a strand touches it.
    std::vector<Shadow> shadow;
  };
  /// A set of strands that are over, or the one that runs; see Source.
  struct Set {
    uint32_t parent;
    bool isParallel;
  };

  Buffer *find(const char *address, uint32_t site);
  uint32_t makeSet(bool isParallel);
  bool isParallel(uint32_t strand);
  void touch(char *address, uint64_t bytes, uint32_t kind, uint32_t site,
             const char *base);
  std::string describe(const Buffer &buffer, int64_t offset) const;
  [[noreturn]] void end(BadAccess access);

  std::map<const char *, Buffer> buffers;
  /// The buffer that each site reached last.
  std::vector<Buffer *> lastOfSites;
  /// The logarithm of the size of a granule.
  unsigned granuleBits = 0;
  bool findsRaces = true;
  unsigned char freshByte = 0xff;
  /// The strand that runs, and the loops around it: the set of the iterations
  /// of each that are over, and the strand that the loop is in.
  std::vector<Set> sets;
  uint32_t current = 0;
  std::vector<std::pair<uint32_t, uint32_t>> loops;
  std::optional<BadAccess> found;
  std::jmp_buf escape;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_ACCESSRUNTIME_H
