// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scatter/scatter_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/export/figures/figure_paint.h"
#include "ui/export/figures/scatter_figure.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/documents.h"
#include "ui/views/base/flow_layout.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

QComboBox* metricBox(const QString& label, bool optional, Metric first, QWidget* bar) {
  auto* pair = new QWidget(bar);
  auto* row = new QHBoxLayout(pair);
  row->setContentsMargins(0, 0, 0, 0);
  auto* name = new QLabel(label, pair);
  auto* box = new QComboBox(pair);
  if (optional) box->addItem(uiText("Nothing"), -1);
  for (const Metric metric : kScatterMetrics)
    box->addItem(metricName(metric), static_cast<int>(metric));
  box->setCurrentIndex(box->findData(static_cast<int>(first)));
  box->setAccessibleName(label);
  name->setBuddy(box);
  row->addWidget(name);
  row->addWidget(box);
  bar->layout()->addWidget(pair);
  return box;
}

std::optional<Metric> chosen(const QComboBox& box) {
  const int value = box.currentData().toInt();
  return value < 0 ? std::nullopt : std::optional(static_cast<Metric>(value));
}

}  // namespace

ScatterView::ScatterView(RunModel& run, QWidget* parent)
    : QWidget(parent),
      run_(run),
      theme_(darkTheme()),
      bar_(new QWidget(this)),
      room_(new QWidget(this)),
      card_(new EmptyCard(room_)) {
  card_->button().hide();
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  // A narrow view has them in two rows.
  auto* row = new FlowLayout(bar_, 8);
  row->setContentsMargins(12, 6, 12, 6);
  along_ = metricBox(uiText("X axis"), false, Metric::latency, bar_);
  upwards_ = metricBox(uiText("Y axis"), false, Metric::error, bar_);
  size_ = metricBox(uiText("Size"), true, Metric::memory, bar_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(bar_);
  layout->addStretch(1);
  for (QComboBox* box : {along_, upwards_, size_})
    connect(box, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
  connect(&run_, &RunModel::runReset, this, &ScatterView::refresh);
  connect(&run_, &RunModel::cellsChanged, this, [this] { refresh(); });
  connect(&run_, &RunModel::completed, this, &ScatterView::refresh);
  refresh();
}

void ScatterView::setTheme(const Theme& theme) {
  theme_ = theme;
  refresh();
}

void ScatterView::setSlice(std::size_t slice) {
  slice_ = slice;
  refresh();
}

QRectF ScatterView::plotArea() const {
  return QRectF(rect()).adjusted(0, bar_->layout()->heightForWidth(width()), 0, 0);
}

void ScatterView::refresh() {
  ScatterContent content;
  content.x = *chosen(*along_);
  content.y = *chosen(*upwards_);
  content.size = chosen(*size_);
  if (const Run* const run = run_.run()) {
    const auto reference = referenceFor(run->experiment);
    content = scatterContent(*run, run_.summaries(), slice_, content.x, content.y, content.size,
                             reference ? &*reference : nullptr);
  }
  FigureStyle style;
  style.theme = theme_;
  style.size = plotArea().size().expandedTo({240, 160});
  style.caption = scatterCaption(content);
  // Axes without a mark would say nothing.
  room_->setVisible(content.points.empty());
  room_->setGeometry(plotArea().toRect());
  if (run_.run())
    card_->setWords(uiText("No data point of this run has both metrics."),
                    uiText("Choose others above. Errors are known once results were checked: those "
                           "of a run that was recorded elsewhere may be missing."));
  else
    card_->setWords(uiText("What does a gain cost?"),
                    uiText("After a run, each data point is a mark here, placed by two of its "
                           "metrics, such as time and error."));
  card_->placeIn(room_->size());
  figure_ = scatterFigure(content, style);
  current_ = std::min(current_, static_cast<int>(figure_.spots.size()) - 1);
  setAccessibleDescription(current_ < 0 ? figure_.description : wordsOf(current_));
  update();
}

void ScatterView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme_.panel);
  if (room_->isVisible()) return;
  painter.save();
  painter.translate(plotArea().topLeft());
  paintFigure(figure_, painter);
  painter.restore();
  if (!hasFocus() || current_ < 0) return;
  painter.setPen(QPen(theme_.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(placeOf(current_).adjusted(-2, -2, 2, 2));
}

QRectF ScatterView::placeOf(int spot) const {
  return figure_.spots[static_cast<std::size_t>(spot)].area.translated(plotArea().topLeft());
}

QString ScatterView::wordsOf(int spot) const {
  const FigureSpot& of = figure_.spots[static_cast<std::size_t>(spot)];
  QString text = of.title;
  for (const FigureSpot::Row& row : of.rows)
    text += QStringLiteral("\n%1: %2").arg(row.name, row.value);
  return text;
}

void ScatterView::setCurrent(int spot) {
  if (figure_.spots.empty()) return;
  current_ = std::clamp(spot, 0, static_cast<int>(figure_.spots.size()) - 1);
  setAccessibleDescription(wordsOf(current_));
  update();
}

void ScatterView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
      return setCurrent(current_ - 1);
    case Qt::Key_Right:
    case Qt::Key_Down:
      return setCurrent(current_ + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(figure_.spots.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0)
        showTip(mapToGlobal(placeOf(current_).center().toPoint()), wordsOf(current_), this);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ScatterView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  if (current_ < 0) setCurrent(0);
}

void ScatterView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  refresh();
}

/// Shows a tool tip about the mark under the pointer.
bool ScatterView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  const QPointF place = QPointF(help.pos()) - plotArea().topLeft();
  const auto spot = std::find_if(figure_.spots.rbegin(), figure_.spots.rend(),
                                 [&](const FigureSpot& each) { return each.area.contains(place); });
  if (spot == figure_.spots.rend()) {
    QToolTip::hideText();
    return true;
  }
  showTip(help.globalPos(), wordsOf(static_cast<int>(figure_.spots.rend() - spot) - 1), this);
  return true;
}

}  // namespace fusebench

#include "moc_scatter_view.cpp"
