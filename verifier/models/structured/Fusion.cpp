//===- Fusion.cpp - Models of fusion ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusion of producers into the loops of their readers: where the fused op
// stands, its part of the iteration space, and which op produces which value
// from then on. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/Fusion.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/OnlineSoftmax.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether the op, a structured one, is on buffers and has no results.
static bool hasNoResults(const Node &node) {
  auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  return body && node.space && !node.space->onTensors &&
         (body->getNumResults() == 0 ||
          (!node.op && body.hasPureTensorSemantics()));
}

void formwork::verifier::replaceProducer(Analysis &analysis, NodeId from,
                                         NodeId to, NodeId scope) {
  // An op without results on buffers has none on tensors either.
  if (hasNoResults(analysis.state.payload[from]) ||
      !analysis.state.payload.mayBeRead(from))
    return;
  for (NodeId id : analysis.state.payload.getReaders()) {
    if (id == to ||
        !llvm::is_contained(analysis.state.payload[id].producers, from) ||
        analysis.state.payload.isAtOrBelow(id, scope) != Certainty::Yes)
      continue;
    llvm::replace(analysis.state.payload.edit(id).producers, from, to);
  }
}

void formwork::verifier::takePlace(Analysis &analysis, NodeId from, NodeId to) {
  replaceOp(analysis, from, to);
  analysis.state.payload.edit(to).replaces = from;
}

void formwork::verifier::replaceOp(Analysis &analysis, NodeId from, NodeId to) {
  replaceProducer(analysis, from, to, PayloadModel::universe);
  Node &gone = analysis.state.payload.edit(from);
  gone.present = Certainty::No;
  gone.op = nullptr;
}

/// Whether what is written by an op with `space` has a type without dynamic
/// sizes.
static bool hasStaticResult(const IterationSpace &space) {
  return llvm::all_of(
      ArrayRef(space.maps).take_back(space.numInits), [&](AffineMap map) {
        return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
          auto dim = dyn_cast<AffineDimExpr>(expr);
          if (!dim)
            return false;
          const Extent &loop = space.loops[dim.getPosition()];
          // In an example payload, static sizes are terms.
          bool isStaticTerm = loop.size.isSymbolic() && loop.condition &&
                              loop.condition->holds.isTrue();
          return loop.isStatic() || (isStaticTerm && !loop.isMixed);
        });
      });
}

/// Whether the only use of `producer` in `loop`, or by it, is known to be the
/// one by `reader`. A producer is fused once for each of them, of those that
/// only ask for its sizes, too.
static bool isOnlyReader(const PayloadModel &payload, NodeId producer,
                         NodeId loop, NodeId reader) {
  const Node &made = payload[producer], &into = payload[loop],
             &read = payload[reader];
  if (read.present != Certainty::Yes)
    return false;
  if (!into.fresh)
    return made.op && into.op &&
           llvm::count_if(made.op->getUsers(), [&](Operation *user) {
             return into.op->isAncestor(user);
           }) == 1;
  // The sizes of an op of which a loop is made are asked for in front of the
  // loop; those of an op fused before, or tiled in another loop, inside.
  bool isMadeTogether =
      read.origin == into.origin && !payload.mayHaveMerged(read.createdAt);
  return isMadeTogether || (made.space && hasStaticResult(*made.space));
}

bool formwork::verifier::areSiblings(const Node &a, const Node &b) {
  return a.ups.size() == 1 && b.ups.size() == 1 &&
         a.ups.front().node == b.ups.front().node &&
         a.ups.front().kind == b.ups.front().kind;
}

/// The op in `loop` beside which `reader` takes its slice of what is read: the
/// step that made the loop took one, and steps that tiled the reader further
/// took slices of that. None if clean-up may have made one of them.
static std::optional<NodeId> getSlicePlace(const PayloadModel &payload,
                                           NodeId reader, NodeId loop) {
  Operation *tiling = payload[loop].origin;
  Time since = payload[reader].createdAt;
  NodeId place = reader;
  while (tiling && payload[place].ups.size() == 1) {
    const Up &up = payload[place].ups.front();
    const Node &above = payload[up.node];
    if (up.isLoose() || up.kind != UpKind::Inside || !above.exact)
      return std::nullopt;
    if (above.origin == tiling)
      return place == reader || !payload.mayHaveMerged(since)
                 ? std::optional(place)
                 : std::nullopt;
    place = up.node;
  }
  return std::nullopt;
}

/// The outermost part in `loop` of what `reader` is a part of: through its
/// slice a producer is read, of which the others take slices. None if that is
/// not known.
static std::shared_ptr<const IterationSpace>
getOuterPart(const PayloadModel &payload, NodeId reader, NodeId loop) {
  for (NodeId whole = payload[reader].tile->partOf;
       whole != PayloadModel::universe &&
       payload.isAtOrBelow(whole, loop) != Certainty::No;
       whole = payload[reader].tile->partOf)
    reader = whole;
  return payload.isAtOrBelow(reader, loop) == Certainty::Yes
             ? payload[reader].space
             : nullptr;
}

namespace {
/// Who in a loop reads a producer.
struct Reading {
  /// A reader that surely does, as operand `operand`.
  NodeId reader = PayloadModel::universe;
  unsigned operand = 0;
  /// How often such readers read it.
  unsigned uses = 0;
  /// All of them are there for sure, and none of them writes it.
  bool onlyRead = true;
  /// Others may, too.
  bool mayBeMore = false;
};
} // namespace

static Reading findReading(const PayloadModel &payload, NodeId producer,
                           NodeId loop) {
  Reading reading;
  for (NodeId id : payload.getReaders()) {
    const Node &node = payload[id];
    bool mayRead =
        llvm::is_contained(node.producers, PayloadModel::unknownProducer);
    if (id == loop ||
        !(mayRead || llvm::is_contained(node.producers, producer)))
      continue;
    Certainty isInside = payload.isAtOrBelow(id, loop);
    reading.mayBeMore |= mayRead && isInside != Certainty::No;
    reading.mayBeMore |= !node.exact || isInside == Certainty::Maybe;
    if (!node.exact || isInside != Certainty::Yes)
      continue;
    for (auto [i, made] : llvm::enumerate(node.producers))
      if (made == producer) {
        reading.reader = id;
        reading.operand = i;
        ++reading.uses;
        reading.onlyRead &= node.present == Certainty::Yes && node.space &&
                            i + node.space->numInits < node.producers.size();
      }
  }
  return reading;
}

/// Whether an op of the payload that is not followed as a reader, because it is
/// not structured, reads the op that `producer` was, and may be in `loop`, or
/// have become something that is.
static bool mayBeReadUnseen(const PayloadModel &payload, NodeId producer,
                            NodeId loop) {
  Operation *given = payload[producer].body;
  return given && llvm::any_of(given->getUsers(), [&](Operation *user) {
           NodeId id = payload.lookup(user);
           return !payload[id].space &&
                  (payload[id].present != Certainty::Yes ||
                   payload.isAtOrBelow(id, loop) != Certainty::No);
         });
}

/// Whether upstream computes a tile of what `node` stands for by itself. Where
/// that fails, it clones the producer, and leaves a clone that nothing reads.
static bool isTiledAlone(const Node &node) {
  if (isKind<tensor::PadOp>(node))
    return true;
  return node.space &&
         llvm::all_of(
             ArrayRef(node.space->maps).take_back(node.space->numInits),
             [](AffineMap map) { return map.isProjectedPermutation(); });
}

//===----------------------------------------------------------------------===//
// One producer
//===----------------------------------------------------------------------===//

namespace {
/// How one producer is fused into a loop.
struct Fusing {
  NodeId producer, loop;
  Reading reading;
  /// The producer is not in the loop: there, what inserts its result reads it.
  bool isOutside = false;
  /// It is fused once, for the one reader.
  bool isOne = false;
  /// It is fused once for each of several readers, of which none only asks for
  /// its sizes.
  bool areKnown = false;
};
} // namespace

/// Whether one of `producers` may read `producer`: one that is fused earlier
/// reads it in the loop.
static bool mayBeReadByOther(const PayloadModel &payload,
                             ArrayRef<NodeId> producers, NodeId producer) {
  return llvm::any_of(producers, [&](NodeId other) {
    ArrayRef<NodeId> made = payload[other].producers;
    return other != producer &&
           (made.empty() || llvm::is_contained(made, producer));
  });
}

/// Whether an op that is gone read `producer`, perhaps in `loop`: it may have
/// become one that still does.
static bool wasRead(const PayloadModel &payload, NodeId producer, NodeId loop) {
  return llvm::any_of(llvm::seq<NodeId>(0, payload.size()), [&](NodeId other) {
    const Node &reader = payload[other];
    return reader.present != Certainty::Yes &&
           llvm::is_contained(reader.producers, producer) &&
           payload.isAtOrBelow(other, loop) != Certainty::No;
  });
}

/// How `producer`, one of `producers`, is fused into `loop`.
static Fusing findFusing(const PayloadModel &payload,
                         ArrayRef<NodeId> producers, NodeId producer,
                         NodeId loop) {
  Fusing fusing{producer, loop, findReading(payload, producer, loop)};
  Reading &reading = fusing.reading;
  reading.mayBeMore |= mayBeReadByOther(payload, producers, producer) ||
                       mayBeReadUnseen(payload, producer, loop);
  fusing.isOutside =
      producer == loop || payload.isAtOrBelow(producer, loop) == Certainty::No;
  if (reading.mayBeMore || !fusing.isOutside)
    return fusing;
  const Node &node = payload[producer], &into = payload[loop];
  fusing.isOne = reading.uses == 1 &&
                 isOnlyReader(payload, producer, loop, reading.reader);
  fusing.areKnown = reading.uses > 1 && reading.onlyRead && into.fresh &&
                    into.loop && into.loop->isForall &&
                    node.present == Certainty::Yes && node.space &&
                    hasStaticResult(*node.space);
  return fusing;
}

/// Whether nothing in the loop reads the producer.
static bool isUnread(const PayloadModel &payload, const Fusing &fusing) {
  const Node &node = payload[fusing.producer], &into = payload[fusing.loop];
  if (hasNoResults(node))
    return true;
  return fusing.reading.uses == 0 && !fusing.reading.mayBeMore &&
         fusing.isOutside && node.exact && into.exact && into.fresh &&
         !payload.mayHide(fusing.loop,
                          [](const KindSet &kinds) { return kinds.isAny(); }) &&
         !wasRead(payload, fusing.producer, fusing.loop);
}

/// Whether something behind the loop may read the producer, whose value then
/// is a further result of the loop.
static bool mayAddResult(const Step &step, const Fusing &fusing) {
  Reading all = findReading(step.payload, fusing.producer, step.root);
  return all.mayBeMore || all.uses != fusing.reading.uses ||
         mayBeReadUnseen(step.payload, fusing.producer, step.root);
}

/// Says why upstream may not fuse the producer, or not as the model does.
static void checkFusing(const Step &step, const Fusing &fusing) {
  const PayloadModel &payload = step.payload;
  const Node &node = payload[fusing.producer], &into = payload[fusing.loop],
             &reader = payload[fusing.reading.reader];
  if (!fusing.isOne && !fusing.areKnown)
    step.leaveToTrial("fuses a producer whose uses are not known to be one");
  // Through a loop between the two, the containing op reads the producer as
  // the loop's argument, where upstream does not look for it.
  if (!areSiblings(node, into))
    step.unprove("fuses a producer that is not known to stand beside the "
                 "containing op");
  // Clean-up folds a slice that is the whole, and with it the only reader in
  // the loop of what is written there.
  bool isWritten =
      !reader.space || fusing.reading.operand + reader.space->numInits >=
                           reader.producers.size();
  if (!into.loop || (!into.loop->isForall && isWritten))
    step.unprove("fuses a result that an op in a loop other than scf.forall "
                 "may write, where MLIR does not find a destination");
  // Where a tile cannot be computed by itself, only what is read is cloned.
  bool isWhole = node.kind && isWritten &&
                 !KindPattern("$structured").matches(*node.kind) &&
                 !isKind<tensor::PadOp>(node);
  if (isWhole)
    step.unprove("fuses a result that the loop writes, of which MLIR may not "
                 "be able to compute a tile");
  bool isSplit =
      into.loop && llvm::any_of(into.loop->trips, [](const Extent &trip) {
        return trip.size && *trip.size > 1;
      });
  if (fusing.reading.uses == 1 && isWritten && !isSplit &&
      payload.mayHaveMerged(reader.createdAt))
    step.unprove("fuses into a loop that may write the whole result, where "
                 "clean-up may remove the slice");
  if (!node.kind || !KindPattern("$tileable").matches(*node.kind))
    step.unprove("may clone a producer that cannot be tiled");
}

/// The part of the producer that its one reader in the loop reads; null where
/// that is not known.
static std::shared_ptr<const IterationSpace>
getFusedPart(const PayloadModel &payload, const Fusing &fusing) {
  const Node &node = payload[fusing.producer];
  if (!fusing.isOne || !node.space)
    return nullptr;
  std::shared_ptr<const IterationSpace> part =
      getOuterPart(payload, fusing.reading.reader, fusing.loop);
  return part ? fuseSpace(*node.space, *part, fusing.reading.operand) : nullptr;
}

/// Adds what is fused, a node for all of it, and returns that.
static NodeId addFused(const Step &step, const Fusing &fusing) {
  PayloadModel &payload = step.payload;
  auto [producer, loop, reading, isOutside, isOne, areKnown] = fusing;
  Operation *given = payload[producer].op;
  bool isReadOnce = given && given->hasOneUse();
  bool isCloned = !isTiledAlone(payload[producer]);
  NodeId tile =
      addTiled(payload, producer, loop, getFusedPart(payload, fusing), step.op);
  if (isCloned) {
    NodeId unread = addTiled(payload, producer, loop, nullptr, step.op);
    payload.makeVague(unread);
    payload.doubt(unread);
    payload.edit(unread).live = false;
  }
  if (!isOne) {
    payload.makeVague(tile);
    payload.edit(tile).count = Count();
    // An op that only needs sizes may need nothing after folding.
    payload.edit(tile).live = false;
    payload.hideTags(producer);
  } else if (std::optional<NodeId> place =
                 getSlicePlace(payload, reading.reader, loop)) {
    payload.setUps(tile, payload[*place].ups);
  } else {
    payload.makeVague(tile);
  }
  step.analysis.knowsOnlyKinds |= areKnown || (isOne && isCloned);
  replaceProducer(step, producer, tile, loop);
  // The original stays behind; clean-up erases it unless something else reads
  // it.
  payload.doubt(producer);
  payload.edit(producer).op = nullptr;
  payload.edit(producer).live = false;
  if (isOne && isReadOnce)
    step.state.unread.push_back({producer, step.op});
  return tile;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

static void propagateFuseInto(const Step &step) {
  auto fuse = cast<transform::FuseIntoContainingOp>(step.op);
  HandleState source = step.lookup(fuse.getProducerOp());
  NodeList loops(step.lookup(fuse.getContainingOp()).nodes);
  if (loops.size() != 1) {
    normalforms::KindPatterns introduces = step.contract.payload->introduces;
    for (NodeId producer : source.nodes) {
      introduces.push_back(getPattern(step.payload[producer]));
      llvm::append_range(introduces, getKindsBelow(step, producer));
      step.payload.hideTags(producer);
    }
    step.setOpaque(0);
    step.setOpaque(1);
    return applyWriteOf(step, introduces);
  }
  NodeId loop = loops.front();
  // The slices through which the producers are read give way to what is fused.
  auto isSlice = [&](NodeId id) {
    const std::optional<OperationName> &kind = step.payload[id].kind;
    return !kind || isKind<tensor::ExtractSliceOp>(kind);
  };
  if (!source.nodes.empty())
    checkTracking(step, loop, isSlice);
  for (auto [id, place] : step.payload.getBelow(loop)) {
    step.payload.forget(id);
    if (isSlice(id))
      step.payload.doubt(id);
  }
  // An op that the handle holds twice is one producer.
  NodeList producers, fused;
  for (NodeId id : source.nodes)
    if (!step.payload[id].exact || !llvm::is_contained(producers, id))
      producers.push_back(id);
  for (NodeId producer : producers) {
    Fusing fusing = findFusing(step.payload, producers, producer, loop);
    if (std::shared_ptr<const LoopFacts> facts = step.payload[loop].loop;
        facts && facts->resultElement && mayAddResult(step, fusing)) {
      auto open = std::make_shared<LoopFacts>(*facts);
      open->resultElement = nullptr;
      step.payload.edit(loop).loop = std::move(open);
    }
    const Node &node = step.payload[producer], &into = step.payload[loop];
    if (!isUnread(step.payload, fusing)) {
      checkFusing(step, fusing);
      fused.push_back(addFused(step, fusing));
      noteInLoop(step, producer, loop);
      continue;
    }
    step.report("fw-not-a-producer",
                "requires a producer with a use inside the containing op but " +
                    step.nameOf(fuse.getProducerOp()) + " has none there",
                node.present == Certainty::Yes &&
                    into.present == Certainty::Yes)
        .note(NoteKind::Established, step.locOf(into),
              "the containing op is made here");
    fused.push_back(step.payload.addSomewhere(loop, UpKind::Inside, node.kind,
                                              Count(), step.op));
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, fused, source.ordered);
  step.setResult(1, loop);
}

void formwork::verifier::registerFusionModels(ModelRegistry &models) {
  models.add(
      "fuse-into", propagateFuseInto, decides{"fw-not-a-producer"},
      leavesOpen{"fuses a result that an op in a loop other than scf.forall "
                 "may write, where MLIR does not find a destination"});
}
