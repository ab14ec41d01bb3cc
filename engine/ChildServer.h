//===- ChildServer.h - A child that answers requests ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs many small pieces of work that may crash in one child, because making a
// child costs more than most of the pieces. Layer: engine; it does not know the
// work.
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

/// The result of one request.
struct ServedAnswer {
  /// None when the child did not answer; then `end` gives the reason.
  std::optional<std::string> text;
  ChildEnd end;
};

/// A child that answers one request after the other. The child is made at the
/// first request, as a copy of this process at that moment. Addresses of
/// objects that existed then are valid on both sides. Objects made later on one
/// side do not exist on the other. After a crash or a limit, the next request
/// makes another child.
class ChildServer {
public:
  /// `work` runs in the child; the next request sees the memory that `work`
  /// changed. The time in `limits` is for each request, the deadline for all.
  /// The context has no threads while a child is made.
  ChildServer(mlir::MLIRContext &context,
              std::function<std::string(llvm::StringRef)> work,
              const ChildLimits &limits);
  ~ChildServer();
  ChildServer(const ChildServer &) = delete;
  ChildServer &operator=(const ChildServer &) = delete;

  /// Cost: the work and a round trip; the first request also pays for
  /// runInChild.
  ServedAnswer ask(llvm::StringRef request);

  /// Ends the child. The next request makes a new copy of this process.
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
