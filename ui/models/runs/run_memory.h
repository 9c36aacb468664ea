// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <deque>
#include <functional>
#include <memory>

#include "profiler/run/run.h"

namespace fusebench {

/// Recently displayed runs, so that undoing an edit finds its results again.
class RunMemory {
 public:
  struct Entry {
    std::shared_ptr<const Run> run;
    QString path;  ///< its file; empty: it has none
  };

  /// A `run` without measurements, or stopped partway, is not kept.
  void remember(std::shared_ptr<const Run> run, const QString& path);
  /// The file that a run has got since.
  void setPath(const Run* run, const QString& path);
  /// The latest results of this experiment that `fits` takes; those of a run that was asked for
  /// before explored ones. Null: there are none.
  const Entry* find(const Experiment& experiment,
                    const std::function<bool(const Run&)>& fits) const;

 private:
  std::deque<Entry> entries_;  ///< latest first
};

}  // namespace fusebench
