// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/anatomy_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/models/curves.h"
#include "ui/models/format.h"

namespace fusebench {
namespace {

constexpr double kVisibleShare = 0.005;

QString labelOf(const LaunchAnatomy& launch) {
  const QString kernel = QString::fromStdString(launch.kernel);
  if (launch.statements.empty()) return kernel;
  // The return is statement -1.
  const int last = *std::max_element(launch.statements.begin(), launch.statements.end());
  if (last < 0) return QStringLiteral("%1 · return").arg(kernel);
  int first = last;
  for (const int statement : launch.statements)
    if (statement >= 0) first = std::min(first, statement);
  if (first == last) return QStringLiteral("%1 · statement %2").arg(kernel).arg(first + 1);
  return QStringLiteral("%1 · statements %2 – %3").arg(kernel).arg(first + 1).arg(last + 1);
}

AnatomyBar barOf(const Experiment& experiment, int variant, const CallAnatomy& anatomy) {
  AnatomyBar bar;
  bar.variant = variant;
  bar.series = seriesOf(experiment, variant);
  bar.name = QString::fromStdString(experiment.variants[static_cast<std::size_t>(variant)].name);
  bar.parts = anatomy.nanoseconds;
  bar.total = anatomy.total();
  bar.untraced = anatomy.untracedNanoseconds;
  for (const LaunchAnatomy& launch : anatomy.launches) {
    AnatomyBar::Launch& made = bar.launches.emplace_back();
    made.label = labelOf(launch);
    made.parts = launch.nanoseconds;
    for (const double time : launch.nanoseconds) made.total += time;
  }
  return bar;
}

}  // namespace

QString partDescription(CallPart part) {
  switch (part) {
    case CallPart::guard:
      return QStringLiteral("Checks whether what was compiled fits the inputs");
    case CallPart::dispatch:
      return QStringLiteral("Shapes and types of each op, and finding its kernel");
    case CallPart::allocate:
      return QStringLiteral("Memory for results, and giving it back");
    case CallPart::copy:
      return QStringLiteral("Inputs copied to where the recording reads them");
    case CallPart::launch:
      return QStringLiteral("Handing the kernel over, and coming back");
    case CallPart::kernel:
      return QStringLiteral("The kernels themselves: the only part that computes");
    case CallPart::wait:
      return QStringLiteral("Waiting for other threads or for the device");
    case CallPart::outside:
      break;
  }
  return {};
}

AnatomyModel::AnatomyModel(const RunModel& run, QObject* parent) : QObject(parent), run_(run) {
  connect(&run, &RunModel::runReset, this, &AnatomyModel::reset);
  connect(&run, &RunModel::cellsChanged, this, &AnatomyModel::refresh);
  connect(&run, &RunModel::completed, this, &AnatomyModel::refresh);
  reset();
}

void AnatomyModel::reset() {
  place_ = -1;
  rebuild();
}

/// Most changes of a run are samples, which say nothing of where the time goes.
void AnatomyModel::refresh() {
  const Run* run = run_.run();
  const bool any = run && std::any_of(run->cells.begin(), run->cells.end(),
                                      [](const Cell& cell) { return cell.anatomy.has_value(); });
  if (any || !bars_.empty()) rebuild();
}

void AnatomyModel::setPlace(int place) {
  if (place < 0 || place >= static_cast<int>(values_.size()) || place == place_) return;
  place_ = place;
  rebuild();
}

void AnatomyModel::goTo(double value) {
  const auto nearest =
      std::min_element(values_.begin(), values_.end(), [value](std::int64_t a, std::int64_t b) {
        return std::abs(static_cast<double>(a) - value) < std::abs(static_cast<double>(b) - value);
      });
  if (nearest != values_.end()) setPlace(static_cast<int>(nearest - values_.begin()));
}

void AnatomyModel::setSlice(std::size_t slice) {
  if (slice == slice_) return;
  slice_ = slice;
  rebuild();
}

double AnatomyModel::longest() const {
  double longest = 0;
  for (const AnatomyBar& bar : bars_) longest = std::max(longest, bar.total);
  return longest;
}

/// Whether the cell was traced, and the second axis' value that is held is its own.
bool AnatomyModel::isShown(const Cell& cell) const {
  if (!cell.anatomy || cell.anatomy->calls == 0) return false;
  const auto& axes = run_.run()->experiment.axes;
  return axes.size() < 2 ||
         (slice_ < axes[1].values.size() && cell.key.at[1] == axes[1].values[slice_]);
}

void AnatomyModel::findPlaces() {
  const std::int64_t before = place_ >= 0 && place_ < static_cast<int>(values_.size())
                                  ? values_[static_cast<std::size_t>(place_)]
                                  : -1;
  values_.clear();
  places_.clear();
  const Run* run = run_.run();
  if (run && !run->experiment.axes.empty()) {
    const Axis& axis = run->experiment.axes.front();
    for (const std::int64_t value : axis.values) {
      if (std::none_of(run->cells.begin(), run->cells.end(),
                       [&](const Cell& cell) { return cell.key.at[0] == value && isShown(cell); }))
        continue;
      values_.push_back(value);
      places_.push_back(QString::fromStdString(wording::at(axis, static_cast<double>(value))));
    }
  }
  const auto kept = std::find(values_.begin(), values_.end(), before);
  place_ =
      static_cast<int>(kept != values_.end() ? kept - values_.begin()
                                             : static_cast<std::ptrdiff_t>(values_.size()) - 1);
}

void AnatomyModel::rebuild() {
  findPlaces();
  bars_.clear();
  cells_.clear();
  parts_.clear();
  const Run* run = run_.run();
  if (place_ >= 0)
    for (const Cell& cell : run->cells) {
      if (cell.key.at[0] != values_[static_cast<std::size_t>(place_)] || !isShown(cell)) continue;
      bars_.push_back(barOf(run->experiment, cell.key.variant, *cell.anatomy));
      cells_.push_back(cell.key);
    }
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const auto part = static_cast<CallPart>(i);
    if (std::any_of(bars_.begin(), bars_.end(),
                    [part](const AnatomyBar& bar) { return bar.share(part) >= kVisibleShare; }))
      parts_.push_back(part);
  }
  emit changed();
}

QString AnatomyModel::emptyReason() const {
  if (!bars_.empty()) return {};
  const Run* run = run_.run();
  if (!run)
    return QStringLiteral(
        "Run the experiment: when its times are taken, every call is made once more with marks at "
        "each step.");
  if (!run->traceProblem.empty())
    return QStringLiteral("The traced pass ended early: %1. The times that were measured stand.")
        .arg(QString::fromStdString(run->traceProblem));
  if (run->explored)
    return QStringLiteral(
        "This was measured while you edited, which leaves the traced pass out. Press Run for it.");
  const bool measuring = std::any_of(run->cells.begin(), run->cells.end(),
                                     [](const Cell& cell) { return cell.stop == Stop::running; });
  return measuring ? QStringLiteral("The traced pass comes when all times are taken.")
                   : QStringLiteral("This run has no traced pass. Press Run to measure again.");
}

QString AnatomyModel::footnote() const {
  if (bars_.empty()) return {};
  QStringList near;
  for (const AnatomyBar& bar : bars_)
    if (bar.untraced > 0)
      near << QStringLiteral("%1 %2%").arg(bar.name).arg(
          std::lround(100 * bar.total / bar.untraced));
  double stamp = 0;
  for (const Cell& cell : run_.run()->cells)
    if (cell.anatomy) stamp = cell.anatomy->stampNanoseconds;
  return QStringLiteral(
             "From a pass of its own with marks at every step: never a latency. A mark costs %1, "
             "which is subtracted; the parts add up to this share of the same call without marks: "
             "%2.")
      .arg(formatTime(stamp), near.join(QStringLiteral(", ")));
}

}  // namespace fusebench
