// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/layout_tip.h"

#include <algorithm>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

constexpr int kGridRows = 6, kGridColumns = 8;
constexpr double kFaintest = 0.08, kStrongest = 0.55;  // share of the accent in a cell's color

QString gridTable(const LayoutGrid& grid, const Theme& theme) {
  QString html = QStringLiteral("<table cellspacing='2' cellpadding='3'>");
  const auto more = [&] {
    return QStringLiteral("<td align='center' style='color:%1'>…</td>").arg(theme.muted.name());
  };
  for (const std::vector<std::int64_t>& row : grid.rows) {
    html += QStringLiteral("<tr>");
    for (const std::int64_t place : row) {
      const double share =
          grid.last > 0 ? static_cast<double>(place) / static_cast<double>(grid.last) : 0;
      html +=
          QStringLiteral("<td align='right' width='26' bgcolor='%1' style='color:%2'>%3</td>")
              .arg(mixed(theme.raised, theme.accent, kFaintest + share * (kStrongest - kFaintest))
                       .name(),
                   theme.text.name())
              .arg(place);
    }
    if (grid.moreColumns) html += more();
    html += QStringLiteral("</tr>");
  }
  if (grid.moreRows && !grid.rows.empty()) {
    html += QStringLiteral("<tr>");
    for (std::size_t c = 0; c < grid.rows.front().size(); ++c) html += more();
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

}  // namespace

QString layoutTip(const QString& title, const TensorLayout& layout, const QString& root,
                  const Theme& theme) {
  const LayoutGrid grid = layoutGrid(layout, kGridRows, kGridColumns);
  const QString said = uiText("Each cell shows its offset in memory, in elements") +
                       (grid.part.isEmpty() ? QString() : uiText("; of %1").arg(grid.part));
  return QStringLiteral("<div><b>%1</b></div><div>%2</div>%3<div style='color:%4'>%5</div>")
      .arg(title.toHtmlEscaped(), layoutText(layout, root).toHtmlEscaped(), gridTable(grid, theme),
           theme.muted.name(), said.toHtmlEscaped());
}

}  // namespace fusebench
