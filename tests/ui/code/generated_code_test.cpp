// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <string>

#include "profiler/files/resources.h"
#include "tests/support/built_paths.h"
#include "tests/ui/events.h"
#include "tests/ui/local_worker.h"
#include "tests/ui/synthetic.h"
#include "ui/models/code/generated_code_model.h"
#include "ui/models/code/listing_text.h"
#include "ui/models/code/variant_code.h"
#include "ui/views/code/beside_code.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/code/listing_edit.h"
#include "ui/views/code/search_bar.h"

namespace fusebench {
namespace {

using test::LocalWorker;
using test::Workers;
using CodeState = GeneratedCodeModel::State;

Experiment experiment() {
  return parseExperiment(R"json({
    "fusebench": "experiment", "version": 1, "title": "A chain",
    "program": ["x = x + 0.5", "x = torch.sin(x)", "return x.sum()"],
    "inputs": [{"name": "all", "count": 20, "tensors": [{"name": "x", "extents": [8, 16]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager",
    "axes": [{"name": "statements", "values": [1, 2, 4]}]
  })json",
                         "test");
}

/// What is asked of a worker is an experiment of its own: nothing in it names what was left out.
TEST(OneCell, OfEachShippedExperimentIsAnExperiment) {
  for (const std::string& name : shippedExperiments()) {
    const Experiment whole = parseExperiment(resourceText("experiments/" + name + ".json"), name);
    for (std::size_t v = 0; v < whole.variants.size(); ++v) {
      std::vector<std::int64_t> at;
      for (const Axis& axis : whole.axes) at.push_back(axis.values.back());
      const std::string text = toJson(oneCell(whole, static_cast<int>(v), at));
      EXPECT_NO_THROW(parseExperiment(text, name)) << name << ": " << whole.variants[v].name;
    }
  }
}

class GeneratedCodes : public testing::Test {
 protected:
  GeneratedCodes() {
    StudyOptions options;
    options.connect = [this] { return std::make_unique<LocalWorker>(workers); };
    model.setOptions(options);
  }
  bool ready() {
    return QTest::qWaitFor([this] { return model.state() == CodeState::ready; }, 20'000);
  }
  Workers workers;
  GeneratedCodeModel model;
};

TEST_F(GeneratedCodes, AreMadeOnlyWhileSomebodyLooks) {
  model.setExperiment(experiment());
  EXPECT_EQ(model.state(), CodeState::empty);
  EXPECT_FALSE(model.message().isEmpty());
  test::handleEvents();
  EXPECT_EQ(workers.started, 0);
  model.setActive(true);
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.variant(), 1);  // the fused one
  EXPECT_EQ(model.listing().kernels.size(), 1u);
  EXPECT_EQ(model.listing().inputs, "x (8, 16)");
  EXPECT_NE(model.code().text.find("# 2: x = torch.sin(x)"), std::string::npos);
}

TEST_F(GeneratedCodes, AreRememberedByProgramVariantAndPlace) {
  model.setActive(true);
  model.setExperiment(experiment());
  ASSERT_TRUE(ready());
  const std::string text = model.code().text;
  model.setLanguage("llvm");
  EXPECT_EQ(model.state(), CodeState::loading);
  ASSERT_TRUE(ready());
  EXPECT_NE(model.code().text, text);
  const int asked = workers.asked;
  Experiment renamed = experiment();
  renamed.title = "Another title";
  renamed.variants.erase(renamed.variants.begin());
  renamed.baseline = "static";
  model.setExperiment(renamed);  // the same program, variant and place
  EXPECT_EQ(model.state(), CodeState::ready);
  model.setLanguage("readable");
  EXPECT_EQ(model.state(), CodeState::ready);
  EXPECT_EQ(model.code().text, text);
  EXPECT_EQ(workers.asked, asked);
  model.setPlace({2});
  EXPECT_EQ(model.state(), CodeState::loading);
  ASSERT_TRUE(ready());
  EXPECT_EQ(workers.started, 1);
}

TEST_F(GeneratedCodes, OfAnEagerVariantAreOneKernelALaunch) {
  model.setActive(true);
  model.setExperiment(experiment());
  model.setVariant(0);
  model.setPlace({4});
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.listing().kernels.size(), 5u);
  model.setKernel(2);  // the chain cycles: its third statement is the first again
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.listing().kernels[2].ops, std::vector{0});
  EXPECT_EQ(model.kernelOf(1), 1u);
  EXPECT_EQ(model.kernelOf(0), 2u);  // the one that is shown
  EXPECT_EQ(model.statementOf(1), 2);
  EXPECT_EQ(model.statementOf(2), 0);
}

TEST_F(GeneratedCodes, SayWhyThereAreNoneAndAreAskedForAgain) {
  model.setActive(true);
  workers.die = true;
  model.setExperiment(experiment());
  ASSERT_TRUE(QTest::qWaitFor([this] { return model.state() == CodeState::failed; }, 20'000));
  EXPECT_TRUE(model.message().contains("killed by signal 9")) << model.message().toStdString();
  workers.die = false;
  model.retry();
  ASSERT_TRUE(ready());
  model.clear("The program has an error.");
  EXPECT_EQ(model.state(), CodeState::empty);
  EXPECT_EQ(model.message(), "The program has an error.");
}

class CodeViews : public GeneratedCodes {
 protected:
  void SetUp() override {
    model.setExperiment(experiment());
    view.setTheme(darkTheme());
    view.resize(900, 500);
    view.show();
    ASSERT_TRUE(ready());
  }
  int lineOf(const QString& text) {
    const QStringList lines = view.editor().toPlainText().split(u'\n');
    for (int i = 0; i < lines.size(); ++i)
      if (lines[i].contains(text)) return i;
    return -1;
  }
  GeneratedCodeView view{model};
};

TEST_F(CodeViews, HaveTheirListsWholeInANarrowWindow) {
  for (const int width : {900, 418}) {
    view.resize(width, 300);
    test::handleEvents();
    for (const QComboBox* list : {&view.variants(), &view.kernels(), &view.languages()}) {
      EXPECT_GE(list->width(), list->sizeHint().width()) << width;
      EXPECT_LE(list->geometry().right(), view.width()) << width;
    }
  }
}

TEST(RecordedArchitecture, IsThatOfTheGpuOfARecording) {
  const auto of = [](const char* recording) {
    return recordedArchitecture(
        loadRun(resourcePath(std::string("recordings/") + recording + ".jsonl")));
  };
  EXPECT_EQ(of("h100_fusion_study"), "sm_90");
  EXPECT_EQ(of("h200_conv_net"), "sm_90");
  fusebench::Run run = loadRun(resourcePath("recordings/h100_fusion_study.jsonl"));
  run.environment["backend"] = "NVIDIA Next, compute capability 99.0, 1 multiprocessors";
  EXPECT_EQ(recordedArchitecture(run), "") << "nobody can write code for it";
  run.environment["backend"] = "NVIDIA H100, compute capability 9.0";
  run.device = "cpu";
  EXPECT_EQ(recordedArchitecture(run), "");
  EXPECT_EQ(recordedArchitecture(test::syntheticRun()), "");
}

TEST_F(CodeViews, ShowTheCodeOfTheGpuOfARecordingUntilAnotherIsChosen) {
  view.followRecording("sm_90");
  EXPECT_EQ(model.architecture(), "sm_90");
  EXPECT_EQ(view.architectures().currentData().toString(), "sm_90");
  EXPECT_TRUE(view.note().text().contains("recorded on")) << view.note().text().toStdString();
  view.followRecording({});
  EXPECT_EQ(model.architecture(), "");
  EXPECT_FALSE(view.note().isVisible());

  view.followRecording("sm_90");
  const int chosen = view.architectures().findData("sm_80");
  view.architectures().setCurrentIndex(chosen);
  emit view.architectures().activated(chosen);
  EXPECT_EQ(model.architecture(), "sm_80");
  view.followRecording("sm_100");
  view.followRecording({});
  EXPECT_EQ(model.architecture(), "sm_80") << "what the person chose stays";
}

TEST_F(CodeViews, TellTheOpUnderTheCursorAndTintItsLines) {
  std::vector<std::vector<int>> picked;
  QObject::connect(&view, &GeneratedCodeView::opsPicked,
                   [&](std::vector<int> ops) { picked.push_back(std::move(ops)); });
  const int line = lineOf("= sin(");
  ASSERT_GE(line, 0);
  view.editor().setTextCursor(QTextCursor(view.editor().document()->findBlockByNumber(line)));
  ASSERT_EQ(picked.size(), 1u);
  EXPECT_EQ(picked[0], std::vector{1});
  const auto tinted = view.editor().markedLines();
  EXPECT_NE(std::find(tinted.begin(), tinted.end(), line), tinted.end());
  for (const int marked : tinted)
    EXPECT_EQ(view.editor().lineOps()[static_cast<std::size_t>(marked)], 1);
}

TEST_F(CodeViews, TintTheLinesOfOpsThatAreMarkedElsewhereWithoutTellingBack) {
  int told = 0;
  QObject::connect(&view, &GeneratedCodeView::opsPicked, [&] { ++told; });
  view.markOps({0});
  EXPECT_FALSE(view.editor().markedLines().empty());
  model.setVariant(0);
  ASSERT_TRUE(ready());
  view.markOps({1});  // is computed by another kernel
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.kernel(), 1u);
  EXPECT_EQ(view.kernels().currentIndex(), 1);
  EXPECT_FALSE(view.editor().markedLines().empty());
  EXPECT_EQ(told, 0);
}

TEST_F(CodeViews, ShowTheLoopNestAndTheAssemblyOfOneKernelSideBySide) {
  view.besideButton().click();
  QComboBox& languages = view.beside().languages();
  const int assembly = languages.findData("assembly");
  ASSERT_GT(assembly, 0);
  languages.setCurrentIndex(assembly);
  emit languages.activated(assembly);
  const auto both = [this] {
    return model.state() == CodeState::ready && view.beside().model().state() == CodeState::ready &&
           view.beside().model().code().language == "assembly";
  };
  ASSERT_TRUE(QTest::qWaitFor(both, 20'000));
  EXPECT_EQ(view.beside().model().variant(), model.variant()) << "the same code, lower down";
  EXPECT_TRUE(view.beside().editor().toPlainText().contains("fusebench_kernel:"));
  EXPECT_TRUE(view.editor().differing().empty()) << "two languages are not compared";
  // The lines of an op are marked in both.
  view.editor().setTextCursor(
      QTextCursor(view.editor().document()->findBlockByNumber(lineOf("= sin("))));
  EXPECT_EQ(view.beside().editor().marked(), std::vector{1});
}

TEST_F(CodeViews, LeaveOutDirectivesUntilTheyAreAskedFor) {
  model.setLanguage("assembly");
  ASSERT_TRUE(ready());
  EXPECT_LT(lineOf(".globl"), 0);
  EXPECT_FALSE(view.loop().isHidden());
  EXPECT_TRUE(view.loop().text().startsWith("Innermost loop, lines "))
      << view.loop().text().toStdString();
  view.filter().click();
  EXPECT_GE(lineOf(".globl"), 0);
  EXPECT_EQ(view.editor().lineOps().size(),
            static_cast<std::size_t>(view.editor().toPlainText().count(u'\n') + 1));
  model.setLanguage("readable");
  ASSERT_TRUE(ready());
  EXPECT_TRUE(view.loop().isHidden());
}

TEST_F(CodeViews, OfferEachLanguageAndShowIt) {
  ASSERT_EQ(view.languages().count(), 3);
  EXPECT_EQ(view.languages().itemText(1), "LLVM IR");
  QTest::keyClick(&view.languages(), Qt::Key_Down);
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.language(), "llvm");
  EXPECT_GE(lineOf("define void"), 0);
  view.copyAll();
  EXPECT_TRUE(QApplication::clipboard()->text().contains("define void"));
}

/// A GPU's worker; the GPU is the double's.
TEST_F(CodeViews, AreOfTheDeviceThatIsChosen) {
  for (const char* name : {"FUSEBENCH_CUDA_DRIVER", "FUSEBENCH_CUDA_NVRTC"})
    qputenv(name, fusebench::test::cudaDoublePath());
  StudyOptions options;
  options.workerCommand = {fusebench::test::cliPath(), "worker"};
  model.setOptions(onDevice(options, "cuda:0"));
  EXPECT_EQ(model.state(), CodeState::loading);
  EXPECT_TRUE(model.code().text.empty());  // the CPU's is gone
  EXPECT_TRUE(ready()) << model.message().toStdString();
  for (const char* name : {"FUSEBENCH_CUDA_DRIVER", "FUSEBENCH_CUDA_NVRTC"}) qunsetenv(name);
  ASSERT_GE(view.languages().count(), 4);
  EXPECT_EQ(view.languages().itemText(0), "Loop nest");
  EXPECT_EQ(view.languages().itemText(1), "CUDA C++");
  EXPECT_EQ(view.languages().itemText(2), "PTX");
  EXPECT_EQ(view.languages().itemText(view.languages().count() - 1), "Resources");
  model.setLanguage("cuda");
  ASSERT_TRUE(ready());
  EXPECT_GE(lineOf("__global__"), 0);
  // And back: nothing of the GPU's is remembered as the CPU's.
  options.workerCommand.clear();
  options.connect = [this] { return std::make_unique<LocalWorker>(workers); };
  model.setOptions(onDevice(options, "cpu"));
  ASSERT_TRUE(ready());
  EXPECT_EQ(view.languages().itemText(1), "LLVM IR");
  EXPECT_EQ(model.language(), "readable");
}

/// An architecture's worker needs no GPU, and without a compiler CUDA C++ is all there is.
TEST_F(CodeViews, OfAnArchitectureNeedNoGpu) {
  qputenv("FUSEBENCH_CUDA_NVRTC", "/nonexistent/libnvrtc.so");
  StudyOptions options;
  options.workerCommand = {fusebench::test::cliPath(), "worker"};
  model.setOptions(onDevice(options, "cpu"));
  ASSERT_TRUE(ready()) << model.message().toStdString();
  QComboBox& architectures = view.architectures();
  EXPECT_TRUE(view.note().isHidden());
  const int hopper = architectures.findText("sm_90");
  ASSERT_GT(hopper, 0);
  architectures.setCurrentIndex(hopper);
  emit architectures.activated(hopper);
  EXPECT_EQ(model.state(), CodeState::loading);
  ASSERT_TRUE(ready()) << model.message().toStdString();
  EXPECT_EQ(model.language(), "cuda");
  EXPECT_GE(lineOf("__global__"), 0);
  EXPECT_EQ(view.note().text(), "Written for sm_90 without a GPU: it is not measured.");
  EXPECT_FALSE(view.note().isHidden());
  architectures.setCurrentIndex(0);
  emit architectures.activated(0);
  ASSERT_TRUE(ready()) << model.message().toStdString();
  qunsetenv("FUSEBENCH_CUDA_NVRTC");
  EXPECT_TRUE(view.note().isHidden());
  EXPECT_EQ(view.languages().itemText(1), "LLVM IR");
}

TEST(ListingHighlights, TellTheWordsOfEachLanguageApart) {
  const auto kinds = [](const char* language, const QString& line) {
    QTextDocument document;
    ListingHighlighter highlighter(&document);
    highlighter.setLanguage(QLatin1String(language));
    highlighter.setTheme(darkTheme());
    document.setPlainText(line);
    highlighter.rehighlight();
    QMap<QString, QColor> colors;
    for (const auto& range : document.firstBlock().layout()->formats())
      colors[line.mid(range.start, range.length).trimmed()] = range.format.foreground().color();
    return colors;
  };
  const Theme& theme = darkTheme();
  const auto cuda = kinds("cuda", "  const float v1 = __ldg(x + 4); if (i >= n) return;  // 1");
  EXPECT_EQ(cuda["float"], theme.seriesColors[2]);
  EXPECT_EQ(cuda["4"], theme.seriesColors[1]);
  EXPECT_EQ(cuda["return"], theme.accent);
  EXPECT_EQ(cuda["// 1"], theme.muted);
  const auto ptx = kinds("ptx", "  @%p1 bra $L__BB0_2;");
  EXPECT_EQ(ptx["$L__BB0_2"], theme.seriesColors[4]);
  EXPECT_EQ(ptx["%p1"], theme.seriesColors[2]);
  EXPECT_EQ(kinds("ptx", "  .reg .f32 %f<9>;")[".reg"], theme.muted);
}

TEST_F(CodeViews, FindTextByKeyboard) {
  view.editor().setFocus();
  view.find();
  EXPECT_TRUE(view.search().isVisible());
  QTest::keyClicks(&view.search().field(), "v1");
  EXPECT_TRUE(view.search().count().text().startsWith("1 of ")) << "finds";
  EXPECT_EQ(view.editor().textCursor().selectedText(), "v1");
  const int first = view.editor().textCursor().position();
  QTest::keyClick(&view.search().field(), Qt::Key_Return);
  EXPECT_NE(view.editor().textCursor().position(), first);
  QTest::keyClick(&view.search().field(), Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(view.editor().textCursor().position(), first);
  QTest::keyClicks(&view.search().field(), "zzz");
  EXPECT_EQ(view.search().count().text(), "not found");
  QTest::keyClick(&view.search().field(), Qt::Key_Escape);
  EXPECT_FALSE(view.search().isVisible());
}

TEST_F(CodeViews, FollowTheCanvasAndTheChartUntilSomethingIsPicked) {
  view.followVariant(0);
  view.followPlace({2});
  ASSERT_TRUE(ready());
  EXPECT_EQ(model.variant(), 0);
  EXPECT_EQ(view.places(0).currentText(), "statements 2");
  EXPECT_FALSE(view.places(1).isVisible());
  QTest::keyClick(&view.variants(), Qt::Key_Down);  // picked here
  EXPECT_TRUE(view.pin().isChecked());
  view.followVariant(0);
  view.followPlace({1});
  EXPECT_EQ(model.variant(), 1);
  EXPECT_EQ(model.place(), std::vector<std::int64_t>{2});
  view.pin().click();  // released: shows the current choice of canvas and chart
  EXPECT_EQ(model.variant(), 0);
  EXPECT_EQ(model.place(), std::vector<std::int64_t>{1});
  QTest::keyClick(&view.places(0), Qt::Key_Down);
  EXPECT_TRUE(view.pin().isChecked());
  EXPECT_EQ(model.place(), std::vector<std::int64_t>{2});
}

TEST_F(CodeViews, TwoVariantsStandBesideEachOtherWithWhatDiffersMarked) {
  view.besideButton().click();
  BesideCode& beside = view.beside();
  EXPECT_TRUE(beside.isVisible());
  EXPECT_NE(beside.model().variant(), model.variant());
  ASSERT_TRUE(QTest::qWaitFor([&] { return beside.model().state() == CodeState::ready; }, 20'000));
  EXPECT_FALSE(beside.editor().toPlainText().isEmpty());
  EXPECT_TRUE(beside.note().text().contains("lines are in this one only"))
      << beside.note().text().toStdString();
  EXPECT_EQ(view.editor().differing().size(), std::size_t(view.editor().blockCount()));
  // The same variant has the same text.
  beside.model().setVariant(model.variant());
  ASSERT_TRUE(QTest::qWaitFor([&] { return beside.note().text() == "The same text."; }, 20'000));
  view.besideButton().click();
  EXPECT_TRUE(view.editor().differing().empty());
}

TEST_F(CodeViews, TheCodeBeforeAnEditIsShownNextToTheCodeAfterIt) {
  view.besideButton().click();
  BesideCode& beside = view.beside();
  const int last = beside.variants().count() - 1;
  beside.variants().setCurrentIndex(last);
  emit beside.variants().activated(last);
  const QString before = view.editor().toPlainText();
  EXPECT_EQ(beside.editor().toPlainText(), before);
  EXPECT_EQ(beside.editor().statements(), view.editor().statements());
  EXPECT_EQ(beside.note().text(), "The same text.");
  Experiment edited = experiment();
  const auto at = edited.programText.find("0.5");
  ASSERT_NE(at, std::string::npos);
  edited.programText.replace(at, 3, "0.25");
  model.setExperiment(parseExperiment(toJson(edited), "edited"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return view.editor().toPlainText() != before; }, 20'000));
  EXPECT_EQ(beside.editor().toPlainText(), before);
  EXPECT_EQ(beside.variants().currentIndex(), last);
  EXPECT_TRUE(beside.note().text().contains("lines are in this one only"))
      << beside.note().text().toStdString();
  beside.variants().setCurrentIndex(0);
  emit beside.variants().activated(0);
  EXPECT_FALSE(beside.keeps());
}

TEST_F(CodeViews, AreWrittenToFiles) {
  std::vector<std::pair<QString, QString>> wanted;
  QObject::connect(
      &view, &GeneratedCodeView::saveWanted,
      [&](const QString& file, const QString& code) { wanted.emplace_back(file, code); });
  view.save();
  model.setLanguage("assembly");
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return view.languages().currentData() == "assembly"; }, 20'000));
  const auto menu = view.editor().menu();
  const auto actions = menu->actions();
  const auto save = std::ranges::find(actions, QStringLiteral("Save as…"), &QAction::text);
  ASSERT_NE(save, actions.end());
  (*save)->trigger();
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_EQ(wanted[0].first, "static-kernel-1.txt");
  EXPECT_TRUE(wanted[0].second.contains("= sin("));
  EXPECT_EQ(wanted[1].first, "static-kernel-1.s");
  EXPECT_EQ(wanted[1].second, view.editor().toPlainText());
  EXPECT_EQ(listingFile("static, where", 1, "ptx"), "static-where-kernel-2.ptx");
}

TEST_F(CodeViews, HaveAColorPerStatementUnderTheirLines) {
  const int one = lineOf("+ 0.5"), other = lineOf("= sin(");
  ASSERT_GE(one, 0);
  ASSERT_GE(other, 0);
  const auto statements = view.editor().statements();
  EXPECT_NE(statements[static_cast<std::size_t>(one)], statements[static_cast<std::size_t>(other)]);
  const auto ground = [&](int line) {
    view.editor().verticalScrollBar()->setValue(0);
    const QImage shot = view.editor().viewport()->grab().toImage();
    QTextCursor cursor(view.editor().document()->findBlockByNumber(line));
    return shot.pixelColor(shot.width() - 3, view.editor().cursorRect(cursor).center().y());
  };
  EXPECT_NE(ground(one), ground(other));
}

TEST(LineDiffs, MarkWhatOnlyOneTextHasAndPairTheRest) {
  const LineDiff diff = lineDiff({"a", "b", "c", "d"}, {"a", "c ", "x", "d"});
  EXPECT_EQ(diff.first, (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(diff.second, (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(diff.differing(), 2u);
  EXPECT_EQ(diff.beside(2), 1);
  EXPECT_EQ(diff.besideSecond(3), 3);
  EXPECT_EQ(lineDiff({}, {"a"}).second, std::vector<bool>{true});
  // Too long for the exact way: still in order, and nothing is paired twice.
  QStringList one, other;
  for (int i = 0; i < 3'000; ++i) {
    one << QString::number(i);
    other << QString::number(i % 7 == 0 ? -i - 1 : i);
  }
  const LineDiff large = lineDiff(one, other);
  EXPECT_EQ(large.differing(), 2u * 429);
  EXPECT_TRUE(std::is_sorted(large.common.begin(), large.common.end()));
}

TEST_F(CodeViews, OfferToTryAgainWhenTheWorkerIsLost) {
  workers.die = true;
  model.setPlace({2});
  ASSERT_TRUE(QTest::qWaitFor([this] { return model.state() == CodeState::failed; }, 20'000));
  EXPECT_TRUE(view.again().isVisible());
  EXPECT_TRUE(view.words().text().contains("killed"));
  workers.die = false;
  view.again().click();
  ASSERT_TRUE(ready());
  EXPECT_FALSE(view.again().isVisible());
}

}  // namespace
}  // namespace fusebench
