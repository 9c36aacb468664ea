// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench {

/// The range of values on an axis. A logarithmic one has low > 0, and its distances are ratios.
struct AxisRange {
  double low = 0, high = 1;
  bool logarithmic = false;
};

/// Position of a value between the ends: 0 at low, 1 at high; beyond them outside.
double shareOf(const AxisRange& range, double value);
double valueAtShare(const AxisRange& range, double share);

/// `factor` < 1 shows less. The value at `anchor` (a share of the range) stays where it is.
/// `whole` is the range that shows everything: nothing beyond four times its width is shown, and
/// nothing below a millionth of it.
AxisRange zoomed(const AxisRange& range, double anchor, double factor, const AxisRange& whole);

/// Moved by a share of its own width; its middle stays over the whole range.
AxisRange panned(const AxisRange& range, double share, const AxisRange& whole);

/// The part between two shares, in either order; the range itself if that is next to nothing.
AxisRange between(const AxisRange& range, double from, double to, const AxisRange& whole);

}  // namespace fusebench
