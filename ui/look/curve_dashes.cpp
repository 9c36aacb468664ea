// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/curve_dashes.h"

namespace fusebench {

QVector<qreal> dashesOf(const Curve& curve, const ChartContent& content, const SeriesStyle& style) {
  switch (curve.part) {
    case CurvePart::fromDisk:
    case CurvePart::host:
      return {5, 3};
    case CurvePart::inMemory:
    case CurvePart::device:
      return {1.2, 2.4};
    case CurvePart::single:
      return {8, 3, 1.2, 3};
    case CurvePart::main:
      break;
  }
  const bool several = content.metric == Metric::compile ||
                       (content.metric == Metric::latency && isSeveral(content.time));
  return several ? QVector<qreal>() : style.dashes;
}

double lineWidthOf(const Curve& curve) {
  const bool time = curve.part == CurvePart::host || curve.part == CurvePart::device ||
                    curve.part == CurvePart::single;
  return time ? 1.4 : 2;
}

}  // namespace fusebench
