// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Reads or writes one trace at a time on a separate thread.
class TimelineLoader : public QObject {
  Q_OBJECT

 public:
  explicit TimelineLoader(QObject* parent = nullptr);
  ~TimelineLoader() override;

  bool busy() const { return busy_; }
  /// Starts to load a file; a load in progress is canceled first.
  void load(const QString& path);
  /// Starts to limit traces to the ranges of a name; traces without such a range are unchanged.
  void limit(std::vector<std::shared_ptr<const Trace>> traces, const QString& range);
  void cancel();

 signals:
  void progressed(double share);  ///< 0 to 1
  /// More than one from a file of several parts.
  void loaded(const std::vector<std::shared_ptr<const fusebench::Trace>>& traces,
              const QString& path);
  void limited(const std::vector<std::shared_ptr<const fusebench::Trace>>& traces,
               const QString& range);
  void failed(const QString& what);
  void canceled();

 private:
  void begin(std::function<std::function<void()>(const TraceProgress&)> work);

  bool busy_ = false;
  std::shared_ptr<std::atomic<bool>> stop_;
  std::jthread thread_;
};

}  // namespace fusebench
