//===- MixedText.h - A file with a payload and its schedule -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which part of a text that was read is payload, so that the payload need not
// be read again when only the schedule beside it changes. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_MIXEDTEXT_H
#define FORMWORK_TOOLS_SERVICE_MIXEDTEXT_H

#include "transforms/schedule/ScheduleInput.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace formwork::tools {

/// The parts of one text. A change of the text leaves the payload as it is, its
/// places included, if all of the following holds:
/// - the change is inside of one op of the schedule, without its ends;
/// - where the payload goes on behind that op, the op has the lines that it had
///   before, and the payload begins on another line than the op ends;
/// - the changed text, with an empty module in the place of each op of the
///   payload at the top, can be read, nothing is said of it, its payload is
///   these modules, and the ops of its schedule at the top have the kinds and
///   the names that they had.
/// The new text then holds a schedule beside the same payload: all of the
/// payload is at the top, its aliases are outside of the schedule's ops, and no
/// symbol came or went beside it.
class MixedText {
public:
  /// The parts of `input`, read from `text`, whose payload is beside its
  /// schedule. None where some part of the payload has no place of its own, or
  /// may depend on the schedule. Cost: a walk over the payload.
  static std::optional<MixedText> read(const transforms::ScheduleInput &input,
                                       llvm::StringRef text);

  /// `changed` with the modules and with blanks in the place of the payload, if
  /// the first two conditions hold. Cost: linear in the texts.
  std::optional<std::string> blank(llvm::StringRef changed) const;

  /// The parts of `changed`, of which `input` is what `blank` returned; none
  /// where the third condition does not hold.
  std::optional<MixedText> follow(const transforms::ScheduleInput &input,
                                  llvm::StringRef changed) const;

private:
  using Ranges = llvm::SmallVector<verifier::TextRange, 4>;
  /// Takes the ops at the top of the schedule of `input`.
  bool readSchedule(const transforms::ScheduleInput &input);
  /// The payload in `changed`, whose change it leaves as it is.
  std::optional<Ranges> movePayload(llvm::StringRef changed) const;

  std::string text;
  Ranges payload, schedule;
  /// The kinds and the names of the schedule's ops at the top.
  std::vector<std::pair<std::string, std::string>> names;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_MIXEDTEXT_H
