// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/look/span_colors.h"
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

using Triple = std::array<double, 3>;

constexpr int kTold = 9;  ///< series that a chart may have at once

Triple linearOf(const QColor& color) {
  const auto linear = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

Triple times(const std::array<Triple, 3>& matrix, const Triple& vector) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) result[i] += matrix[i][k] * vector[k];
  return result;
}

/// WCAG 2.1's contrast ratio.
double contrastOf(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const Triple c = linearOf(color);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  };
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Ottosson's OKLab, in which distances are as far apart as they look.
Triple okLab(const Triple& linear) {
  Triple cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                         {0.2119034982, 0.6806995451, 0.1073969566},
                         {0.0883024619, 0.2817188376, 0.6299787005}}},
                       linear);
  for (double& cone : cones) cone = std::cbrt(cone);
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               cones);
}

/// What a person sees: without color blindness, and with the two common kinds (Machado, Oliveira
/// and Fernandes, 2009).
const std::array<std::array<Triple, 3>, 3> kSights = {{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                                       {{{0.367322, 0.860646, -0.227968},
                                                         {0.280085, 0.672501, 0.047413},
                                                         {-0.011820, 0.042940, 0.968881}}},
                                                       {{{0.152286, 1.052583, -0.204868},
                                                         {0.114503, 0.786281, 0.099216},
                                                         {-0.003882, -0.048116, 1.051998}}}}};

double apart(const QColor& a, const QColor& b, std::size_t sight) {
  const auto seen = [&](const QColor& color) {
    Triple linear = times(kSights.at(sight), linearOf(color));
    for (double& value : linear) value = std::clamp(value, 0.0, 1.0);
    return okLab(linear);
  };
  const Triple x = seen(a), y = seen(b);
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

TEST(SeriesColors, CanBeReadAsTextOnBothThemes) {
  for (const Theme* theme : {&darkTheme(), &lightTheme()})
    for (int series = 0; series < kTold + 1; ++series)
      for (const QColor& ground : {theme->panel, theme->window})
        EXPECT_GE(contrastOf(theme->series(series).color, ground), 4.5)
            << (theme->dark ? "dark " : "light ") << series;
}

TEST(SeriesColors, AreToldApartByNineSeriesWithAndWithoutColorBlindness) {
  constexpr std::array<double, 3> kLeast = {0.14, 0.09, 0.09};
  for (const Theme* theme : {&darkTheme(), &lightTheme()})
    for (std::size_t sight = 0; sight < kSights.size(); ++sight)
      for (int a = 0; a < kTold; ++a)
        for (int b = a + 1; b < kTold; ++b)
          EXPECT_GE(apart(theme->series(a).color, theme->series(b).color, sight), kLeast.at(sight))
              << (theme->dark ? "dark " : "light ") << a << " and " << b << ", sight " << sight;
}

TEST(SpanColors, TellALaunchFromOtherCallsOfCudaAndKeepTheirNamesReadable) {
  const auto kinds = {SpanKind::launch, SpanKind::runtime, SpanKind::driver};
  for (const Theme* theme : {&darkTheme(), &lightTheme()})
    for (const SpanKind kind : kinds) {
      const QColor color = spanColor(kind, *theme);
      EXPECT_GE(contrastOf(inkOn(color), color), 4.5) << theme->dark << int(kind);
      for (const SpanKind other : kinds)
        for (std::size_t sight = 0; sight < kSights.size() && other != kind; ++sight)
          EXPECT_GE(apart(color, spanColor(other, *theme), sight), 0.05)
              << theme->dark << int(kind) << int(other) << ", sight " << sight;
    }
}

}  // namespace
}  // namespace fusebench
