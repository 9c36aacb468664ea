// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/matches_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItem>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostMatchesListed = 500;  ///< the ones that take the most time
constexpr int kTraceSigns = 12;

QStringList cellsOf(const MatchFigures::Match& of) {
  return {formatTime(double(of.total)), formatCount(std::int64_t(of.count)), formatTime(of.mean),
          formatTime(double(of.least)), formatTime(double(of.most))};
}

}  // namespace

MatchesPanel::MatchesPanel(TimelineModel& model, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      figures_(model),
      controls_(new QWidget(this)),
      trace_(new QComboBox(controls_)),
      note_(new QLabel(this)),
      table_(new KernelTable(this)) {
  trace_->setAccessibleName(uiText("Trace whose matches are shown"));
  trace_->setMinimumContentsLength(kTraceSigns);
  trace_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* line = new QHBoxLayout(controls_);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(trace_);
  table_->setAccessibleName(uiText("Search matches"));
  table_->setToolTip(uiText("A click shows the longest one on the timeline"));
  layOutUnder(*note_, *table_);
  connect(trace_, &QComboBox::currentIndexChanged, this,
          [this](int index) { figures_.setTrace(std::size_t(std::max(0, index))); });
  connect(&figures_, &MatchFigures::changed, this, &MatchesPanel::refresh);
  connect(&model_, &TimelineModel::tracesChanged, this, &MatchesPanel::refreshTraces);
  connect(table_, &QTableView::clicked, this, &MatchesPanel::goTo);
  connect(table_, &QTableView::activated, this, &MatchesPanel::goTo);
  refreshTraces();
  refresh();
}

void MatchesPanel::setWanted(bool wanted) {
  figures_.setWanted(wanted);
}

void MatchesPanel::refreshTraces() {
  const QSignalBlocker quiet(trace_);
  trace_->clear();
  for (const auto& shown : model_.shown()) trace_->addItem(shown.title);
  trace_->setCurrentIndex(int(figures_.trace()));
  trace_->setVisible(model_.shown().size() > 1);
}

void MatchesPanel::refresh() {
  const auto made = figures_.made();
  table_->begin({uiText("Name"), uiText("Total"), uiText("Count"), uiText("Mean"), uiText("Min"),
                 uiText("Max")});
  note_->setText(!model_.searchError().isEmpty() ? model_.searchError()
                 : model_.searched().isEmpty()
                     ? uiText("Type a name into the search above to total its matches here. \".*\" "
                              "next to it enables regular expressions.")
                 : made && made->matches.empty() ? uiText("No slice with that name starts here.")
                                                 : QString());
  note_->setVisible(!note_->text().isEmpty());
  if (made && !made->matches.empty()) {
    table_
        ->addKernel(
            uiText("All matches (%1 names)").arg(formatCount(std::int64_t(made->matches.size()))),
            cellsOf(made->all))
        ->setData(made->all.longest, Qt::UserRole);
    for (std::size_t i = 0; i < made->matches.size() && i < kMostMatchesListed; ++i) {
      const MatchFigures::Match& one = made->matches[i];
      table_->addKernel(text(made->trace->nameText(one.name)), cellsOf(one))
          ->setData(one.longest, Qt::UserRole);
    }
  }
  table_->fitColumns();
}

void MatchesPanel::goTo(const QModelIndex& index) {
  const QVariant event = index.siblingAtColumn(0).data(Qt::UserRole);
  if (!event.isNull() && figures_.trace() < model_.shown().size())
    model_.goTo({figures_.trace(), EventId(event.toUInt())});
}

}  // namespace fusebench

#include "moc_matches_panel.cpp"
