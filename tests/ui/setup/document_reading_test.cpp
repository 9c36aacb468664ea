// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSemaphore>
#include <QSignalSpy>
#include <QtTest>
#include <memory>
#include <string>
#include <thread>

#include "tests/ui/patience.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/canvas/canvas_commands.h"
#include "ui/models/setup/document_model.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_pane.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr int kGenerous = 60'000;  ///< ms, for what takes a few
constexpr const char* kShort = "def program(x):\n    x = x + 1\n    return x.sum()";

/// A program whose text is too long to be read in the window's thread.
std::string longText(int statements = 1200) {
  std::string text = "def program(x, y):\n    x = x + y\n";
  for (int i = 1; i < statements; ++i) text += "    x = x + 0.125\n";
  return text + "    return x.sum()";
}

/// A short text whose reading takes all the time that the limit allows.
std::string hostileText() {
  std::string text = "def program(x):\n";
  for (int i = 0; i < 40; ++i)
    text += "    a" + std::to_string(i) + " = [[j * k for j in range(300)] for k in range(300)]\n";
  return text + "    return x.sum()";
}

bool isRead(const DocumentModel& document) {
  return QTest::qWaitFor([&] { return !document.reading(); }, kGenerous);
}

TEST(DocumentReading, ALongTextIsReadOutsideTheWindowsThread) {
  DocumentModel document;
  document.setText("t", {}, kShort);
  ASSERT_FALSE(document.reading());
  QSignalSpy text(&document, &DocumentModel::textChanged);
  QSignalSpy program(&document, &DocumentModel::programChanged);
  document.setText("Paste", {}, longText());
  EXPECT_TRUE(document.reading());
  EXPECT_EQ(document.experiment().programText, longText());
  EXPECT_EQ(document.sketch().text, kShort);
  EXPECT_FALSE(document.runnable());
  ASSERT_EQ(document.problems().size(), 1U);
  EXPECT_THAT(document.problems()[0].text.toStdString(), HasSubstr("still being read"));
  EXPECT_EQ(text.count(), 1);
  EXPECT_EQ(program.count(), 0);
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(program.count(), 1);
  EXPECT_EQ(text.count(), 1);
  EXPECT_EQ(document.sketch().text, longText());
  EXPECT_TRUE(document.runnable());
  ASSERT_EQ(document.experiment().inputSets[0].inputs.size(), 2U);
  EXPECT_EQ(document.experiment().inputSets[0].inputs[1].name, "y");
  EXPECT_EQ(document.experiment().program.statements.size(), 1200U);
  EXPECT_TRUE(document.types(0).back());
  document.undo();
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(document.sketch().text, kShort);
  EXPECT_TRUE(document.runnable());
}

TEST(DocumentReading, HostileTextIsGivenToAnotherThread) {
  test::usualPatience();
  DocumentModel document;
  document.setText("Paste", {}, hostileText());
  EXPECT_TRUE(document.reading());
  EXPECT_EQ(document.experiment().programText, hostileText());
}

TEST(DocumentReading, ANewerTextStopsTheReadingOfTheOneBefore) {
  test::usualPatience();
  DocumentModel document;
  QSignalSpy program(&document, &DocumentModel::programChanged);
  document.setText("Paste", {}, hostileText());
  ASSERT_TRUE(document.reading());
  document.setText("Paste", {}, kShort);
  EXPECT_FALSE(document.reading());
  EXPECT_EQ(document.sketch().text, kShort);
  EXPECT_TRUE(document.runnable());
  // The next one that is read in another thread comes after what was stopped.
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(program.count(), 2);
  EXPECT_EQ(document.sketch().text, longText());
}

TEST(DocumentReading, EndsWhereItIsStopped) {
  test::usualPatience();
  std::stop_source source;
  source.request_stop();
  ReadingRequest request;
  request.experiment = DocumentModel::blank();
  request.experiment.programText = hostileText();
  request.before = std::make_shared<const Sketch>();
  const DocumentReading reading = readDocument(std::move(request), source.get_token());
  ASSERT_FALSE(reading.sketch->problems.empty());
  EXPECT_THAT(reading.sketch->problems[0].message, HasSubstr("was stopped"));
}

TEST(DocumentReading, WhatIsUndoneWhileItIsReadIsNotShownLater) {
  DocumentModel document;
  document.setText("t", {}, kShort);
  QSignalSpy text(&document, &DocumentModel::textChanged);
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(document.reading());
  document.undo();
  EXPECT_FALSE(document.reading());
  EXPECT_EQ(text.count(), 2);
  EXPECT_EQ(document.experiment().programText, kShort);
  EXPECT_EQ(document.sketch().text, kShort);
  EXPECT_TRUE(document.runnable());
  document.redo();
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(document.sketch().text, longText());
  EXPECT_EQ(document.experiment().inputSets[0].inputs.size(), 2U);
}

TEST(DocumentReading, SettingsMayChangeWhileATextIsRead) {
  DocumentModel document;
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(document.reading());
  document.edit("Rename", {}, [](Experiment& experiment) { experiment.title = "Mine"; });
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(document.experiment().title, "Mine");
  EXPECT_EQ(document.sketch().text, longText());
  EXPECT_EQ(document.experiment().inputSets[0].inputs.size(), 2U);
  EXPECT_TRUE(document.runnable());
  EXPECT_EQ(document.undoName(), "Rename");
}

TEST(DocumentReading, ADocumentThatGoesStopsIt) {
  test::usualPatience();
  auto document = std::make_unique<DocumentModel>();
  document->setText("Paste", {}, hostileText());
  ASSERT_TRUE(document->reading());
  document.reset();
  QCoreApplication::processEvents();
}

TEST(DocumentReading, TheCodeShowsTheTextAtOnceAndTheCanvasOnceItIsRead) {
  DocumentModel document;
  CodePane code(document);
  CanvasView canvas(document);
  Experiment large = document.experiment();
  large.programText = longText(1000);
  document.load(large, {});
  ASSERT_TRUE(document.reading());
  EXPECT_EQ(code.editor().toPlainText().toStdString(), longText(1000));
  EXPECT_LT(canvas.surface().graph().ops, 1000);
  ASSERT_TRUE(isRead(document));
  EXPECT_EQ(canvas.surface().graph().ops, 1001);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.planning(); }, kGenerous));
  EXPECT_TRUE(canvas.kernels().known());
  EXPECT_EQ(canvas.kernels().launches(), 1001);
}

TEST(DocumentReading, AnEditThatNamesAnOpIsRefusedMeanwhile) {
  DocumentModel document;
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(document.reading());
  CanvasCommands commands(document);
  const int ops[] = {0};
  EXPECT_THAT(commands.remove(ops).refusal.toStdString(), HasSubstr("still being read"));
  EXPECT_EQ(document.experiment().programText, longText());
}

TEST(DocumentReading, OpsThatAreAppendedMeanwhileFollowInTheirOrder) {
  DocumentModel document;
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(document.reading());
  CanvasCommands commands(document);
  int done = 0;
  commands.finished = [&](const CanvasOutcome& outcome) { done += outcome.done(); };
  QSignalSpy settled(&document, &DocumentModel::becameSettled);
  for (const char* op : {"exp", "sin", "tanh"}) EXPECT_TRUE(commands.append(*findOp(op)).later);
  EXPECT_FALSE(document.isSettled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return document.isSettled(); }, kGenerous));
  EXPECT_EQ(done, 3);
  EXPECT_FALSE(commands.busy());
  EXPECT_EQ(settled.count(), 1);
  EXPECT_THAT(document.experiment().programText,
              HasSubstr("    x = torch.exp(x)\n    x = torch.sin(x)\n    x = torch.tanh(x)\n"));
}

TEST(DocumentReading, AnEditOfALargeGraphIsMadeOutsideTheWindowsThread) {
  DocumentModel document;
  document.setText("Paste", {}, longText());
  ASSERT_TRUE(isRead(document));
  CanvasCommands commands(document);
  std::optional<CanvasOutcome> came;
  commands.finished = [&](const CanvasOutcome& outcome) { came = outcome; };
  const CanvasOutcome begun = commands.append(*findOp("exp"));
  EXPECT_TRUE(begun.later);
  EXPECT_FALSE(begun.done());
  EXPECT_EQ(document.experiment().programText, longText());
  ASSERT_TRUE(QTest::qWaitFor([&] { return came.has_value(); }, kGenerous));
  EXPECT_TRUE(came->done()) << came->refusal.toStdString();
  EXPECT_EQ(came->added.size(), 1U);
  EXPECT_THAT(document.experiment().programText, HasSubstr("torch.exp(x)"));
  // Another one meanwhile does not take its place.
  ASSERT_TRUE(isRead(document));
  EXPECT_TRUE(commands.append(*findOp("sin")).later);
  const int ops[] = {0};
  EXPECT_THAT(commands.remove(ops).refusal.toStdString(), HasSubstr("still being applied"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return document.isSettled(); }, kGenerous));
  EXPECT_THAT(document.experiment().programText, HasSubstr("torch.sin(x)"));
  // An edit whose text is changed meanwhile is refused.
  came.reset();
  EXPECT_TRUE(commands.append(*findOp("exp")).later);
  document.setText("Paste", {}, kShort);
  EXPECT_FALSE(commands.busy());
  EXPECT_TRUE(document.isSettled());
  EXPECT_EQ(document.sketch().text, kShort);
  ASSERT_TRUE(came);
  EXPECT_THAT(came->refusal.toStdString(), HasSubstr("was not applied"));
}

TEST(LatestTask, OnlyTheNewestResultArrivesInTheReceiversThread) {
  QObject receiver;
  LatestTask task(&receiver);
  QSemaphore begun, go;
  std::vector<int> came;
  std::thread::id thread;
  const auto done = [&](int result) {
    came.push_back(result);
    thread = std::this_thread::get_id();
  };
  bool stopped = false;
  task.start(
      [&](const std::stop_token& stop) {
        begun.release();
        go.acquire();
        stopped = stop.stop_requested();
        return 1;
      },
      done);
  begun.acquire();
  task.start([](const std::stop_token&) { return 2; }, done);  // never begins
  task.start([](const std::stop_token&) { return 3; }, done);
  EXPECT_TRUE(task.busy());
  go.release();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !task.busy(); }, kGenerous));
  EXPECT_TRUE(stopped);
  EXPECT_EQ(came, std::vector<int>{3});
  EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(LatestTask, WhatTakesMoreThanAMomentIsNotWaitedFor) {
  test::usualPatience();
  EXPECT_EQ(LatestTask::tryNow([] { return 7; }), std::optional(7));
  const auto never = [] {
    while (WorkLimit::state() == WorkLimit::State::going) {
    }
    return 7;
  };
  EXPECT_EQ(LatestTask::tryNow(never), std::nullopt);
  EXPECT_THROW(LatestTask::tryNow([]() -> int { throw std::runtime_error("wrong"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace fusebench
