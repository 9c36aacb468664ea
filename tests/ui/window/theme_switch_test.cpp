// SPDX-License-Identifier: GPL-3.0-or-later
// A switch of the theme sets the palette: no style sheet is set again, and every widget, shown or
// hidden at the switch, looks as in a window that was made in that theme.
#include <gtest/gtest.h>

#include <QApplication>
#include <QEvent>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/theme/recolor.h"
#include "ui/theme/theme.h"
#include "ui/views/whatif/what_if_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

/// Counts the widgets that a style sheet is set for.
class Restyling : public QObject {
 public:
  Restyling() { qApp->installEventFilter(this); }
  ~Restyling() override { qApp->removeEventFilter(this); }
  int widgets = 0;
  QString first;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::StyleChange) return false;
    if (widgets++ == 0) first = QLatin1String(watched->metaObject()->className());
    return false;
  }
};

/// A window with every view made, in a theme.
class ThemedWindow {
 public:
  explicit ThemedWindow(bool dark) {
    settings_.setDark(dark);
    window_ = std::make_unique<MainWindow>(settings_, test::fakeRunner(study_), Dialogs(),
                                           folder_.filePath("data"));
    window_->resize(1280, 800);
    window_->openMainStudy();
    window_->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
    for (const ViewRow& row : viewRows()) window_->workbench().showView(row.key);
    show("chart");
  }
  ~ThemedWindow() { window_->document().markSaved({}); }

  void setDark(bool dark) { settings_.setDark(dark); }
  void show(const QString& view) {
    window_->workbench().showView(view);
    // Its times are predicted by another thread.
    const WhatIfModel& whatIf = window_->workbench().view<WhatIfView>().model();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !whatIf.busy(); }, 60'000));
    test::handleEvents();
  }
  QImage picture() { return window_->grab().toImage(); }
  MainWindow& window() { return *window_; }

 private:
  QTemporaryDir folder_;
  Settings settings_{folder_.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study_ = std::make_shared<test::FakeStudy>();
  std::unique_ptr<MainWindow> window_;
};

constexpr int kCaret = 60;  ///< pixels of a blinking caret

/// The views but for those whose content a worker makes in its own time.
std::vector<ViewRow> stillViews() {
  std::vector<ViewRow> rows;
  for (const ViewRow& row : viewRows())
    if (row.key != std::string("generated") && row.key != std::string("memory"))
      rows.push_back(row);
  return rows;
}

/// How many pixels differ by more than rounding.
int differing(const QImage& one, const QImage& other) {
  if (one == other) return 0;
  if (one.size() != other.size()) return one.width() * one.height();
  int count = 0;
  for (int y = 0; y < one.height(); ++y)
    for (int x = 0; x < one.width(); ++x) {
      const QRgb a = one.pixel(x, y), b = other.pixel(x, y);
      const int most = std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                 std::abs(qBlue(a) - qBlue(b))});
      count += most > 2 ? 1 : 0;
    }
  return count;
}

/// Counts the events that reach it.
class Receiver : public QObject {
 public:
  int received = 0;
  bool event(QEvent* event) override {
    ++received;
    return QObject::event(event);
  }
};

TEST(ThemeSwitch, TakesNoOtherObjectForAHiddenWidgetThatHadItsAddress) {
  alignas(std::max_align_t) static std::byte room[std::max(sizeof(QWidget), sizeof(Receiver))];
  auto* const widget = new (room) QWidget;
  recolorWidgets(*qApp);
  widget->~QWidget();
  auto* const receiver = new (room) Receiver;
  QEvent shown(QEvent::Show);
  QCoreApplication::sendEvent(receiver, &shown);
  EXPECT_EQ(receiver->received, 1);
  receiver->~Receiver();
}

TEST(ThemeSwitch, SetsNoStyleSheet) {
  ThemedWindow shown(true);
  const QString before = qApp->styleSheet();
  for (const bool dark : {false, true}) {
    // Findings that arrive later make widgets of their own.
    Restyling restyling;
    shown.setDark(dark);
    EXPECT_EQ(restyling.widgets, 0) << "first: " << restyling.first.toStdString();
    EXPECT_EQ(qApp->styleSheet(), before);
  }
}

TEST(ThemeSwitch, LeavesEveryViewAsInAWindowMadeInThatTheme) {
  for (const bool dark : {false, true}) {
    std::vector<QImage> wanted;
    {
      ThemedWindow made(dark);
      for (const ViewRow& row : stillViews()) {
        made.show(row.key);
        wanted.push_back(made.picture());
      }
    }
    ThemedWindow switched(!dark);
    switched.setDark(dark);  // with one view shown and all others hidden
    std::size_t next = 0;
    for (const ViewRow& row : stillViews()) {
      const std::string name = row.key + std::string(dark ? ", dark" : ", light");
      switched.show(row.key);
      EXPECT_LE(differing(switched.picture(), wanted[next]), kCaret) << name << ", hidden";
      switched.setDark(!dark);
      switched.setDark(dark);
      test::handleEvents();
      EXPECT_LE(differing(switched.picture(), wanted[next]), kCaret) << name << ", shown";
      ++next;
    }
  }
}

TEST(ThemeSwitch, ColorsInSheetsAreRolesOfThePalette) {
  EXPECT_FALSE(styleSheet().contains(u'@'));
  EXPECT_FALSE(styleSheet().contains(QRegularExpression("#[0-9a-fA-F]{6}\\b")));
  EXPECT_EQ(withRoles("color: @muted@;"), "color: palette(dark);");
  ThemedWindow shown(true);
  for (const QWidget* widget : QApplication::allWidgets())
    EXPECT_FALSE(widget->styleSheet().contains(QRegularExpression("#[0-9a-fA-F]{6}\\b|rgb")))
        << widget->metaObject()->className() << ": " << widget->styleSheet().toStdString();
}

}  // namespace
}  // namespace fusebench
