// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/device_activity.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace fusebench {

std::string sentenceOf(const ActivityLosses& losses) {
  const std::pair<std::uint64_t, const char*> parts[] = {
      {losses.dropped, "dropped for want of room"},
      {losses.missing, "missing of what ran on the device"},
      {losses.zero, "without a time"},
      {losses.inverted, "with their end before their start"},
      {losses.malformed, "malformed"}};
  std::string text;
  for (const auto& [count, what] : parts)
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

void Activities::add(Activities more) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(calls, more.calls);
  append(work, more.work);
  append(overheads, more.overheads);
  losses.dropped += more.losses.dropped;
  losses.missing += more.losses.missing;
  losses.zero += more.losses.zero;
  losses.inverted += more.losses.inverted;
  losses.malformed += more.losses.malformed;
}

}  // namespace fusebench
