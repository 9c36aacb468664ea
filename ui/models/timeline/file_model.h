// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <exception>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "profiler/trace/trace_builder.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/base/utf8.h"

namespace fusebench {

/// A file that a part under the timeline shows, read on another thread.
class FileModel : public QObject {
  Q_OBJECT

 public:
  explicit FileModel(QObject* parent = nullptr) : QObject(parent), reading_(this) {}

  bool busy() const { return reading_.busy(); }
  const QString& failure() const { return failure_; }  ///< why the last one is not shown

 signals:
  void changed();

 protected:
  /// `read` gets its progress, which cancels it, and returns the content; `take` keeps that. If
  /// reading fails, the content from before stays.
  template <class Read, class Take>
  void startReading(Read read, Take take) {
    struct Answer {
      std::optional<std::invoke_result_t<Read&, const TraceProgress&>> content;
      QString failure;
    };
    reading_.start(
        [read = std::move(read)](const std::stop_token& stop) mutable {
          Answer answer;
          try {
            answer.content = read([&stop](double) { return !stop.stop_requested(); });
          } catch (const Canceled&) {
          } catch (const std::exception& error) {
            answer.failure = text(error.what()).simplified();
          }
          return answer;
        },
        [this, take = std::move(take)](Answer answer) mutable {
          failure_ = std::move(answer.failure);
          if (answer.content) take(std::move(*answer.content));
          emit changed();
        });
    emit changed();
  }

 private:
  QString failure_;
  LatestTask reading_;
};

}  // namespace fusebench
