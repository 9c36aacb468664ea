// SPDX-License-Identifier: GPL-3.0-or-later
// The window in Chinese: nothing that a person reads is English, but names and units.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "profiler/catalogue/catalogue.h"
#include "profiler/run/recordings.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/models/base/ui_language.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/run_words.h"
#include "ui/models/runs/results_filter_model.h"
#include "ui/models/runs/results_table_model.h"
#include "ui/models/setup/document_model.h"
#include "ui/models/setup/presets_model.h"
#include "ui/views/base/dialogs.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

class ChineseWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (!windowSpeaks("zh_CN")) GTEST_SKIP() << "built without lrelease: English only";
    setLanguage("zh_CN");
    setWindowLanguage("zh_CN");
  }
  void TearDown() override {
    setLanguage("en");
    setWindowLanguage("en");
  }
};

TEST_F(ChineseWindow, SaysInChineseWhyPyTorchCouldNotMeasure) {
  Cell cell;
  cell.stop = Stop::unavailable;
  cell.error = "torch 1.13.0 sees no CUDA device";
  RunModel model;
  fusebench::Run run = test::syntheticRun(3);
  cell.key = run.cells[0].key;
  run.cells[0] = cell;
  ResultsTableModel table(model);
  model.show(run, true);
  QString tips;
  for (int column = 0; column < table.columnCount(); ++column)
    tips += table.index(0, column).data(Qt::ToolTipRole).toString();
  EXPECT_TRUE(tips.contains("torch 1.13.0 看不到 CUDA 设备")) << tips.toStdString();
}

/// An axis is a name where it stands alone; with a figure its unit is counted.
TEST_F(ChineseWindow, NamesAxesInTablesAndCharts) {
  const fusebench::Run run = test::syntheticRun(3);
  RunModel model;
  ResultsTableModel table(model);
  ResultsFilterModel shown(table);
  model.show(run, true);
  EXPECT_EQ(table.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "语句数");
  for (const char* filter : {"语句数<5", "statements<5"}) {
    shown.setFilterText(filter);
    EXPECT_EQ(shown.rowCount(), 3) << filter;
  }
  CellSummaries summaries;
  summaries.update(run);
  Analysis analysis;
  const ChartSubject subject = chartSubject(run, summaries, analysis, Metric::latency);
  EXPECT_EQ(subject.axisLabel, "语句数");
  EXPECT_EQ(subject.axisUnit, "条语句");
  EXPECT_TRUE(subject.title.endsWith("：耗时")) << subject.title.toStdString();
}

TEST_F(ChineseWindow, SaysWhatIsWrongWithAProgram) {
  DocumentModel document;
  document.setText(QStringLiteral("t"), {}, "def program(x):\n    return torch.relu(x, 3, 4)");
  ASSERT_FALSE(document.problems().empty());
  EXPECT_EQ(document.problems().front().text, "torch.relu 最多有 1 个参数；参数为 input");
}

TEST_F(ChineseWindow, SaysOfARunsDeviceThatItIsSimulated) {
  fusebench::Run run = test::syntheticRun(3);
  run.device = "sim:h100";
  run.environment = {{"backend", "simulated NVIDIA H100, 80 GB"}};
  EXPECT_EQ(machineText(run), "sim:h100 · 模拟的 NVIDIA H100");
  run.device = "sim:slow-launch";
  run.environment = {{"backend", "simulated slow launches, a teaching device, made up"}};
  EXPECT_EQ(machineText(run), "sim:slow-launch · 模拟的慢启动");
}

TEST_F(ChineseWindow, OffersEveryKindOfFileThatItOpens) {
  for (const char* language : {"zh_CN", "en"}) {
    setWindowLanguage(language);
    const QString first = openFilter().section(QStringLiteral(";;"), 0, 0);
    for (const char* ending :
         {"json", "jsonl", "html", "pdf", "fblesson", "json.gz", "pftrace", "sqlite", "py", "pt2"})
      EXPECT_TRUE(first.contains(QStringLiteral("*.%1").arg(QLatin1String(ending))))
          << language << ": " << ending;
  }
}

/// Names of executors and ops, types, keys, units, files: what stays in every language.
bool isAName(const QString& word) {
  static const QRegularExpression kNames(
      QStringLiteral(
          "^(fusebench|pytorch|python|torch|nvidia|nvtx|cuda|cupti|nvrtc|gpu|cpu|sim|nsight|"
          "systems|"
          "perfetto|chrome|"
          "trace|sql|json|jsonl|gz|pftrace|sqlite|html|pdf|png|svg|csv|llvm|ir|ptx|python3|path|"
          "eager|static|dynamic|instant|replay|float\\d+|bfloat\\d+|tf32|int\\d+|uint\\d+|bool|"
          "half|"
          "item|pin|memory|"
          "ctrl|shift|alt|enter|esc|tab|del|delete|home|end|insert|f\\d+|"
          "rank|autocast|seed|mpirun|[kmg]?i?b|ki|ns|ms|us|mhz|db|"
          "statements|elements|threads|ranks|bucket|batch|inputs|x|y|w|h|e|s|n|sum|exp|sin|cos|"
          "relu|sigmoid|softmax|nchw|nhwc|"
          "contiguous|normal|uniform|def|return|and|or|all|true|false|no_grad|h\\d00|round|numbers|"
          "slow|launch|a|b|c|"
          "english|zh|cn|en|lesson|fp|avx|amd|epyc|fma|lanes|float|with|thread|linux|vnni|docker|"
          "ssh|slurm|reduce|overhead|varying|fixed|if|"
          "run|gpus)$"),
      QRegularExpression::CaseInsensitiveOption);
  return kNames.match(word).hasMatch();
}

/// Words of a text that are English; those in code, paths and markup aside.
QStringList englishIn(QString text) {
  text.remove(
      QRegularExpression(QStringLiteral("<[^>]*>|`[^`]*`|\\S*[/_=.(:@]\\S*|&\\w+;|\"[^\"]*\"")));
  QStringList words;
  static const QRegularExpression kWord(QStringLiteral("[A-Za-z][A-Za-z0-9]+"));
  for (auto found = kWord.globalMatch(text); found.hasNext();) {
    const QString word = found.next().captured();
    if (!isAName(word)) words << word;
  }
  return words;
}

/// All that a widget says, its tool tip and its name for screen readers with it.
QStringList textsOf(const QWidget& widget) {
  QStringList texts{widget.toolTip(), widget.accessibleName(), widget.windowTitle()};
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) texts << label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) texts << button->text();
  if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) texts << line->placeholderText();
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
    for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i) << tabs->tabToolTip(i);
  if (const auto* header = qobject_cast<const QHeaderView*>(&widget); header && header->model())
    for (int i = 0; i < header->count(); ++i)
      texts << header->model()->headerData(i, header->orientation(), Qt::DisplayRole).toString();
  return texts;
}

TEST_F(ChineseWindow, SaysNothingInEnglishButNamesAndUnits) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), {},
                    folder.path());
  window.openMainStudy();
  window.show();
  for (const ViewRow& row : viewRows()) {
    window.workbench().showView(QLatin1String(row.key), false);
    test::handleEvents();
  }
  // Titles and questions of studies come from the experiments.
  QSet<QString> own;
  const PresetsModel presets;
  for (int row = 0; row < presets.rowCount(); ++row) {
    const QModelIndex index = presets.index(row);
    own << index.data().toString() << index.data(PresetsModel::QuestionRole).toString();
  }
  for (const Recording& recording : shippedRecordings())
    own << QString::fromStdString(recording.title) << QString::fromStdString(recording.about);
  EXPECT_EQ(englishIn(window.windowTitle()), QStringList()) << window.windowTitle().toStdString();
  EXPECT_TRUE(window.windowTitle().contains(presets.index(0).data().toString()))
      << window.windowTitle().toStdString();
  int seen = 0;
  const auto check = [&](const QString& text, const QObject& of) {
    if (text.isEmpty() || own.contains(text)) return;
    ++seen;
    const QStringList english = englishIn(text);
    EXPECT_TRUE(english.isEmpty())
        << of.metaObject()->className() << " " << of.objectName().toStdString() << ": \""
        << text.toStdString() << "\" has " << english.join(u' ').toStdString();
  };
  for (const QAction* action : window.findChildren<QAction*>()) {
    check(action->text(), *action);
    check(action->toolTip(), *action);
  }
  for (const QWidget* widget : window.findChildren<QWidget*>())
    for (const QString& text : textsOf(*widget)) check(text, *widget);
  EXPECT_GT(seen, 300);
}

TEST_F(ChineseWindow, QtsOwnButtonsAndPluralsAreSaidInIt) {
  EXPECT_EQ(uiText("Run"), QStringLiteral("运行"));
  EXPECT_EQ(uiText("%1, in %n phases", 3), QStringLiteral("%1，分 3 个阶段"));
  setWindowLanguage("en");
  EXPECT_EQ(uiText("Run"), QStringLiteral("Run"));
}

}  // namespace
}  // namespace fusebench
