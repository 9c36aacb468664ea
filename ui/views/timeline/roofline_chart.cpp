// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/roofline_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string_view>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/theme/colors.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

constexpr double kLeft = 62, kRight = 14, kTop = 26, kBottom = 40;  ///< around the axes
constexpr double kLeastRadius = 4, kMostRadius = 11, kReach = 6;    ///< pixels
constexpr double kGiga = 1e9, kTeraInGiga = 1000, kLegendLine = 17;
constexpr double kLegendSize = 0.9;  ///< relative to the usual text

/// How a class is drawn. Classes that are rare among operators with arithmetic share one.
struct ClassLook {
  const char* name;
  MarkerShape shape;
  int color;  ///< in Theme::seriesColors
};
constexpr std::array<ClassLook, 6> kLooks = {{
    {uiMark("matmul"), MarkerShape::circle, 0},
    {uiMark("convolution"), MarkerShape::square, 1},
    {uiMark("attention"), MarkerShape::diamond, 3},
    {uiMark("pointwise"), MarkerShape::triangle, 4},
    {uiMark("reduction, normalization"), MarkerShape::plus, 5},
    {uiMark("other"), MarkerShape::cross, 2},
}};

std::size_t lookOf(KernelClass kind) {
  switch (kind) {
    case KernelClass::matmul:
      return 0;
    case KernelClass::convolution:
      return 1;
    case KernelClass::attention:
      return 2;
    case KernelClass::pointwise:
    case KernelClass::optimizer:
    case KernelClass::random:
      return 3;
    case KernelClass::reduction:
    case KernelClass::normalization:
    case KernelClass::scan:
      return 4;
    default:
      return 5;
  }
}

QPainterPath markPath(MarkerShape shape, double r) {
  QPainterPath path;
  switch (shape) {
    case MarkerShape::circle:
      path.addEllipse(QPointF(), r, r);
      break;
    case MarkerShape::square:
      path.addRect(-0.88 * r, -0.88 * r, 1.76 * r, 1.76 * r);
      break;
    case MarkerShape::diamond:
      path.addPolygon(QPolygonF({{0, -1.25 * r}, {1.25 * r, 0}, {0, 1.25 * r}, {-1.25 * r, 0}}));
      path.closeSubpath();
      break;
    case MarkerShape::triangle:
      path.addPolygon(QPolygonF({{0, -1.2 * r}, {1.15 * r, 0.9 * r}, {-1.15 * r, 0.9 * r}}));
      path.closeSubpath();
      break;
    case MarkerShape::plus:
    case MarkerShape::cross: {
      const double a = 0.36 * r, b = 1.1 * r;
      path.addPolygon(QPolygonF({{-a, -b},
                                 {a, -b},
                                 {a, -a},
                                 {b, -a},
                                 {b, a},
                                 {a, a},
                                 {a, b},
                                 {-a, b},
                                 {-a, a},
                                 {-b, a},
                                 {-b, -a},
                                 {-a, -a}}));
      path.closeSubpath();
      if (shape == MarkerShape::cross) path = QTransform().rotate(45).map(path);
      break;
    }
  }
  return path;
}

/// "495 TFLOP/s"
QString rateText(double gigaflops) {
  constexpr std::array<const char*, 5> kUnits = {"kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s",
                                                 "PFLOP/s"};
  double value = gigaflops * kGiga / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return formatSignificant(value) + u' ' + QLatin1String(kUnits[unit]);
}

/// "10 T" at 10^13 FLOP/s, of a power of ten of GFLOP/s.
QString tickText(double power) {
  constexpr std::string_view kPrefixes = " kMGTP";
  const int digits = std::max(0, int(std::lround(power)) + 9);
  const int unit = std::min(digits / 3, int(kPrefixes.size()) - 1);
  return QString::number(std::pow(10, digits - 3 * unit)) + u' ' +
         QLatin1Char(kPrefixes[std::size_t(unit)]);
}

/// Half of the peaks are the same rate by another name: each rate once, the fastest name first.
std::vector<std::pair<double, QString>> peaksOf(const DevicePeak& peak) {
  const std::pair<double, const char*> kAll[] = {{peak.float8, "float8"},
                                                 {peak.half, "float16, bfloat16"},
                                                 {peak.tf32, "TF32"},
                                                 {peak.float32, "float32"}};
  std::vector<std::pair<double, QString>> found;
  for (const auto& [rate, name] : kAll)
    if (rate > 0 && (found.empty() || rate < found.back().first * 0.95))
      found.emplace_back(rate, QLatin1String(name));
  return found;
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  setMouseTracking(true);
  setAccessibleName(uiText("Roofline of operators"));
}

void RooflineChart::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void RooflineChart::setFigures(std::shared_ptr<const RooflineFigures::Made> made, bool busy) {
  if (made == made_ && busy == busy_) return;
  made_ = std::move(made);
  busy_ = busy;
  marked_ = hovered_ = kNoPoint;
  layOut();
}

void RooflineChart::mark(std::uint32_t point) {
  if (point == marked_) return;
  marked_ = point;
  if (point != kNoPoint) setAccessibleDescription(wordsOf(point));
  update();
}

void RooflineChart::layOut() {
  marks_.clear();
  roofs_.clear();
  span_.reset();
  update();
  if (!made_) return;
  Span span{1e9, -1e9, 1e9, -1e9};
  const auto include = [&span](double intensity, double gigaflops) {
    span.left = std::min(span.left, std::log10(intensity));
    span.right = std::max(span.right, std::log10(intensity));
    span.bottom = std::min(span.bottom, std::log10(gigaflops));
    span.top = std::max(span.top, std::log10(gigaflops));
  };
  const Roofline& roofline = made_->roofline;
  for (const RooflinePoint& one : roofline.points)
    if (one.intensity > 0 && one.tflops > 0) include(one.intensity, one.tflops * kTeraInGiga);
  if (span.left > span.right) return;
  if (const DevicePeak* const peak = roofline.peak) {
    for (const auto& [rate, name] : peaksOf(*peak)) {
      include(rate * kTeraInGiga / peak->bandwidth, rate * kTeraInGiga);
      roofs_ << name + QStringLiteral("  ") + rateText(rate * kTeraInGiga);
    }
    roofs_ << formatRate(peak->bandwidth * kGiga);
  }
  // Room for the roofs' labels, and for marks at the edges.
  span_ = Span{std::floor(span.left - 0.15), std::ceil(span.right + 0.15),
               std::floor(span.bottom - 0.1), span.top + 0.45};
  for (std::uint32_t i = 0; i < roofline.points.size(); ++i) {
    const RooflinePoint& one = roofline.points[i];
    if (one.intensity <= 0 || one.tflops <= 0) continue;
    const double share = double(one.time) / double(std::max<Nanoseconds>(1, made_->total));
    marks_.push_back({placeOf(one.intensity, one.tflops * kTeraInGiga),
                      kLeastRadius + (kMostRadius - kLeastRadius) * std::sqrt(share), i});
  }
}

QRectF RooflineChart::area() const {
  const std::vector<QPointF> legend = legendPlaces();
  const double top = kTop + (legend.empty() ? 0 : legend.back().y());
  return QRectF(kLeft, top, std::max(1.0, width() - kLeft - kRight),
                std::max(1.0, height() - top - kBottom));
}

QPointF RooflineChart::placeOf(double intensity, double gigaflops) const {
  const QRectF axes = area();
  return {axes.left() +
              axes.width() * (std::log10(intensity) - span_->left) / (span_->right - span_->left),
          axes.bottom() - axes.height() * (std::log10(gigaflops) - span_->bottom) /
                              (span_->top - span_->bottom)};
}

QString RooflineChart::wordsOf(std::uint32_t point) const {
  if (!made_ || point >= made_->roofline.points.size()) return {};
  const RooflinePoint& one = made_->roofline.points[point];
  QStringList lines{text(one.op)};
  if (!one.shapes.empty()) lines << text(one.shapes + " " + one.dtypes).trimmed();
  lines << uiText("%1 in %2 calls")
               .arg(formatTime(double(one.time)), formatCount(std::int64_t(one.calls)));
  if (one.tflops > 0)
    lines << rateText(one.tflops * kTeraInGiga) + QStringLiteral(", ") +
                 formatRate(one.bandwidth * kGiga) + QStringLiteral(", ") +
                 uiText("%1 FLOP/byte").arg(formatSignificant(one.intensity));
  if (one.reached > 0)
    lines << uiText("%1% of the attainable rate").arg(formatSignificant(100 * one.reached));
  lines << uiText("bound by %1").arg(text(saidAs("bound", nameOf(one.bound))));
  return lines.join(u'\n');
}

void RooflineChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->panel);
  painter.setFont(textFont(kLegendSize));
  if (!span_) {
    painter.setPen(theme_->muted);
    painter.setFont(textFont());
    painter.drawText(
        rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
        busy_ ? uiText("Summarizing operators…")
              : uiText("No operator with known arithmetic is recorded here. Record shapes with "
                       "record_shapes=True."));
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paintGrid(painter);
  paintRoofs(painter);
  painter.setClipRect(area().adjusted(-kMostRadius, -kMostRadius, kMostRadius, kMostRadius));
  for (const Mark& mark : marks_) paintMark(painter, mark);
  // The chosen one is above the others.
  for (const Mark& mark : marks_)
    if (mark.point == marked_ || mark.point == hovered_) paintMark(painter, mark);
  painter.setClipping(false);
  paintLegend(painter);
}

void RooflineChart::paintGrid(QPainter& painter) {
  const QRectF axes = area();
  for (double power = span_->left; power <= span_->right + 1e-9; ++power) {
    const double x = placeOf(std::pow(10, power), 1).x();
    painter.setPen(theme_->grid);
    painter.drawLine(QPointF(x, axes.top()), QPointF(x, axes.bottom()));
    painter.setPen(theme_->muted);
    const QString words = formatSignificant(std::pow(10, power), 1);
    const double half = painter.fontMetrics().horizontalAdvance(words) / 2.0 + 1;
    painter.drawText(
        QRectF(std::min(x - half, width() - 2 * half), axes.bottom() + 3, 2 * half, 16),
        Qt::AlignHCenter | Qt::AlignTop, words);
  }
  for (double power = std::ceil(span_->bottom); power <= span_->top; ++power) {
    const double y = placeOf(1, std::pow(10, power)).y();
    painter.setPen(theme_->grid);
    painter.drawLine(QPointF(axes.left(), y), QPointF(axes.right(), y));
    painter.setPen(theme_->muted);
    painter.drawText(QRectF(0, y - 8, axes.left() - 7, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tickText(power));
  }
  painter.drawText(QRectF(axes.left(), height() - 20, axes.width(), 18), Qt::AlignCenter,
                   uiText("Arithmetic intensity, FLOP/byte"));
  painter.drawText(QRectF(4, 4, kLeft + 40, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   uiText("FLOP/s"));
}

void RooflineChart::paintRoofs(QPainter& painter) {
  const DevicePeak* const peak = made_->roofline.peak;
  if (!peak) return;
  const QRectF axes = area();
  const auto rates = peaksOf(*peak);
  if (rates.empty()) return;
  painter.save();
  painter.setClipRect(axes.adjusted(0, -kTop, kRight, 0));
  const auto ridge = [&](double rate) {
    return placeOf(rate * kTeraInGiga / peak->bandwidth, rate * kTeraInGiga);
  };
  const QPen line(theme_->text, 1.6);
  const QFontMetricsF metrics(painter.font());
  // The slope up to the highest rate: GFLOP/s are FLOP/byte times GB/s.
  const double begin = std::pow(10, span_->left);
  const QPointF low = placeOf(begin, begin * peak->bandwidth), high = ridge(rates.front().first);
  painter.setPen(line);
  painter.drawLine(low, high);
  painter.setPen(theme_->text);
  painter.save();
  // Along the slope, where it has come above the axis.
  const double angle = std::atan2(high.y() - low.y(), high.x() - low.x()) * 180 / std::numbers::pi;
  const double share =
      std::clamp((low.y() - axes.bottom()) / std::max(1.0, low.y() - high.y()), 0.0, 0.8) + 0.06;
  painter.translate(low + (high - low) * share);
  painter.rotate(angle);
  painter.drawText(QPointF(0, -6), roofs_.back());
  painter.restore();
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const QPointF from = ridge(rates[i].first);
    painter.setPen(QPen(theme_->text, 1.6, i == 0 ? Qt::SolidLine : Qt::DashLine));
    painter.drawLine(from, QPointF(axes.right() + kRight, from.y()));
  }
  // Labels are above the slope, where no mark can be. The fastest rate is the rarest one, so its
  // label gives way to the others.
  std::vector<QRectF> taken;
  for (std::size_t i = 1; i <= rates.size(); ++i) {
    const std::size_t at = i % rates.size();
    const QPointF end = ridge(rates[at].first);
    const double wide = metrics.horizontalAdvance(roofs_[qsizetype(at)]);
    const QRectF place(std::max(axes.left(), end.x() - wide - 6), end.y() - metrics.height() / 2,
                       wide, metrics.height());
    if (std::ranges::any_of(taken, [&](const QRectF& one) { return one.intersects(place); }))
      continue;
    taken.push_back(place);
    painter.drawText(place, Qt::AlignCenter, roofs_[qsizetype(at)]);
  }
  painter.restore();
}

void RooflineChart::paintMark(QPainter& painter, const Mark& mark) {
  const ClassLook& look = kLooks[lookOf(made_->roofline.points[mark.point].kind)];
  const bool chosen = mark.point == marked_, lit = mark.point == hovered_;
  QColor fill = theme_->seriesColors[std::size_t(look.color)];
  fill.setAlphaF(chosen || lit ? 1.0F : 0.8F);
  painter.save();
  painter.translate(mark.place);
  painter.setPen(QPen(chosen || lit ? theme_->text : theme_->panel, chosen ? 2 : 1));
  painter.setBrush(fill);
  painter.drawPath(markPath(look.shape, mark.radius));
  painter.restore();
}

std::vector<std::size_t> RooflineChart::usedLooks() const {
  std::set<std::size_t> used;
  if (made_)
    for (const RooflinePoint& one : made_->roofline.points)
      if (one.intensity > 0 && one.tflops > 0) used.insert(lookOf(one.kind));
  return {used.begin(), used.end()};
}

/// The classes that there are, above the axes in as many lines as they need.
std::vector<QPointF> RooflineChart::legendPlaces() const {
  const QFontMetricsF metrics(textFont(kLegendSize));
  std::vector<QPointF> places;
  double x = kLeft + 8, y = 0;
  for (const std::size_t look : usedLooks()) {
    const double wide = 18 + metrics.horizontalAdvance(uiText(kLooks[look].name));
    if (x + wide > width() - kRight && x > kLeft + 8) {
      x = kLeft + 8;
      y += kLegendLine;
    }
    places.emplace_back(x, y);
    x += wide + 12;
  }
  return places;
}

void RooflineChart::paintLegend(QPainter& painter) {
  const std::vector<std::size_t> used = usedLooks();
  const std::vector<QPointF> places = legendPlaces();
  for (std::size_t i = 0; i < used.size(); ++i) {
    const ClassLook& look = kLooks[used[i]];
    painter.save();
    painter.translate(places[i].x() + 6, places[i].y() + 12);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_->seriesColors[std::size_t(look.color)]);
    painter.drawPath(markPath(look.shape, 4.5));
    painter.restore();
    painter.setPen(theme_->muted);
    painter.drawText(places[i] + QPointF(16, 16), uiText(look.name));
  }
}

void RooflineChart::resizeEvent(QResizeEvent*) {
  layOut();
}

const RooflineChart::Mark* RooflineChart::markAt(QPointF position) const {
  const Mark* best = nullptr;
  double nearest = 0;
  for (const Mark& mark : marks_) {
    const double away =
        std::hypot(mark.place.x() - position.x(), mark.place.y() - position.y()) - mark.radius;
    if (away > kReach || (best && away >= nearest)) continue;
    best = &mark;
    nearest = away;
  }
  return best;
}

bool RooflineChart::event(QEvent* event) {
  if (event->type() == QEvent::Leave && hovered_ != kNoPoint) {
    hovered_ = kNoPoint;
    update();
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const Mark* const mark = markAt(help->pos()))
      showTip(help->globalPos(), wordsOf(mark->point), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
  const Mark* const mark = markAt(event->position());
  const std::uint32_t point = mark ? mark->point : kNoPoint;
  if (point == hovered_) return;
  hovered_ = point;
  setCursor(mark ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void RooflineChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Mark* const mark = markAt(event->position());
  if (mark) emit pointChosen(mark->point);
}

/// From left to right among the marks.
void RooflineChart::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && marked_ != kNoPoint) {
    emit pointChosen(marked_);
    return;
  }
  if (step == 0 || marks_.empty()) return QWidget::keyPressEvent(event);
  std::vector<const Mark*> order;
  for (const Mark& each : marks_) order.push_back(&each);
  std::ranges::stable_sort(order, {}, [](const Mark* each) { return each->place.x(); });
  const auto at = std::ranges::find(order, marked_, [](const Mark* each) { return each->point; });
  const std::ptrdiff_t next =
      at == order.end()
          ? (step > 0 ? 0 : std::ssize(order) - 1)
          : std::clamp<std::ptrdiff_t>(at - order.begin() + step, 0, std::ssize(order) - 1);
  mark(order[std::size_t(next)]->point);
}

}  // namespace fusebench

#include "moc_roofline_chart.cpp"
