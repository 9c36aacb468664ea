// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/histogram_view.h"

#include <QPainter>
#include <algorithm>
#include <limits>

#include "ui/models/format.h"

namespace fusebench {

HistogramView::HistogramView(QString title, QString empty, QWidget* parent)
    : QWidget(parent), title_(std::move(title)), empty_(std::move(empty)) {
  setMinimumSize(190, 70);
}

void HistogramView::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void HistogramView::setDistributions(std::vector<Distribution> distributions) {
  shown_ = std::move(distributions);
  QStringList said;
  for (const Distribution& d : shown_)
    if (d.count > 0)
      said << tr("median %1, 95% below %2, %3 in all")
                  .arg(formatTime(double(d.median)), formatTime(double(d.p95)),
                       formatCount(std::int64_t(d.count)));
  setAccessibleName(title_ + QStringLiteral(": ") +
                    (said.isEmpty() ? empty_ : said.join(QStringLiteral("; "))));
  setToolTip(said.isEmpty() ? QString() : accessibleName());
  update();
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(textFont(0.9));
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
  const auto median =
      std::ranges::find_if(shown_, [](const Distribution& d) { return d.count > 0; });
  painter.drawText(all, Qt::AlignRight | Qt::AlignTop,
                   tr("median %1").arg(formatTime(double(median->median))));
  const QRectF plot(all.left(), all.top() + metrics.height() + 4, all.width(),
                    all.height() - 2 * metrics.height() - 8);
  // Every bin is as wide as the next: their edges are a logarithmic scale.
  std::vector<Nanoseconds> edges;
  for (const Distribution& d : shown_)
    for (const Distribution::Bin& bin : d.bins) edges.push_back(bin.from);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
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
  painter.drawText(below, Qt::AlignLeft, formatTime(double(from)));
  painter.drawText(below, Qt::AlignRight, formatTime(double(to)));
}

}  // namespace fusebench
