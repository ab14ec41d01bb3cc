//===- SarifReport.cpp - Findings as SARIF 2.1.0 ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Catalogue.h"
#include "tools/report/Formats.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using engine::Note;
using engine::NoteKind;
namespace json = llvm::json;

/// The rule of diagnostics that are MLIR's.
static constexpr StringLiteral kForeignRule = "mlir";

namespace {
class SarifReport : public Report {
public:
  void add(const ReportRun &run, SourceFiles &files) override;
  void print(llvm::raw_ostream &os) const override;

private:
  json::Array runs;
};
} // namespace

static StringRef getLevel(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("a severity is one of four");
}

/// A path as a URI reference: what RFC 3986 does not allow is percent-encoded.
static std::string toUri(StringRef path) {
  std::string uri = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (char c : path) {
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<uint8_t>(c), /*LowerCase=*/false,
                                   /*Width=*/2);
  }
  return uri;
}

static json::Object getRegion(const Place &place) {
  return json::Object{{"startLine", place.line},
                      {"startColumn", place.column},
                      {"endLine", place.endLine},
                      {"endColumn", place.endColumn}};
}

static json::Object getArtifact(const Place &place) {
  return json::Object{{"uri", toUri(place.file)}};
}

static json::Object getPhysicalLocation(const Place &place) {
  return json::Object{{"artifactLocation", getArtifact(place)},
                      {"region", getRegion(place)}};
}

static json::Object getMessage(StringRef text) {
  return json::Object{{"text", toUtf8(text)}};
}

/// One change of each file that the edits are in.
static json::Object getFix(const Note &note, SourceFiles &files) {
  llvm::MapVector<StringRef, json::Array> replacements;
  llvm::StringMap<Place> places;
  for (const engine::TextEdit &edit : note.edits) {
    Place place = files.locate(edit.range);
    json::Object replacement{{"deletedRegion", getRegion(place)}};
    if (!edit.text.empty())
      replacement["insertedContent"] = getMessage(edit.text);
    auto known = places.try_emplace(place.file, place).first;
    replacements[known->getKey()].push_back(std::move(replacement));
  }
  json::Array changes;
  for (auto &[file, list] : replacements)
    changes.push_back(
        json::Object{{"artifactLocation", getArtifact(places.lookup(file))},
                     {"replacements", std::move(list)}});
  return json::Object{{"description", getMessage(note.message)},
                      {"artifactChanges", std::move(changes)}};
}

static json::Object getResult(const Finding &finding, int64_t rule,
                              SourceFiles &files) {
  json::Object result{
      {"ruleId", finding.id.empty() ? kForeignRule.str() : finding.id},
      {"ruleIndex", rule},
      {"level", getLevel(finding.severity)},
      {"message", getMessage(finding.message)}};
  json::Array locations, related, fixes;
  if (std::optional<Place> place = files.locate(finding.loc))
    locations.push_back(
        json::Object{{"physicalLocation", getPhysicalLocation(*place)}});
  for (auto [i, note] : llvm::enumerate(finding.notes)) {
    std::string prefix = note.kind == NoteKind::FixIt ? "fix-it: " : "";
    json::Object location{
        {"id", static_cast<int64_t>(i)},
        {"message", getMessage(prefix + note.message)},
        {"properties", json::Object{{"kind", stringify(note.kind)}}}};
    if (std::optional<Place> place = files.locate(note.loc))
      location["physicalLocation"] = getPhysicalLocation(*place);
    related.push_back(std::move(location));
    if (!note.edits.empty())
      fixes.push_back(getFix(note, files));
  }
  result["locations"] = std::move(locations);
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  if (!fixes.empty())
    result["fixes"] = std::move(fixes);
  return result;
}

static json::Object getRule(StringRef id) {
  if (id == kForeignRule)
    return json::Object{
        {"id", id.str()},
        {"shortDescription", getMessage("A diagnostic of MLIR's own.")}};
  json::Object rule{{"id", id.str()}, {"helpUri", getDiagnosticPage(id)}};
  if (std::optional<CatalogueEntry> entry = lookupDiagnostic(id)) {
    rule["shortDescription"] = getMessage(entry->summary);
    rule["defaultConfiguration"] = json::Object{
        {"level", entry->severity == "remark" ? "note" : entry->severity}};
  }
  return rule;
}

void SarifReport::add(const ReportRun &run, SourceFiles &files) {
  llvm::MapVector<StringRef, int64_t> rules;
  json::Array results, descriptors, artifacts;
  for (const Finding &finding : run.findings) {
    StringRef id = finding.id.empty() ? StringRef(kForeignRule) : finding.id;
    auto [rule, isNew] = rules.insert({id, static_cast<int64_t>(rules.size())});
    if (isNew)
      descriptors.push_back(getRule(id));
    results.push_back(getResult(finding, rule->second, files));
  }
  SmallVector<StringRef> inputs = {run.input};
  if (!run.schedule.empty())
    inputs.push_back(run.schedule);
  for (StringRef file : inputs)
    artifacts.push_back(json::Object{
        {"location",
         json::Object{{"uri", toUri(resolveSplitName(file).first)}}}});
  json::Object properties(run.summary);
  properties["llvm"] = LLVM_VERSION_STRING;
  runs.push_back(json::Object{
      {"tool", json::Object{{"driver",
                             json::Object{{"name", "formwork"},
                                          {"version", FORMWORK_VERSION},
                                          {"rules", std::move(descriptors)}}}}},
      {"invocations",
       json::Array{json::Object{{"executionSuccessful", run.exitCode != 3},
                                {"exitCode", run.exitCode}}}},
      {"columnKind", "utf16CodeUnits"},
      {"artifacts", std::move(artifacts)},
      {"results", std::move(results)},
      {"properties", std::move(properties)}});
}

void SarifReport::print(llvm::raw_ostream &os) const {
  json::Object document{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array(runs)}};
  os << llvm::formatv("{0:2}", json::Value(std::move(document))) << "\n";
}

std::unique_ptr<Report> formwork::tools::createSarifReport() {
  return std::make_unique<SarifReport>();
}
