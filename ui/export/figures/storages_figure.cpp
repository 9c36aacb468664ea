// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/storages_figure.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <vector>

#include "ui/export/figures/figure_heading.h"
#include "ui/look/storage_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/storages/storage_scale.h"
#include "ui/theme/colors.h"

namespace fusebench {
namespace {

constexpr double kSmallText = 0.88;  ///< in ems: names of bands, ticks
constexpr double kWordsLine = 1.4;   ///< in ems
constexpr std::size_t kMostSpots = 2000;

class StoragesDrawing {
 public:
  StoragesDrawing(Figure& figure, const FigureStyle& style)
      : figure_(figure), pen_(figure), style_(style), theme_(style.theme), em_(style.em) {}

  /// Returns where the first row begins.
  double legend(const StoragesSubject& subject, double y) {
    std::array<bool, kStorageClasses> seen{};
    for (const StoragesSubject::Row& row : subject.rows)
      for (const StoragePicture::Band& band : row.picture->bands)
        seen[static_cast<std::size_t>(band.kind)] = true;
    pen_.group(QStringLiteral("heading"));
    const double first = 0.9 * em_, size = 0.92 * em_;
    double x = first;
    for (std::size_t k = 0; k < kStorageClasses; ++k) {
      if (!seen[k]) continue;
      const auto kind = static_cast<StorageClass>(k);
      const double wide = 1.2 * em_ + figureTextWidth(title(kind), size) + 1.3 * em_;
      if (x > first && x + wide > figure_.size.width()) {
        x = first;
        y += 1.5 * em_;
      }
      pen_.rect({x, y + 0.1 * em_, 0.8 * em_, 0.8 * em_}, storageFill(theme_, kind), {},
                0.15 * em_);
      pen_.text({x + 1.2 * em_, y + 0.5 * em_}, title(kind), size, theme_.muted);
      x += wide;
    }
    return y + 2.0 * em_;
  }

  /// How high a variant's name and its peak in words are.
  double wordsHeight(const StoragesSubject::Row& row) const {
    return (1 + kSmallText * static_cast<double>(peakLines(row).size())) * kWordsLine * em_;
  }

  void words(const StoragesSubject::Row& row, double y) {
    pen_.group(QStringLiteral("heading"));
    const double left = 0.9 * em_;
    pen_.text({left, y + 0.5 * em_}, row.variant, em_, theme_.text, Qt::AlignLeft, true);
    y += kWordsLine * em_;
    for (const QString& line : peakLines(row)) {
      pen_.text({left, y + 0.45 * em_}, line, kSmallText * em_, theme_.muted);
      y += kWordsLine * kSmallText * em_;
    }
  }

  void row(const StoragesSubject::Row& row, const StorageScale& scale) {
    axes(*row.picture, scale);
    for (std::size_t b = 0; b < row.picture->bands.size(); ++b) band(row, b, scale);
    pen_.group(QStringLiteral("peaks"));
    const double y = scale.y(static_cast<double>(row.picture->peak));
    const double dash = 4 * style_.unit();
    pen_.line({scale.area.left(), y}, {scale.area.right(), y},
              {theme_.text, style_.unit(), {dash, dash}});
  }

 private:
  QStringList peakLines(const StoragesSubject::Row& row) const {
    return figureLines(peakText(*row.picture), kSmallText * em_, figure_.size.width() - 1.8 * em_);
  }

  void axes(const StoragePicture& picture, const StorageScale& scale) {
    pen_.group(QStringLiteral("axes"));
    const QRectF& area = scale.area;
    for (const double bytes : scale.ticks()) {
      const double y = scale.y(bytes);
      pen_.line({area.left(), y}, {area.right(), y}, {theme_.grid, style_.unit(), {}});
      pen_.text({area.left() - 0.6 * em_, y}, scale.tickText(bytes), kSmallText * em_, theme_.muted,
                Qt::AlignRight);
    }
    const auto back = [](const StoragePicture::Column& column) { return column.backward; };
    const auto first = std::ranges::find_if(picture.columns, back);
    if (first != picture.columns.end()) {
      const auto end = std::find_if_not(first, picture.columns.end(), back);
      const double from = scale.x(static_cast<int>(first - picture.columns.begin()));
      const double to = scale.x(static_cast<int>(end - picture.columns.begin()));
      pen_.rect({from, area.top(), to - from, area.height()},
                blend(theme_.accent, theme_.panel, 0.07));
      pen_.text({(from + to) / 2, area.top() + 0.6 * em_}, uiText("backward"), kSmallText * em_,
                theme_.muted, Qt::AlignHCenter);
    }
    const double under = area.bottom() + 0.8 * em_;
    pen_.text({area.left(), under}, uiText("first step"), kSmallText * em_, theme_.muted);
    pen_.text({area.right(), under}, uiText("after step %1").arg(picture.columns.size() - 1),
              kSmallText * em_, theme_.muted, Qt::AlignRight);
  }

  void band(const StoragesSubject::Row& row, std::size_t b, const StorageScale& scale) {
    const StoragePicture::Band& band = row.picture->bands[b];
    pen_.group(QStringLiteral("bands"));
    QPolygonF shape;
    for (const QPointF& point : scale.outline(band)) shape << point;
    const double high = scale.height(band);
    const bool outlined = high >= 6 * style_.unit() && scale.x(1) - scale.x(0) >= 6 * style_.unit();
    pen_.areas({shape}, storageFill(theme_, band.kind),
               outlined ? FigureStroke{theme_.panel, style_.unit(), {}} : FigureStroke{});
    if (figure_.spots.size() < kMostSpots) {
      const QString text = bandText(*row.picture, b);
      figure_.spots.push_back(
          {shape.boundingRect(),
           band.name,
           {{row.variant, formatBytes(band.bytes), text, storageFill(theme_, band.kind)}}});
    }
    const QRectF room = scale.nameRoom(band);
    const double size = kSmallText * em_;
    if (high < 1.1 * size || room.width() < figureTextWidth(band.name, size) + 0.8 * em_) return;
    pen_.text(room.center(), band.name, size, theme_.text, Qt::AlignHCenter);
  }

  Figure& figure_;
  FigurePen pen_;
  const FigureStyle& style_;
  const Theme& theme_;
  double em_;
};

}  // namespace

Figure storagesFigure(const StoragesSubject& subject, const FigureStyle& style) {
  const double em = style.em;
  Figure figure;
  figure.size = style.size;
  figure.id = QStringLiteral("storages");
  figure.title = style.title.isEmpty() ? uiText("Memory contents during a call") : style.title;
  figure.ground = style.theme.panel;
  figure.ink = style.theme.text;
  QStringList description;
  std::vector<const StoragePicture*> pictures;
  for (const StoragesSubject::Row& row : subject.rows) {
    description << QStringLiteral("%1: %2.").arg(row.variant, peakText(*row.picture));
    pictures.push_back(row.picture.get());
  }
  figure.description = description.join(u' ');
  const double head = drawTitle(figure, style);
  const double foot = drawCaption(figure, style);
  if (subject.rows.empty()) return figure;
  StoragesDrawing drawing(figure, style);
  const double first = drawing.legend(subject, head);
  const double each = (foot - first) / static_cast<double>(subject.rows.size());
  StorageScale scale;
  scale.top = commonTop(pictures);
  double left = 0;
  for (const double bytes : scale.ticks())
    left = std::max(left, figureTextWidth(scale.tickText(bytes), kSmallText * em));
  left += 1.7 * em;
  // As many lines above each, or a byte would not be as high in one as in another.
  double words = 0;
  for (const StoragesSubject::Row& row : subject.rows)
    words = std::max(words, drawing.wordsHeight(row));
  double y = first;
  for (const StoragesSubject::Row& row : subject.rows) {
    drawing.words(row, y);
    const double top = y + words + 0.4 * em;
    const double bottom = std::max(top + 2 * em, y + each - 2.2 * em);
    scale.area = QRectF(QPointF(left, top), QPointF(figure.size.width() - 1.2 * em, bottom));
    scale.columns = row.picture->columns.size();
    if (y == first) figure.plot = scale.area;
    drawing.row(row, scale);
    y += each;
  }
  return figure;
}

}  // namespace fusebench
