// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "engine/base/work_limit.h"

namespace fusebench {

/// Work for which only the newest request counts, such as reading a program that is being edited.
/// It runs outside the window's thread, and a newer request stops the previous one. The results
/// arrive in the receiver's thread, through its event loop.
class LatestTask {
 public:
  /// How long the window's thread may work on something before it is given to another thread,
  /// in seconds of its own time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr double kMoment = 0.15;
#else
  static constexpr double kMoment = 0.01;
#endif

  /// The receiver owns the task.
  explicit LatestTask(QObject* receiver) : receiver_(receiver) {
    pool_.setMaxThreadCount(1);
  }
  ~LatestTask() {
    cancel();
    pool_.waitForDone();
  }
  LatestTask(const LatestTask&) = delete;
  LatestTask& operator=(const LatestTask&) = delete;

  /// The result of the work if it finishes within a moment; otherwise nothing, and the work should
  /// be started. Most programs are small, so an edit appears at once.
  template <class Work>
  static std::optional<std::invoke_result_t<const Work&>> tryNow(const Work& work) {
    const WorkLimit moment(kMoment);
    try {
      auto result = work();
      if (WorkLimit::state() == WorkLimit::State::going) return result;
    } catch (const std::exception&) {
      if (WorkLimit::state() == WorkLimit::State::going) throw;
    }
    return std::nullopt;
  }

  /// Runs work(stop token), then done(its result) in the receiver's thread. An exception of
  /// the work is thrown there, too.
  template <class Work, class Done>
  void start(Work work, Done done) {
    using Result = std::invoke_result_t<Work&, std::stop_token>;
    cancel();
    stop_ = std::stop_source();
    busy_ = true;
    pool_.start([this, number = number_, stop = stop_.get_token(),
                 work = std::make_shared<Work>(std::move(work)),
                 done = std::make_shared<Done>(std::move(done))] {
      if (stop.stop_requested()) return;
      std::shared_ptr<Result> result;
      std::exception_ptr error;
      try {
        result = std::make_shared<Result>((*work)(stop));
      } catch (...) {
        error = std::current_exception();
      }
      // The destructor waits for this thread, and Qt drops calls for a receiver that is gone.
      QMetaObject::invokeMethod(
          receiver_,
          [this, number, result, error, done] {
            if (number != number_) return;
            busy_ = false;
            if (error) std::rethrow_exception(error);
            (*done)(std::move(*result));
          },
          Qt::QueuedConnection);
    });
  }

  /// Stops the work; its result does not arrive any more.
  void cancel() {
    ++number_;
    stop_.request_stop();
    pool_.clear();
    busy_ = false;
  }
  bool busy() const {
    return busy_;
  }

 private:
  QObject* receiver_;
  std::stop_source stop_;
  unsigned number_ = 0;  ///< belongs to the newest request
  bool busy_ = false;
  QThreadPool pool_;  ///< one thread
};

}  // namespace fusebench
