//===- ChildServer.cpp - A child that answers requests ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/ChildServer.h"

#include "engine/ChildProcess.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

using namespace formwork::engine;

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

ChildServer::ChildServer(mlir::MLIRContext &context,
                         std::function<std::string(llvm::StringRef)> work,
                         const ChildLimits &limits)
    : context(context), work(std::move(work)), limits(limits) {}

ChildServer::~ChildServer() { stop(); }

/// Whether all of `data` was sent to `socket`. A closed peer raises no signal.
static bool sendAll(int socket, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size != 0) {
    ssize_t sent = send(socket, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    next += sent;
    size -= sent;
  }
  return true;
}

/// A message is its length, then its bytes.
static bool sendMessage(int socket, llvm::StringRef text) {
  uint64_t size = text.size();
  return sendAll(socket, &size, sizeof(size)) &&
         sendAll(socket, text.data(), size);
}

static bool receiveAll(int socket, void *data, size_t size,
                       const Deadline &deadline, ChildLimit &limit) {
  char *next = static_cast<char *>(data);
  while (size != 0) {
    ssize_t got = readUntil(socket, next, size, deadline);
    if (got < 0)
      limit = ChildLimit::Time;
    if (got <= 0)
      return false;
    next += got;
    size -= got;
  }
  return true;
}

/// None at the end of the stream, and when a limit is reached.
static std::optional<std::string> receiveMessage(int socket, uint64_t most,
                                                 const Deadline &deadline,
                                                 ChildLimit &limit) {
  uint64_t size = 0;
  if (!receiveAll(socket, &size, sizeof(size), deadline, limit))
    return std::nullopt;
  if (most != 0 && size > most) {
    limit = ChildLimit::Output;
    return std::nullopt;
  }
  std::string text(size, '\0');
  if (!receiveAll(socket, text.data(), size, deadline, limit))
    return std::nullopt;
  return text;
}

void ChildServer::serve(int socket) {
  ChildLimit limit = ChildLimit::None;
  while (std::optional<std::string> request =
             receiveMessage(socket, /*most=*/0, std::nullopt, limit))
    if (!sendMessage(socket, work(*request)))
      break;
  // The parent does the clean-up and flushing.
  _exit(0);
}

bool ChildServer::start(ServedAnswer &answer) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    answer.end = explainNoChild("socket");
    return false;
  }
  words = std::make_unique<SharedMemory>(sizeof(LastWords));
  ThreadsStopped alone(context);
  child = makeChild(*static_cast<LastWords *>(words->get()));
  if (child == 0) {
    close(ends[0]);
    // The time limit holds for each request, not for the child's lifetime.
    ChildLimits lasting = limits;
    lasting.time = {};
    setLimits(lasting);
    dropOutput();
    serve(ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    answer.end = explainNoChild("process");
    return false;
  }
  socket = ends[0];
  return true;
}

ServedAnswer ChildServer::ask(llvm::StringRef request) {
  ServedAnswer answer;
  if (isTooLate(limits)) {
    answer.end.limit = ChildLimit::Time;
    return answer;
  }
  if (child < 0 && !start(answer))
    return answer;
  Deadline deadline = getDeadline(limits);
  ChildLimit limit = ChildLimit::None;
  if (sendMessage(socket, request))
    answer.text = receiveMessage(socket, limits.output, deadline, limit);
  if (answer.text)
    return answer;
  close(socket);
  if (limit != ChildLimit::None)
    endChild(child);
  EndsKept kept;
  answer.end = waitFor(child, *static_cast<LastWords *>(words->get()));
  answer.end.limit =
      limit != ChildLimit::None ? limit : findLimit(answer.end, limits);
  // A child that exited without a crash did not answer, either.
  answer.end.succeeded = false;
  child = socket = -1;
  return answer;
}

void ChildServer::stop() {
  if (child < 0)
    return;
  close(socket);
  EndsKept kept;
  endChild(child);
  (void)waitFor(child, *static_cast<LastWords *>(words->get()));
  child = socket = -1;
}
