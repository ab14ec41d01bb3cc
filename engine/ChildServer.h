//===- ChildServer.h - A child that answers requests ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many small pieces of work that may crash, in one child: to make a child costs
// more than most of them. Layer: engine; it knows nothing of the work.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHILDSERVER_H
#define FORMWORK_ENGINE_CHILDSERVER_H

#include "engine/Child.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <memory>
#include <sys/types.h>

namespace formwork::engine {

/// What came of one request.
struct ServedAnswer {
  /// None when the child did not answer; then `end` says why.
  std::optional<std::string> text;
  ChildEnd end;
};

/// The child is made at the first request, as a copy of this process at that
/// moment: addresses of what existed then mean the same on both sides, and what
/// is made later on one side is not on the other. It answers one request after
/// the other. After a crash, or a limit, the next request makes another one.
class ChildServer {
public:
  /// `work` runs in the child; what it leaves in memory, the next request
  /// finds. The time in `limits` is for each request. The context has no
  /// threads while a child is made.
  ChildServer(mlir::MLIRContext &context,
              std::function<std::string(llvm::StringRef)> work,
              const ChildLimits &limits);
  ~ChildServer();
  ChildServer(const ChildServer &) = delete;
  ChildServer &operator=(const ChildServer &) = delete;

  /// Cost: the work, a round trip, and for the first request that of
  /// runInChild.
  ServedAnswer ask(llvm::StringRef request);

  /// Ends the child; the next request sees what exists then.
  void stop();

private:
  bool start(ServedAnswer &answer);
  [[noreturn]] void serve(int socket);

  mlir::MLIRContext &context;
  std::function<std::string(llvm::StringRef)> work;
  ChildLimits limits;
  std::unique_ptr<SharedMemory> words;
  pid_t child = -1;
  int socket = -1;
};

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CHILDSERVER_H
