// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/launch_arrows.h"

#include <algorithm>

namespace fusebench {
namespace {

constexpr double kArrowFrom = 3;  ///< units of width
constexpr std::ptrdiff_t kMostArrows = 240;
constexpr double kHeadHeight = 1.4;  ///< in multiples of half its width

}  // namespace

bool getsArrow(const Trace& trace, EventId execution, double width) {
  if (width < kArrowFrom || !isDeviceWork(trace.kind(execution))) return false;
  const EventId call = trace.link(execution);
  return call != kNoEvent && &trace.laneOf(call) != &trace.laneOf(execution);
}

bool meetingGetsArrow(double width) {
  return width >= kArrowFrom;
}

void leaveReadable(std::vector<LaunchArrow>& arrows) {
  const auto marked = std::ranges::count_if(arrows, &LaunchArrow::marked);
  if (std::ssize(arrows) - marked > kMostArrows)
    std::erase_if(arrows, [](const LaunchArrow& arrow) { return !arrow.marked; });
}

ArrowStroke strokeOf(const LaunchArrow& arrow, double headWidth) {
  const auto& [from, to, marked] = arrow;
  const double middle = (from.y() + to.y()) / 2, half = headWidth / 2;
  const double back = to.y() - (to.y() > from.y() ? 1 : -1) * kHeadHeight * half;
  return {{from.x(), middle},
          {to.x(), middle},
          {QPointF(to.x() - half, back), to, QPointF(to.x() + half, back)}};
}

}  // namespace fusebench
