// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/span_colors.h"

#include <algorithm>

namespace fusebench {

QColor spanColor(SpanKind kind, const Theme& theme) {
  const auto& series = theme.seriesColors;
  // Work of the host gets muted colors, so that the kernels are the most prominent.
  const auto quiet = [&](const QColor& color, double share) {
    return blend(color, theme.panel, share);
  };
  switch (kind) {
    case SpanKind::kernel:
    case SpanKind::graph:
      return series[0];
    case SpanKind::copy:
      return series[1];
    case SpanKind::set:
      return series[2];
    case SpanKind::launch:
      return quiet(series[1], 0.62);
    // Other calls of CUDA look like launches, but paler, because both are often on one track.
    case SpanKind::runtime:
      return quiet(series[1], 0.48);
    case SpanKind::driver:
      return quiet(series[1], 0.35);
    case SpanKind::guard:
      return quiet(series[3], 0.7);
    case SpanKind::dispatch:
      return quiet(series[2], 0.5);
    case SpanKind::allocate:
      return quiet(series[4], 0.62);
    case SpanKind::wait:
    case SpanKind::sync:
      return quiet(theme.muted, 0.4);
    case SpanKind::op:
      return quiet(theme.accent, 0.5);
    case SpanKind::annotation:
    case SpanKind::profiler:
      return quiet(theme.muted, 0.3);
    case SpanKind::overhead:
      return quiet(theme.error, 0.5);
    case SpanKind::other:
      break;
  }
  return quiet(theme.muted, 0.5);
}

QColor classColor(ColorClass color, const Theme& theme) {
  if (color < kFirstRank) return spanColor(static_cast<SpanKind>(color), theme);
  const auto rank = static_cast<std::size_t>(color - kFirstRank);
  return rank < kRanks ? theme.seriesColors[rank] : blend(theme.muted, theme.panel, 0.7);
}

}  // namespace fusebench
