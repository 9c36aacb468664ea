// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/part_colors.h"

#include <variant>

#include "profiler/measure/recorded_calls.h"
#include "ui/look/span_colors.h"

namespace fusebench {
namespace {

/// What the device does is the timeline's too: kernels, copies, and idle time shaded.
QColor deviceColor(const Theme& theme, DevicePart part) {
  switch (part) {
    case DevicePart::delay:
      return blend(theme.seriesColors[5], theme.panel, 0.6);
    case DevicePart::copies:
      return spanColor(SpanKind::copy, theme);
    case DevicePart::kernels:
      return spanColor(SpanKind::kernel, theme);
    case DevicePart::gaps:
      return blend(theme.warning, theme.panel, 0.36);
    case DevicePart::idle:
      break;
  }
  return blend(theme.warning, theme.panel, 0.13);
}

}  // namespace

QColor partColor(const Theme& theme, AnatomyPart part) {
  if (const auto* device = std::get_if<DevicePart>(&part)) return deviceColor(theme, *device);
  return spanColor(spanKindOf(std::get<CallPart>(part)), theme);
}

}  // namespace fusebench
