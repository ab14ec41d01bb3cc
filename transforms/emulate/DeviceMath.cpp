//===- DeviceMath.cpp - libdevice on the host -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DeviceMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <cstdlib>

namespace formwork::transforms::emulate {

template <typename ResultT, typename... ArgsT>
static void *getAddress(ResultT (*function)(ArgsT...)) {
  return reinterpret_cast<void *>(function);
}

static float rsqrtFloat(float x) { return 1.0f / std::sqrt(x); }
static double rsqrtDouble(double x) { return 1.0 / std::sqrt(x); }
static float powiFloat(float x, int n) { return std::pow(x, float(n)); }
static double powiDouble(double x, int n) { return std::pow(x, n); }
static int isNanFloat(float x) { return std::isnan(x); }
static int isNanDouble(double x) { return std::isnan(x); }
static int isInfFloat(float x) { return std::isinf(x); }
static int isInfDouble(double x) { return std::isinf(x); }
static int isFiniteFloat(float x) { return std::isfinite(x); }
static int isFiniteDouble(double x) { return std::isfinite(x); }
static int absInt(int x) { return std::abs(x); }

llvm::ArrayRef<HostFunction> getDeviceMathFunctions() {
// A function of the C library and its two names in libdevice.
#define UNARY(NAME)                                                            \
  {"__nv_" #NAME "f", getAddress<float, float>(::NAME##f)},                    \
      {"__nv_" #NAME, getAddress<double, double>(::NAME)}
#define BINARY(NAME)                                                           \
  {"__nv_" #NAME "f", getAddress<float, float, float>(::NAME##f)},             \
      {"__nv_" #NAME, getAddress<double, double, double>(::NAME)}
#define FAST(NAME)                                                             \
  {                                                                            \
    "__nv_fast_" #NAME "f", getAddress<float, float>(::NAME##f)                \
  }
  static const HostFunction functions[] = {
      UNARY(acos),
      UNARY(acosh),
      UNARY(asin),
      UNARY(asinh),
      UNARY(atan),
      UNARY(atanh),
      UNARY(cbrt),
      UNARY(ceil),
      UNARY(cos),
      UNARY(cosh),
      UNARY(erf),
      UNARY(erfc),
      UNARY(exp),
      UNARY(exp2),
      UNARY(expm1),
      UNARY(fabs),
      UNARY(floor),
      UNARY(log),
      UNARY(log10),
      UNARY(log1p),
      UNARY(log2),
      UNARY(rint),
      UNARY(round),
      UNARY(sin),
      UNARY(sinh),
      UNARY(sqrt),
      UNARY(tan),
      UNARY(tanh),
      UNARY(trunc),
      BINARY(atan2),
      BINARY(copysign),
      BINARY(fmax),
      BINARY(fmin),
      BINARY(fmod),
      BINARY(pow),
      FAST(cos),
      FAST(exp),
      FAST(log),
      FAST(log10),
      FAST(log2),
      FAST(sin),
      FAST(tan),
      {"__nv_fast_powf", getAddress<float, float, float>(::powf)},
      {"__nv_fmaf", getAddress<float, float, float, float>(::fmaf)},
      {"__nv_fma", getAddress<double, double, double, double>(::fma)},
      {"__nv_powif", getAddress(powiFloat)},
      {"__nv_powi", getAddress(powiDouble)},
      {"__nv_rsqrtf", getAddress(rsqrtFloat)},
      {"__nv_rsqrt", getAddress(rsqrtDouble)},
      {"__nv_isnanf", getAddress(isNanFloat)},
      {"__nv_isnand", getAddress(isNanDouble)},
      {"__nv_isinff", getAddress(isInfFloat)},
      {"__nv_isinfd", getAddress(isInfDouble)},
      {"__nv_finitef", getAddress(isFiniteFloat)},
      {"__nv_isfinited", getAddress(isFiniteDouble)},
      {"__nv_abs", getAddress(absInt)},
  };
#undef UNARY
#undef BINARY
#undef FAST
  return functions;
}

bool isDeviceMathFunction(llvm::StringRef name) {
  return llvm::any_of(
      getDeviceMathFunctions(),
      [&](const HostFunction &function) { return function.name == name; });
}

llvm::Intrinsic::ID getEquivalentIntrinsic(llvm::StringRef name) {
  using namespace llvm;
  return StringSwitch<Intrinsic::ID>(name)
      .Cases({"__nv_fmaf", "__nv_fma"}, Intrinsic::fma)
      .Cases({"__nv_sqrtf", "__nv_sqrt"}, Intrinsic::sqrt)
      .Cases({"__nv_fabsf", "__nv_fabs"}, Intrinsic::fabs)
      .Cases({"__nv_floorf", "__nv_floor"}, Intrinsic::floor)
      .Cases({"__nv_ceilf", "__nv_ceil"}, Intrinsic::ceil)
      .Cases({"__nv_truncf", "__nv_trunc"}, Intrinsic::trunc)
      .Cases({"__nv_rintf", "__nv_rint"}, Intrinsic::rint)
      .Cases({"__nv_fmaxf", "__nv_fmax"}, Intrinsic::maxnum)
      .Cases({"__nv_fminf", "__nv_fmin"}, Intrinsic::minnum)
      .Cases({"__nv_copysignf", "__nv_copysign"}, Intrinsic::copysign)
      .Default(Intrinsic::not_intrinsic);
}

} // namespace formwork::transforms::emulate
