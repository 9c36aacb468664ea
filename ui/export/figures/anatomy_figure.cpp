// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/anatomy_figure.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/colors.h"
#include "ui/export/figures/figure_heading.h"
#include "ui/models/base/format.h"
#include "ui/views/anatomy/anatomy_bars.h"

namespace fusebench {
namespace {

/// One bar: parts of so long each.
using Stack = std::vector<std::pair<AnatomyPart, double>>;

Stack hostStack(const AnatomyBar& bar, const std::vector<CallPart>& parts) {
  Stack stack;
  for (const CallPart part : parts)
    stack.emplace_back(part, bar.parts[static_cast<std::size_t>(part)]);
  return stack;
}

Stack deviceStack(const DeviceBar& bar, const std::vector<DevicePart>& parts) {
  Stack stack;
  for (const DevicePart part : parts)
    stack.emplace_back(part, bar.parts[static_cast<std::size_t>(part)]);
  return stack;
}

/// "eager 3.88 µs: dispatch 14%, allocate 29%, …"
QString sentenceOf(const QString& name, double total, const Stack& stack) {
  QStringList shares;
  for (const auto& [part, time] : stack)
    shares << QStringLiteral("%1 %2%")
                  .arg(partName(part))
                  .arg(std::lround(total > 0 ? 100 * time / total : 0));
  return QStringLiteral("%1 %2: %3.")
      .arg(name, formatTime(total), shares.join(QStringLiteral(", ")));
}

QString onDevice() {
  return QStringLiteral("on the device");
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

  void bar(const QString& group, const QString& name, const Stack& stack, double total,
           double middle, double height, bool strong) {
    const double em = style_.em;
    FigureSpot spot{
        {0.4 * em, middle - 0.62 * height, figure_.size.width() - 0.8 * em, 1.24 * height},
        QStringLiteral("%1: %2").arg(name, formatTime(total)),
        {}};
    for (const auto& [part, time] : stack)
      spot.rows.push_back(
          {partName(part), formatTime(time),
           QStringLiteral("%1%").arg(std::lround(total > 0 ? 100 * time / total : 0)),
           partColor(style_.theme, part)});
    figure_.spots.push_back(std::move(spot));
    pen_.group(group);
    pen_.text({0.9 * em, middle}, name, strong ? em : 0.86 * em,
              strong ? style_.theme.text : style_.theme.muted, Qt::AlignLeft, strong);
    double at = figure_.plot.left();
    for (const auto& [part, time] : stack) {
      const double length = time / wide_ * figure_.plot.width();
      if (length <= 0) continue;
      const QColor color = partColor(style_.theme, part);
      pen_.rect({at, middle - height / 2, length, height}, color,
                {style_.theme.panel, 0.8 * style_.unit(), {}});
      const QString share = QStringLiteral("%1%").arg(std::lround(100 * time / total));
      if (length > figureTextWidth(share, 0.86 * em) + em)
        pen_.text({at + length / 2, middle}, share, 0.86 * em, inkOn(color), Qt::AlignHCenter);
      at += length;
    }
    pen_.text({at + 0.6 * em, middle}, formatTime(total), strong ? em : 0.86 * em,
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
  const double em = style.em, pad = 0.9 * em, row = 2.5 * em, deviceRow = 1.9 * em;
  const auto& bars = model.bars();
  const bool devices = !model.deviceParts().empty();
  Figure figure;
  figure.size = style.size;
  const double head = drawTitle(figure, style), top = head + (devices ? 3.6 : 2.0) * em;
  figure.id = QStringLiteral("anatomy");
  figure.title = style.title.isEmpty() ? QStringLiteral("Where a call's time goes") : style.title;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  double label = devices ? figureTextWidth(onDevice(), 0.86 * em) : 0, rows = 0;
  QStringList description;
  for (const AnatomyBar& bar : bars) {
    label = std::max(label, figureTextWidth(bar.name, em, true));
    description << sentenceOf(bar.name, bar.total, hostStack(bar, model.parts()));
    rows += row;
    if (!bar.device) continue;
    rows += deviceRow;
    description << sentenceOf(QStringLiteral("%1 %2").arg(bar.name, onDevice()), bar.device->total,
                              deviceStack(*bar.device, model.deviceParts()));
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
    drawing.legend(QStringLiteral("On the device:"),
                   {model.deviceParts().begin(), model.deviceParts().end()}, next);
  double y = top;
  for (const AnatomyBar& bar : bars) {
    drawing.bar(QStringLiteral("bars"), bar.name, hostStack(bar, model.parts()), bar.total,
                y + row / 2, 1.7 * em, true);
    y += row;
    if (!bar.device) continue;
    // It belongs to the bar above it.
    drawing.bar(QStringLiteral("device"), onDevice(), deviceStack(*bar.device, model.deviceParts()),
                bar.device->total, y + deviceRow / 2 - 0.45 * em, 1.1 * em, false);
    y += deviceRow;
  }
  return figure;
}

}  // namespace fusebench
