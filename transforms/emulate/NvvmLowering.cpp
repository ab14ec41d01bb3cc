//===- NvvmLowering.cpp - NVVM intrinsics on the host ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/NvvmLowering.h"

#include "transforms/emulate/Launch.h"
#include "transforms/emulate/Places.h"
#include "transforms/emulate/Runtime.h"
#include "transforms/emulate/TensorCore.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>
#include <map>

namespace formwork::transforms::emulate {

using namespace llvm;

namespace {
/// One call that is being replaced.
struct Lowering {
  CallInst &call;
  IRBuilder<> builder;
  Value *thread;
  ModuleInfo &info;

  Value *arg(unsigned i) { return call.getArgOperand(i); }
  Value *constant(uint32_t value) { return builder.getInt32(value); }
  Value *callRuntime(StringRef name, ArrayRef<Value *> arguments) {
    SmallVector<Value *> all{thread};
    all.append(arguments.begin(), arguments.end());
    return builder.CreateCall(declareRuntimeFunction(*call.getModule(), name),
                              all);
  }
  Value *addSyncPlace(bool aligned) {
    return addPlace({.place = getPlace(call), .aligned = aligned});
  }
  Value *addPlace(PlaceInfo place) {
    return constant(emulate::addPlace(info, std::move(place)));
  }
  /// An exchange of the lanes of a warp.
  Value *exchange(WarpOp op, Value *mask, Value *value, Value *b, Value *c) {
    return callRuntime(runtime::warp, {constant(uint32_t(op)), mask, value, b,
                                       c, addSyncPlace(false)});
  }
  /// The low 32 bits of `both` as `type`, and bit 32 beside it if `predicate`.
  Value *unpack(Value *both, Type *type, bool predicate) {
    Value *low = builder.CreateBitCast(
        builder.CreateTrunc(both, builder.getInt32Ty()), type);
    if (!predicate)
      return low;
    Value *high =
        builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
    Value *pair = PoisonValue::get(call.getType());
    return builder.CreateInsertValue(builder.CreateInsertValue(pair, low, 0),
                                     high, 1);
  }
};

using Lower = std::function<Value *(Lowering &)>;
} // namespace

/// Registers do not change while a thread runs, so they are read where the
/// function starts, and the optimizer is left to see that they are equal.
static Lower readRegister(size_t offset) {
  return [offset](Lowering &l) -> Value * {
    auto *thread = cast<Instruction>(l.thread);
    IRBuilder<> entry(thread->getParent(), std::next(thread->getIterator()));
    Value *address =
        entry.CreateConstGEP1_64(entry.getInt8Ty(), thread, offset);
    return entry.CreateLoad(entry.getInt32Ty(), address);
  };
}

static Lower readLaneMask(bool below, bool self, bool above) {
  return [=](Lowering &l) -> Value * {
    Value *lane = readRegister(offsetof(ThreadRegisters, lane))(l);
    IRBuilder<> &b = l.builder;
    Value *equal = b.CreateShl(b.getInt32(1), lane);
    Value *lower = b.CreateSub(equal, b.getInt32(1));
    Value *result = b.getInt32(0);
    if (below)
      result = b.CreateOr(result, lower);
    if (self)
      result = b.CreateOr(result, equal);
    if (above)
      result = b.CreateOr(result, b.CreateNot(b.CreateOr(lower, equal)));
    return result;
  };
}

static Lower waitAtBarrier(BarrierOp op, bool aligned) {
  return [=](Lowering &l) -> Value * {
    IRBuilder<> &b = l.builder;
    Value *value = op == BarrierOp::Sync
                       ? b.getInt32(0)
                       : b.CreateZExt(l.arg(1), b.getInt32Ty());
    Value *result =
        l.callRuntime(runtime::barrier, {l.arg(0), l.constant(uint32_t(op)),
                                         value, l.addSyncPlace(aligned)});
    if (op == BarrierOp::And || op == BarrierOp::Or)
      return b.CreateTrunc(result, b.getInt1Ty());
    return result;
  };
}

static Lower syncWarp() {
  return [](Lowering &l) -> Value * {
    Value *zero = l.constant(0);
    return l.exchange(WarpOp::Sync, l.arg(0), zero, zero, zero);
  };
}

/// shfl.sync (mask, value, b, c), with or without the predicate.
static Lower shuffle(WarpOp op, bool predicate) {
  return [=](Lowering &l) -> Value * {
    Value *value = l.builder.CreateBitCast(l.arg(1), l.builder.getInt32Ty());
    Value *both = l.exchange(op, l.arg(0), value, l.arg(2), l.arg(3));
    return l.unpack(both, l.arg(1)->getType(), predicate);
  };
}

/// An exchange whose operands are a mask and one value.
static Lower combine(WarpOp op, unsigned maskArg, unsigned valueArg) {
  return [=](Lowering &l) -> Value * {
    IRBuilder<> &b = l.builder;
    Value *value = b.CreateZExt(l.arg(valueArg), b.getInt32Ty());
    Value *zero = l.constant(0);
    Value *result = l.exchange(op, l.arg(maskArg), value, zero, zero);
    return b.CreateTrunc(result, l.call.getType());
  };
}

/// match.sync (mask, value of 32 or 64 bits); `all` gives a predicate, too.
static Lower match(bool all) {
  return [=](Lowering &l) -> Value * {
    IRBuilder<> &b = l.builder;
    Value *value = b.CreateZExt(l.arg(1), b.getInt64Ty());
    Value *low = b.CreateTrunc(value, b.getInt32Ty());
    Value *high = b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty());
    WarpOp op = all ? WarpOp::MatchAll : WarpOp::MatchAny;
    Value *both = l.exchange(op, l.arg(0), low, high, l.constant(0));
    return l.unpack(both, b.getInt32Ty(), /*predicate=*/all);
  };
}

static Value *readActiveMask(Lowering &l) {
  Value *zero = l.constant(0);
  Value *result = l.exchange(WarpOp::ActiveMask, zero, zero, zero, zero);
  return l.builder.CreateTrunc(result, l.builder.getInt32Ty());
}

/// f32 with the precision of tf32. Rounds to nearest, halves away from zero or
/// to even, or towards zero; infinities and NaNs stay.
enum class Tf32Rounding { Away, Even, Zero };
static Lower roundToTf32(Tf32Rounding rounding) {
  return [=](Lowering &l) -> Value * {
    IRBuilder<> &b = l.builder;
    Value *bits = b.CreateBitCast(l.arg(0), b.getInt32Ty());
    Value *rounded = bits;
    if (rounding == Tf32Rounding::Away)
      rounded = b.CreateAdd(bits, b.getInt32(0x1000));
    if (rounding == Tf32Rounding::Even)
      rounded = b.CreateAdd(
          bits,
          b.CreateAdd(b.getInt32(0xFFF),
                      b.CreateAnd(b.CreateLShr(bits, 13), b.getInt32(1))));
    rounded = b.CreateAnd(rounded, b.getInt32(~uint32_t(0x1FFF)));
    Value *exponent = b.CreateAnd(bits, b.getInt32(0x7F800000));
    return b.CreateSelect(b.CreateICmpEQ(exponent, b.getInt32(0x7F800000)),
                          bits, rounded);
  };
}

static Lower startCopy(uint32_t bytes) {
  return [=](Lowering &l) -> Value * {
    IRBuilder<> &b = l.builder;
    auto addPlaceOf = [&](unsigned operand, AccessKind kind) {
      return l.addPlace(
          describeAccess(l.call, l.arg(operand), kind, bytes, bytes, l.info));
    };
    Value *write = addPlaceOf(0, AccessKind::AsyncWrite);
    Value *read = addPlaceOf(1, AccessKind::Read);
    Value *target = b.CreateAddrSpaceCast(l.arg(0), b.getPtrTy());
    Value *source = b.CreateAddrSpaceCast(l.arg(1), b.getPtrTy());
    Value *sourceBytes = l.call.arg_size() == 3 ? l.arg(2) : b.getInt32(bytes);
    return l.callRuntime(runtime::copy, {target, source, b.getInt32(bytes),
                                         sourceBytes, write, read});
  };
}

/// Storage for the words of a matrix instruction's operands, one a function.
static Value *getFragment(Lowering &l) {
  constexpr StringLiteral name = "fw.fragment";
  BasicBlock &entry = l.call.getFunction()->getEntryBlock();
  for (Instruction &instruction : entry)
    if (isa<AllocaInst>(instruction) && instruction.getName() == name)
      return &instruction;
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(
      ArrayType::get(builder.getInt32Ty(), maxFragmentWords), nullptr, name);
}

static Value *getWord(Lowering &l, Value *fragment, unsigned i) {
  return l.builder.CreateConstGEP1_64(l.builder.getInt32Ty(), fragment, i);
}

/// The words in `fragment` as the result of the call: one, or several of a
/// structure.
static Value *readResult(Lowering &l, Value *fragment) {
  Type *type = l.call.getType();
  if (!type->isStructTy())
    return l.builder.CreateLoad(type, fragment);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i != type->getStructNumElements(); ++i)
    result = l.builder.CreateInsertValue(
        result,
        l.builder.CreateLoad(type->getStructElementType(i),
                             getWord(l, fragment, i)),
        i);
  return result;
}

/// mma.sync (words of A, of B, of C).
static Lower multiplyMatrices(MatrixOp op) {
  return [=](Lowering &l) -> Value * {
    Value *fragment = getFragment(l);
    for (auto [i, word] : enumerate(l.call.args()))
      l.builder.CreateStore(word, getWord(l, fragment, i));
    l.callRuntime(runtime::matrix,
                  {l.constant(op.encode()), fragment, l.addSyncPlace(true)});
    return readResult(l, fragment);
  };
}

/// ldmatrix (address), stmatrix (address, words).
static Lower transferMatrices(MatrixOp op) {
  return [=](Lowering &l) -> Value * {
    constexpr uint64_t rowBytes = 16;
    bool load = op.kind == MatrixOp::Kind::Load;
    PlaceInfo place = describeAccess(
        l.call, l.arg(0), load ? AccessKind::Read : AccessKind::Write, rowBytes,
        rowBytes, l.info);
    place.aligned = true;
    Value *fragment = getFragment(l);
    for (auto [i, word] : enumerate(drop_begin(l.call.args())))
      l.builder.CreateStore(word, getWord(l, fragment, i));
    Value *address =
        l.builder.CreateAddrSpaceCast(l.arg(0), l.builder.getPtrTy());
    l.callRuntime(load ? runtime::matrixLoad : runtime::matrixStore,
                  {address, l.constant(op.encode()), fragment,
                   l.addPlace(std::move(place))});
    return load ? readResult(l, fragment) : nullptr;
  };
}

static Lower callRuntimeWithArgs(StringRef name) {
  return [=](Lowering &l) -> Value * {
    return l.callRuntime(name, SmallVector<Value *>(l.call.args()));
  };
}

/// The generic intrinsic that computes the same up to rounding and denormals.
static Lower computeWith(Intrinsic::ID id) {
  return [=](Lowering &l) -> Value * {
    return l.builder.CreateIntrinsic(l.call.getType(), id,
                                     SmallVector<Value *>(l.call.args()));
  };
}

static Value *lowerReciprocal(Lowering &l) {
  return l.builder.CreateFDiv(ConstantFP::get(l.call.getType(), 1.0), l.arg(0));
}

static Value *lowerDivision(Lowering &l) {
  return l.builder.CreateFDiv(l.arg(0), l.arg(1));
}

/// All threads run on one host thread, so fences have nothing to do; they order
/// no accesses of different threads either.
static Value *lowerToNothing(Lowering &l) { return nullptr; }

static const std::map<Intrinsic::ID, Lower> &getLowerings() {
#define DIMENSIONS(SREG, FIELD)                                                \
  {Intrinsic::nvvm_read_ptx_sreg_##SREG##_x,                                   \
   readRegister(offsetof(ThreadRegisters, FIELD) + offsetof(Dim3, x))},        \
      {Intrinsic::nvvm_read_ptx_sreg_##SREG##_y,                               \
       readRegister(offsetof(ThreadRegisters, FIELD) + offsetof(Dim3, y))},    \
      {Intrinsic::nvvm_read_ptx_sreg_##SREG##_z,                               \
       readRegister(offsetof(ThreadRegisters, FIELD) + offsetof(Dim3, z))}
#define BARRIER(NAME, OP)                                                      \
  {Intrinsic::nvvm_barrier_cta_##NAME##_all, waitAtBarrier(OP, false)},        \
      {Intrinsic::nvvm_barrier_cta_##NAME##_aligned_all,                       \
       waitAtBarrier(OP, true)}
#define SHUFFLE(MODE, OP)                                                      \
  {Intrinsic::nvvm_shfl_sync_##MODE##_i32, shuffle(OP, false)},                \
      {Intrinsic::nvvm_shfl_sync_##MODE##_f32, shuffle(OP, false)},            \
      {Intrinsic::nvvm_shfl_sync_##MODE##_i32p, shuffle(OP, true)},            \
      {Intrinsic::nvvm_shfl_sync_##MODE##_f32p, shuffle(OP, true)}
#define COPY(NAME, BYTES)                                                      \
  {Intrinsic::nvvm_cp_async_##NAME, startCopy(BYTES)},                         \
      {Intrinsic::nvvm_cp_async_##NAME##_s, startCopy(BYTES)}
#define MMA(NAME, INPUT, ACCUMULATOR, K)                                       \
  {Intrinsic::nvvm_mma_##NAME,                                                 \
   multiplyMatrices(MatrixOp::multiply(MatrixOp::Type::INPUT,                  \
                                       MatrixOp::Type::ACCUMULATOR, K))}
#define TRANSFER(COUNT)                                                        \
  {Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x##COUNT##_b16,                  \
   transferMatrices(MatrixOp::load(COUNT, false))},                            \
      {Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x##COUNT##_trans_b16,        \
       transferMatrices(MatrixOp::load(COUNT, true))},                         \
      {Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x##COUNT##_b16,              \
       transferMatrices(MatrixOp::store(COUNT, false))},                       \
  {                                                                            \
    Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x##COUNT##_trans_b16,           \
        transferMatrices(MatrixOp::store(COUNT, true))                         \
  }
  static const std::map<Intrinsic::ID, Lower> lowerings{
      DIMENSIONS(tid, thread),
      DIMENSIONS(ntid, blockSize),
      DIMENSIONS(ctaid, block),
      DIMENSIONS(nctaid, gridSize),
      {Intrinsic::nvvm_read_ptx_sreg_laneid,
       readRegister(offsetof(ThreadRegisters, lane))},
      {Intrinsic::nvvm_read_ptx_sreg_warpid,
       readRegister(offsetof(ThreadRegisters, warp))},
      {Intrinsic::nvvm_read_ptx_sreg_nwarpid,
       readRegister(offsetof(ThreadRegisters, numWarps))},
      {Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size,
       readRegister(offsetof(ThreadRegisters, dynamicBytes))},
      {Intrinsic::nvvm_read_ptx_sreg_warpsize,
       [](Lowering &l) -> Value * { return l.constant(32); }},
      {Intrinsic::nvvm_read_ptx_sreg_lanemask_eq,
       readLaneMask(false, true, false)},
      {Intrinsic::nvvm_read_ptx_sreg_lanemask_lt,
       readLaneMask(true, false, false)},
      {Intrinsic::nvvm_read_ptx_sreg_lanemask_le,
       readLaneMask(true, true, false)},
      {Intrinsic::nvvm_read_ptx_sreg_lanemask_gt,
       readLaneMask(false, false, true)},
      {Intrinsic::nvvm_read_ptx_sreg_lanemask_ge,
       readLaneMask(false, true, true)},

      BARRIER(sync, BarrierOp::Sync),
      BARRIER(red_popc, BarrierOp::Popc),
      BARRIER(red_and, BarrierOp::And),
      BARRIER(red_or, BarrierOp::Or),
      {Intrinsic::nvvm_bar_warp_sync, syncWarp()},
      SHUFFLE(idx, WarpOp::ShuffleIdx),
      SHUFFLE(up, WarpOp::ShuffleUp),
      SHUFFLE(down, WarpOp::ShuffleDown),
      SHUFFLE(bfly, WarpOp::ShuffleBfly),
      {Intrinsic::nvvm_vote_all_sync, combine(WarpOp::VoteAll, 0, 1)},
      {Intrinsic::nvvm_vote_any_sync, combine(WarpOp::VoteAny, 0, 1)},
      {Intrinsic::nvvm_vote_uni_sync, combine(WarpOp::VoteUni, 0, 1)},
      {Intrinsic::nvvm_vote_ballot_sync, combine(WarpOp::VoteBallot, 0, 1)},
      {Intrinsic::nvvm_redux_sync_add, combine(WarpOp::ReduceAdd, 1, 0)},
      {Intrinsic::nvvm_redux_sync_and, combine(WarpOp::ReduceAnd, 1, 0)},
      {Intrinsic::nvvm_redux_sync_or, combine(WarpOp::ReduceOr, 1, 0)},
      {Intrinsic::nvvm_redux_sync_xor, combine(WarpOp::ReduceXor, 1, 0)},
      {Intrinsic::nvvm_redux_sync_min, combine(WarpOp::ReduceMin, 1, 0)},
      {Intrinsic::nvvm_redux_sync_max, combine(WarpOp::ReduceMax, 1, 0)},
      {Intrinsic::nvvm_redux_sync_umin, combine(WarpOp::ReduceUMin, 1, 0)},
      {Intrinsic::nvvm_redux_sync_umax, combine(WarpOp::ReduceUMax, 1, 0)},

      {Intrinsic::nvvm_match_any_sync_i32, match(false)},
      {Intrinsic::nvvm_match_any_sync_i64, match(false)},
      {Intrinsic::nvvm_match_all_sync_i32p, match(true)},
      {Intrinsic::nvvm_match_all_sync_i64p, match(true)},
      {Intrinsic::nvvm_activemask, readActiveMask},

      MMA(m16n8k8_row_col_f16_f16, F16, F16, 8),
      MMA(m16n8k16_row_col_f16_f16, F16, F16, 16),
      MMA(m16n8k8_row_col_f32_f32, F16, F32, 8),
      MMA(m16n8k16_row_col_f32_f32, F16, F32, 16),
      MMA(m16n8k8_row_col_bf16, BF16, F32, 8),
      MMA(m16n8k16_row_col_bf16, BF16, F32, 16),
      MMA(m16n8k4_row_col_tf32, TF32, F32, 4),
      MMA(m16n8k8_row_col_tf32, TF32, F32, 8),
      TRANSFER(1),
      TRANSFER(2),
      TRANSFER(4),
      {Intrinsic::nvvm_f2tf32_rna, roundToTf32(Tf32Rounding::Away)},
      {Intrinsic::nvvm_f2tf32_rn, roundToTf32(Tf32Rounding::Even)},
      {Intrinsic::nvvm_f2tf32_rz, roundToTf32(Tf32Rounding::Zero)},

      COPY(ca_shared_global_4, 4),
      COPY(ca_shared_global_8, 8),
      COPY(ca_shared_global_16, 16),
      COPY(cg_shared_global_16, 16),
      {Intrinsic::nvvm_cp_async_commit_group,
       callRuntimeWithArgs(runtime::commit)},
      {Intrinsic::nvvm_cp_async_wait_group, callRuntimeWithArgs(runtime::wait)},
      {Intrinsic::nvvm_cp_async_wait_all,
       callRuntimeWithArgs(runtime::waitAll)},

      {Intrinsic::nvvm_membar_cta, lowerToNothing},
      {Intrinsic::nvvm_membar_gl, lowerToNothing},
      {Intrinsic::nvvm_membar_sys, lowerToNothing},

      {Intrinsic::nvvm_fma_rn_f, computeWith(Intrinsic::fma)},
      {Intrinsic::nvvm_fma_rn_d, computeWith(Intrinsic::fma)},
      {Intrinsic::nvvm_fmax_f, computeWith(Intrinsic::maxnum)},
      {Intrinsic::nvvm_fmax_d, computeWith(Intrinsic::maxnum)},
      {Intrinsic::nvvm_fmin_f, computeWith(Intrinsic::minnum)},
      {Intrinsic::nvvm_fmin_d, computeWith(Intrinsic::minnum)},
      {Intrinsic::nvvm_sqrt_approx_f, computeWith(Intrinsic::sqrt)},
      {Intrinsic::nvvm_sqrt_approx_ftz_f, computeWith(Intrinsic::sqrt)},
      {Intrinsic::nvvm_sqrt_f, computeWith(Intrinsic::sqrt)},
      {Intrinsic::nvvm_sqrt_rn_f, computeWith(Intrinsic::sqrt)},
      {Intrinsic::nvvm_sqrt_rn_d, computeWith(Intrinsic::sqrt)},
      {Intrinsic::nvvm_ex2_approx, computeWith(Intrinsic::exp2)},
      {Intrinsic::nvvm_ex2_approx_ftz, computeWith(Intrinsic::exp2)},
      {Intrinsic::nvvm_lg2_approx_f, computeWith(Intrinsic::log2)},
      {Intrinsic::nvvm_lg2_approx_ftz_f, computeWith(Intrinsic::log2)},
      {Intrinsic::nvvm_sin_approx_f, computeWith(Intrinsic::sin)},
      {Intrinsic::nvvm_sin_approx_ftz_f, computeWith(Intrinsic::sin)},
      {Intrinsic::nvvm_cos_approx_f, computeWith(Intrinsic::cos)},
      {Intrinsic::nvvm_cos_approx_ftz_f, computeWith(Intrinsic::cos)},
      {Intrinsic::nvvm_fabs, computeWith(Intrinsic::fabs)},
      {Intrinsic::nvvm_fabs_ftz, computeWith(Intrinsic::fabs)},
      {Intrinsic::nvvm_rcp_approx_ftz_f, lowerReciprocal},
      {Intrinsic::nvvm_rcp_approx_ftz_d, lowerReciprocal},
      {Intrinsic::nvvm_rcp_rn_f, lowerReciprocal},
      {Intrinsic::nvvm_rcp_rn_d, lowerReciprocal},
      {Intrinsic::nvvm_div_approx_f, lowerDivision},
      {Intrinsic::nvvm_div_approx_ftz_f, lowerDivision},
      {Intrinsic::nvvm_div_full, lowerDivision},
      {Intrinsic::nvvm_div_full_ftz, lowerDivision},
      {Intrinsic::nvvm_div_rn_f, lowerDivision},
      {Intrinsic::nvvm_div_rn_d, lowerDivision},
  };
#undef DIMENSIONS
#undef BARRIER
#undef SHUFFLE
#undef COPY
#undef MMA
#undef TRANSFER
  return lowerings;
}

/// __assertfail (message, file, line, function, size of a character), where the
/// text of the message is known.
static void lowerFailedAssertion(Lowering &l) {
  StringRef message;
  getConstantStringInfo(l.arg(0), message);
  l.callRuntime(
      runtime::failAssertion,
      {l.addPlace({.place = getPlace(l.call), .message = message.str()})});
}

bool isLowered(Intrinsic::ID id) { return getLowerings().count(id) != 0; }

void applyNvvmLowering(Function &function, Value *thread, ModuleInfo &info) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    Lowering state{*call, IRBuilder<>(call), thread, info};
    if (call->getCalledFunction()->getName() == failedAssertionFunction) {
      lowerFailedAssertion(state);
      call->eraseFromParent();
      continue;
    }
    auto lowering =
        getLowerings().find(call->getCalledFunction()->getIntrinsicID());
    if (lowering == getLowerings().end())
      continue;
    Value *replacement = lowering->second(state);
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(replacement);
    call->eraseFromParent();
  }
}

} // namespace formwork::transforms::emulate
