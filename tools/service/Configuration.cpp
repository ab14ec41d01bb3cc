//===- Configuration.cpp - What a folder says of its schedules --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/Configuration.h"

#include "tools/service/TextPositions.h"
#include "tools/service/Toml.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace formwork::tools;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;
namespace fs = llvm::sys::fs;

/// `path`, as seen from the folder of `file`.
static std::string resolve(StringRef file, StringRef path) {
  if (path.empty() || llvm::sys::path::is_absolute(path))
    return path.str();
  llvm::SmallString<256> whole = llvm::sys::path::parent_path(file);
  llvm::sys::path::append(whole, path);
  llvm::sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  return std::string(whole);
}

char SettingsError::ID = 0;

void SettingsError::log(llvm::raw_ostream &os) const {
  os << file << ":" << range.start.line + 1 << ":" << range.start.character + 1
     << ": " << message;
}

namespace {
/// The setting of a key; one of the three.
struct Key {
  StringRef name;
  std::string CheckSettings::*string = nullptr;
  std::vector<std::string> CheckSettings::*list = nullptr;
  bool CheckSettings::*flag = nullptr;
  bool isPath = false;
};
} // namespace

static const Key kKeys[] = {
    {"payload", &CheckSettings::payload, nullptr, nullptr, true},
    {"target", &CheckSettings::target},
    {"entry-point", &CheckSettings::entryPoint},
    {"libraries", nullptr, &CheckSettings::libraries, nullptr, true},
    {"forms", nullptr, &CheckSettings::forms, nullptr, true},
    {"contracts", nullptr, &CheckSettings::contracts, nullptr, true},
    {"dialect-plugins", nullptr, &CheckSettings::dialectPlugins, nullptr, true},
    {"pass-plugins", nullptr, &CheckSettings::passPlugins, nullptr, true},
    {"silence", nullptr, &CheckSettings::silenced},
    {"allow-unregistered-dialect", nullptr, nullptr,
     &CheckSettings::allowUnregisteredDialects},
};

/// Sets what `key` says to `value`; what is wrong with it, if anything.
static std::string setKey(const Key &key, const json::Value &value,
                          StringRef path, CheckSettings &settings) {
  auto read = [&](StringRef text) {
    return key.isPath ? resolve(path, text) : text.str();
  };
  if (key.string) {
    if (!value.getAsString())
      return "requires a string";
    settings.*key.string = read(*value.getAsString());
    return "";
  }
  if (key.flag) {
    if (!value.getAsBoolean())
      return "requires true or false";
    settings.*key.flag = *value.getAsBoolean();
    return "";
  }
  const json::Array *array = value.getAsArray();
  if (!array || !llvm::all_of(*array, [](const json::Value &one) {
        return one.getAsString().has_value();
      }))
    return "requires a list of strings";
  for (const json::Value &one : *array)
    (settings.*key.list).push_back(read(*one.getAsString()));
  return "";
}

Error formwork::tools::readConfiguration(StringRef path, StringRef text,
                                         CheckSettings &settings) {
  TextPositions positions(text);
  auto fail = [&](size_t offset, const Twine &message) {
    return llvm::make_error<SettingsError>(
        path, positions.toRange(offset, offset), message);
  };
  TomlFile file = readToml(text);
  llvm::StringSet<> seen;
  for (const TomlEntry &entry : file.entries) {
    const Key *key = llvm::find_if(
        kKeys, [&](const Key &known) { return known.name == entry.key; });
    if (key == std::end(kKeys)) {
      std::vector<StringRef> names;
      for (const Key &known : kKeys)
        names.push_back(known.name);
      return fail(entry.keyOffset, "unknown key '" + entry.key +
                                       "'; the keys are " +
                                       llvm::join(names, ", "));
    }
    if (!seen.insert(entry.key).second)
      return fail(entry.keyOffset, "'" + entry.key + "' is set twice");
    if (entry.value.kind() == json::Value::Null)
      break;
    if (std::string fault = setKey(*key, entry.value, path, settings);
        !fault.empty())
      return fail(entry.valueOffset, "'" + entry.key + "' " + fault);
  }
  if (file.fault)
    return fail(file.fault->offset, file.fault->message);
  return Error::success();
}

Error formwork::tools::readComments(StringRef path, StringRef text,
                                    CheckSettings &settings) {
  StringRef rest = text;
  for (StringRef line; !rest.empty();) {
    std::tie(line, rest) = rest.split('\n');
    line = line.trim();
    if (!line.consume_front("//") || !(line = line.ltrim(), true) ||
        !line.consume_front("formwork:"))
      continue;
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(line, words);
    for (StringRef word : words) {
      auto [key, value] = word.split('=');
      if (key == "payload" && !value.empty())
        settings.payload = resolve(path, value);
      else if (key == "target" && !value.empty())
        settings.target = value;
      else {
        size_t begin = word.begin() - text.begin();
        return llvm::make_error<SettingsError>(
            path, TextPositions(text).toRange(begin, begin + word.size()),
            "requires payload=FILE or target=NAME after 'formwork:' but has "
            "'" +
                word + "'");
      }
    }
  }
  return Error::success();
}

/// The nearest configuration around `path`; empty where there is none.
static std::string findConfiguration(StringRef path) {
  for (StringRef folder = llvm::sys::path::parent_path(path); !folder.empty();
       folder = llvm::sys::path::parent_path(folder)) {
    llvm::SmallString<256> file = folder;
    llvm::sys::path::append(file, kConfigurationFile);
    if (fs::is_regular_file(file))
      return std::string(file);
  }
  return "";
}

/// The files of MLIR in `folder`, which are those that MLIR reads of a library.
/// In order of their names; none where `folder` is no folder.
static std::vector<std::string> findLibraryFiles(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (StringRef(at->path()).ends_with(".mlir"))
      files.push_back(at->path());
  llvm::sort(files);
  return files;
}

Expected<CheckSettings>
formwork::tools::findSettings(StringRef path, StringRef text,
                              const CheckSettings &base) {
  CheckSettings settings = base;
  if (std::string file = findConfiguration(path); !file.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return llvm::createFileError(file, buffer.getError());
    if (Error error = readConfiguration(file, (*buffer)->getBuffer(), settings))
      return std::move(error);
  }
  if (Error error = readComments(path, text, settings))
    return std::move(error);
  // The payload itself is no schedule for it.
  if (!settings.payload.empty() && fs::equivalent(settings.payload, path))
    settings.payload.clear();
  // Nor is a library one for itself: each sequence would be there twice.
  std::vector<std::string> libraries;
  for (std::string &library : settings.libraries)
    if (fs::equivalent(library, llvm::sys::path::parent_path(path)))
      llvm::append_range(libraries, findLibraryFiles(library));
    else
      libraries.push_back(std::move(library));
  llvm::erase_if(libraries, [&](const std::string &library) {
    return fs::equivalent(library, path);
  });
  settings.libraries = std::move(libraries);
  return settings;
}

std::string formwork::tools::describeSettings(const CheckSettings &settings) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // A build that writes the same text again changes nothing.
  auto addText = [&](StringRef path) {
    os << path << "\n";
    if (fs::is_regular_file(path))
      if (auto buffer = llvm::MemoryBuffer::getFile(path))
        os << (*buffer)->getBufferSize() << " "
           << llvm::xxh3_64bits((*buffer)->getBuffer());
    os << "\n";
  };
  auto addFile = [&](StringRef path) {
    os << path << "\n";
    fs::file_status status;
    if (!path.empty() && !fs::status(path, status))
      os << status.getSize() << " "
         << status.getLastModificationTime().time_since_epoch().count();
    os << "\n";
  };
  addText(settings.payload);
  os << settings.target << "\n"
     << settings.entryPoint << "\n"
     << settings.allowUnregisteredDialects << settings.budget << "\n";
  for (const auto *list :
       {&settings.libraries, &settings.forms, &settings.contracts}) {
    os << "files " << list->size() << "\n";
    for (const std::string &path : *list)
      addText(path);
  }
  for (const auto *list : {&settings.dialectPlugins, &settings.passPlugins}) {
    os << "files " << list->size() << "\n";
    for (const std::string &path : *list)
      addFile(path);
  }
  for (const std::string &library : settings.libraries)
    for (const std::string &path : findLibraryFiles(library))
      addText(path);
  for (const std::string &id : settings.silenced)
    os << id << "\n";
  return text;
}
