// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/whatif/what_if_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fusebench {
namespace {

/// Of each cell's list so many calls are played: what they cost repeats.
constexpr std::size_t kPlayedCalls = 40;

}  // namespace

WhatIfModel::WhatIfModel(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
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

WhatIfModel::~WhatIfModel() {
  ++generation_;
  pool_.clear();
  pool_.waitForDone();
}

void WhatIfModel::choose(int device) {
  if (device < 0 || device >= static_cast<int>(devices_.size()) || device == chosen_) return;
  chosen_ = device;
  reset();
}

void WhatIfModel::setValue(const sim::ParameterRow& row, double value) {
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
  if (wanted_) prepare();
}

void WhatIfModel::want() {
  wanted_ = true;
  if (stale_) prepare();
}

/// Writes down what the experiment's calls ask, on the thread; what comes too late is dropped.
void WhatIfModel::prepare() {
  if (!given_) return;
  stale_ = false;
  working_ = true;
  problem_.clear();
  pool_.clear();
  pool_.start([this, generation = ++generation_, experiment = experiment_] {
    std::shared_ptr<const Prediction> made;
    QString problem;
    try {
      made =
          std::make_shared<const Prediction>(experiment, [&] { return generation != generation_; });
    } catch (const std::exception& error) {
      problem = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, generation, made, problem] {
          if (generation != generation_) return;
          prediction_ = made;
          problem_ = problem;
          working_ = again_ = false;
          emit changed();
          predict();
        },
        Qt::QueuedConnection);
  });
  emit changed();
}

void WhatIfModel::predict() {
  if (!prediction_) return;
  if (working_) {  // the newest values are taken when it is done
    again_ = true;
    return;
  }
  working_ = true;
  pool_.start([this, generation = generation_.load(), prediction = prediction_, device = now_,
               name = deviceName(), truth = device().title + ", " + device().truth()] {
    auto run = std::make_shared<Run>(prediction->on(device, name, kPlayedCalls));
    run->environment = {{"backend", "simulated " + truth}, {"simulated", truth}};
    QMetaObject::invokeMethod(
        this,
        [this, generation, run] {
          if (generation != generation_) return;
          working_ = false;
          run_.show(std::move(*run), /*saved=*/true);
          emit predicted();
          if (std::exchange(again_, false)) predict();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace fusebench
