// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of two traces: which of several are compared, and what their kernels took.
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItem>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/names_apart.h"
#include "ui/views/timeline/timeline_figures.h"

namespace fusebench {

QStringList TimelineFigures::shortTitles() const {
  QStringList titles;
  for (const auto& shown : model_.shown()) titles << shown.title;
  return namesApart(partsApart(titles),
                    [](const QString& title) { return title.size() <= kShortTitle; });
}

void TimelineFigures::refreshChoice() {
  const std::size_t count = model_.shown().size();
  const auto& shown = model_.shown();
  std::array<std::size_t, 2> kept{count, count};  // their present positions
  for (std::size_t which = 0; which < 2; ++which)
    for (std::size_t trace = 0; trace < count; ++trace)
      if (shown[trace].trace == byHand_[which].lock()) kept[which] = trace;
  chosen_ =
      std::max(kept[0], kept[1]) < count ? kept : std::array{std::size_t{0}, model_.besideFirst()};
  const QStringList titles = shortTitles();
  for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
    QComboBox& list = *compared_[which];
    list.setVisible(!by_->isHidden() && count > 2);
    QStringList entries;
    for (const QString& title : titles)
      entries << (which == 0 ? uiText("A: %1") : uiText("B: %1")).arg(title);
    QStringList before;
    for (int i = 0; i < list.count(); ++i) before << list.itemText(i);
    const QSignalBlocker quiet(list);
    if (entries != before) {
      list.clear();
      list.addItems(entries);
    }
    if (count < 2) continue;
    list.setCurrentIndex(int(chosen_[which]));
    list.setToolTip(list.accessibleName() + u'\n' + model_.shown()[chosen_[which]].title);
  }
}

void TimelineFigures::chooseCompared(std::size_t which) {
  const int index = compared_[which]->currentIndex();
  if (index < 0) return;
  const auto trace = static_cast<std::size_t>(index);
  // Comparing a trace with itself has no meaning, so the two choices are swapped.
  if (chosen_[1 - which] == trace) chosen_[1 - which] = chosen_[which];
  chosen_[which] = trace;
  const auto& shown = model_.shown();
  byHand_ = {shown[chosen_[0]].trace, shown[chosen_[1]].trace};
  refresh();
}

/// Compares the kernels, or groups, of two traces, with the largest difference first.
void TimelineFigures::refreshCompared() {
  const Grouping grouping = model_.grouping();
  QString title = text(nameOf(grouping));
  title[0] = title[0].toUpper();
  table_->begin({title, uiText("A"), uiText("B"), uiText("Difference"), uiText("B / A"),
                 uiText("Count A"), uiText("Count B")});
  // While figures are computed there may be fewer of them than traces.
  if (model_.summaries().size() <= std::max(chosen_[0], chosen_[1])) {
    if (model_.shown().size() == 1)
      note_->setText(
          uiText("There is one trace. \"Add trace to compare…\" adds a second one below it: then "
                 "each kernel's time in both is shown here."));
    return;
  }
  struct Both {
    Nanoseconds time[2] = {};
    std::uint64_t count[2] = {};
    Nanoseconds apart() const { return time[1] - time[0]; }
  };
  std::map<QString, Both> byName;
  for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
    const std::size_t t = chosen_[which];
    const TimelineModel::Figures* figures = figuresOf(model_.summaries()[t]);
    if (!figures) continue;
    const auto add = [&](const QString& name, Nanoseconds time, std::uint64_t count) {
      Both& both = byName[name];
      both.time[which] += time;
      both.count[which] += count;
    };
    if (grouping == Grouping::kernel)
      for (const SpanTotal& total : figures->totals)
        add(text(model_.shown()[t].trace->nameText(total.name)), total.total, total.count);
    else
      for (const GroupTotal& total : figures->groups)
        add(QString::fromStdString(total.name), total.total, total.count);
  }
  std::vector<std::pair<QString, Both>> rows(byName.begin(), byName.end());
  std::ranges::stable_sort(rows, std::greater<>(),
                           [](const auto& row) { return std::abs(row.second.apart()); });
  const auto signedTime = [](Nanoseconds time) {
    return (time < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
           formatTime(std::abs(double(time)));
  };
  const auto add = [&](const QString& name, const Both& both) {
    QStandardItem* first = table_->addKernel(
        name, {both.count[0] > 0 || both.time[0] > 0 ? formatTime(double(both.time[0]))
                                                     : QStringLiteral("–"),
               both.count[1] > 0 || both.time[1] > 0 ? formatTime(double(both.time[1]))
                                                     : QStringLiteral("–"),
               signedTime(both.apart()),
               both.time[0] > 0 && both.time[1] > 0
                   ? formatRatio(double(both.time[1]) / double(both.time[0]))
                   : QStringLiteral("–"),
               formatCount(std::int64_t(both.count[0])), formatCount(std::int64_t(both.count[1]))});
    return first;
  };
  Both all;
  for (const auto& [name, both] : rows)
    for (const int t : {0, 1}) {
      all.time[t] += both.time[t];
      all.count[t] += both.count[t];
    }
  add(uiText("All together"), all);
  for (std::size_t i = 0; i < rows.size() && i < std::size_t(kMostRowsShown); ++i)
    if (QStandardItem* first = add(rows[i].first, rows[i].second); grouping == Grouping::kernel)
      first->setData(rows[i].first, Qt::UserRole);
  note_->setText(uiText("A: %1. B: %2. Total times, in %3.")
                     .arg(model_.shown()[chosen_[0]].title, model_.shown()[chosen_[1]].title,
                          model_.selection() ? uiText("what is selected")
                                             : uiText("everything that was recorded")));
}

}  // namespace fusebench
