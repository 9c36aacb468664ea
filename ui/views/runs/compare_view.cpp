// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/compare_view.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/run_words.h"
#include "ui/views/runs/ratio_plot.h"

namespace fusebench {
namespace {

constexpr int kCompareRowHeight = 24, kComparePadding = 9, kCompareSwatch = 9;
constexpr int kRowsMeasured = 300;  ///< for the columns' widths; all would take long

/// Colors a verdict: accent for faster, warning for slower. The text states the verdict as well.
class ComparedDelegate : public QStyledItemDelegate {
 public:
  ComparedDelegate(const Theme* const& theme, const RunComparisonModel& model, QObject* parent)
      : QStyledItemDelegate(parent), theme_(theme), model_(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme_->raised);
    QRect box = option.rect.adjusted(kComparePadding, 0, -kComparePadding, 0);
    const int column = index.column() - model_.axisCount();
    if (column == RunComparisonModel::variantColumn) {
      const int series = index.data(RunComparisonModel::VariantRole).toInt();
      painter->fillRect(
          QRect(box.left(), box.center().y() - kCompareSwatch / 2, kCompareSwatch, kCompareSwatch),
          theme_->series(series).color);
      box.adjust(kCompareSwatch + 7, 0, 0, 0);
    }
    const int verdict = index.data(RunComparisonModel::VerdictRole).toInt();
    QColor ink = theme_->text;
    if (column == RunComparisonModel::verdictColumn) {
      if (verdict == static_cast<int>(RunVerdict::faster))
        ink = theme_->accent;
      else if (verdict == static_cast<int>(RunVerdict::slower))
        ink = theme_->warning;
      else
        ink = theme_->muted;
    } else if (column == RunComparisonModel::intervalColumn) {
      ink = theme_->muted;
    }
    painter->setPen(ink);
    painter->setFont(isWords(column) ? textFont() : monoFont(0.94));
    painter->drawText(box, index.data(Qt::TextAlignmentRole).toInt(), index.data().toString());
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const int column = index.column() - model_.axisCount();
    const int width = QFontMetrics(isWords(column) ? textFont() : monoFont(0.94))
                          .horizontalAdvance(index.data().toString());
    return {width + 2 * kComparePadding + 2 +
                (column == RunComparisonModel::variantColumn ? kCompareSwatch + 7 : 0),
            kCompareRowHeight};
  }

 private:
  static bool isWords(int column) {
    return column == RunComparisonModel::variantColumn ||
           column == RunComparisonModel::verdictColumn;
  }
  const Theme* const& theme_;
  const RunComparisonModel& model_;
};

QLabel* wrappingLabel(QWidget* parent, const QString& accessible) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setAccessibleName(accessible);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setContextMenuPolicy(Qt::NoContextMenu);  // the view's own, with its export
  return label;
}

}  // namespace

CompareView::CompareView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("compare"));
  setProperty("ring", true);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  empty_ = new QWidget(this);
  card_ = new EmptyCard(empty_);
  card_->setWords(uiText("Which run is faster, and where?"),
                  uiText("Under Runs, select two or more and press Compare. The oldest is then "
                         "compared with each of the others: the times of both for every variant "
                         "and size, and the ratio of the later one's time, with its interval."));
  card_->button().setText(uiText("Show the runs"));
  connect(&card_->button(), &QPushButton::clicked, this, &CompareView::runsWanted);
  content_ = new QWidget(this);
  auto* text = new QWidget;
  header_ = wrappingLabel(text, uiText("The two runs"));
  differences_ = wrappingLabel(text, uiText("What differs between the runs"));
  summary_ = wrappingLabel(text, uiText("What the comparison shows"));
  export_ = new QPushButton(uiText("Export comparison…"), content_);
  connect(export_, &QPushButton::clicked, this, [this] {
    if (!runs_.empty()) emit exportRequested(runs_, runs_[b_].name);
  });
  auto* lines = new QVBoxLayout(text);
  lines->setContentsMargins(14, 12, 14, 10);
  lines->setSpacing(8);
  lines->addWidget(summary_);
  lines->addWidget(header_);
  lines->addWidget(differences_);
  lines->addStretch(1);
  auto* scroll = new QScrollArea(content_);
  scroll->setWidget(text);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setAccessibleName(uiText("The two runs and their differences"));
  plot_ = new RatioPlot(content_);
  slice_ = new QComboBox(content_);
  slice_->setAccessibleName(uiText("Value of the second axis"));
  connect(slice_, &QComboBox::currentIndexChanged, this, &CompareView::refreshPlot);
  other_ = new QComboBox(content_);
  other_->setAccessibleName(uiText("Run B, which is compared with the first"));
  other_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  other_->setMinimumContentsLength(12);
  connect(other_, &QComboBox::currentIndexChanged, this, &CompareView::compare);
  buildTable();
  auto* chart = new QWidget(content_);
  auto* chartLayout = new QVBoxLayout(chart);
  chartLayout->setContentsMargins(0, 0, 0, 0);
  chartLayout->setSpacing(0);
  auto* above = new QHBoxLayout;
  above->setContentsMargins(10, 6, 10, 0);
  above->addWidget(other_);
  above->addStretch(1);
  above->addWidget(slice_);
  above->addWidget(export_);
  chartLayout->addLayout(above);
  chartLayout->addWidget(plot_, 1);
  text_ = text;
  auto* splitter = splitter_ = new QSplitter(Qt::Vertical, content_);
  splitter->setHandleWidth(1);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(scroll);
  splitter->addWidget(chart);
  splitter->addWidget(table_);
  splitter->setSizes({230, 200, 210});
  auto* layout = new QVBoxLayout(content_);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  auto* stack = new QStackedLayout(this);
  stack->addWidget(empty_);
  stack->addWidget(content_);
  connect(splitter, &QSplitter::splitterMoved, this, [this] { moved_ = true; });
  connect(&model_, &RunComparisonModel::compared, this, &CompareView::refresh);
  refresh();
}

void CompareView::buildTable() {
  order_.setSourceModel(&model_);
  order_.setSortRole(RunComparisonModel::RawRole);
  table_ = new QTableView(content_);
  table_->setModel(&order_);
  table_->setItemDelegate(new ComparedDelegate(theme_, model_, table_));
  table_->setAccessibleName(uiText("Data points of both runs"));
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(kCompareRowHeight);
  table_->verticalHeader()->setMinimumSectionSize(kCompareRowHeight);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
}

void CompareView::setTheme(const Theme& theme) {
  theme_ = &theme;
  plot_->setTheme(theme);
  table_->viewport()->update();
  refreshText();
}

void CompareView::setRuns(std::vector<NamedRun> runs) {
  runs_ = std::move(runs);
  if (runs_.size() < 2) runs_.clear();
  const QSignalBlocker quiet(other_);
  other_->clear();
  for (std::size_t i = 1; i < runs_.size(); ++i)
    other_->addItem(QStringLiteral("B: %1").arg(runs_[i].name));
  other_->setVisible(runs_.size() > 2);
  compare(0);
}

void CompareView::compare(int other) {
  b_ = static_cast<std::size_t>(1 + std::max(0, other));
  if (runs_.empty()) return model_.setRuns(nullptr, nullptr);
  model_.setRuns(runs_.front().run, runs_[b_].run);
  if (!model_.busy()) return;
  showRunsOrHint();
  refreshText();
}

void CompareView::showRunsOrHint() {
  QWidget* const shown = runs_.empty() ? empty_ : content_;
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(shown);
  setFocusProxy(runs_.empty() ? nullptr : table_);
}

void CompareView::refresh() {
  showRunsOrHint();
  const QSignalBlocker quiet(slice_);
  slice_->clear();
  std::set<std::int64_t> seconds;
  for (const ComparedCell& cell : model_.comparison().cells)
    if (cell.at.size() > 1) seconds.insert(cell.at[1]);
  for (const std::int64_t value : seconds)
    slice_->addItem(QStringLiteral("%1 = %2").arg(
                        model_.comparison().axes[1],
                        axisValueText(static_cast<double>(value), model_.comparison().styles[1])),
                    QVariant::fromValue(qlonglong{value}));
  slice_->setVisible(!seconds.empty());
  refreshText();
  refreshPlot();
  fitColumns();
  fitText();
}

QString CompareView::runLine(const QString& letter, const Run& run, const QString& name) const {
  const QDateTime date = QDateTime::fromString(QString::fromStdString(run.startedAt), Qt::ISODate);
  QString line = QStringLiteral("<b>%1</b>&nbsp; %2 <span style='color:%3'>· %4")
                     .arg(letter, name.toHtmlEscaped(), theme_->muted.name(),
                          machineText(run).toHtmlEscaped());
  if (date.isValid())
    line += QStringLiteral(" · ") + date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  if (run.quick) line += uiText(" · quick");
  return line + QStringLiteral("</span>");
}

void CompareView::refreshText() {
  if (runs_.empty()) return;
  const NamedRun &a = runs_.front(), &b = runs_[b_];
  header_->setText(runLine(QStringLiteral("A"), *a.run, a.name) + QStringLiteral("<br>") +
                   runLine(QStringLiteral("B"), *b.run, b.name));
  if (model_.busy()) {
    summary_->setText(uiText("Being compared…"));
    differences_->clear();
    return;
  }
  const RunComparison& comparison = model_.comparison();
  summary_->setText(QStringLiteral("<b>%1</b>").arg(summaryOf(comparison).toHtmlEscaped()));
  if (comparison.differences.empty()) {
    differences_->setText(
        QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(theme_->muted.name(),
                 uiText(
                     "The recorded machine, program and settings are the same. The intervals cover "
                     "the noise within each run, but not what changes between two starts.")));
    return;
  }
  QString rows;
  const auto shown = [](const QString& text) {
    return text.isEmpty() ? uiText("not recorded") : text.toHtmlEscaped();
  };
  for (const RunDifference& difference : comparison.differences)
    rows += QStringLiteral(
                "<tr><td style='color:%4'>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td>"
                "<td>%3</td></tr>")
                .arg(difference.what.toHtmlEscaped(), shown(difference.a), shown(difference.b),
                     theme_->muted.name());
  differences_->setText(
      QStringLiteral("<span style='color:%1'>%3</span><table cellspacing='0' "
                     "cellpadding='1'><tr><td></td><td>A</td>"
                     "<td>B</td></tr>%2</table>")
          .arg(theme_->warning.name(), rows,
               uiText("These differ between the runs and may explain the ratio:")));
}

/// The words above the plot are shown whole where half of the height is enough for that, until the
/// person moves the border.
void CompareView::fitText() {
  if (moved_ || runs_.empty() || height() <= 0) return;
  const int wanted = text_->heightForWidth(std::max(200, width() - 12));
  const int words = std::min(wanted, height() / 2), rest = height() - words;
  // With less than its minimum for the plot, the splitter would shrink the words instead.
  const int plot = std::max(rest / 2, splitter_->widget(1)->minimumSizeHint().height());
  const QSignalBlocker quiet(splitter_);
  splitter_->setSizes({words, plot, rest - plot});
}

void CompareView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  card_->placeIn(size());
  fitText();
}

void CompareView::refreshPlot() {
  std::optional<std::int64_t> second;
  if (slice_->currentIndex() >= 0) second = slice_->currentData().toLongLong();
  plot_->show(model_.comparison(), second);
}

void CompareView::fitColumns() {
  const QFontMetrics header(textFont());
  for (int column = 0; column < order_.columnCount(); ++column) {
    // Room for the arrow that says how the table is sorted.
    int width = header.horizontalAdvance(
                    order_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) +
                2 * kComparePadding + 16;
    for (int row = 0; row < std::min(order_.rowCount(), kRowsMeasured); ++row)
      width =
          std::max(width, table_->itemDelegate()->sizeHint({}, order_.index(row, column)).width());
    table_->setColumnWidth(column, width);
  }
}

}  // namespace fusebench

#include "moc_compare_view.cpp"
