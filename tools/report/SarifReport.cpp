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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

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
  explicit SarifReport(ReportSettings settings);

  void add(const ReportRun &run, SourceFiles &files) override;
  void print(llvm::raw_ostream &os) const override;

private:
  json::Object getArtifact(StringRef file) const;
  json::Object getPhysicalLocation(const Place &place) const;
  json::Object getFix(const Note &note, SourceFiles &files) const;
  json::Object getResult(const Finding &finding, int64_t rule,
                         SourceFiles &files);
  json::Object getRule(StringRef id) const;
  /// The fingerprint by which a later run recognizes a finding: it depends
  /// neither on the line nor on the text around it.
  std::string getFingerprint(const Finding &finding, SourceFiles &files);

  ReportSettings settings;
  json::Array runs;
  /// How many findings had the same fingerprint.
  llvm::StringMap<unsigned> fingerprints;
};
} // namespace

/// The root of the repository that holds the working directory, or that.
static std::string findRoot() {
  llvm::SmallString<256> folder;
  if (llvm::sys::fs::current_path(folder))
    return "";
  for (StringRef at = folder; !at.empty();
       at = llvm::sys::path::parent_path(at))
    if (llvm::sys::fs::exists(at + "/.git"))
      return at.str();
  return folder.str().str();
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

/// The folder of the pages that were installed together with this program;
/// empty where there is none.
static std::string findPages() {
  static int inProgram;
  std::string program = llvm::sys::fs::getMainExecutable("", &inProgram);
  llvm::SmallString<256> folder = llvm::sys::path::parent_path(program);
  llvm::sys::path::append(folder, FORMWORK_PAGES);
  llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  return llvm::sys::fs::is_directory(folder) ? toUri(folder) : "";
}

SarifReport::SarifReport(ReportSettings given) : settings(std::move(given)) {
  if (settings.pages.empty())
    settings.pages = findPages();
  if (settings.root.empty())
    settings.root = findRoot();
  llvm::SmallString<256> root;
  if (!llvm::sys::fs::real_path(settings.root, root))
    settings.root = root.str().str();
}

/// SARIF calls a remark a note.
static StringRef getLevel(DiagnosticSeverity severity) {
  return stringify(severity == DiagnosticSeverity::Remark
                       ? DiagnosticSeverity::Note
                       : severity);
}

static json::Object getRegion(const Place &place) {
  return json::Object{{"startLine", place.line},
                      {"startColumn", place.column},
                      {"endLine", place.endLine},
                      {"endColumn", place.endColumn}};
}

/// Relative to the root, if it is a file there.
json::Object SarifReport::getArtifact(StringRef file) const {
  llvm::SmallString<256> path;
  if (llvm::sys::fs::real_path(file, path)) {
    // The path is missing, or names no file.
    path = file;
    if (!file.starts_with("<"))
      (void)llvm::sys::fs::make_absolute(path);
  }
  StringRef rest = path;
  if (rest.consume_front(settings.root) && rest.consume_front("/"))
    return json::Object{{"uri", toUri(rest)}, {"uriBaseId", "SRCROOT"}};
  return json::Object{{"uri", toUri(path)}};
}

json::Object SarifReport::getPhysicalLocation(const Place &place) const {
  return json::Object{{"artifactLocation", getArtifact(place.file)},
                      {"region", getRegion(place)}};
}

static json::Object getMessage(StringRef text) {
  return json::Object{{"text", toUtf8(text)}};
}

/// One change of each file that the edits are in.
json::Object SarifReport::getFix(const Note &note, SourceFiles &files) const {
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
    changes.push_back(json::Object{{"artifactLocation", getArtifact(file)},
                                   {"replacements", std::move(list)}});
  return json::Object{{"description", getMessage(note.message)},
                      {"artifactChanges", std::move(changes)}};
}

std::string SarifReport::getFingerprint(const Finding &finding,
                                        SourceFiles &files) {
  std::string key = finding.id + "\n" + finding.message + "\n";
  if (std::optional<Place> place = files.locate(finding.loc)) {
    json::Object artifact = getArtifact(place->file);
    key += artifact.getString("uri")->str() + "\n";
    // Without blanks, so that it can be indented.
    for (StringRef word : llvm::split(files.getLineAt(finding.loc), ' '))
      key += word.trim();
  }
  unsigned count = fingerprints[key]++;
  key += "\n" + std::to_string(count);
  return llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true,
                         /*Width=*/16);
}

json::Object SarifReport::getResult(const Finding &finding, int64_t rule,
                                    SourceFiles &files) {
  json::Object result{
      {"ruleId", finding.id.empty() ? kForeignRule.str() : finding.id},
      {"ruleIndex", rule},
      {"level", getLevel(finding.severity)},
      {"message", getMessage(finding.message)},
      {"partialFingerprints",
       json::Object{{"formworkFinding/v1", getFingerprint(finding, files)}}}};
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

json::Object SarifReport::getRule(StringRef id) const {
  if (id == kForeignRule)
    return json::Object{
        {"id", id.str()},
        {"shortDescription",
         getMessage("A diagnostic of MLIR's own, or about a file "
                    "that cannot be opened.")}};
  json::Object rule{{"id", id.str()}};
  // The model of a plugin may have an id of its own.
  if (StringRef page = getDiagnosticText(id); !page.empty()) {
    if (!settings.pages.empty())
      rule["helpUri"] =
          StringRef(settings.pages).rtrim('/').str() + "/" + id.str() + ".md";
    rule["help"] =
        json::Object{{"text", toUtf8(page)}, {"markdown", toUtf8(page)}};
  }
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
    artifacts.push_back(
        json::Object{{"location", getArtifact(resolveSplitName(file).first)}});
  // One of several pieces has its number.
  std::string category = settings.category;
  if (category.empty())
    category = "formwork/" + llvm::join(inputs, "+");
  if (!runs.empty())
    category += "/" + std::to_string(runs.size() + 1);
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
      // The part after the last slash is of this run alone.
      {"automationDetails", json::Object{{"id", toUtf8(category) + "/"}}},
      {"originalUriBaseIds",
       json::Object{
           {"SRCROOT", json::Object{{"uri", toUri(settings.root) + "/"}}}}},
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

std::unique_ptr<Report>
formwork::tools::createSarifReport(ReportSettings settings) {
  return std::make_unique<SarifReport>(std::move(settings));
}
