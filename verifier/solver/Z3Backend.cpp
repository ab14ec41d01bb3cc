//===- Z3Backend.cpp - The one file that includes Z3 ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Z3's C++ interface reports by exceptions: each entry point here catches them.
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Z3Backend.h"

#include "verifier/solver/Lowering.h"
#include "verifier/solver/SolverVersion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

#include <z3++.h>

using namespace formwork::verifier::solver;

std::string formwork::verifier::getSolverVersion() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(build);
}

namespace {
class Z3Builder : public FormulaBuilder {
public:
  explicit Z3Builder(z3::context &context) : context(context) {}

  Ref literal(Wide value) override {
    // Literals are at least -2^63; larger ones than 2^62 are powers of two.
    if (value <= Domain::Limit)
      return add(context.int_val(static_cast<int64_t>(value)));
    z3::expr half = formulas[literal(value / 2)];
    return add((half + half).simplify());
  }
  Ref truth(bool value) override { return add(context.bool_val(value)); }
  Ref variable(VarId var) override {
    return add(context.int_const(("v" + std::to_string(var)).c_str()));
  }
  Ref apply(FormulaOp op, llvm::ArrayRef<Ref> operands) override {
    return add(make(op, operands));
  }

  const z3::expr &get(Ref ref) const { return formulas[ref]; }

private:
  Ref add(const z3::expr &formula) {
    formulas.push_back(formula);
    return formulas.size() - 1;
  }

  z3::expr make(FormulaOp op, llvm::ArrayRef<Ref> operands) {
    auto operand = [&](unsigned i) { return formulas[operands[i]]; };
    switch (op) {
    case FormulaOp::Add:
      return operand(0) + operand(1);
    case FormulaOp::Sub:
      return operand(0) - operand(1);
    case FormulaOp::Mul:
      return operand(0) * operand(1);
    case FormulaOp::Div:
      return operand(0) / operand(1);
    case FormulaOp::Mod:
      return z3::mod(operand(0), operand(1));
    case FormulaOp::Equal:
      return operand(0) == operand(1);
    case FormulaOp::Less:
      return operand(0) < operand(1);
    case FormulaOp::LessEqual:
      return operand(0) <= operand(1);
    case FormulaOp::Not:
      return !operand(0);
    case FormulaOp::Ite:
      return z3::ite(operand(0), operand(1), operand(2));
    case FormulaOp::And:
    case FormulaOp::Or:
      break;
    }
    z3::expr_vector parts(context);
    for (Ref ref : operands)
      parts.push_back(formulas[ref]);
    return op == FormulaOp::And ? z3::mk_and(parts) : z3::mk_or(parts);
  }

  z3::context &context;
  std::vector<z3::expr> formulas;
};
} // namespace

struct Z3Session::State {
  explicit State(TermContext &terms)
      : declared(terms), solver(context), builder(context),
        lowering(declared, builder) {}

  void declare(const Problem &problem) {
    for (const Variable &variable : problem.getVariables())
      if (!declared.isDeclared(variable.id))
        declared.addVariable(problem.getName(variable.id), variable.domain,
                             variable.role);
  }

  void assertDomain(VarId var) {
    if (!known.try_emplace(var, true).second)
      return;
    solver.add(builder.get(lowering.lowerDomain(var)));
  }
  const z3::expr &getLiteral(BoolTerm term) {
    auto it = literals.find(term.getNode());
    if (it != literals.end())
      return it->second;
    for (VarId var : collectVariables(term.getNode()))
      assertDomain(var);
    z3::expr literal =
        context.bool_const(("c" + std::to_string(literals.size())).c_str());
    solver.add(z3::implies(literal, builder.get(lowering.lowerHolds(term))));
    return literals.emplace(term.getNode(), literal).first->second;
  }
  Z3Answer check(const Problem &problem, llvm::ArrayRef<VarId> variables,
                 llvm::ArrayRef<ConstraintId> active,
                 llvm::ArrayRef<BoolTerm> scoped, const Z3Limits &limits);
  /// Z3's count of what it has done so far.
  uint64_t getSpent() {
    z3::stats stats = solver.statistics();
    for (unsigned i = 0; i < stats.size(); ++i)
      if (stats.key(i) == "rlimit count")
        return stats.is_uint(i) ? stats.uint_value(i)
                                : static_cast<uint64_t>(stats.double_value(i));
    return 0;
  }

  /// The variables of the problems so far, and no constraints.
  Problem declared;
  z3::context context;
  z3::solver solver;
  Z3Builder builder;
  Lowering lowering;
  llvm::DenseMap<VarId, bool> known;
  std::map<const TermNode *, z3::expr> literals;
  bool broken = false;
};

static z3::params makeParams(z3::context &context, const Z3Limits &limits) {
  z3::params params(context);
  params.set("random_seed", 0u);
  // The procedure for real polynomials neither counts towards rlimit nor stops
  // in time (4.8.12, incremental mode).
  params.set("arith.nl.nra", false);
  if (limits.rlimit != 0)
    params.set("rlimit", limits.rlimit);
  if (limits.timeoutMs != 0)
    params.set("timeout", limits.timeoutMs);
  return params;
}

static UnknownReason classify(llvm::StringRef reason) {
  if (reason.contains("timeout"))
    return UnknownReason::TimeOut;
  if (reason.contains("resource") || reason.contains("canceled"))
    return UnknownReason::ResourceLimit;
  if (reason.contains("memory"))
    return UnknownReason::ResourceLimit;
  return UnknownReason::Incomplete;
}

Z3Answer Z3Session::State::check(const Problem &problem,
                                 llvm::ArrayRef<VarId> variables,
                                 llvm::ArrayRef<ConstraintId> active,
                                 llvm::ArrayRef<BoolTerm> scoped,
                                 const Z3Limits &limits) {
  Z3Answer answer;
  z3::expr_vector assumptions(context);
  auto getTerm = [&](ConstraintId id) {
    return problem.getConstraints()[id].term;
  };
  declare(problem);
  uint64_t before = getSpent();
  for (VarId var : variables)
    assertDomain(var);
  for (ConstraintId id : active)
    assumptions.push_back(getLiteral(getTerm(id)));
  solver.set(makeParams(context, limits));

  solver.push();
  for (BoolTerm term : scoped)
    solver.add(builder.get(lowering.lowerHolds(term)));
  switch (solver.check(assumptions)) {
  case z3::sat: {
    answer.kind = Z3Answer::Sat;
    z3::model model = solver.get_model();
    for (VarId var : variables) {
      int64_t number = 0;
      z3::expr value =
          model.eval(builder.get(builder.variable(var)), /*completion=*/true);
      if (value.is_numeral_i64(number))
        answer.model.set(var, number);
    }
    break;
  }
  case z3::unsat: {
    answer.kind = Z3Answer::Unsat;
    z3::expr_vector core = solver.unsat_core();
    for (ConstraintId id : active)
      for (unsigned i = 0; i < core.size(); ++i)
        if (z3::eq(core[i], getLiteral(getTerm(id))))
          answer.core.push_back(id);
    break;
  }
  case z3::unknown:
    answer.detail = solver.reason_unknown();
    answer.reason = classify(answer.detail);
    break;
  }
  uint64_t after = getSpent();
  answer.spent = after >= before ? after - before : after;
  solver.pop();
  return answer;
}

static Z3Answer makeFailure(llvm::StringRef detail) {
  Z3Answer answer;
  if (detail.contains("memory"))
    answer.reason = UnknownReason::ResourceLimit;
  answer.detail = detail.str();
  return answer;
}

/// The limit of Z3's memory in MiB, for all contexts together. Z3 throws
/// beyond.
static constexpr const char *kMaxMemory = "2048";

Z3Session::Z3Session(TermContext &terms) {
  try {
    z3::set_param("memory_max_size", kMaxMemory);
    state = std::make_unique<State>(terms);
  } catch (...) {
    // Without a state, every answer says so.
  }
}

Z3Session::~Z3Session() = default;

static bool areEqual(const Domain &a, const Domain &b) {
  if (a.size() != b.size() || a.empty())
    return a.size() == b.size();
  if (a.isProgression() && b.isProgression())
    return a.min() == b.min() && a.max() == b.max();
  if (a.isProgression() || b.isProgression())
    return false;
  for (uint64_t i = 0; i < a.size(); ++i)
    if (a.at(i) != b.at(i))
      return false;
  return true;
}

bool Z3Session::accepts(const Problem &problem) const {
  if (!state || state->broken ||
      &state->declared.getContext() != &problem.getContext())
    return false;
  return llvm::all_of(problem.getVariables(), [&](const Variable &variable) {
    return !state->declared.isDeclared(variable.id) ||
           areEqual(state->declared.getVariable(variable.id).domain,
                    variable.domain);
  });
}

Z3Answer Z3Session::check(const Problem &problem,
                          llvm::ArrayRef<VarId> variables,
                          llvm::ArrayRef<ConstraintId> active,
                          llvm::ArrayRef<BoolTerm> scoped,
                          const Z3Limits &limits) {
  if (!state || state->broken)
    return makeFailure("z3 failed earlier");
  try {
    return state->check(problem, variables, active, scoped, limits);
  } catch (const z3::exception &error) {
    state->broken = true;
    return makeFailure(error.msg());
  } catch (const std::exception &error) {
    state->broken = true;
    return makeFailure(error.what());
  }
}

std::string formwork::verifier::solver::answerSmtLib(const std::string &script,
                                                     const Z3Limits &limits) {
  try {
    z3::context context;
    z3::solver solver(context);
    solver.set(makeParams(context, limits));
    solver.from_string(script.c_str());
    switch (solver.check()) {
    case z3::sat:
      return "sat";
    case z3::unsat:
      return "unsat";
    case z3::unknown:
      return "unknown";
    }
    return "unknown";
  } catch (const z3::exception &error) {
    return error.msg();
  } catch (const std::exception &error) {
    return error.what();
  }
}
