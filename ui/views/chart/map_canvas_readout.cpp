// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MapCanvas that says what was measured at a place.
#include "ui/models/base/ui_text.h"

#include <vector>
#include "ui/views/chart/map_canvas.h"

namespace fusebench {

QString MapCanvas::readoutText(MapIndex at) const {
  const MapPlace& place = map_.at(at.x, at.y);
  const QString where =
      QStringLiteral("<b>%1</b>").arg(placeTitle(map_, at.x, at.y).toHtmlEscaped());
  if (place.state == PlaceState::hole)
    return where + QStringLiteral("<br>") +
           uiText("Not measured: %1").arg(place.problem.toHtmlEscaped());
  QString rows;
  const std::vector<PlaceRow> known = placeRows(map_, place);
  for (const PlaceRow& row : known) {
    // The speedup, in the last row, is the quantity that the map shows.
    const bool main = place.state == PlaceState::measured && &row == &known.back();
    const QString text = main ? QStringLiteral("<b>%1</b>") : QStringLiteral("%1");
    rows += QStringLiteral(
                "<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td>"
                "<td style='color:%4'>&nbsp;&nbsp;%3</td></tr>")
                .arg(text.arg(row.name.toHtmlEscaped()), text.arg(row.value), row.beside,
                     theme_->muted.name());
  }
  return where + QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

}  // namespace fusebench
