// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1String>
#include <cstdint>

namespace fusebench {

/// The tone of a message; the style sheet assigns a color to each tone by its name.
enum class Tone : std::uint8_t { info, warning, error };

inline QLatin1String nameOf(Tone tone) {
  switch (tone) {
    case Tone::info:
      break;
    case Tone::warning:
      return QLatin1String("warning");
    case Tone::error:
      return QLatin1String("error");
  }
  return QLatin1String("info");
}

}  // namespace fusebench
