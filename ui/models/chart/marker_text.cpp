// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/marker_text.h"

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

QString markerText(const Crossing& crossing, wording::PlaceStyle style, MarkerDetail detail) {
  QString text = uiText("%1 %2 from %3%4")
                     .arg(QString::fromStdString(crossing.variant),
                          crossing.backwards ? uiText("behind") : uiText("ahead"),
                          crossing.preliminary ? QStringLiteral("~") : QString(),
                          axisValueText(crossing.at, style));
  if (crossing.fromTie) return text + uiText(" at the latest");
  if (detail == MarkerDetail::interval && crossing.high > crossing.low)
    text += QStringLiteral(" (%1 – %2)")
                .arg(axisValueText(crossing.low, style), axisValueText(crossing.high, style));
  return text;
}

QString markerSentence(const Crossing& crossing, wording::PlaceStyle style, const QString& unit) {
  QString text =
      (crossing.ofBandwidth ? uiText("Break-even: %1 has %2 bandwidth than %3 at %4 or more %5%6")
                            : uiText("Break-even: %1 is %2 than %3 at %4 or more %5%6"))
          .arg(QString::fromStdString(crossing.variant),
               crossing.ofBandwidth ? crossing.backwards ? uiText("a lower") : uiText("a higher")
               : crossing.backwards ? uiText("slower")
                                    : uiText("faster"),
               QString::fromStdString(crossing.baseline), axisValueText(crossing.at, style), unit,
               crossing.fromTie ? uiText(" at the latest") : QString());
  if (crossing.fromTie)
    text += QStringLiteral("; ") + QString::fromStdString(aroundTie(crossing));
  else if (crossing.high > crossing.low && crossing.ofModel)
    text += uiText(", by the model's error %1 – %2")
                .arg(axisValueText(crossing.low, style), axisValueText(crossing.high, style));
  else if (crossing.high > crossing.low)
    text += uiText(", 95% interval %1 – %2")
                .arg(axisValueText(crossing.low, style), axisValueText(crossing.high, style));
  text += uiText(".");
  if (crossing.preliminary) text += uiText(" Preliminary: it is still being measured.");
  return text;
}

}  // namespace fusebench
