// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/models/timeline/query_model.h"
#include "ui/views/timeline/figures_panel.h"

class QComboBox;
class QMenu;
class QPlainTextEdit;
class QTableView;
class QToolButton;
class QTreeWidget;

namespace fusebench {

class ElidedLabel;
class SqlHighlighter;

/// SQL queries to a trace: a text, the available tables, and the rows of the answer, which link to
/// the timeline.
class QueryPanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit QueryPanel(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme) override;
  void setWanted(bool wanted) override;
  QWidget* controls() override { return controls_; }

  QueryModel& query() { return query_; }
  QPlainTextEdit& editor() { return *editor_; }
  QTableView& table() { return *table_; }
  QTreeWidget& schema() { return *schema_; }
  ElidedLabel& line() { return *line_; }
  QToolButton& runButton() { return *run_; }
  QMenu& queriesMenu() { return *menu_; }
  QToolButton& csvButton() { return *csv_; }
  /// The user's saved queries.
  const QStringList& kept() const { return kept_; }
  void setKept(const QStringList& queries);

 signals:
  void keptChanged(const QStringList& queries);
  /// A table is to be written to a file.
  void csvWanted(const QString& name, const QString& csv);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void layOut();
  void fillSchema();
  void fillMenu();
  void refresh();
  void refreshTraces();
  void runOrCancel();
  void load(const QString& sql);
  void keep();
  void copy();
  void goTo(const QModelIndex& index);

  TimelineModel& model_;
  QueryModel query_;
  QWidget* controls_;
  QComboBox* trace_;
  QToolButton *queries_, *run_, *copy_, *csv_;
  QMenu* menu_;
  QPlainTextEdit* editor_;
  QTreeWidget* schema_;
  ElidedLabel* line_;
  QTableView* table_;
  SqlHighlighter* colors_;
  QStringList kept_;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
