//===- Warnings.cpp - Which warnings are printed, and how -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Warnings.h"

#include "engine/SourcePlace.h"
#include "tools/formwork/Session.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
namespace json = llvm::json;

FailureOr<WarningFilter> WarningFilter::create(const WarningOptions &options) {
  WarningFilter filter;
  auto add = [](llvm::StringSet<> &ids, StringRef id) {
    std::optional<std::string> fault = findIdFault(id);
    if (fault)
      (void)failUsage(*fault);
    ids.insert(id);
    return success(!fault);
  };
  for (const std::string &id : options.silenced)
    if (failed(add(filter.silenced, id)))
      return failure();
  for (const std::string &id : options.errors)
    if (failed(add(filter.errors, id)))
      return failure();
  filter.baselineOutput = options.writeBaseline;
  if (!options.baseline.empty() &&
      failed(filter.readBaseline(options.baseline)))
    return failure();
  return filter;
}

LogicalResult WarningFilter::readBaseline(StringRef path) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  auto refuse = [&](const Twine &message) {
    (void)failUsage(message);
    return failure();
  };
  if (!buffer)
    return refuse(error);
  llvm::Expected<json::Value> document = json::parse(buffer->getBuffer());
  if (!document)
    return refuse("'" + path +
                  "' is no baseline: " + llvm::toString(document.takeError()));
  const json::Object *object = document->getAsObject();
  const json::Array *warnings = object ? object->getArray("warnings") : nullptr;
  if (!warnings || object->getInteger("version") != 1)
    return refuse("'" + path + "' is no baseline of version 1");
  for (const json::Value &value : *warnings) {
    const json::Object *warning = value.getAsObject();
    std::optional<StringRef> id, file, message;
    if (warning) {
      id = warning->getString("id");
      file = warning->getString("file");
      message = warning->getString("message");
    }
    if (!id || !file || !message)
      return refuse("'" + path +
                    "' is no baseline: a warning requires an id, a file and a "
                    "message");
    known[{id->str(), file->str(), message->str()}] += std::clamp<int64_t>(
        warning->getInteger("count").value_or(1), 0, 1 << 20);
  }
  return success();
}

static std::string getFile(Location loc) {
  FileLineColLoc place = engine::findSourcePlace(loc);
  return place ? place.getFilename().str() : std::string();
}

WarningFilter::Fate WarningFilter::judge(const Finding &finding) {
  if (finding.severity != DiagnosticSeverity::Warning)
    return Fate::Kept;
  std::string id = finding.id.empty() ? kForeignId.str() : finding.id;
  bool isSilenced = silenced.contains(id) || bySteps.has(finding.loc, id);
  if (!isSilenced) {
    Entry entry{id, toUtf8(getFile(finding.loc)), toUtf8(finding.message)};
    ++seen[entry];
    auto left = known.find(entry);
    if (left != known.end() && left->second != 0) {
      --left->second;
      isSilenced = true;
    }
  }
  if (isSilenced)
    return Fate::Silenced;
  if (!errors.contains(id))
    return Fate::Kept;
  hasErrors = true;
  return Fate::Error;
}

engine::Findings WarningFilter::apply(const engine::Findings &findings) {
  engine::Findings kept;
  counts = {};
  for (const Finding &finding : findings.get()) {
    Fate fate = judge(finding);
    if (fate == Fate::Silenced) {
      ++counts.silenced;
      continue;
    }
    Finding &one = kept.add(finding);
    if (fate == Fate::Error) {
      one.severity = DiagnosticSeverity::Error;
      ++counts.errors;
    }
  }
  return kept;
}

ExitCode WarningFilter::writeBaseline() const {
  if (baselineOutput.empty())
    return ExitCode::Success;
  json::Array warnings;
  for (const auto &[entry, count] : seen)
    warnings.push_back(json::Object{{"id", entry.id},
                                    {"file", entry.file},
                                    {"message", entry.message},
                                    {"count", count}});
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0:2}",
                      json::Value(json::Object{
                          {"version", 1}, {"warnings", std::move(warnings)}}))
     << "\n";
  return writeOutput(baselineOutput, text, llvm::outs());
}
