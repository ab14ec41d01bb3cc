//===- JsonReport.cpp - Findings as JSON ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Catalogue.h"
#include "tools/report/Formats.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using engine::Note;
namespace json = llvm::json;

namespace {
class JsonReport : public Report {
public:
  void add(const ReportRun &run, SourceFiles &files) override;
  void print(llvm::raw_ostream &os) const override;

private:
  json::Array runs;
};
} // namespace

static json::Object describe(const Place &place) {
  return json::Object{{"file", toUtf8(place.file)},
                      {"line", place.line},
                      {"column", place.column},
                      {"endLine", place.endLine},
                      {"endColumn", place.endColumn}};
}

static json::Value describe(const std::optional<Place> &place) {
  return place ? json::Value(describe(*place)) : json::Value(nullptr);
}

json::Object tools::toJson(const Finding &finding, SourceFiles &files) {
  json::Array notes, fixes;
  for (const Note &note : finding.notes) {
    notes.push_back(
        json::Object{{"kind", tools::stringify(note.kind)},
                     {"message", toUtf8(note.message)},
                     {"location", describe(files.locate(note.loc))}});
    if (note.edits.empty())
      continue;
    json::Array edits;
    for (const engine::TextEdit &edit : note.edits) {
      json::Object object = describe(files.locate(edit.range));
      object["text"] = toUtf8(edit.text);
      edits.push_back(std::move(object));
    }
    fixes.push_back(json::Object{{"message", toUtf8(note.message)},
                                 {"edits", std::move(edits)}});
  }
  json::Object object{{"severity", tools::stringify(finding.severity)},
                      {"message", toUtf8(finding.message)},
                      {"location", describe(files.locate(finding.loc))},
                      {"notes", std::move(notes)},
                      {"fixes", std::move(fixes)}};
  if (!finding.id.empty()) {
    object["id"] = finding.id;
    object["page"] = getDiagnosticPage(finding.id);
  }
  return object;
}

void JsonReport::add(const ReportRun &run, SourceFiles &files) {
  json::Array findings;
  unsigned counts[4] = {};
  for (const Finding &finding : run.findings) {
    findings.push_back(toJson(finding, files));
    ++counts[static_cast<unsigned>(finding.severity)];
  }
  auto count = [&](DiagnosticSeverity severity) {
    return counts[static_cast<unsigned>(severity)];
  };
  json::Object object{{"input", toUtf8(run.input)},
                      {"exitCode", run.exitCode},
                      {"errors", count(DiagnosticSeverity::Error)},
                      {"warnings", count(DiagnosticSeverity::Warning)},
                      {"remarks", count(DiagnosticSeverity::Remark)},
                      {"findings", std::move(findings)}};
  if (!run.schedule.empty())
    object["schedule"] = toUtf8(run.schedule);
  if (!run.summary.empty())
    object["summary"] = json::Object(run.summary);
  runs.push_back(std::move(object));
}

void JsonReport::print(llvm::raw_ostream &os) const {
  json::Object document{{"version", 1},
                        {"tool", json::Object{{"name", "formwork"},
                                              {"version", FORMWORK_VERSION},
                                              {"llvm", LLVM_VERSION_STRING}}},
                        {"columnKind", "utf16CodeUnits"},
                        {"runs", json::Array(runs)}};
  os << llvm::formatv("{0:2}", json::Value(std::move(document))) << "\n";
}

std::unique_ptr<Report> formwork::tools::createJsonReport() {
  return std::make_unique<JsonReport>();
}
