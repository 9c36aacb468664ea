// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/whatif/what_if_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/work_stop.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/machine/backend_table.h"
#include "profiler/measure/continuation.h"
#include "profiler/measure/sim_fit.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// How many calls of each cell are played; the costs of further ones repeat.
constexpr std::size_t kPlayedCalls = 40;
/// The name of the device that is fitted to the shown run.
constexpr const char* kFittedName = "fitted";

/// The result of work, or the reason why there is none.
template <class Result>
struct Attempt {
  std::optional<Result> made;
  QString problem;
};

template <class Result, class Work>
Attempt<Result> attempted(const Work& work) {
  try {
    return {work(), {}};
  } catch (const std::exception& error) {
    return {std::nullopt, QString::fromUtf8(error.what())};
  }
}

}  // namespace

WhatIfModel::WhatIfModel(QObject* parent) : QObject(parent) {
  try {
    devices_ = simDevices();
  } catch (const std::exception& error) {  // somebody's own folder of resources
    problem_ = QString::fromUtf8(error.what());
  }
  if (devices_.empty()) devices_.emplace_back();
  const auto real = std::ranges::find(devices_, false, &SimDevice::madeUp);
  chosen_ = real == devices_.end() ? 0 : static_cast<int>(real - devices_.begin());
  now_ = device().parameters;
}

void WhatIfModel::choose(int device) {
  picked_ = true;
  if (device < 0 || device >= static_cast<int>(devices_.size()) || device == chosen_) return;
  chosen_ = device;
  reset();
}

void WhatIfModel::setValue(const sim::ParameterRow& row, double value) {
  picked_ = true;
  value = std::clamp(value, row.least, row.most);
  if (std::exchange(now_.*row.member, value) == value) return;
  emit changed();
  predict();
}

bool WhatIfModel::moved() const {
  return std::ranges::any_of(sim::parameterRows(), [this](const sim::ParameterRow& row) {
    return now_.*row.member != device().parameters.*row.member;
  });
}

void WhatIfModel::reset() {
  now_ = device().parameters;
  emit changed();
  predict();
}

std::string WhatIfModel::deviceName() const {
  std::string name = "sim:" + device().name;
  for (const sim::ParameterRow& row : sim::parameterRows())
    if (now_.*row.member != device().parameters.*row.member)
      name += fmt::format(",{}={:.6g}", row.key, now_.*row.member);
  return name;
}

void WhatIfModel::setExperiment(const Experiment& experiment) {
  experiment_ = experiment;
  given_ = stale_ = true;
  chooseShown();
  if (wanted_) prepare();
}

void WhatIfModel::clear(const QString& why) {
  task_.cancel();
  given_ = again_ = false;
  stale_ = true;
  prediction_.reset();
  problem_ = why;
  run_.clear();
  emit changed();
  emit predicted();
}

void WhatIfModel::want() {
  wanted_ = true;
  if (stale_) prepare();
}

/// The experiment with as many ranks as are wanted.
void WhatIfModel::chooseShown() {
  const bool more = ranks_ > 0 && hasRanks();
  shown_ = more ? withRanks(experiment_, ranks_) : experiment_;
}

void WhatIfModel::setRanks(int most) {
  if (std::exchange(ranks_, most) == most) return;
  chooseShown();
  stale_ = true;
  if (wanted_) prepare();
}

bool WhatIfModel::hasRanks() const {
  return std::ranges::any_of(experiment_.axes,
                             [](const Axis& axis) { return axis.name == "ranks"; });
}

/// Chooses the simulated device that a run is of, with its changed values, or the model of the GPU
/// that it was measured on.
void WhatIfModel::startFrom(const Run& run) {
  if (picked_ || std::exchange(startedFrom_, run.device) == run.device) return;
  Attempt<SimDevice> own;
  if (run.isSimulated()) own = attempted<SimDevice>([&] { return findSimDevice(run.device); });
  const std::string model = deviceModel(run.environment, run.device);
  const auto found = std::ranges::find_if(devices_, [&](const SimDevice& device) {
    return own.made ? device.name == own.made->name : device.title == model;
  });
  if (found == devices_.end()) return;  // a processor, or a device in a file of its own
  chosen_ = static_cast<int>(found - devices_.begin());
  now_ = own.made ? own.made->parameters : found->parameters;
  predict();
}

void WhatIfModel::setMeasured(std::shared_ptr<const Run> run) {
  if (run) startFrom(*run);
  measured_ = run && !run->isSimulated() ? std::move(run) : nullptr;
  emit changed();
}

bool WhatIfModel::canFit() const {
  return measured_ && std::ranges::any_of(measured_->cells, [this](const Cell& cell) {
           return !cell.samples.empty() && isPredictable(measured_->experiment, cell.key);
         });
}

void WhatIfModel::fit() {
  if (!canFit() || busy()) return;
  problem_.clear();
  task_.start(
      [measured = measured_](const std::stop_token& stop) {
        const WorkStop stopping(stop);
        return attempted<SimDevice>([&] {
          SimDevice begin = findSimDevice(fitsFrom(*measured));
          begin.name = kFittedName;
          begin.title = measured->experiment.title;
          begin.madeUp = false;
          return fitSimDevice(begin, {*measured}, {"this run"}).device;
        });
      },
      [this](Attempt<SimDevice> fitted) {
        problem_ = fitted.problem;
        if (fitted.made) takeFitted(std::move(*fitted.made));
        emit changed();
        predict();
      });
  emit changed();
}

void WhatIfModel::takeFitted(SimDevice device) {
  if (devices_.back().name == kFittedName) devices_.pop_back();
  devices_.push_back(std::move(device));
  picked_ = true;
  chosen_ = static_cast<int>(devices_.size()) - 1;
  now_ = devices_.back().parameters;
}

QString WhatIfModel::agreement() const {
  const Run* const simulated = run_.run();
  if (!measured_ || !simulated || measured_->experiment.title != simulated->experiment.title ||
      measured_->experiment.axes.size() != simulated->experiment.axes.size())
    return {};
  // A processor works while its caller waits, and a GPU behind a queue: the one's model says
  // nothing of the other's times.
  const bool queues = device().parameters.queueDepth > 1;
  if (device().name != kFittedName && queues != namesGpu(plainDevice(measured_->device)))
    return uiText("it was measured on %1, a device of another kind")
        .arg(QString::fromStdString(measured_->device));
  const Agreement found = agreementOf(*measured_, *simulated);
  return found.points.empty() ? QString() : QString::fromStdString(found.sentence());
}

/// Writes down what the experiment's calls ask, on the thread; what comes too late is dropped.
void WhatIfModel::prepare() {
  if (!given_) return;
  stale_ = again_ = false;
  problem_.clear();
  task_.start(
      [experiment = shown_](const std::stop_token& stop) {
        const WorkStop stopping(stop);
        return attempted<std::shared_ptr<const Prediction>>(
            [&] { return std::make_shared<const Prediction>(experiment); });
      },
      [this](Attempt<std::shared_ptr<const Prediction>> made) {
        if (!made.made) return clear(made.problem);  // what was predicted before is of another one
        prediction_ = std::move(*made.made);
        emit changed();
        predict();
      });
  emit changed();
}

void WhatIfModel::predict() {
  if (!prediction_) return;
  if (busy()) {  // the newest values are taken when it is done
    again_ = true;
    return;
  }
  task_.start(
      [prediction = prediction_, device = now_, name = deviceName(), error = this->device().error(),
       truth = device().title + ", " + device().truth()](const std::stop_token& stop) {
        const WorkStop stopping(stop);
        return attempted<Run>([&] {
          Run run = prediction->on(device, name, kPlayedCalls);
          run.environment = {{"backend", "simulated " + truth}, {"simulated", truth}};
          if (error) run.environment[kModelError] = *error;
          run.environment[kModelExact] = true;
          run.takeModelError();
          return run;
        });
      },
      [this](Attempt<Run> run) {
        problem_ = run.problem;
        if (run.made) {
          run_.show(std::move(*run.made), /*saved=*/true);
          emit predicted();
        } else {
          emit changed();
        }
        if (std::exchange(again_, false)) predict();
      });
}

}  // namespace fusebench

#include "moc_what_if_model.cpp"
