// SPDX-License-Identifier: GPL-3.0-or-later
// The accessibility tree of the whole window and of its dialogs, walked as a screen reader does.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QMenu>
#include <QPointer>
#include <set>
#include <string>

#include "profiler/trace/trace_import.h"
#include "tests/ui/window/room_fixture.h"
#include "ui/export/run_export.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_popup.h"
#include "ui/views/export/export_dialog.h"
#include "ui/views/setup/capture_dialog.h"
#include "ui/views/setup/python_dialog.h"
#include "ui/views/timeline/timeline_figures.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/command_palette.h"
#include "ui/views/window/shortcuts_dialog.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/view_window.h"

namespace fusebench {
namespace {

/// Rows of tables and lists are of one kind: the first ones stand for all.
constexpr int kRowsWalked = 40;
constexpr int kDeepest = 60;

bool isCell(QAccessible::Role role) {
  return role == QAccessible::Cell || role == QAccessible::ListItem ||
         role == QAccessible::TreeItem || role == QAccessible::RowHeader ||
         role == QAccessible::ColumnHeader;
}

/// Roles of what is operated: they need names even where the keyboard reaches them another way.
bool isOperated(QAccessible::Role role) {
  static const std::set<QAccessible::Role> kOperated = {
      QAccessible::Button,       QAccessible::CheckBox, QAccessible::RadioButton,
      QAccessible::ComboBox,     QAccessible::SpinBox,  QAccessible::Slider,
      QAccessible::EditableText, QAccessible::PageTab,  QAccessible::MenuItem,
      QAccessible::ButtonMenu};
  return kOperated.contains(role);
}

/// Walks a tree and fails for what a person could reach without being told what it is.
class TreeWalk {
 public:
  void walk(QWidget& top) {
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&top);
    ASSERT_NE(access, nullptr);
    walk(*access, 0);
  }
  int focusable() const { return focusable_; }
  int met() const { return met_; }

 private:
  void walk(QAccessibleInterface& access, int depth) {
    ASSERT_LT(depth, kDeepest) << wordsFor(access);
    ++met_;
    const QAccessible::State state = access.state();
    if (state.invisible) return;
    check(access, state);
    const QAccessible::Role role = access.role();
    const bool rows =
        role == QAccessible::Table || role == QAccessible::List || role == QAccessible::Tree;
    const int children = rows ? std::min(access.childCount(), kRowsWalked) : access.childCount();
    for (int i = 0; i < children; ++i) {
      QAccessibleInterface* child = access.child(i);
      if (!child || !child->isValid()) continue;
      walk(*child, depth + 1);
    }
  }
  void check(const QAccessibleInterface& access, const QAccessible::State& state) {
    const QAccessible::Role role = access.role();
    if (!state.focusable && !isOperated(role)) return;
    if (state.focusable) ++focusable_;
    EXPECT_NE(role, QAccessible::NoRole) << wordsFor(access);
    EXPECT_NE(role, QAccessible::Client) << wordsFor(access);
    // A cell with no text has nothing to say.
    if (isCell(role)) return;
    EXPECT_FALSE(access.text(QAccessible::Name).isEmpty()) << wordsFor(access);
  }
  static std::string wordsFor(const QAccessibleInterface& access) {
    std::string words;
    for (const QAccessibleInterface* at = &access; at; at = at->parent()) {
      words += at->object() ? at->object()->metaObject()->className() : "part";
      words += " \"" + at->text(QAccessible::Name).toStdString() + "\" role " +
               std::to_string(at->role()) + "; in ";
      if (words.size() > 600) break;
    }
    return words;
  }

  int focusable_ = 0, met_ = 0;
};

class AccessTree : public test::Room {
 protected:
  void measure() {
    window->run();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 20'000));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
  }
  void showTrace() {
    window->timeline().setTraces(
        {importTrace(test::sourcePath("/tests/profiler/traces/torch_2_11_h100_eager.json.gz"))});
    views().showView("timeline", true);
    test::handleEvents();
  }
  /// Everything that is in sight now.
  void walkAll() {
    test::handleEvents();
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top->isVisible()) walked.walk(*top);
  }
  void walkDialog(QWidget& dialog) {
    dialog.show();
    test::handleEvents();
    const int before = walked.met();
    walked.walk(dialog);
    EXPECT_GT(walked.met(), before + 2);
    dialog.hide();
  }

  TreeWalk walked;
};

TEST_F(AccessTree, EveryViewHasNamesAndRolesForWhatCanBeReached) {
  measure();
  showTrace();
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    views().showView(QString::fromLatin1(row.key), true);
    walkAll();
  }
  EXPECT_GT(walked.met(), 2'000);
  EXPECT_GT(walked.focusable(), 500);
}

TEST_F(AccessTree, EveryTableOfATraceHasNamesAndRoles) {
  showTrace();
  QComboBox& subject = views().view<TimelineView>().figures().subject();
  ASSERT_GT(subject.count(), 8);
  for (int s = 0; s < subject.count(); ++s) {
    SCOPED_TRACE(subject.itemText(s).toStdString());
    subject.setCurrentIndex(s);
    walkAll();
  }
}

TEST_F(AccessTree, GroupsAndWindowsOfTheirOwnHaveNamesAndRoles) {
  measure();
  groups().putBeside("map", Qt::Horizontal);
  groups().detach("chart");
  groups().detach("canvas");
  walkAll();
  views().setFocusMode(true);
  walkAll();
}

TEST_F(AccessTree, AnEmptyWindowHasNamesAndRoles) {
  window->newChain();
  for (const ViewRow& row : viewRows()) {
    SCOPED_TRACE(row.key);
    views().showView(QString::fromLatin1(row.key), true);
    walkAll();
  }
}

TEST_F(AccessTree, DialogsAndMenusHaveNamesAndRoles) {
  const auto run = std::make_shared<const fusebench::Run>(test::syntheticRun());
  ExportDialog exporting(std::make_unique<RunExport>(run, findCrossings(*run)), Dialogs{},
                         folder.path());
  walkDialog(exporting);
  CaptureDialog capture(settings, Dialogs{}, nullptr, {});
  walkDialog(capture);
  PythonDialog python(settings, [](const std::string&, std::stop_token) { return DoctorCheck(); });
  walkDialog(python);
  CommandPalette palette({{"Run", "Menu", "Ctrl+R", "Measure the experiment", [] {}}}, nullptr);
  walkDialog(palette);
  walkDialog(views().view<CanvasView>().popup());
  showShortcuts(window.get());
  auto* keys = window->findChild<QDialog*>();
  ASSERT_NE(keys, nullptr);
  walkDialog(*keys);
  walkDialog(*window->actions().more);
}

}  // namespace
}  // namespace fusebench
