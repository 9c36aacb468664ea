// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "profiler/run/run.h"

namespace fusebench {

/// Why sampling of a cell ended, in a word or two.
QString stopText(const Cell& cell);
/// Device of a run and its own name, as far as they are recorded.
QString machineText(const Run& run);

/// Whether another Python could measure this cell, as the reason says why it could not be.
bool waitsForPython(const Run& run, const Cell& cell);

/// The action that helps if there is nothing to show.
enum class NextStep : std::uint8_t { run, choosePython, setUp };
/// The text of the button.
QString stepText(NextStep step);

/// The text shown instead of an empty picture: what happened, why, and how to fix it.
struct EmptyState {
  QString title, text;
  NextStep step = NextStep::run;
};
/// For a run that ended without a single sample; nothing if there are samples or some may follow.
std::optional<EmptyState> withoutSamples(const Run& run);

}  // namespace fusebench
