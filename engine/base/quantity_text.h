// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Quantities as text, the same everywhere: three significant digits and a suitable unit, so that
/// 999.7 ns is "1.00 us" in every table, sentence and chart. Both ends of an interval have the unit
/// and the decimals of the value between them.
namespace fusebench {

/// The characters that may be used: special characters such as a micro sign and thin spaces, or
/// only ASCII.
enum class Letters : unsigned char { page, plain };

struct TimeUnit {
  double nanoseconds = 1;
  std::string_view page;   ///< "µs"
  std::string_view plain;  ///< "us"

  std::string_view symbol(Letters letters) const { return letters == Letters::page ? page : plain; }
};

/// The unit in which this time has one to three digits before the point.
TimeUnit unitOfTime(double nanoseconds);

/// Significant digits without an exponent: "0.0213", "3.50", "118", "12345"; "?" for a value that
/// is not finite.
std::string digits(double value, int significant = 3);

/// "1.00 us"; "?" for a value that is not finite.
std::string timeText(double nanoseconds, Letters letters = Letters::plain);

/// "60.1 – 61.7", or "60.1-61.7" in ASCII: with three to five digits, as many as distinguish the
/// ends, and with the corresponding decimals of `value`. Empty if five digits do not distinguish
/// them.
std::string endsText(double value, double low, double high, Letters letters = Letters::plain);

/// The same for times, with the unit of `value`: "60.1 – 61.7 ns".
std::string timeEndsText(double value, double low, double high, Letters letters = Letters::plain);

/// "2.00×", or "2.00x" in ASCII.
std::string ratioText(double ratio, Letters letters = Letters::plain);

/// "9999 B", "12.5 KiB", "3.00 GiB": bytes up to 9999 exactly, more in binary units. "?" for a
/// value that is not finite.
std::string bytesText(double bytes);

/// Converts a text of a page to ASCII: thin spaces become spaces, "µs" becomes "us".
std::string inPlainLetters(std::string text);

}  // namespace fusebench
