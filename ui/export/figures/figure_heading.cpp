// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_heading.h"

namespace fusebench {
namespace {

constexpr double kHeadingPad = 0.9;  ///< in ems: around the figure
constexpr double kTitleSize = 1.2;   ///< in ems
constexpr double kCaptionSize = 0.92;
constexpr double kCaptionLine = 1.4;  ///< in multiples of the caption's size
constexpr double kCaptionGap = 0.6;

/// A line break in it stays one.
QStringList captionLines(const FigureStyle& style, double width) {
  QStringList lines;
  if (style.caption.isEmpty()) return lines;
  for (const QString& part : style.caption.split(u'\n'))
    lines += figureLines(part, kCaptionSize * style.em, width - 2 * kHeadingPad * style.em);
  return lines;
}

}  // namespace

double drawTitle(Figure& figure, const FigureStyle& style) {
  const double em = style.em, pad = kHeadingPad * em;
  FigurePen pen(figure);
  pen.group(QStringLiteral("heading"));
  double top = pad;
  if (style.title.isEmpty()) return top;
  for (const QString& line :
       figureLines(style.title, 1.04 * kTitleSize * em, figure.size.width() - 2 * pad)) {
    pen.text({pad, top + 0.8 * em}, line, kTitleSize * em, style.theme.text, Qt::AlignLeft, true);
    top += 1.75 * em;
  }
  return top;
}

double captionHeight(const FigureStyle& style, double width) {
  const auto lines = static_cast<double>(captionLines(style, width).size());
  return lines > 0 ? (lines * kCaptionLine * kCaptionSize + kCaptionGap) * style.em : 0;
}

double drawCaption(Figure& figure, const FigureStyle& style) {
  const double pad = kHeadingPad * style.em, size = kCaptionSize * style.em;
  const QStringList lines = captionLines(style, figure.size.width());
  double y = figure.size.height() - pad;
  if (lines.isEmpty()) return y;
  y -= kCaptionLine * size * static_cast<double>(lines.size());
  FigurePen pen(figure);
  pen.group(QStringLiteral("caption"));
  for (qsizetype i = 0; i < lines.size(); ++i)
    pen.text({pad, y + kCaptionLine * size * (static_cast<double>(i) + 0.5)}, lines[i], size,
             style.theme.muted);
  return y - kCaptionGap * style.em;
}

}  // namespace fusebench
