// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/language/program.h"
#include "profiler/experiment/experiment.h"
#include "profiler/study/study.h"

namespace fusebench {

/// The request to a worker to load an experiment.
nlohmann::json loadingOf(const Experiment& experiment, const StudyOptions& options);

/// A captured experiment's module, for StudyOptions::module. Null if PyTorch's variants must run
/// the captured graph instead; `why` then contains the reason in one line: the file is missing or
/// changed, or the model has graph breaks. Nothing is executed here.
nlohmann::json moduleRequest(const Experiment& experiment, std::string& why);
/// The same, with the argument or state of the module that each input of a program stands for.
nlohmann::json moduleOf(const nlohmann::json& request, const Program& program);

/// The file that a captured experiment's module is in; empty: it is not known.
std::string moduleFile(const Experiment& experiment);

/// A copy of an experiment's weights that sandboxed workers can read; deleted with this object.
/// Without weights, there is none. Throws InputError if the file is missing or invalid.
class WeightsCopy {
 public:
  explicit WeightsCopy(const Experiment& experiment);
  ~WeightsCopy();
  WeightsCopy(const WeightsCopy&) = delete;
  WeightsCopy& operator=(const WeightsCopy&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace fusebench
