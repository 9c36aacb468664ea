// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli_format.h"

namespace fusebench::targets {
namespace {

using Want = Target::Want;

std::string limitText(const Target& target) {
  if (target.want == Want::nothing) return "";
  const std::string unit = target.unit.empty() ? "" : " " + target.unit;
  return fmt::format("{} {}{}", target.want == Want::atMost ? "<=" : ">=", digits(target.limit),
                     unit);
}

std::string intervalText(const Estimate& found) {
  if (found.kind == Estimate::Kind::none) return "";
  const std::string ends = fmt::format("{} to {}", digits(found.low), digits(found.high));
  return found.kind == Estimate::Kind::range ? "range " + ends : ends;
}

}  // namespace

std::string verdict(const Target& target) {
  const Estimate& found = target.found;
  if (found.kind == Estimate::Kind::none) return "not measured";
  if (target.want == Want::nothing) return "";
  const bool atMost = target.want == Want::atMost;
  if (atMost ? found.high <= target.limit : found.low >= target.limit) return "met";
  if (atMost ? found.low > target.limit : found.high < target.limit) return "missed";
  return "within noise";
}

std::string tableText(const std::vector<Target>& targets) {
  std::string text;
  std::vector<std::string> notes;  // a note that several lines share is printed once
  for (auto group = targets.begin(); group != targets.end();) {
    const auto end = std::find_if(
        group, targets.end(), [&](const Target& target) { return target.group != group->group; });
    cli::Table table({group->group, "wanted", "found", "95% interval", "", ""});
    table.leftFrom(4);
    for (; group != end; ++group) {
      const std::string value =
          group->found.kind == Estimate::Kind::none
              ? ""
              : digits(group->found.value) + (group->unit.empty() ? "" : " " + group->unit);
      std::string mark, note = group->note;
      if (verdict(*group) == "missed" && !group->why.empty())
        note += (note.empty() ? "Why: " : " Why: ") + group->why;
      if (!note.empty()) {
        const auto said = std::ranges::find(notes, note);
        mark = fmt::format("({})", said - notes.begin() + 1);
        if (said == notes.end()) notes.push_back(std::move(note));
      }
      table.add({group->what, limitText(*group), value, intervalText(group->found), verdict(*group),
                 mark});
    }
    text += table.text() + "\n";
  }
  const auto count = [&](const char* word) {
    return std::count_if(targets.begin(), targets.end(),
                         [&](const Target& target) { return verdict(target) == word; });
  };
  for (std::size_t n = 0; n < notes.size(); ++n)
    text += cli::wrapped(fmt::format("({}) {}", n + 1, notes[n])) + "\n";
  return text + fmt::format("\n{} met, {} within noise, {} missed, {} not measured\n", count("met"),
                            count("within noise"), count("missed"), count("not measured"));
}

}  // namespace fusebench::targets
