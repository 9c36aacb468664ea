// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/run/run.h"
#include "profiler/statistics/statistics.h"

/// Figures in sentences: short, with units, and with no more digits than are justified.
namespace fusebench::wording {

/// Three significant digits, no exponent, no trailing zeros, thousands separated: "0.123", "14
/// 200".
std::string number(double value);
/// "61.0 ns", "31.2 ms": see engine/base/quantity_text.h
std::string time(double nanoseconds);
/// "60.1 – 61.7 ns": both ends in the unit of the value. Empty if there is no interval, or one
/// without width; the range of too few samples is named as such.
std::string timeInterval(const Estimate& estimate);
/// "4.13×"
std::string ratio(double value);
/// "4.10 – 4.16×", or as timeInterval() where there is none.
std::string ratioInterval(const Estimate& estimate);
/// How the values of an axis are written: 65 536 or 64Ki. Never both on one axis.
enum class PlaceStyle : std::uint8_t { decimal, binary };
/// Binary if there are values of 1,024 or more, and all of them are multiples of 1,024.
PlaceStyle placeStyle(std::span<const std::int64_t> values);
/// A value on an axis: "30", "1.4"; "4Ki", "4.6Ki", "16Mi" or "4 096", "4 710", "16 777 216".
std::string place(double value, PlaceStyle style);
std::string place(const Axis& axis, double value);
/// The axis' unit, or its name: "statements".
std::string unit(const Axis& axis);
/// An axis' name or its unit on its own, at an axis or above a column: "statements". A name that
/// the user chose has no translation and stays.
std::string axisWord(std::string_view nameOrUnit);
/// "batch", or "batch (images)" if the unit adds information.
std::string axisTitle(const Axis& axis);
/// Why sampling of a cell ended, in a word: "converged".
std::string ended(Stop stop);
/// One step of it with its article: "a statement", "an element", "per batch".
std::string step(const Axis& axis);
/// "30 statements", "1 statement", "batch 8"
std::string at(const Axis& axis, double value);
/// "a", "a and b", "a, b and c"; beyond the limit "a, b and 7 more".
std::string list(const std::vector<std::string>& names, std::size_t limit = 4);
/// The baseline of an experiment's variants: "eager", or "eager (torch.compile: PyTorch)" where
/// some are compared with another variant.
std::string baselines(const Experiment& experiment);
/// The scope of a run's intervals: "over 8 sessions", "over 3 to 8 sessions", "within one process",
/// "within two processes"; for a simulated run "by the model's error, ±11.6%"; empty without
/// samples, and for a made-up device.
std::string sessions(const Run& run);
/// Explains a simulated run's intervals: "In brackets: the model's error, ±11.6%; nine in ten of
/// the figures that its fit did not see are within it". Empty for any other run, and for a device
/// that is made up.
std::string modelError(const Run& run);
/// For a simulated run, a sentence that states this and names the device: "Simulated: all times
/// come from a model of ...". Empty for a measured run.
std::string simulated(const Run& run);
/// The source of a simulated device's figures and what they omit; may be empty.
std::string modelNote(const Run& run);
/// Removes the spaces between two Chinese characters, which occur where parts of a sentence were
/// joined, and uses the Chinese colon; any other text is unchanged.
std::string closedUp(std::string_view text);
/// " (…)", or nothing for nothing.
std::string inBrackets(const std::string& text);

}  // namespace fusebench::wording
