// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MapCanvas that says what was measured at a place.
#include "ui/models/format.h"
#include "ui/views/map_canvas.h"

namespace fusebench {

QString MapCanvas::readoutText(MapIndex at) const {
  const MapPlace& place = map_.at(at.x, at.y);
  const QString where = QStringLiteral("<b>%1 %2, %3 %4</b>")
                            .arg(axisValueText(map_.x.values[at.x], placeStyle(map_.x.values)),
                                 map_.x.label.toHtmlEscaped(),
                                 axisValueText(map_.y.values[at.y], placeStyle(map_.y.values)),
                                 map_.y.label.toHtmlEscaped());
  if (place.state == PlaceState::hole)
    return where + QStringLiteral("<br>Not measured: ") + place.problem.toHtmlEscaped();
  QString rows;
  const QString muted = theme_->muted.name();
  const auto row = [&](const QString& name, const QString& value, const QString& rest) {
    rows += QStringLiteral(
                "<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td>"
                "<td style='color:%4'>&nbsp;&nbsp;%3</td></tr>")
                .arg(name, value, rest, muted);
  };
  const auto latency = [&](const QString& name, const Estimate& estimate, std::size_t samples) {
    if (samples == 0) return row(name, QStringLiteral("not yet"), {});
    row(name, formatTime(estimate.value),
        QStringLiteral("%1 · %2 samples").arg(formatInterval(estimate)).arg(samples));
  };
  latency(map_.baselineName.toHtmlEscaped(), place.baseline, place.baselineSamples);
  latency(map_.variantName.toHtmlEscaped(), place.latency, place.samples);
  if (place.state == PlaceState::measured) {
    const bool range = place.speedUp.kind != Estimate::Kind::interval;
    row(QStringLiteral("<b>speed-up</b>"),
        QStringLiteral("<b>%1</b>").arg(formatRatio(place.speedUp.value)),
        (range ? QStringLiteral("(%1 – %2: range)") : QStringLiteral("%1 – %2"))
            .arg(formatSignificant(place.speedUp.low), formatSignificant(place.speedUp.high)));
  }
  return where + QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

}  // namespace fusebench
