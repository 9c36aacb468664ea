// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_anatomy.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/cli_format.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kVariantsPerTable = 5;

/// The cells at the last value of every axis that have an anatomy, in the variants' order.
std::vector<const Cell*> tracedAtTheEnd(const Run& run) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : run.cells) {
    bool last = cell.anatomy.has_value();
    for (std::size_t a = 0; a < run.experiment.axes.size(); ++a)
      last = last && cell.key.at[a] == run.experiment.axes[a].values.back();
    if (last) cells.push_back(&cell);
  }
  return cells;
}

/// Parts that some variant spends time on, in the order in which a call meets them.
std::vector<CallPart> partsOf(const std::vector<const Cell*>& cells) {
  std::vector<CallPart> parts;
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const auto part = static_cast<CallPart>(i);
    const bool any = std::any_of(cells.begin(), cells.end(), [&](const Cell* cell) {
      return cell->anatomy->of(part) >= 0.005 * cell->anatomy->total();
    });
    if (any) parts.push_back(part);
  }
  return parts;
}

Table tableOf(const Run& run, std::span<const Cell* const> cells,
              const std::vector<CallPart>& parts, TimeUnit unit) {
  std::vector<std::string> header{std::string(unit.name)};
  std::vector<std::string> together{"together"}, untraced{"untraced"};
  for (const Cell* cell : cells) {
    header.push_back(run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name);
    together.push_back(digits(cell->anatomy->total() / unit.nanoseconds));
    untraced.push_back(digits(cell->anatomy->untracedNanoseconds / unit.nanoseconds));
  }
  Table table(header);
  for (const CallPart part : parts) {
    std::vector<std::string> row{std::string(name(part))};
    for (const Cell* cell : cells) {
      const double time = cell->anatomy->of(part), total = cell->anatomy->total();
      row.push_back(fmt::format("{} ({:2.0f}%)", digits(time / unit.nanoseconds),
                                total > 0 ? 100 * time / total : 0));
    }
    table.add(row);
  }
  table.add(together);
  table.add(untraced);
  return table;
}

}  // namespace

std::string anatomyText(const Run& run) {
  const auto cells = tracedAtTheEnd(run);
  if (cells.empty())
    return run.traceProblem.empty()
               ? ""
               : wrapped("Where the time goes was not recorded: " + run.traceProblem + ".") + "\n";
  double smallest = cells.front()->anatomy->total();
  for (const Cell* cell : cells) smallest = std::min(smallest, cell->anatomy->total());
  const TimeUnit unit = unitFor(smallest);
  const auto parts = partsOf(cells);
  // A column a variant: as many tables as it takes to stay within the page.
  std::string tables;
  for (std::size_t from = 0; from < cells.size(); from += kVariantsPerTable) {
    const std::size_t count = std::min(kVariantsPerTable, cells.size() - from);
    tables += tableOf(run, std::span(cells).subspan(from, count), parts, unit).text();
  }
  std::string at;
  for (std::size_t a = 0; a < run.experiment.axes.size(); ++a)
    at += fmt::format("{}{} {}", at.empty() ? "" : ", ", run.experiment.axes[a].name,
                      cells.front()->key.at[a]);
  return fmt::format("Where a call's time goes at {} (a traced pass; {} a mark subtracted)\n{}\n",
                     at, timeText(cells.front()->anatomy->stampNanoseconds), tables);
}

}  // namespace fusebench::cli
