// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/capture_dialog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <condition_variable>
#include <mutex>

#include "profiler/files/input_error.h"
#include "ui/models/window/settings.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

/// A dialog whose captures a test ends.
class Capturing : public testing::Test {
 protected:
  CaptureResult capture(const CaptureOptions& options,
                        const std::function<void(const std::string&)>& progress,
                        const std::stop_token& stop) {
    given = options;
    progress("exporting");
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [this] { return ends; });
    if (stop.stop_requested()) throw std::runtime_error("the capture was stopped");
    if (!error.empty()) throw InputError(error);
    return result;
  }
  void end() {
    const std::scoped_lock lock(mutex);
    ends = true;
    changed.notify_all();
  }
  bool waitFor(const std::function<bool()>& done) { return QTest::qWaitFor(done, 60'000); }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  QString suggested;
  Dialogs dialogs{[](QWidget*, const QString&) { return QStringLiteral("/models/vit.py"); },
                  [this](QWidget*, const QString& suggestion, const QString&) {
                    suggested = suggestion;
                    return QStringLiteral("/elsewhere/vit.json");
                  },
                  {}};
  CaptureOptions given;
  CaptureResult result;
  std::string error;
  std::mutex mutex;
  std::condition_variable_any changed;
  bool ends = false;
  CaptureDialog dialog{
      settings, dialogs,
      [this](const CaptureOptions& options, const std::function<void(const std::string&)>& progress,
             const std::stop_token& stop) { return capture(options, progress, stop); },
      QStringLiteral("/models/net.py")};
};

TEST_F(Capturing, NothingIsExecutedBeforeThePersonSaysSo) {
  EXPECT_FALSE(dialog.busy());
  dialog.python().setText("/venv/bin/python");
  EXPECT_EQ(dialog.warning().text().toStdString(),
            "/venv/bin/python will execute net.py with your permissions.");
  dialog.file().clear();
  EXPECT_FALSE(dialog.captureButton().isEnabled());
  dialog.start();
  EXPECT_FALSE(dialog.busy());
}

TEST_F(Capturing, TheFieldsAreTheOptionsOfTheCommandLine) {
  EXPECT_EQ(dialog.out().placeholderText(), "/models/net.json");
  dialog.name().setText(" build_vit ");
  EXPECT_EQ(dialog.out().placeholderText(), "/models/net-build_vit.json");
  dialog.inputs().setText(" x=1,3,32,32  ids=1,16:int64:0..9 ");
  dialog.dynamic().setText("batch=0 length=ids.1");
  dialog.weights().setChecked(true);
  const CaptureOptions options = dialog.options();
  EXPECT_EQ(options.file, "/models/net.py");
  EXPECT_EQ(options.name, "build_vit");
  EXPECT_THAT(options.inputs, ElementsAre("x=1,3,32,32", "ids=1,16:int64:0..9"));
  EXPECT_THAT(options.dynamic, ElementsAre("batch=0", "length=ids.1"));
  EXPECT_TRUE(options.weights);
  EXPECT_FALSE(options.train);
  EXPECT_EQ(options.out, "");
  EXPECT_EQ(captureOutput(options), "/models/net-build_vit.json");
}

TEST_F(Capturing, ACaptureReportsItsStepsAndOpensWhatItWrote) {
  QSignalSpy captured(&dialog, &CaptureDialog::captured);
  dialog.python().setText("/venv/bin/python");
  dialog.captureButton().click();
  EXPECT_TRUE(dialog.busy());
  EXPECT_FALSE(dialog.file().isEnabled());
  ASSERT_TRUE(waitFor([&] { return dialog.status().text() == "exporting…"; }));
  result.out = "/models/net.json";
  result.nodes = 12;
  result.modules = 3;
  result.notes = {"A note."};
  end();
  ASSERT_TRUE(waitFor([&] { return captured.size() == 1; }));
  EXPECT_EQ(given.python, "/venv/bin/python");
  EXPECT_EQ(captured[0][0].toString(), "/models/net.json");
  EXPECT_EQ(captured[0][2].toString(), "Captured 12 operations of 3 modules. A note.");
  EXPECT_EQ(settings.python(), "/venv/bin/python") << "its PyTorch runs the variants";
}

TEST_F(Capturing, AnErrorIsShownAsTheCommandLineShowsItAndTheFieldsStay) {
  QSignalSpy captured(&dialog, &CaptureDialog::captured);
  error = "net.py:7: x = self.attn(x): cause; remedy";
  end();
  dialog.start();
  ASSERT_TRUE(waitFor([&] { return !dialog.busy(); }));
  EXPECT_EQ(dialog.status().text().toStdString(), error);
  EXPECT_EQ(dialog.status().property("tone").toString(), "error");
  EXPECT_TRUE(captured.isEmpty());
  EXPECT_EQ(dialog.focusWidget(), &dialog.captureButton());
  EXPECT_TRUE(dialog.file().isEnabled());
  EXPECT_EQ(dialog.file().text(), "/models/net.py");
  EXPECT_TRUE(settings.python().isEmpty());
}

TEST_F(Capturing, EscapeStopsACaptureAndThenClosesTheDialog) {
  dialog.show();
  dialog.start();
  ASSERT_TRUE(waitFor([&] { return dialog.status().text() == "exporting…"; }));
  QTest::keyClick(&dialog, Qt::Key_Escape);
  EXPECT_TRUE(dialog.isVisible());
  ASSERT_TRUE(waitFor([&] { return !dialog.busy(); }));
  EXPECT_EQ(dialog.status().text(), "the capture was stopped");
  EXPECT_EQ(dialog.status().property("tone").toString(), "info");
  QTest::keyClick(&dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog.isVisible());
}

TEST_F(Capturing, ACaptureEndsWithItsDialog) {
  auto* another = new CaptureDialog(
      settings, dialogs,
      [this](const CaptureOptions& options, const std::function<void(const std::string&)>& progress,
             const std::stop_token& stop) { return capture(options, progress, stop); },
      QStringLiteral("/models/net.py"));
  another->start();
  ASSERT_TRUE(waitFor([&] { return another->status().text() == "exporting…"; }));
  delete another;  // waits for the capture, which hears the stop
}

TEST_F(Capturing, AModelThatCannotRunYetIsOpenedWithTheReason) {
  QSignalSpy captured(&dialog, &CaptureDialog::captured);
  result.out = "/models/net.json";
  result.problem = "torch.ops.aten.zero.default is not supported yet";
  end();
  dialog.start();
  ASSERT_TRUE(waitFor([&] { return captured.size() == 1; }));
  EXPECT_EQ(captured[0][1].value<Tone>(), Tone::warning);
  EXPECT_TRUE(captured[0][2].toString().contains("aten.zero"));
}

TEST_F(Capturing, FilesAreChosenInDialogs) {
  dialog.file().clear();
  for (QPushButton* each : dialog.findChildren<QPushButton*>())
    if (each->text() == "Choose…") each->click();
  EXPECT_EQ(dialog.file().text(), "/models/vit.py");
  EXPECT_EQ(suggested, "/models/vit.json");
  EXPECT_EQ(dialog.out().text(), "/elsewhere/vit.json");
}

}  // namespace
}  // namespace fusebench
