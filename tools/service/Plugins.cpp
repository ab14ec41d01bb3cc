//===- Plugins.cpp - Loads plugins built for this LLVM ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/Plugins.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

/// The number behind "libLLVM.so." or "libMLIR.so.", or in "libLLVM-21.so".
static StringRef getVersion(StringRef library) {
  for (StringRef name : {"libLLVM", "libMLIR"})
    if (library.consume_front(name)) {
      if (library.consume_front("-"))
        return library.split(".so").first;
      return library.consume_front(".so.") ? library : StringRef();
    }
  return StringRef();
}

/// The library of another LLVM that the plugin in `path` needs, such as
/// "libMLIR.so.21.1"; none where it needs none, or where the file is no ELF. To
/// load it would load that LLVM, too, and the two end the process.
static std::optional<std::string> findForeignLLVM(StringRef path) {
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(path);
  if (!file) {
    consumeError(file.takeError());
    return std::nullopt;
  }
  auto *elf = dyn_cast<object::ELF64LEObjectFile>(file->getBinary());
  if (!elf)
    return std::nullopt;
  auto entries = elf->getELFFile().dynamicEntries();
  if (!entries) {
    consumeError(entries.takeError());
    return std::nullopt;
  }
  // Names are offsets into a table whose address is an entry, too.
  StringRef names;
  for (const auto &entry : *entries)
    if (entry.getTag() == ELF::DT_STRTAB) {
      Expected<const uint8_t *> at =
          elf->getELFFile().toMappedAddr(entry.getPtr());
      if (!at) {
        consumeError(at.takeError());
        return std::nullopt;
      }
      StringRef whole = elf->getData();
      names =
          whole.drop_front(reinterpret_cast<const char *>(*at) - whole.data());
    }
  std::string own = std::to_string(LLVM_VERSION_MAJOR);
  for (const auto &entry : *entries) {
    if (entry.getTag() != ELF::DT_NEEDED || entry.getVal() >= names.size())
      continue;
    StringRef library =
        names.drop_front(entry.getVal()).take_until([](char c) { return !c; });
    StringRef version = getVersion(library);
    if (!version.empty() && version.split('.').first != own)
      return library.str();
  }
  return std::nullopt;
}

/// Where the loader of the system finds what the command line calls `name`: it
/// looks for a name without a folder in its own folders only.
static std::string locate(const std::string &name) {
  bool isHere = !StringRef(name).contains('/') && sys::fs::exists(name);
  return isHere ? "./" + name : name;
}

/// Lets `use` have the plugin called `name`, which `open` opens.
static Error loadPlugin(const std::string &name, auto open, auto use) {
  std::string path = locate(name);
  if (std::optional<std::string> other = findForeignLLVM(path))
    return createStringError("cannot load plugin '" + path +
                             "': it is built for " + *other +
                             ", and this is LLVM " LLVM_VERSION_STRING);
  auto plugin = open(path);
  // The loader of the system says which symbol is missing.
  if (!plugin)
    return createStringError("cannot load plugin '" + path +
                             "', which must be built for "
                             "LLVM " LLVM_VERSION_STRING ": " +
                             toString(plugin.takeError()));
  use(*plugin);
  return Error::success();
}

Error formwork::tools::loadPlugins(ArrayRef<std::string> dialects,
                                   ArrayRef<std::string> passes,
                                   mlir::DialectRegistry &registry) {
  auto addDialects = [&](mlir::DialectPlugin &plugin) {
    plugin.registerDialectRegistryCallbacks(registry);
  };
  auto addPasses = [](mlir::PassPlugin &plugin) {
    plugin.registerPassRegistryCallbacks();
  };
  for (const std::string &path : dialects)
    if (Error error = loadPlugin(path, mlir::DialectPlugin::load, addDialects))
      return error;
  for (const std::string &path : passes)
    if (Error error = loadPlugin(path, mlir::PassPlugin::load, addPasses))
      return error;
  return Error::success();
}
