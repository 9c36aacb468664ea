// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the views of a call: its program, its memory, its time.
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/access/access_parts.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/part_legend.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/storages/storage_canvas.h"

namespace fusebench {

AccessParts canvasParts(QWidget& widget) {
  auto& surface = static_cast<CanvasSurface&>(widget);
  const CanvasGraph& graph = surface.graph();
  std::vector<int> partOf(graph.nodes.size(), -1);  // by node
  AccessParts parts;
  std::size_t all = 0;
  for (int n = 0; n < surface.nodeCount(); ++n) {
    const CanvasNode& node = graph.nodes[static_cast<std::size_t>(n)];
    if (node.hidden) continue;
    if (++all > kMostAccessParts) continue;
    partOf[static_cast<std::size_t>(n)] = static_cast<int>(parts.size());
    AccessPart part;
    part.name = node.name.isEmpty() ? node.title : node.name;
    part.value = node.type;
    QStringList words{graph.description(n)};
    words << node.problems;
    part.description = words.join(QStringLiteral(". "));
    part.place = surface.onViewport(surface.node(n).frame());
    part.current = n == surface.current();
    part.selected = surface.isSelected(n);
    part.press = [&surface, n] {
      if (n >= surface.nodeCount()) return;  // the program has changed
      surface.select({n}, n);
      surface.reveal(n);
    };
    parts.push_back(std::move(part));
  }
  for (const CanvasEdge& edge : graph.edges) {
    const int from = partOf[static_cast<std::size_t>(edge.from)],
              to = partOf[static_cast<std::size_t>(edge.to)];
    if (from < 0 || to < 0) continue;
    parts[static_cast<std::size_t>(from)].to.push_back(to);
    parts[static_cast<std::size_t>(to)].from.push_back(from);
  }
  // A screen reader that does not know of relations says them in words.
  for (AccessPart& part : parts) {
    const auto say = [&](const std::vector<int>& others, const QString& words) {
      QStringList names;
      for (const int other : others) names << parts[static_cast<std::size_t>(other)].name;
      if (!names.isEmpty())
        part.description += QStringLiteral(". ") + words.arg(names.join(QStringLiteral(", ")));
    };
    say(part.from, uiText("Reads %1"));
    say(part.to, uiText("Read by %1"));
  }
  boundParts(parts, all);
  return parts;
}

AccessParts storageParts(QWidget& widget) {
  auto& canvas = static_cast<StorageCanvas&>(widget);
  const StoragePicture& picture = canvas.picture();
  AccessParts parts;
  const auto columns = static_cast<int>(picture.columns.size());
  for (int c = 0; c < columns && parts.size() < kMostAccessParts; ++c) {
    const StoragePicture::Column& column = picture.columns[static_cast<std::size_t>(c)];
    AccessPart part;
    part.name = column.step;
    part.value = formatBytes(column.bytes);
    QStringList words;
    if (c == picture.peakColumn) words << uiText("the peak");
    if (column.backward) words << uiText("backward");
    for (std::size_t b = 0; b < picture.bands.size(); ++b)
      if (picture.bands[b].first <= c && c <= picture.bands[b].last) words << bandText(picture, b);
    part.description = words.join(QStringLiteral("; "));
    part.place = canvas.columnPlace(c).toAlignedRect();
    part.current = c == canvas.current();
    part.press = [&canvas, c] { canvas.setCurrent(c); };
    parts.push_back(std::move(part));
  }
  boundParts(parts, picture.columns.size());
  return parts;
}

AccessParts anatomyParts(QWidget& widget) {
  auto& bars = static_cast<AnatomyBars&>(widget);
  AccessParts parts;
  std::size_t all = 0;
  for (const auto& [row, place] : bars.placedRows()) {
    if (++all > kMostAccessParts) continue;
    AccessPart part;
    part.name = row.title;
    part.value = row.problem.isEmpty()
                     ? formatTime(row.total)
                     : uiText("%1 was not recorded: %2").arg(row.title, row.problem);
    QStringList pieces;
    for (const AnatomyRow::Piece& piece : row.pieces) pieces << pieceText(row, piece);
    part.description = pieces.join(QStringLiteral("; "));
    part.place = place;
    part.current = row.leads() && row.bar == bars.current();
    if (row.whole())
      part.press = [&bars, bar = row.bar] {
        bars.setCurrent(bar);
        bars.toggle(bar);
      };
    parts.push_back(std::move(part));
  }
  boundParts(parts, all);
  return parts;
}

AccessParts legendParts(QWidget& widget) {
  AccessParts parts;
  for (const PartLegend::Entry& entry : static_cast<PartLegend&>(widget).entries()) {
    AccessPart part;
    part.role = QAccessible::StaticText;
    part.name = partName(entry.part);
    part.description = partDescription(entry.part);
    part.place = entry.place;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace fusebench
