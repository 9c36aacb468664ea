// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/snapshot.h"

#include <fmt/format.h>

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QPixmap>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <exception>

#include "ui/models/documents.h"
#include "ui/views/banner.h"
#include "ui/views/chain_view.h"
#include "ui/views/chart_view.h"
#include "ui/views/insights_view.h"
#include "ui/views/lesson_view.h"
#include "ui/views/main_window.h"
#include "ui/views/results_view.h"

namespace fusebench {
namespace {

constexpr QSize kUsualSize(1280, 800);
constexpr QSize kLargeSize(2560, 1440);

/// Takes the pictures and remembers whether all could be written.
class Photographer {
 public:
  Photographer(QDir folder, MainWindow& window) : folder_(std::move(folder)), window_(window) {}

  void take(const QString& name, QWidget& widget, const QString& theme) {
    for (const int scale : {1, 2}) {
      window_.chart().setPixelRatio(scale);
      QPixmap picture(widget.size() * scale);
      picture.setDevicePixelRatio(scale);
      widget.render(&picture);
      const QString file = QStringLiteral("%1-%2%3.png")
                               .arg(name, theme, scale == 1 ? QString() : QStringLiteral("@2x"));
      if (!picture.save(folder_.filePath(file))) {
        fmt::print(stderr, "fusebench: cannot write {}\n", folder_.filePath(file).toStdString());
        good_ = false;
      }
    }
    window_.chart().setPixelRatio(1);
  }
  bool good() const { return good_; }

 private:
  QDir folder_;
  MainWindow& window_;
  bool good_ = true;
};

void settle() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

template <typename Done>
void waitFor(Done&& done) {
  QEventLoop loop;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &loop, [&] {
    if (done()) loop.quit();
  });
  look.start(20);
  if (!done()) loop.exec();
}

void takeAll(Photographer& photographer, MainWindow& window, Settings& settings, bool dark) {
  const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
  settings.setDark(dark);
  settings.setShowPublished(false);
  window.results().table().scrollToTop();
  settle();
  photographer.take(QStringLiteral("window"), window, theme);
  photographer.take(QStringLiteral("chart"), window.chart(), theme);
  photographer.take(QStringLiteral("chain"), window.chain(), theme);
  photographer.take(QStringLiteral("results"), window.results(), theme);
  photographer.take(QStringLiteral("findings"), window.insights(), theme);
  photographer.take(QStringLiteral("lesson"), window.lesson(), theme);
  settings.setShowPublished(true);
  emit window.chart().picked(15);
  settle();
  photographer.take(QStringLiteral("published"), window, theme);
  emit window.chart().picked(15);
  settings.setShowPublished(false);
  settings.setLogLatency(false);
  settle();
  photographer.take(QStringLiteral("linear"), window.chart(), theme);
  settings.setLogLatency(true);
  window.resize(kLargeSize);
  settle();
  photographer.take(QStringLiteral("large"), window, theme);
  window.resize(kUsualSize);
  settle();
}

}  // namespace

int takeSnapshots(const QString& folder, const QString& runFile, const StudyRunner& runner,
                  const StudyOptions& options) {
  if (!QDir().mkpath(folder)) {
    fmt::print(stderr, "fusebench: cannot make the folder {}\n", folder.toStdString());
    return 1;
  }
  std::optional<Run> given;
  if (!runFile.isEmpty()) try {
      given = loadRun(runFile.toStdString());
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      return 2;
    }
  QTemporaryDir scratch;
  Settings settings(scratch.filePath(QStringLiteral("settings.ini")));
  Dialogs silent;
  silent.openFile = [](QWidget*, const QString&) { return QString(); };
  silent.saveFile = [](QWidget*, const QString&, const QString&) { return QString(); };
  silent.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
  MainWindow window(settings, runner, silent);
  window.controller().setOptions(options);
  window.resize(kUsualSize);
  window.show();
  if (!window.openMainStudy()) {
    fmt::print(stderr, "{}\n", window.banner().text().toStdString());
    return 1;
  }
  window.chart().setFocus();
  Photographer photographer(QDir(folder), window);
  for (const bool dark : {true, false}) {
    settings.setDark(dark);
    settle();
    photographer.take(QStringLiteral("empty"), window,
                      dark ? QStringLiteral("dark") : QStringLiteral("light"));
  }
  if (given)
    window.controller().setRun(std::move(*given));
  else
    window.controller().start(true);
  waitFor([&] { return !window.controller().busy(); });
  waitFor([&] { return window.analysisModel().upToDate(); });
  const bool failed = window.controller().state() == StudyController::State::failed;
  if (failed) fmt::print(stderr, "fusebench: {}\n", window.controller().message().toStdString());
  if (failed && !window.runModel().run()) return 1;  // there is nothing to show
  for (const bool dark : {true, false}) takeAll(photographer, window, settings, dark);
  window.runModel().markSaved();
  return failed || !photographer.good() ? 1 : 0;
}

}  // namespace fusebench
