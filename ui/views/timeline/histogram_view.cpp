// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/histogram_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <limits>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr double kFontScale = 0.9;
constexpr std::size_t kMostLegendLines = 4;

}  // namespace

HistogramView::HistogramView(QString title, QString empty, QWidget* parent)
    : QWidget(parent), title_(std::move(title)), empty_(std::move(empty)) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
}

int HistogramView::legendLines() const {
  return shown_.size() < 2 ? 0 : int(std::min<std::size_t>(shown_.size(), kMostLegendLines));
}

int HistogramView::legendHeight() const {
  return legendLines() * QFontMetrics(textFont(kFontScale)).height();
}

int HistogramView::noteHeight() const {
  return note_.isEmpty() ? 0 : QFontMetrics(textFont(kFontScale)).height();
}

QSize HistogramView::minimumSizeHint() const {
  return {legendLines() > 0 || !note_.isEmpty() ? 250 : 190, 70 + legendHeight() + noteHeight()};
}

QSize HistogramView::sizeHint() const {
  return minimumSizeHint() + QSize(6, 20);
}

void HistogramView::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void HistogramView::setDistributions(std::vector<Distribution> distributions, QStringList names,
                                     const QStringList& notes) {
  shown_ = std::move(distributions);
  names_ = std::move(names);
  note_ = shown_.size() == 1 ? notes.value(0) : QString();
  current_ = std::min(current_, static_cast<int>(edges().size()) - 1);
  QStringList said;
  for (std::size_t s = 0; s < shown_.size(); ++s) {
    const Distribution& d = shown_[s];
    if (d.count == 0) continue;
    const QString name = shown_.size() > 1 ? names_.value(qsizetype(s)) : QString();
    said << (name.isEmpty() ? name : name + QStringLiteral(": ")) +
                uiText("median %1, 95% below %2, %3 in all")
                    .arg(formatTime(double(d.median)), formatTime(double(d.p95)),
                         formatCount(std::int64_t(d.count))) +
                (notes.value(qsizetype(s)).isEmpty()
                     ? QString()
                     : QStringLiteral(", ") + notes.value(qsizetype(s)));
  }
  setAccessibleName(title_ + QStringLiteral(": ") +
                    (said.isEmpty() ? empty_ : said.join(QStringLiteral("; "))));
  setToolTip(said.isEmpty() ? QString() : accessibleName());
  updateGeometry();
  update();
}

QString HistogramView::medianOf(const Distribution& distribution) const {
  return distribution.count > 0 ? uiText("median %1").arg(formatTime(double(distribution.median)))
                                : uiText("none");
}

/// One line per distribution: its color, its name, its median.
void HistogramView::paintLegend(QPainter& painter, const QRect& place) {
  const QFontMetrics metrics(painter.font());
  constexpr int kSwatch = 8, kGap = 6;
  for (int s = 0; s < legendLines(); ++s) {
    const QRect line(place.left(), place.top() + s * metrics.height(), place.width(),
                     metrics.height());
    if (s + 1 == legendLines() && shown_.size() > std::size_t(legendLines())) {
      painter.setPen(theme_->muted);
      painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                       uiText("and %1 more").arg(shown_.size() - std::size_t(s)));
      return;
    }
    painter.fillRect(QRect(line.left(), line.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch),
                     theme_->series(s).color);
    const QString median = medianOf(shown_[std::size_t(s)]);
    painter.setPen(theme_->muted);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, median);
    const QRect name =
        line.adjusted(kSwatch + kGap, 0, -metrics.horizontalAdvance(median) - kGap, 0);
    painter.setPen(theme_->text);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(names_.value(s), Qt::ElideMiddle, name.width()));
  }
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(textFont(kFontScale));
  const QFontMetrics metrics(painter.font());
  const QRect all = rect().adjusted(8, 6, -8, -4);
  Nanoseconds from = std::numeric_limits<Nanoseconds>::max(), to = 0;
  for (const Distribution& d : shown_)
    if (!d.bins.empty()) {
      from = std::min(from, d.bins.front().from);
      to = std::max(to, d.bins.back().to);
    }
  painter.setPen(theme_->text);
  painter.drawText(all, Qt::AlignLeft | Qt::AlignTop, title_);
  painter.setPen(theme_->muted);
  if (to == 0) {
    painter.drawText(all.adjusted(0, metrics.height() + 4, 0, 0), Qt::TextWordWrap, empty_);
    return;
  }
  if (shown_.size() == 1)
    painter.drawText(all, Qt::AlignRight | Qt::AlignTop, medianOf(shown_.front()));
  if (!note_.isEmpty())
    painter.drawText(all.adjusted(0, metrics.height() + 2, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                     metrics.elidedText(note_, Qt::ElideRight, all.width()));
  paintLegend(painter, all.adjusted(0, metrics.height() + 2, 0, 0));
  painter.setPen(theme_->muted);
  const QRectF plot = this->plot();
  constexpr double kLeastBars = 12;  // lower bars would overlap the text above them
  if (plot.height() < kLeastBars) return;
  // Every bin is as wide as the next: their edges are a logarithmic scale.
  const std::vector<Nanoseconds> edges = this->edges();
  const double step = plot.width() / double(edges.size());
  for (std::size_t s = 0; s < shown_.size(); ++s) {
    const Distribution& d = shown_[s];
    std::uint64_t most = 1;
    for (const Distribution::Bin& bin : d.bins) most = std::max(most, bin.count);
    const double wide = (step - 1) / double(shown_.size());
    for (const Distribution::Bin& bin : d.bins) {
      const double at = double(std::ranges::lower_bound(edges, bin.from) - edges.begin());
      const double high = plot.height() * double(bin.count) / double(most);
      painter.fillRect(QRectF(plot.left() + at * step + double(s) * wide, plot.bottom() - high,
                              std::max(1.0, wide - 1), std::max(bin.count ? 1.0 : 0.0, high)),
                       theme_->series(int(s)).color);
    }
  }
  painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), theme_->border);
  const QRectF below(plot.left(), plot.bottom() + 3, plot.width(), metrics.height());
  if (hasFocus() && current_ >= 0) {
    painter.setPen(theme_->accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(placeOf(current_));
    painter.drawText(below, Qt::AlignLeft,
                     metrics.elidedText(wordsOf(current_), Qt::ElideRight, int(below.width())));
    return;
  }
  painter.drawText(below, Qt::AlignLeft, formatTime(double(from)));
  painter.drawText(below, Qt::AlignRight, formatTime(double(to)));
}

QRectF HistogramView::plot() const {
  const int line = QFontMetrics(textFont(kFontScale)).height();
  const QRect all = rect().adjusted(8, 6, -8, -4);
  const int head = line + 4 + legendHeight() + noteHeight();
  return {double(all.left()), double(all.top() + head), double(all.width()),
          double(all.height() - head - line - 4)};
}

std::vector<Nanoseconds> HistogramView::edges() const {
  std::vector<Nanoseconds> edges;
  for (const Distribution& d : shown_)
    for (const Distribution::Bin& bin : d.bins) edges.push_back(bin.from);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

QRectF HistogramView::placeOf(int bin) const {
  const QRectF all = plot();
  const auto bins = static_cast<int>(edges().size());
  if (bin < 0 || bin >= bins || all.height() <= 0) return {};
  const double step = all.width() / bins;
  return {all.left() + bin * step, all.top(), step - 1, all.height()};
}

QString HistogramView::wordsOf(int bin) const {
  const std::vector<Nanoseconds> starts = edges();
  if (bin < 0 || bin >= static_cast<int>(starts.size())) return {};
  const Nanoseconds from = starts[std::size_t(bin)];
  Nanoseconds to = from;
  QStringList counts;
  for (std::size_t s = 0; s < shown_.size(); ++s)
    for (const Distribution::Bin& one : shown_[s].bins) {
      if (one.from != from) continue;
      to = std::max(to, one.to);
      const QString count = formatCount(std::int64_t(one.count));
      counts << (shown_.size() > 1 && !names_.value(qsizetype(s)).isEmpty()
                     ? uiText("%1: %2").arg(names_.value(qsizetype(s)), count)
                     : count);
    }
  return uiText("%1 to %2: %3")
      .arg(formatTime(double(from)), formatTime(double(to)), counts.join(QStringLiteral(", ")));
}

void HistogramView::setCurrent(int bin) {
  const auto bins = static_cast<int>(edges().size());
  if (bins == 0) return;
  current_ = std::clamp(bin, 0, bins - 1);
  setAccessibleDescription(wordsOf(current_));
  update();
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return setCurrent(current_ - 1);
    case Qt::Key_Right:
      return setCurrent(current_ + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(edges().size()) - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void HistogramView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  if (current_ < 0) setCurrent(0);
  update();
}

void HistogramView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

}  // namespace fusebench

#include "moc_histogram_view.cpp"
