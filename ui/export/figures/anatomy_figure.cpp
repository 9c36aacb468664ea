// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/anatomy_figure.h"

#include <algorithm>
#include <vector>

#include "ui/export/figures/figure_heading.h"
#include "ui/look/part_colors.h"
#include "ui/models/anatomy/anatomy_rows.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/theme/colors.h"

namespace fusebench {
namespace {

/// "eager 3.88 µs: dispatch 14%, allocate 29%, …"
QString sentenceOf(const AnatomyRow& row) {
  QStringList shares;
  for (const AnatomyRow::Piece& piece : row.pieces)
    shares << QStringLiteral("%1 %2").arg(partName(piece.part), pieceShare(row, piece));
  return QStringLiteral("%1 %2: %3.")
      .arg(row.title, formatTime(row.total), shares.join(QStringLiteral(", ")));
}

/// Draws the bars onto one scale.
class AnatomyDrawing {
 public:
  AnatomyDrawing(Figure& figure, const FigureStyle& style, double nanosecondsWide)
      : figure_(figure), pen_(figure), style_(style), wide_(nanosecondsWide) {}

  /// Returns where the next row of the legend begins.
  double legend(const QString& words, const std::vector<AnatomyPart>& parts, double y) {
    const double em = style_.em;
    pen_.group(QStringLiteral("heading"));
    double x = 0.9 * em;
    if (!words.isEmpty()) {
      pen_.text({x, y + 0.5 * em}, words, 0.92 * em, style_.theme.muted);
      x += figureTextWidth(words, 0.92 * em) + 1.3 * em;
    }
    for (const AnatomyPart part : parts) {
      pen_.rect({x, y + 0.1 * em, 0.8 * em, 0.8 * em}, partColor(style_.theme, part), {},
                0.15 * em);
      pen_.text({x + 1.2 * em, y + 0.5 * em}, partName(part), 0.92 * em, style_.theme.muted);
      x += 1.2 * em + figureTextWidth(partName(part), 0.92 * em) + 1.3 * em;
    }
    return y + 1.6 * em;
  }

  void bar(const AnatomyRow& row, double middle, double height) {
    const double em = style_.em;
    const bool strong = row.leads();
    FigureSpot spot{
        {0.4 * em, middle - 0.62 * height, figure_.size.width() - 0.8 * em, 1.24 * height},
        QStringLiteral("%1: %2").arg(row.label, formatTime(row.total)),
        {}};
    for (const AnatomyRow::Piece& piece : row.pieces)
      spot.rows.push_back({partName(piece.part), formatTime(piece.time), pieceShare(row, piece),
                           partColor(style_.theme, piece.part)});
    figure_.spots.push_back(std::move(spot));
    pen_.group(strong ? QStringLiteral("bars") : QStringLiteral("device"));
    pen_.text({0.9 * em, middle}, row.label, strong ? em : 0.86 * em,
              strong ? style_.theme.text : style_.theme.muted, Qt::AlignLeft, strong);
    double at = figure_.plot.left();
    for (const AnatomyRow::Piece& piece : row.pieces) {
      const double length = piece.time / wide_ * figure_.plot.width();
      if (length <= 0) continue;
      const QColor color = partColor(style_.theme, piece.part);
      pen_.rect({at, middle - height / 2, length, height}, color,
                {style_.theme.panel, 0.8 * style_.unit(), {}});
      const QString share = pieceShare(row, piece);
      if (length > figureTextWidth(share, 0.86 * em) + em)
        pen_.text({at + length / 2, middle}, share, 0.86 * em, inkOn(color), Qt::AlignHCenter);
      at += length;
    }
    pen_.text({at + 0.6 * em, middle}, formatTime(row.total), strong ? em : 0.86 * em,
              strong ? style_.theme.text : style_.theme.muted);
  }

 private:
  Figure& figure_;
  FigurePen pen_;
  const FigureStyle& style_;
  double wide_;
};

}  // namespace

Figure anatomyFigure(const AnatomyModel& model, const FigureStyle& style) {
  const double em = style.em, pad = 0.9 * em, barRow = 2.5 * em, deviceRow = 1.9 * em;
  std::vector<AnatomyRow> bars = anatomyRows(model);
  std::erase_if(bars, [](const AnatomyRow& row) { return !row.problem.isEmpty(); });
  const bool devices = !model.deviceParts().empty();
  Figure figure;
  figure.size = style.size;
  const double head = drawTitle(figure, style), top = head + (devices ? 3.6 : 2.0) * em;
  figure.id = QStringLiteral("anatomy");
  figure.title = style.title.isEmpty() ? uiText("Where a call's time goes") : style.title;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  double label = 0, rows = 0;
  QStringList description;
  for (const AnatomyRow& row : bars) {
    label = std::max(label, figureTextWidth(row.label, row.leads() ? em : 0.86 * em, row.leads()));
    description << sentenceOf(row);
    rows += row.leads() ? barRow : deviceRow;
  }
  figure.size.setHeight(top + rows + captionHeight(style, figure.size.width()) + pad);
  drawCaption(figure, style);
  figure.description = description.join(u' ');
  const double longest = model.longest();
  if (!(longest > 0)) return figure;

  const double left = pad + label + em;
  figure.plot = QRectF(left, top, figure.size.width() - left - 6.5 * em, rows);
  AnatomyDrawing drawing(figure, style, longest);
  const double next = drawing.legend({}, {model.parts().begin(), model.parts().end()}, head);
  if (devices)
    drawing.legend(uiText("On the device:"),
                   {model.deviceParts().begin(), model.deviceParts().end()}, next);
  double y = top;
  for (const AnatomyRow& row : bars) {
    // A device's bar belongs to the one above it.
    if (row.leads())
      drawing.bar(row, y + barRow / 2, 1.7 * em);
    else
      drawing.bar(row, y + deviceRow / 2 - 0.45 * em, 1.1 * em);
    y += row.leads() ? barRow : deviceRow;
  }
  return figure;
}

}  // namespace fusebench
