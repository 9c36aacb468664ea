// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench::course {

/// Launches as a lesson draws them: a host that launches, and a device that takes kernels from its
/// queue in order. Times in microseconds.
struct QueueModel {
  double launch = 2;  ///< host time per launch
  double kernel = 1;  ///< device time per kernel
  int launches = 6;
  int depth =
      0;  ///< maximum number of kernels that wait or run; beyond it the host waits; 0: no limit
};

inline constexpr int kMostDrawnLaunches = 24;
inline constexpr double kLeastDrawnTime = 0.01, kMostDrawnTime = 10'000;  ///< µs

struct QueueSpan {
  double begin = 0, end = 0;
};

/// The times of all events: one span per launch and per kernel, in order; for the host the times at
/// which the queue is full, for the device those at which it is empty.
struct QueuePicture {
  std::vector<QueueSpan> launches, waits, kernels, idle;
  double end = 0;

  /// The fraction of the total time in which the device is idle, 0 to 1.
  double idleShare() const;
};

QueuePicture pictureOf(const QueueModel& model);

/// "6 launches of 2 µs, kernels of 1 µs: the device is idle for 54% of 13 µs."
std::string queueSentence(const QueueModel& model);

/// The Markdown for it in a lesson: an image whose address is the model.
std::string queueImage(const QueueModel& model);
/// The model of such an address; nothing: it is another kind of address.
std::optional<QueueModel> queueOf(std::string_view address);

/// Markdown whose pictures are drawn as characters, where none can be displayed.
std::string withPlainPictures(std::string_view markdown);

}  // namespace fusebench::course
