//===- Hovers.cpp - What an editor says of a name ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/Hovers.h"

#include "tools/service/OperationPages.h"
#include "verifier/parameters/KnobDomain.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::normalforms;
using transform::tune::KnobOp;

/// At most so many lines of a contract or of a list are shown.
static constexpr size_t kMaxLines = 30;

/// `text` as code, cut behind the first lines.
static std::string printCode(StringRef text, StringRef language) {
  SmallVector<StringRef> lines;
  text.trim().split(lines, '\n');
  std::string code = ("\n```" + language + "\n").str();
  for (StringRef line : ArrayRef(lines).take_front(kMaxLines))
    code += (line + "\n").str();
  if (lines.size() > kMaxLines)
    code += llvm::formatv("// and {0} more lines\n", lines.size() - kMaxLines);
  return code + "```\n";
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

std::string formwork::tools::describeOperation(StringRef operation,
                                               const ContractLibrary &contracts,
                                               const FormLibrary &forms) {
  OperationPage page = lookupOperationPage(operation);
  std::string text = ("**" + operation + "**").str();
  if (!page.summary.empty())
    text += (": " + page.summary).str();
  text += "\n";
  const Contract *contract = contracts.lookup(operation);
  if (!contract) {
    text += "\nNo contract: what the step requires is not known.\n";
  } else {
    for (const FormClause &clause : contract->forms)
      text +=
          llvm::formatv("\n- {0} `@{1}` around operand {2}{3}{4}{5}",
                        clause.required ? "requires" : "wants",
                        forms.getForm(clause.form).name, clause.operand,
                        clause.when.empty() ? "" : ", in some cases",
                        clause.otherwise.empty() ? "" : "; without the form: ",
                        clause.otherwise);
    if (!contract->forms.empty())
      text += "\n";
  }
  if (!page.description.empty())
    text += ("\n" + page.description + "\n").str();
  if (contract)
    for (ContractOp declaration : contracts.getDeclarations())
      if (declaration.getOpName() == operation)
        text += printCode(print(declaration), "mlir");
  return text;
}

std::string formwork::tools::describeForm(const Form &form,
                                          const FormLibrary &forms) {
  std::string text = "**@" + form.name + "**: " + form.summary + "\n";
  auto list = [&](StringRef title, ArrayRef<AtomId> atoms) {
    if (atoms.empty())
      return;
    text += ("\n" + title + ": ").str();
    llvm::interleave(
        atoms,
        [&](AtomId atom) { text += "`@" + forms.getForm(atom).name + "`"; },
        [&] { text += ", "; });
    text += "\n";
  };
  list("refines", form.refines);
  list("excludes", form.excludes);
  text += llvm::formatv("\nanchor: {0}{1}\n", stringifyAnchorKind(form.anchor),
                        form.automatic
                            ? ""
                            : "; not inserted by itself, because normalizing "
                              "would change " +
                                  form.whyManual);
  return text + printCode(print(form.declaration), "mlir");
}

std::string
formwork::tools::describeSequence(transform::NamedSequenceOp sequence) {
  using transform::TransformDialect;
  std::string text =
      ("**@" + sequence.getSymName() + "**: a named sequence\n").str();
  llvm::raw_string_ostream os(text);
  FunctionType type = sequence.getFunctionType();
  for (auto [i, input] : llvm::enumerate(type.getInputs())) {
    os << "\n- takes `" << input << "`";
    if (sequence.getArgAttr(i, TransformDialect::kArgConsumedAttrName))
      os << ", consumed";
    if (sequence.getArgAttr(i, TransformDialect::kArgReadOnlyAttrName))
      os << ", only read";
  }
  for (Type result : type.getResults())
    os << "\n- returns `" << result << "`";
  return text + "\n";
}

std::string formwork::tools::describeHandle(StringRef name,
                                            ArrayRef<HandleEvent> events) {
  std::string text = ("**" + name + "**").str();
  if (events.empty())
    return text + ": the check does not come here\n";
  text += "\n";
  for (const HandleEvent &event : events) {
    const verifier::HandleSummary &summary = event.summary;
    text += llvm::formatv("\n- after line {0}: {1}", event.line,
                          describeValidity(summary.validity));
    if (summary.payload != "-")
      text += ", " + summary.payload;
    if (summary.forms != "-")
      text += ", " + summary.forms;
  }
  return text + "\n";
}

std::string
formwork::tools::describeKnob(Operation *op,
                              const verifier::ParameterModel *parameters) {
  auto knob = dyn_cast<KnobOp>(op);
  if (!knob)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "**knob";
  if (auto name = dyn_cast<StringAttr>(knob->getAttr("name")))
    os << " `" << name.getValue() << "`";
  os << "**: ";
  // Attributes of the operation can say a range in the place of options.
  if (auto none = dyn_cast<DictionaryAttr>(knob.getOptions());
      !none || !none.empty())
    os << "one of `" << knob.getOptions() << "`, ";
  if (Attribute selected = knob.getSelectedAttr())
    os << "chosen: `" << selected << "`";
  else
    os << "open";
  os << "\n";
  for (StringRef name : {verifier::kKnobRange, verifier::kKnobMultipleOf,
                         verifier::kKnobPowerOfTwo, verifier::kKnobDivides})
    if (Attribute value = op->getDiscardableAttr(name))
      os << "\n- " << name << ": `" << value << "`";
  if (!parameters)
    return text;
  const auto *found =
      llvm::find_if(parameters->knobs, [&](const verifier::Knob &known) {
        return known.op == op && known.term.isVariable();
      });
  if (found == parameters->knobs.end())
    return text;
  std::set<StringRef> said;
  for (const verifier::solver::Constraint &constraint :
       parameters->problem->getConstraints())
    if (llvm::is_contained(
            verifier::solver::collectVariables(constraint.term.getNode()),
            found->term.getVariable()) &&
        said.insert(constraint.text).second && said.size() <= kMaxLines)
      os << "\n- " << constraint.text << " (`" << constraint.id << "`)";
  os << "\n";
  return text;
}
