// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>

#include "engine/ops/ops.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The accent of a category, on the canvas and in the palette; related
/// categories share one.
QColor categoryColor(const Theme& theme, Category category);

/// Mixes `share` of `b` into `a`, 0 to 1.
QColor mixed(const QColor& a, const QColor& b, double share);

/// `fill` for a node, adjusted by `heat`, its time relative to the slowest node, from 0 to 1.
QColor heatColor(const Theme& theme, const QColor& fill, double heat);

/// Background color of the canvas.
QColor canvasGround(const Theme& theme);

/// Lengths in scene units (pixels at zoom 1).
namespace canvas {
inline constexpr double kRowHeight = 26;
inline constexpr double kChipHeight = 19;
inline constexpr double kAccentWidth = 4;
inline constexpr double kRadius = 6;
inline constexpr double kPortRadius = 3.5;
inline constexpr double kLeastWidth = 132;
inline constexpr double kMostWidth = 230;
inline constexpr double kLayerGap = 17;
/// A kernel's box around a node: space for its launch number on the left.
inline constexpr double kGutter = 26, kHullSide = 9, kHullEnd = 5;
/// Above the first op of a kernel of several: its name.
inline constexpr double kCaptionHeight = 15;
/// At the top of a frame: its name. At its other sides.
inline constexpr double kFrameHead = 18, kFrameSide = 6;

/// Scale of the smallest font: 9 points at zoom 1, below which text is hard to read on a screen.
inline constexpr double kSmallest = 0.93;
QFont titleFont(bool symbol);
QFont chipFont();
QFont smallFont();
QFont problemFont();
}  // namespace canvas

}  // namespace fusebench
