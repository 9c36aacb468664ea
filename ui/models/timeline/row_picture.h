// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/models/timeline/timeline_pixels.h"

namespace fusebench {

/// The picture of one row of events, for the window and for files.
class RowPicture {
 public:
  /// A stretch of time in which a device waits, in nanoseconds.
  struct Gap {
    double from = 0, to = 0;
    QString text;  ///< "idle 3.1 µs"
  };

  /// Draws `row` into `width` pixels, the first one at `scale.from`. The first row of a device's
  /// lane shows where the lane is idle.
  void draw(const Trace& trace, const TraceRow& row, const ColorClasses& colors,
            const TimeScale& scale, std::size_t width);

  const std::vector<RowPixel>& pixels() const { return pixels_; }
  std::vector<RowPixel>& pixels() { return pixels_; }
  /// Events that stand alone, in pixels.
  const std::vector<EventBox>& boxes() const { return boxes_; }
  std::vector<EventBox>& boxes() { return boxes_; }
  /// For each pixel, the share of idle time of the device below the events, of 255; empty: not
  /// known.
  const std::vector<std::uint8_t>& idle() const { return idle_; }
  /// The gaps next to events that have a separate box; others are too narrow to get a label.
  std::vector<Gap> gaps(const Trace& trace, const TraceRow& row, const TimeScale& scale) const;

 private:
  void drawIdle(const Trace& trace, const TraceRow& first, const ColorClasses& colors,
                const TimeScale& scale);

  std::vector<RowPixel> pixels_;
  std::vector<EventBox> boxes_;
  std::vector<std::uint8_t> busy_, idle_;
};

}  // namespace fusebench
