// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/anatomy/anatomy_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

#include "engine/base/said_again.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/study/anatomy_pass.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/curves.h"

namespace fusebench {
namespace {

/// Grows with each side of a cell that comes.
std::ptrdiff_t tracedSides(const Run& run) {
  std::ptrdiff_t sides = 0;
  for (const Cell& cell : run.cells)
    if (cell.anatomy)
      sides += 1 + (cell.anatomy->device || !cell.anatomy->deviceProblem.empty() ? 1 : 0);
  return sides;
}

/// "exp · statement 3", of a kernel with its statements from 0; -1 is the return.
QString launchLabel(const std::string& name, const std::vector<int>& statements) {
  const QString kernel = QString::fromStdString(name);
  if (statements.empty()) return kernel;
  const int last = *std::max_element(statements.begin(), statements.end());
  if (last < 0) return uiText("%1 · return").arg(kernel);
  int first = last;
  for (const int statement : statements)
    if (statement >= 0) first = std::min(first, statement);
  if (first == last) return uiText("%1 · statement %2").arg(kernel).arg(first + 1);
  return uiText("%1 · statements %2 – %3").arg(kernel).arg(first + 1).arg(last + 1);
}

DeviceBar deviceBarOf(const DeviceAnatomy& device) {
  DeviceBar bar{device.nanoseconds, device.total(), device.executions, {}};
  for (const DeviceLaunch& launch : device.launches)
    bar.launches.push_back({launchLabel(launch.kernel, launch.statements), launch.nanoseconds});
  return bar;
}

void addShares(std::vector<KernelFigures>& kernels) {
  double all = 0;
  for (const KernelFigures& kernel : kernels) all += kernel.total;
  for (KernelFigures& kernel : kernels) kernel.share = all > 0 ? kernel.total / all : 0;
  std::ranges::stable_sort(kernels, std::ranges::greater(), &KernelFigures::total);
}

std::vector<KernelFigures> kernelsOfDevice(const DeviceAnatomy& device) {
  std::vector<KernelFigures> kernels;
  const double calls = std::max(1, device.calls);
  for (const DeviceKernel& kernel : device.byKernel)
    kernels.push_back({QString::fromStdString(kernel.name), kernel.count / calls,
                       kernel.total / calls, kernel.mean(), kernel.least, kernel.most});
  addShares(kernels);
  return kernels;
}

/// The kernels of a call that the host runs itself, each launch with its usual time.
std::vector<KernelFigures> kernelsOfHost(const CallAnatomy& anatomy) {
  std::vector<KernelFigures> kernels;
  for (const LaunchAnatomy& launch : anatomy.launches) {
    const double time = launch.nanoseconds[static_cast<std::size_t>(CallPart::kernel)];
    const QString name = QString::fromStdString(launch.kernel);
    auto known = std::ranges::find(kernels, name, &KernelFigures::name);
    if (known == kernels.end())
      known = kernels.insert(kernels.end(), {name, 0, 0, 0, time, time, 0});
    known->count += 1;
    known->total += time;
    known->mean = known->total / known->count;
    known->least = std::min(known->least, time);
    known->most = std::max(known->most, time);
  }
  addShares(kernels);
  return kernels;
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
    made.label = launchLabel(launch.kernel, launch.statements);
    made.parts = launch.nanoseconds;
    for (const double time : launch.nanoseconds) made.total += time;
  }
  if (anatomy.device) {
    bar.device = deviceBarOf(*anatomy.device);
    bar.kernels = kernelsOfDevice(*anatomy.device);
    bar.delays = anatomy.device->delays;
    bar.gaps = anatomy.device->gaps;
  } else if (anatomy.of(CallPart::kernel) > 0) {
    bar.kernels = kernelsOfHost(anatomy);
  }
  return bar;
}

}  // namespace

AnatomyModel::AnatomyModel(const RunModel& run, QObject* parent) : QObject(parent), run_(run) {
  connect(&run, &RunModel::runReset, this, &AnatomyModel::reset);
  connect(&run, &RunModel::cellsChanged, this, &AnatomyModel::refresh);
  connect(&run, &RunModel::completed, this, &AnatomyModel::rebuild);
  reset();
}

void AnatomyModel::reset() {
  place_ = -1;
  rebuild();
}

/// Most changes of a run are samples, which say nothing of where the time goes.
void AnatomyModel::refresh() {
  const Run* run = run_.run();
  if (run && tracedSides(*run) != traced_) rebuild();
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
  for (const AnatomyBar& bar : bars_)
    longest = std::max({longest, bar.total, bar.device ? bar.device->total : 0});
  return longest;
}

/// Whether the cell was traced, and the second axis' value that is held is its own.
bool AnatomyModel::isShown(const Cell& cell) const {
  if (!cell.anatomy || cell.anatomy->calls == 0) return false;
  const auto& axes = run_.run()->experiment.axes;
  return axes.size() < 2 ||
         (tracedSlice_ < axes[1].values.size() && cell.key.at[1] == axes[1].values[tracedSlice_]);
}

/// A quick run of a map traces some of its points only: those nearest to the chosen slice are shown
/// rather than nothing.
void AnatomyModel::findTracedSlice() {
  tracedSlice_ = slice_;
  const Run* const run = run_.run();
  if (!run || run->experiment.axes.size() < 2) return;
  const std::size_t count = run->experiment.axes[1].values.size();
  std::optional<std::size_t> nearest;
  const auto distance = [this](std::size_t slice) {
    return slice > slice_ ? slice - slice_ : slice_ - slice;
  };
  for (std::size_t slice = 0; slice < count; ++slice) {
    tracedSlice_ = slice;
    const bool any = std::any_of(run->cells.begin(), run->cells.end(),
                                 [this](const Cell& cell) { return isShown(cell); });
    if (any && (!nearest || distance(slice) < distance(*nearest))) nearest = slice;
  }
  tracedSlice_ = nearest.value_or(slice_);
}

void AnatomyModel::findPlaces() {
  const std::int64_t before = place_ >= 0 && place_ < static_cast<int>(values_.size())
                                  ? values_[static_cast<std::size_t>(place_)]
                                  : -1;
  values_.clear();
  places_.clear();
  const Run* run = run_.run();
  if (run && !run->experiment.axes.empty()) {
    std::set<std::int64_t> shown;
    for (const Cell& cell : run->cells)
      if (isShown(cell)) shown.insert(cell.key.at[0]);
    const Axis& axis = run->experiment.axes.front();
    for (const std::int64_t value : axis.values) {
      if (!shown.contains(value)) continue;
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
  findTracedSlice();
  findPlaces();
  bars_.clear();
  cells_.clear();
  std::vector<const CallAnatomy*> calls;
  std::vector<const DeviceAnatomy*> devices;
  const Run* run = run_.run();
  if (place_ >= 0)
    for (const Cell& cell : run->cells) {
      if (cell.key.at[0] != values_[static_cast<std::size_t>(place_)] || !isShown(cell)) continue;
      bars_.push_back(barOf(run->experiment, cell.key.variant, *cell.anatomy));
      cells_.push_back(cell.key);
      calls.push_back(&*cell.anatomy);
      if (cell.anatomy->device) devices.push_back(&*cell.anatomy->device);
    }
  parts_ = notableParts(calls);
  deviceParts_ = notableDeviceParts(devices);
  if (run) addDeviceProblems();
  traced_ = run ? tracedSides(*run) : 0;
  emit changed();
}

bool AnatomyModel::needsRun() const {
  const Run* const run = run_.run();
  return bars_.empty() && (!run || run->explored ||
                           std::none_of(run->cells.begin(), run->cells.end(), [](const Cell& cell) {
                             return cell.stop == Stop::running;
                           }));
}

QString AnatomyModel::emptyReason() const {
  if (!bars_.empty()) return {};
  const Run* run = run_.run();
  if (!run)
    return uiText(
        "Press Run. After the times are measured, some calls are repeated with markers at each "
        "step, and their parts are shown here.");
  if (!run->traceProblem.empty())
    return uiText("Recording inside calls stopped early: %1. The measured times are not affected.")
        .arg(QString::fromStdString(saidAgain(run->traceProblem)));
  if (run->explored)
    return uiText(
        "These times come from Explore, which does not break calls down. Press Run to see where "
        "the time of a call goes.");
  const bool measuring = std::any_of(run->cells.begin(), run->cells.end(),
                                     [](const Cell& cell) { return cell.stop == Stop::running; });
  return measuring ? uiText("The call breakdown is recorded after all times are measured.")
                   : uiText("This run has no call breakdown. Press Run to measure again.");
}

void AnatomyModel::addDeviceProblems() {
  const Run& run = *run_.run();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell* cell = run.find(cells_[i]);
    if (cell)
      for (const MissingDeviceSide& missing : missingDeviceSides(run, std::span(&cell, 1)))
        bars_[i].deviceProblem = QString::fromStdString(saidAgain(missing.why));
  }
}

/// How the device's bars are read, or why they are not there.
QString AnatomyModel::deviceNote() const {
  QString text;
  if (!deviceParts_.empty())
    text = uiText(
        " The device's bars use its own clock and come from calls recorded in another process. "
        "Recording slows the host, so all parts except kernels and copies are longer.");
  std::map<QString, QStringList> missing;
  for (const AnatomyBar& bar : bars_)
    if (!bar.deviceProblem.isEmpty()) missing[bar.deviceProblem] << bar.name;
  for (const auto& [why, names] : missing)
    text += uiText(" Device activity of %1 was not recorded: %2.")
                .arg(names.join(QStringLiteral(", ")), why);
  return text;
}

QString AnatomyModel::footnote() const {
  if (bars_.empty()) return {};
  QStringList near;
  for (const AnatomyBar& bar : bars_)
    if (bar.untraced > 0)
      near << QStringLiteral("%1 %2%").arg(bar.name).arg(
          std::lround(100 * bar.total / bar.untraced));
  const auto& variants = run_.run()->experiment.variants;
  const bool torch = std::any_of(variants.begin(), variants.end(), [](const Variant& variant) {
    return runsInTorch(variant.executor);
  });
  QString elsewhere;
  if (tracedSlice_ != slice_) {
    const Axis& second = run_.run()->experiment.axes[1];
    elsewhere = uiText("Calls were recorded in detail at %1, the nearest to the chosen point. ")
                    .arg(QString::fromStdString(
                        wording::at(second, static_cast<double>(second.values[tracedSlice_]))));
  }
  const QString left = torch ? uiText(" PyTorch's variants are not traced.") : QString();
  return elsewhere +
         uiText(
             "These parts come from calls that were repeated with markers at every step; they are "
             "not latencies. A marker costs %1, which is subtracted. The parts add up to this "
             "share of the same call without markers: %2.")
             .arg(formatTime(run_.run()->markNanoseconds()), near.join(QStringLiteral(", "))) +
         deviceNote() + left;
}

}  // namespace fusebench

#include "moc_anatomy_model.cpp"
