// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/query_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/base/elided_label.h"
#include "ui/views/timeline/sql_highlighter.h"

namespace fusebench {
namespace {

constexpr int kEditorHeight = 90, kSchemaWidth = 200, kTitleLength = 12, kWidestColumn = 420;
constexpr qsizetype kMostKept = 50, kLongestTitle = 60;

/// The title of a query in the menu: its first line.
QString titleOfQuery(const QString& sql) {
  QString title = sql.trimmed().section(u'\n', 0, 0).simplified();
  if (title.startsWith(QLatin1String("--"))) title = title.mid(2).trimmed();
  if (title.size() > kLongestTitle) title = title.left(kLongestTitle - 1) + u'…';
  return title.replace(u'&', QStringLiteral("&&"));
}

}  // namespace

QueryPanel::QueryPanel(TimelineModel& model, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      query_(model),
      controls_(new QWidget(this)),
      trace_(new QComboBox(controls_)),
      queries_(new QToolButton(controls_)),
      run_(new QToolButton(controls_)),
      copy_(new QToolButton(controls_)),
      csv_(new QToolButton(controls_)),
      menu_(new QMenu(queries_)),
      editor_(new QPlainTextEdit(this)),
      schema_(new QTreeWidget(this)),
      line_(new ElidedLabel(this)),
      table_(new QTableView(this)),
      colors_(new SqlHighlighter(editor_->document())) {
  layOut();
  fillSchema();
  connect(menu_, &QMenu::aboutToShow, this, &QueryPanel::fillMenu);
  connect(run_, &QToolButton::clicked, this, &QueryPanel::runOrCancel);
  connect(copy_, &QToolButton::clicked, this, &QueryPanel::copy);
  connect(csv_, &QToolButton::clicked, this,
          [this] { emit csvWanted(QStringLiteral("query"), query_.rows().csv()); });
  connect(trace_, &QComboBox::currentIndexChanged, this,
          [this](int index) { query_.setTrace(std::size_t(std::max(0, index))); });
  connect(&query_, &QueryModel::changed, this, &QueryPanel::refresh);
  connect(&model_, &TimelineModel::tracesChanged, this, &QueryPanel::refreshTraces);
  connect(table_, &QTableView::clicked, this, &QueryPanel::goTo);
  connect(table_, &QTableView::activated, this, &QueryPanel::goTo);
  connect(schema_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    editor_->insertPlainText(item->text(0));
    editor_->setFocus();
  });
  editor_->installEventFilter(this);
  table_->installEventFilter(this);
  load(QString::fromLatin1(savedQueries().front().sql));
  refreshTraces();
  refresh();
}

void QueryPanel::layOut() {
  const std::pair<QToolButton*, QString> kButtons[] = {
      {queries_, uiText("Queries shipped with Fusebench, and your saved queries")},
      {run_, uiText("Run the query (Ctrl+Enter); press again to cancel")},
      {copy_, uiText("Copy the selected rows, or all of them, as CSV (Ctrl+C)")},
      {csv_, uiText("Save all rows as a CSV file")}};
  for (const auto& [button, tip] : kButtons) {
    button->setObjectName(QStringLiteral("small"));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
  }
  queries_->setText(uiText("Queries ▾"));
  copy_->setText(uiText("Copy"));
  csv_->setText(uiText("Save CSV…"));
  queries_->setMenu(menu_);
  queries_->setPopupMode(QToolButton::InstantPopup);
  trace_->setAccessibleName(uiText("Trace to query"));
  trace_->setMinimumContentsLength(kTitleLength);
  trace_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* line = new QHBoxLayout(controls_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  for (QWidget* one : std::initializer_list<QWidget*>{queries_, trace_, run_, copy_, csv_})
    line->addWidget(one);

  editor_->setAccessibleName(uiText("Query in SQL"));
  editor_->setPlaceholderText(uiText("select ... from kernels"));
  editor_->setFont(monoFont());
  editor_->setTabChangesFocus(true);
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  editor_->setFrameShape(QFrame::NoFrame);
  editor_->document()->setDocumentMargin(8);
  schema_->setAccessibleName(uiText("Tables and columns"));
  schema_->setHeaderHidden(true);
  schema_->setFrameShape(QFrame::NoFrame);
  schema_->setToolTip(uiText("Double-click or press Enter to insert the name into the query"));
  schema_->setIndentation(14);
  line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_->setAccessibleName(uiText("Rows of the query"));
  table_->setModel(&query_.rows());
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(24);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setStyleSheet(QStringLiteral("QTableView::item { border: 0; padding: 0 8px; }"));
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->horizontalHeader()->setHighlightSections(false);

  auto* asked = new QSplitter(Qt::Horizontal, this);
  asked->setHandleWidth(1);
  asked->addWidget(editor_);
  asked->addWidget(schema_);
  asked->setStretchFactor(0, 1);
  asked->setStretchFactor(1, 0);
  asked->setSizes({3 * kSchemaWidth, kSchemaWidth});
  auto* answer = new QWidget(this);
  auto* below = new QVBoxLayout(answer);
  below->setContentsMargins(0, 0, 0, 0);
  below->setSpacing(0);
  auto* margins = new QHBoxLayout;
  margins->setContentsMargins(12, 4, 12, 4);
  margins->addWidget(line_);
  below->addLayout(margins);
  below->addWidget(table_, 1);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setHandleWidth(1);
  parts->setChildrenCollapsible(false);
  parts->addWidget(asked);
  parts->addWidget(answer);
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 2);
  parts->setSizes({kEditorHeight, 2 * kEditorHeight});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(parts);
}

void QueryPanel::fillSchema() {
  for (const QuerySchema& table : querySchemas()) {
    auto* const item = new QTreeWidgetItem(schema_, {QLatin1String(table.name)});
    item->setToolTip(0, text(said(table.meaning)));
    for (const QueryColumn& column : table.columns) {
      auto* const one = new QTreeWidgetItem(item, {QLatin1String(column.name)});
      one->setToolTip(0, QLatin1String(column.type) + u'\n' + text(said(column.meaning)));
    }
  }
}

void QueryPanel::setTheme(const Theme& theme) {
  theme_ = &theme;
  colors_->setTheme(theme);
  refresh();
}

void QueryPanel::setWanted(bool wanted) {
  if (!wanted) query_.cancel();
}

void QueryPanel::refreshTraces() {
  const QSignalBlocker quiet(trace_);
  trace_->clear();
  for (const auto& shown : model_.shown()) trace_->addItem(shown.title);
  trace_->setCurrentIndex(int(query_.trace()));
  trace_->setVisible(model_.shown().size() > 1);
}

void QueryPanel::fillMenu() {
  menu_->clear();
  const QString now = editor_->toPlainText().trimmed();
  for (const QString& one : kept_)
    menu_->addAction(titleOfQuery(one), this, [this, one] { load(one); });
  if (!kept_.isEmpty()) menu_->addSeparator();
  for (const SavedQuery& one : savedQueries())
    menu_->addAction(text(said(one.meaning)), this,
                     [this, sql = one.sql] { load(QString::fromLatin1(sql)); });
  menu_->addSeparator();
  const bool known = kept_.contains(now);
  QAction* const keepIt = menu_->addAction(
      known ? uiText("Remove this query from the list") : uiText("Save this query to the list"),
      this, &QueryPanel::keep);
  keepIt->setEnabled(!now.isEmpty());
}

void QueryPanel::setKept(const QStringList& queries) {
  kept_ = queries;
}

void QueryPanel::keep() {
  const QString now = editor_->toPlainText().trimmed();
  if (now.isEmpty()) return;
  if (kept_.removeAll(now) == 0) {
    kept_.prepend(now);
    kept_ = kept_.mid(0, kMostKept);
  }
  emit keptChanged(kept_);
}

void QueryPanel::load(const QString& sql) {
  // As an edit: it can be undone.
  QTextCursor whole(editor_->document());
  whole.select(QTextCursor::Document);
  whole.insertText(sql);
}

void QueryPanel::runOrCancel() {
  if (query_.busy())
    query_.cancel();
  else
    query_.run(editor_->toPlainText());
}

void QueryPanel::refresh() {
  const bool busy = query_.busy();
  run_->setText(busy ? uiText("Cancel") : uiText("Run query"));
  const int rows = query_.rows().rowCount();
  for (QToolButton* button : {copy_, csv_}) button->setEnabled(!busy && rows > 0);
  const auto& result = query_.rows().result();
  QStringList said;
  if (busy) {
    said << uiText("Running…");
  } else if (!query_.error().isEmpty()) {
    said << query_.error();
  } else if (result) {
    const QString count = formatCount(rows);
    said << (rows == 1 ? uiText("1 row") : uiText("%1 rows").arg(count)) + QStringLiteral(", ") +
                formatTime(query_.seconds() * 1e9);
    if (!result->cut.empty()) said << text(result->cut);
    if (rows > 0 && query_.leadsSomewhere()) said << uiText("a click shows a row on the timeline");
  } else {
    said << uiText(
        "Ctrl+Enter runs the query. Times are nanoseconds; \"event\" is the same number in all "
        "tables.");
  }
  line_->setText(said.join(QStringLiteral("  ·  ")));
  QPalette colors = line_->palette();
  colors.setColor(QPalette::WindowText,
                  query_.error().isEmpty() || busy ? theme_->muted : theme_->error);
  line_->setPalette(colors);
  table_->setVisible(result != nullptr);
  if (busy) return;
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->resizeColumnsToContents();
  for (int column = 0; column < query_.rows().columnCount(); ++column)
    if (table_->columnWidth(column) > kWidestColumn) table_->setColumnWidth(column, kWidestColumn);
}

void QueryPanel::goTo(const QModelIndex& index) {
  query_.goTo(index.row());
}

void QueryPanel::copy() {
  std::vector<int> rows;
  for (const QModelIndex& one : table_->selectionModel()->selectedRows()) rows.push_back(one.row());
  std::ranges::sort(rows);
  QApplication::clipboard()->setText(query_.rows().csv(rows));
}

bool QueryPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    auto* const key = static_cast<QKeyEvent*>(event);
    if (watched == editor_ && key->modifiers() & Qt::ControlModifier &&
        (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
      if (!query_.busy()) query_.run(editor_->toPlainText());
      return true;
    }
    if (watched == editor_ && key->key() == Qt::Key_Escape && query_.busy()) {
      query_.cancel();
      return true;
    }
    if (watched == table_ && key->matches(QKeySequence::Copy)) {
      copy();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_query_panel.cpp"
