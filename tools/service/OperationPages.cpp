//===- OperationPages.cpp - Upstream's descriptions of operations ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/OperationPages.h"

#include "embedded/operationPages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace formwork::tools;
using llvm::StringRef;

/// Reads one page of mlir-tblgen, behind its heading: a summary in italics, the
/// syntax, the description, then traits, interfaces and tables.
static OperationPage readPage(StringRef text) {
  OperationPage page;
  text = text.ltrim();
  if (text.consume_front("_")) {
    std::tie(page.summary, text) = text.split("_\n");
    text = text.ltrim();
  }
  if (text.consume_front("Syntax:")) {
    text = text.split("```").second;
    std::tie(page.syntax, text) = text.split("```");
    page.syntax = page.syntax.trim();
    text = text.ltrim();
  }
  size_t end = text.size();
  for (StringRef behind :
       {"\nTraits: ", "\nInterfaces: ", "\nEffects: ", "\n#### "})
    end = std::min(end, text.find(behind));
  if (text.starts_with("Traits: ") || text.starts_with("Interfaces: ") ||
      text.starts_with("#### "))
    end = 0;
  page.description = text.take_front(end).trim();
  return page;
}

static llvm::StringMap<OperationPage> readPages() {
  llvm::StringMap<OperationPage> pages;
  for (const auto &file : formwork::embedded::operationPages)
    for (StringRef rest = StringRef(file.text).split("\n### `").second;
         !rest.empty();) {
      auto [page, next] = rest.split("\n### `");
      auto [heading, body] = page.split('\n');
      pages.try_emplace(heading.split('`').first, readPage(body));
      rest = next;
    }
  return pages;
}

static const llvm::StringMap<OperationPage> &getPages() {
  static const llvm::StringMap<OperationPage> pages = readPages();
  return pages;
}

OperationPage formwork::tools::lookupOperationPage(StringRef operation) {
  return getPages().lookup(operation);
}

llvm::SmallVector<StringRef> formwork::tools::getOperationPages() {
  llvm::SmallVector<StringRef> names(getPages().keys());
  llvm::sort(names);
  return names;
}
