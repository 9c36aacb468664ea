// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/roofline_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItem>
#include <algorithm>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostPointsListed = 500;  ///< the ones that take the most time
constexpr int kTitleSigns = 12, kTableWidth = 270, kLeastChart = 262;
constexpr double kBytesPerUnit = 1e9;

/// Smaller rates are shown by the tooltip, where their unit fits them.
constexpr double kLeastRate = 0.001;

QString orDash(double value) {
  if (value > 0 && value < kLeastRate) return QStringLiteral("<0.001");
  return value > 0 ? formatSignificant(value) : QStringLiteral("–");
}

QString shareOf(Nanoseconds part, Nanoseconds whole) {
  return QString::number(100 * double(part) / double(std::max<Nanoseconds>(1, whole)), 'f', 1) +
         QStringLiteral("%");
}

}  // namespace

RooflinePanel::RooflinePanel(TimelineModel& model, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      figures_(model),
      controls_(new QWidget(this)),
      trace_(new QComboBox(controls_)),
      chart_(new RooflineChart(this)),
      table_(new KernelTable(this)),
      note_(new QLabel(this)) {
  layOut();
  connect(trace_, &QComboBox::currentIndexChanged, this,
          [this](int index) { figures_.setTrace(std::size_t(std::max(0, index))); });
  connect(&figures_, &RooflineFigures::changed, this, &RooflinePanel::refresh);
  connect(&model_, &TimelineModel::tracesChanged, this, &RooflinePanel::refreshTraces);
  connect(&model_, &TimelineModel::currentChanged, this, &RooflinePanel::markCurrent);
  connect(chart_, &RooflineChart::pointChosen, this, &RooflinePanel::choose);
  const auto activate = [this](const QModelIndex& index) { choose(std::uint32_t(index.row())); };
  connect(table_, &QTableView::activated, this, activate);
  connect(table_, &QTableView::clicked, this, activate);
  refreshTraces();
  refresh();
}

void RooflinePanel::layOut() {
  trace_->setAccessibleName(uiText("Trace whose roofline is drawn"));
  trace_->setMinimumContentsLength(kTitleSigns);
  trace_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* line = new QHBoxLayout(controls_);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(trace_);
  table_->setAccessibleName(uiText("Operators and what bounds them"));
  table_->setToolTip(uiText("A click shows the longest call on the timeline"));
  auto* parts = parts_ = new QSplitter(Qt::Horizontal, this);
  connect(parts_, &QSplitter::splitterMoved, this, [this] { widthChosen_ = true; });
  parts->setHandleWidth(1);
  parts->setChildrenCollapsible(false);
  parts->addWidget(chart_);
  parts->addWidget(table_);
  layOutUnder(*note_, *parts);
}

void RooflinePanel::setTheme(const Theme& theme) {
  chart_->setTheme(theme);
}

void RooflinePanel::resizeEvent(QResizeEvent* event) {
  FiguresPanel::resizeEvent(event);
  shareWidth();
}

/// The table gets what its columns need, and the chart the rest: a chart can be narrow, but a
/// figure that has to be scrolled to is not seen.
void RooflinePanel::shareWidth() {
  if (widthChosen_) return;
  const int wanted = std::max(table_->leastWidth(), 2 * width() / 5);
  const int table = std::max(kTableWidth, std::min(wanted, width() - kLeastChart));
  parts_->setSizes({width() - table, table});
}

void RooflinePanel::setWanted(bool wanted) {
  figures_.setWanted(wanted);
}

void RooflinePanel::refreshTraces() {
  const QSignalBlocker quiet(trace_);
  trace_->clear();
  for (const auto& shown : model_.shown()) trace_->addItem(shown.title);
  trace_->setCurrentIndex(int(figures_.trace()));
  trace_->setVisible(model_.shown().size() > 1);
}

void RooflinePanel::refresh() {
  const auto made = figures_.made();
  chart_->setFigures(made, figures_.busy());
  table_->begin({uiText("Operator"), uiText("Time"), uiText("Bound by"), uiText("Share of roof"),
                 uiText("TFLOP/s"), uiText("GB/s"), uiText("FLOP/byte"), uiText("Calls")});
  table_->explainTitle(3, uiText("Share of the rate that the device can attain at this FLOP/byte"));
  if (made)
    for (std::size_t i = 0; i < made->roofline.points.size() && i < kMostPointsListed; ++i) {
      const RooflinePoint& one = made->roofline.points[i];
      QStandardItem* const first = table_->addKernel(
          // Rows of one operator differ by their shapes.
          text(one.shapes.empty() ? one.op : one.op + " " + one.shapes),
          {formatTime(double(one.time)), text(saidAs("bound", nameOf(one.bound))),
           one.reached > 0 ? QString::number(100 * one.reached, 'f', 1) + QStringLiteral("%")
                           : QStringLiteral("–"),
           orDash(one.tflops), orDash(one.bandwidth), orDash(one.intensity),
           formatCount(std::int64_t(one.calls))});
      first->setToolTip(chart_->wordsOf(std::uint32_t(i)));
    }
  table_->fitColumns();
  shareWidth();
  refreshNote();
  markCurrent();
}

/// Says which points the picture lacks, and whose rates it has.
void RooflinePanel::refreshNote() {
  const auto made = figures_.made();
  QStringList said;
  if (made && model_.selection() && !made->roofline.points.empty())
    said << uiText("Time and calls cover the selected range; rates and bounds cover whole calls");
  if (made) {
    const Roofline& roofline = made->roofline;
    if (roofline.peak)
      said << uiText("%1: %2 to memory; rates from: %3")
                  .arg(text(made->trace->device()),
                       formatRate(roofline.peak->bandwidth * kBytesPerUnit),
                       text(roofline.peak->source));
    else if (!roofline.points.empty())
      said << (roofline.device
                   ? uiText("The peak rates of this device are not known: no roof is drawn")
                   : uiText("Times are those of the host, whose peak rates are not known: "
                            "no roof is drawn"));
    Nanoseconds unknown = 0, idle = 0;
    std::int64_t unknowns = 0, idles = 0;
    for (const RooflinePoint& one : roofline.points) {
      if (one.bytes <= 0) {
        unknown += one.time;
        ++unknowns;
      } else if (one.flops <= 0) {
        idle += one.time;
        ++idles;
      }
    }
    if (unknowns > 0)
      said << (made->trace->hasOperatorArguments()
                   ? uiText("not drawn: operators with unknown arithmetic (%1), %2 of the time")
                         .arg(formatCount(unknowns), shareOf(unknown, made->total))
                   : uiText("no shapes are recorded (use record_shapes=True); not drawn: operators "
                            "with unknown arithmetic (%1), %2 of the time")
                         .arg(formatCount(unknowns), shareOf(unknown, made->total)));
    if (idles > 0)
      said << uiText("not drawn: operators that only move data (%1), %2 of the time")
                  .arg(formatCount(idles), shareOf(idle, made->total));
  }
  note_->setText(said.join(QStringLiteral("  ·  ")));
  note_->setVisible(!said.isEmpty());
}

void RooflinePanel::markCurrent() {
  const auto made = figures_.made();
  const auto& current = model_.current();
  if (!made || !current || current->trace != figures_.trace()) return;
  const std::uint32_t point = made->placesByEvent.of(current->event);
  chart_->mark(point);
  if (point >= std::uint32_t(table_->model()->rowCount())) return table_->clearSelection();
  const QModelIndex row = table_->model()->index(int(point), 0);
  table_->setCurrentIndex(row);
  table_->scrollTo(row);
}

void RooflinePanel::choose(std::uint32_t point) {
  const auto made = figures_.made();
  if (!made || point >= made->roofline.points.size()) return;
  chart_->mark(point);
  const EventId longest = made->roofline.points[point].longest;
  if (longest != kNoEvent) model_.goTo({figures_.trace(), longest});
}

}  // namespace fusebench

#include "moc_roofline_panel.cpp"
