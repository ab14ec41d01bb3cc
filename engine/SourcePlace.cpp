//===- SourcePlace.cpp - The place of a location for a reader ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/SourcePlace.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::engine;

/// Locations can share parts, so the number of their paths can be huge.
static constexpr size_t kMaxFrames = 256;

static void collect(Location loc, StringRef name,
                    SmallVectorImpl<CallFrame> &frames) {
  if (frames.size() == kMaxFrames)
    return;
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collect(call.getCallee(), "", frames);
    collect(call.getCaller(), "", frames);
  } else if (auto named = dyn_cast<NameLoc>(loc)) {
    collect(named.getChildLoc(), named.getName().strref(), frames);
  } else if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
    frames.push_back({place, name.str()});
  }
}

SmallVector<CallFrame> formwork::engine::getCallFrames(Location loc) {
  SmallVector<CallFrame> frames;
  collect(loc, "", frames);
  return frames;
}

bool formwork::engine::isLibraryFile(StringRef file) {
  return file.contains("/site-packages/") || file.contains("/dist-packages/") ||
         file.contains("/lib/python3") || file.starts_with("<frozen ");
}

FileLineColLoc formwork::engine::findSourcePlace(Location loc) {
  // The usual case, and faster than a walk.
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return place;
  auto first = loc->findInstanceOf<FileLineColLoc>();
  if (!first || !isLibraryFile(first.getFilename().strref()))
    return first;
  SmallVector<CallFrame> frames = getCallFrames(loc);
  const CallFrame *own = llvm::find_if(frames, [](const CallFrame &frame) {
    return !isLibraryFile(frame.place.getFilename().strref());
  });
  return own == frames.end() ? first : own->place;
}

Location formwork::engine::getNearestLoc(Operation *op) {
  while (isa<UnknownLoc>(op->getLoc()) && op->getParentOp())
    op = op->getParentOp();
  return op->getLoc();
}
