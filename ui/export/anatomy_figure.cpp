// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/anatomy_figure.h"

#include <algorithm>
#include <cmath>

#include "ui/models/format.h"
#include "ui/views/anatomy_bars.h"

namespace fusebench {
namespace {

QString nameOf(CallPart part) {
  return QString::fromUtf8(name(part).data(), static_cast<int>(name(part).size()));
}

bool isBright(const QColor& color) {
  return 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF() > 0.5;
}

/// "eager 3.88 µs: dispatch 14%, allocate 29%, …"
QString sentenceOf(const AnatomyBar& bar, const std::vector<CallPart>& parts) {
  QStringList shares;
  for (const CallPart part : parts)
    shares << QStringLiteral("%1 %2%").arg(nameOf(part)).arg(std::lround(100 * bar.share(part)));
  return QStringLiteral("%1 %2: %3.")
      .arg(bar.name, formatTime(bar.total), shares.join(QStringLiteral(", ")));
}

}  // namespace

Figure anatomyFigure(std::span<const AnatomyBar> bars, const std::vector<CallPart>& parts,
                     const FigureStyle& style) {
  const double em = style.em, pad = 0.9 * em, row = 2.5 * em, height = 1.7 * em;
  const double top = pad + 2 * em;
  Figure figure;
  figure.id = QStringLiteral("anatomy");
  figure.title = style.title.isEmpty() ? QStringLiteral("Where a call's time goes") : style.title;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  figure.size = {style.size.width(), top + row * static_cast<double>(bars.size()) + pad};
  double longest = 0, label = 0;
  QStringList description;
  for (const AnatomyBar& bar : bars) {
    longest = std::max(longest, bar.total);
    label = std::max(label, figureTextWidth(bar.name, em, true));
    description << sentenceOf(bar, parts);
  }
  figure.description = description.join(u' ');
  if (!(longest > 0)) return figure;

  FigurePen pen(figure);
  pen.group(QStringLiteral("heading"));
  double x = pad;
  for (const CallPart part : parts) {
    pen.rect({x, pad + 0.1 * em, 0.8 * em, 0.8 * em}, partColor(style.theme, part), {}, 0.15 * em);
    pen.text({x + 1.2 * em, pad + 0.5 * em}, nameOf(part), 0.92 * em, style.theme.muted);
    x += 1.2 * em + figureTextWidth(nameOf(part), 0.92 * em) + 1.3 * em;
  }

  const double left = pad + label + em;
  const double width = figure.size.width() - left - 6.5 * em;
  figure.plot = QRectF(left, top, width, row * static_cast<double>(bars.size()));
  pen.group(QStringLiteral("bars"));
  double y = top;
  for (const AnatomyBar& bar : bars) {
    const double middle = y + row / 2;
    pen.text({pad, middle}, bar.name, em, style.theme.text, Qt::AlignLeft, true);
    double at = left;
    for (const CallPart part : parts) {
      const double length = bar.share(part) * bar.total / longest * width;
      if (length <= 0) continue;
      const QColor color = partColor(style.theme, part);
      pen.rect({at, middle - height / 2, length, height}, color,
               {style.theme.panel, 0.8 * style.unit(), {}});
      const QString share = QStringLiteral("%1%").arg(std::lround(100 * bar.share(part)));
      if (length > figureTextWidth(share, 0.86 * em) + em)
        pen.text({at + length / 2, middle}, share, 0.86 * em,
                 isBright(color) ? QColor(0x14, 0x17, 0x1c) : QColor(Qt::white), Qt::AlignHCenter);
      at += length;
    }
    pen.text({at + 0.6 * em, middle}, formatTime(bar.total), em, style.theme.text);
    y += row;
  }
  return figure;
}

}  // namespace fusebench
