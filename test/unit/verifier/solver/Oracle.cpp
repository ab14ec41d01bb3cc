//===- Oracle.cpp - Constraint problems, decided the slow way ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

using namespace formwork::verifier::solver;

/// floor(a / b) by definition: the largest q with q * |b| <= a * sign(b).
static Wide floorSlowly(Wide a, Wide b) {
  if (b < 0) {
    a = -a;
    b = -b;
  }
  Wide quotient = a / b;
  while (quotient * b > a)
    --quotient;
  while ((quotient + 1) * b <= a)
    ++quotient;
  return quotient;
}

std::optional<Wide>
formwork::verifier::solver::evaluateSlowly(const TermNode *node,
                                           const Assignment &point) {
  auto operand = [&](unsigned i) {
    return evaluateSlowly(node->getOperand(i), point);
  };
  switch (node->getKind()) {
  case TermKind::Constant:
  case TermKind::Truth:
    return node->getValue();
  case TermKind::Variable:
    return point.get(static_cast<VarId>(node->getValue()));
  case TermKind::Select:
  case TermKind::Choose: {
    auto condition = operand(0);
    if (!condition)
      return std::nullopt;
    return *condition ? operand(1) : operand(2);
  }
  case TermKind::And: {
    auto a = operand(0), b = operand(1);
    if ((a && !*a) || (b && !*b))
      return 0;
    return a && b ? std::optional<Wide>(1) : std::nullopt;
  }
  case TermKind::Or: {
    auto a = operand(0), b = operand(1);
    if ((a && *a) || (b && *b))
      return 1;
    return a && b ? std::optional<Wide>(0) : std::nullopt;
  }
  case TermKind::Implies: {
    auto a = operand(0), b = operand(1);
    if ((a && !*a) || (b && *b))
      return 1;
    return a && b ? std::optional<Wide>(0) : std::nullopt;
  }
  case TermKind::Not: {
    auto a = operand(0);
    return a ? std::optional<Wide>(!*a) : std::nullopt;
  }
  case TermKind::Holds:
    return operand(0).value_or(0);
  case TermKind::PowerOfTwo: {
    auto a = operand(0);
    if (!a)
      return std::nullopt;
    for (Wide power = 1; power <= *a; power *= 2)
      if (power == *a)
        return 1;
    return 0;
  }
  default:
    break;
  }
  auto a = operand(0), b = operand(1);
  if (!a || !b)
    return std::nullopt;
  switch (node->getKind()) {
  case TermKind::Add:
    return *a + *b;
  case TermKind::Sub:
    return *a - *b;
  case TermKind::Mul:
    return *a * *b;
  case TermKind::FloorDiv:
    if (*b == 0)
      return std::nullopt;
    return floorSlowly(*a, *b);
  case TermKind::CeilDiv:
    if (*b == 0)
      return std::nullopt;
    return -floorSlowly(-*a, *b);
  case TermKind::Mod: {
    if (*b == 0)
      return std::nullopt;
    Wide divisor = *b < 0 ? -*b : *b;
    return *a - floorSlowly(*a, divisor) * divisor;
  }
  case TermKind::Divides:
    if (*a == 0)
      return *b == 0;
    return floorSlowly(*b, *a) * *a == *b;
  case TermKind::Min:
    return *a < *b ? *a : *b;
  case TermKind::Max:
    return *a < *b ? *b : *a;
  case TermKind::Equal:
  case TermKind::Iff:
    return *a == *b;
  case TermKind::Less:
    return *a < *b;
  case TermKind::LessEqual:
    return *a <= *b;
  default:
    return std::nullopt;
  }
}

Oracle::Oracle(const Problem &problem) : problem(problem) {
  uint64_t points = 1;
  for (const Variable &variable : problem.getVariables())
    points *= variable.domain.size();
  masks.resize(points);
  for (uint64_t i = 0; i < points; ++i) {
    Assignment point = getPoint(i);
    for (auto [id, constraint] : llvm::enumerate(problem.getConstraints()))
      if (evaluateSlowly(constraint.term.getNode(), point).value_or(0) != 0)
        masks[i] |= uint32_t(1) << id;
  }
}

Assignment Oracle::getPoint(uint64_t index) const {
  Assignment point;
  for (const Variable &variable : problem.getVariables()) {
    point.set(variable.id, variable.domain.at(index % variable.domain.size()));
    index /= variable.domain.size();
  }
  return point;
}

bool Oracle::isSat(llvm::ArrayRef<ConstraintId> constraints) const {
  uint32_t wanted = 0;
  for (ConstraintId id : constraints)
    wanted |= uint32_t(1) << id;
  return llvm::any_of(masks,
                      [&](uint32_t mask) { return (mask & wanted) == wanted; });
}

void Oracle::forEachSolution(
    llvm::function_ref<void(const Assignment &)> visit) const {
  uint32_t all = (uint32_t(1) << problem.getConstraints().size()) - 1;
  for (uint64_t i = 0; i < masks.size(); ++i)
    if (masks[i] == all)
      visit(getPoint(i));
}

bool Oracle::isSat() const {
  bool found = false;
  forEachSolution([&](const Assignment &) { found = true; });
  return found;
}

uint64_t Oracle::countKnobs() const {
  std::set<std::vector<int64_t>> distinct;
  forEachSolution([&](const Assignment &point) {
    std::vector<int64_t> knobs;
    for (const Variable &variable : problem.getVariables())
      if (variable.role == Role::Knob)
        knobs.push_back(*point.get(variable.id));
    distinct.insert(knobs);
  });
  return distinct.size();
}

namespace {
/// Random terms over the variables of one problem.
class Generator {
public:
  Generator(TermContext &context, llvm::ArrayRef<IntTerm> variables,
            std::mt19937_64 &random)
      : context(context), variables(variables), random(random) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return lo +
           static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
  }
  IntTerm integer(unsigned depth);
  BoolTerm boolean(unsigned depth);

private:
  TermContext &context;
  llvm::ArrayRef<IntTerm> variables;
  std::mt19937_64 &random;
};
} // namespace

IntTerm Generator::integer(unsigned depth) {
  if (depth == 0 || pick(0, 3) == 0)
    return pick(0, 3) == 0 ? context.constant(pick(-6, 24))
                           : variables[random() % variables.size()];
  // In two statements, so that the order of the draws is fixed.
  IntTerm a = integer(depth - 1);
  IntTerm b = integer(depth - 1);
  switch (pick(0, 8)) {
  case 0:
    return context.add(a, b);
  case 1:
    return context.sub(a, b);
  case 2:
  case 3:
    return context.mul(a, b);
  case 4:
    return context.floorDiv(a, b);
  case 5:
    return context.ceilDiv(a, b);
  case 6:
    return context.mod(a, b);
  case 7:
    return pick(0, 1) ? context.min(a, b) : context.max(a, b);
  default:
    return context.select(boolean(depth - 1), a, b);
  }
}

BoolTerm Generator::boolean(unsigned depth) {
  if (depth == 0 || pick(0, 2) != 0) {
    unsigned below = depth == 0 ? 0 : depth - 1;
    IntTerm a = integer(below);
    IntTerm b = integer(below);
    switch (pick(0, 5)) {
    case 0:
      return context.equal(a, b);
    case 1:
      return context.less(a, b);
    case 2:
      return context.lessEqual(a, b);
    case 3:
    case 4:
      return context.divides(a, b);
    default:
      return context.powerOfTwo(a);
    }
  }
  BoolTerm a = boolean(depth - 1);
  BoolTerm b = boolean(depth - 1);
  switch (pick(0, 5)) {
  case 0:
    return context.logicalAnd(a, b);
  case 1:
    return context.logicalOr(a, b);
  case 2:
    return context.logicalNot(a);
  case 3:
    return context.implies(a, b);
  case 4:
    return context.iff(a, b);
  default: {
    BoolTerm condition = boolean(depth - 1);
    return context.choose(condition, a, b);
  }
  }
}

static Domain makeRandomDomain(std::mt19937_64 &random, uint64_t maxSize) {
  auto pick = [&](int64_t lo, int64_t hi) {
    return lo +
           static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
  };
  int64_t size =
      pick(1, std::min<int64_t>(maxSize, pick(0, 4) == 0 ? 300 : 12));
  Domain domain;
  switch (pick(0, 4)) {
  case 0: {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < size; ++i)
      values.push_back(pick(-10, 64));
    domain = Domain::list(values);
    break;
  }
  case 1: {
    int64_t lo = pick(-8, 8), step = pick(1, 8);
    domain = Domain::range(lo, lo + (size - 1) * step, step);
    break;
  }
  case 2:
    domain = Domain::powersOfTwo(1, int64_t(1) << std::min<int64_t>(size, 10));
    break;
  case 3:
    domain = *Domain::divisors(pick(1, 4) * 24);
    break;
  default:
    domain = Domain::multiples(16, 0, 16 * (size - 1));
    break;
  }
  return domain.size() <= maxSize ? domain : Domain::range(1, maxSize);
}

Problem formwork::verifier::solver::makeRandomProblem(TermContext &context,
                                                      std::mt19937_64 &random,
                                                      uint64_t maxPoints) {
  Problem problem(context);
  std::vector<IntTerm> variables;
  uint64_t points = 1;
  size_t numVariables = 1 + random() % 6;
  for (size_t i = 0; i < numVariables; ++i) {
    Domain domain = makeRandomDomain(random, maxPoints / points);
    points *= domain.size();
    Role role = random() % 4 == 0 ? Role::Auxiliary : Role::Knob;
    variables.push_back(
        problem.addVariable("@x" + std::to_string(i), domain, role));
  }
  Generator generator(context, variables, random);
  // Few more often than many, so that enough problems can be met.
  size_t numConstraints = 1 + (random() % 8) * (random() % 8) / 8;
  for (size_t i = 0; i < numConstraints; ++i)
    problem.addConstraint("c" + std::to_string(i),
                          generator.boolean(1 + random() % 3));
  return problem;
}

BoolTerm
formwork::verifier::solver::makeRandomProperty(const Problem &problem,
                                               std::mt19937_64 &random) {
  std::vector<IntTerm> variables;
  for (const Variable &variable : problem.getVariables())
    variables.push_back(
        problem.getContext().variable(problem.getName(variable.id)));
  return Generator(problem.getContext(), variables, random)
      .boolean(1 + random() % 2);
}

std::string formwork::verifier::solver::toText(const Problem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Variable &variable : problem.getVariables())
    os << problem.getName(variable.id)
       << (variable.role == Role::Knob ? " in " : " auxiliary in ")
       << variable.domain.toString() << "\n";
  for (const Constraint &constraint : problem.getConstraints())
    os << constraint.id << ": " << constraint.text << "\n";
  return text;
}

uint64_t formwork::verifier::solver::getSeed() {
  const char *given = std::getenv("FORMWORK_TEST_SEED");
  uint64_t seed = given ? std::strtoull(given, nullptr, 10) : 20240229;
  llvm::outs() << "seed " << seed << " (set FORMWORK_TEST_SEED to change it)\n";
  llvm::outs().flush();
  return seed;
}
