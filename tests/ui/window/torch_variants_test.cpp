// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch's variants in the window: chosen, shown where they can be, and words where they cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "profiler/experiment/variant_executors.h"
#include "profiler/files/resources.h"
#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/code/generated_code_model.h"
#include "ui/models/setup/presets_model.h"
#include "ui/models/window/settings.h"
#include "ui/views/setup/python_dialog.h"

namespace fusebench {
namespace {

Experiment besideTorch() {
  return parseExperiment(resourceText("experiments/fusion_study_torch.json"), "shipped");
}

TEST(TorchVariants, AreAShippedStudyOfTheMenu) {
  const PresetsModel presets;
  bool found = false;
  for (int row = 0; row < presets.rowCount(); ++row)
    found = found || presets.index(row).data(PresetsModel::NameRole) == "fusion_study_torch";
  EXPECT_TRUE(found);
  EXPECT_FALSE(resourceText("help/fusion_study_torch.md").empty());
}

TEST(TorchVariants, HaveNoKernelsOnTheCanvasAndSayWhy) {
  const Experiment experiment = besideTorch();
  const Sketch sketch = fusebench::sketch(experiment.programText);
  const std::vector<std::optional<ValueType>> types = {ValueType{{8, 16}}};
  const CanvasGraph graph = canvasGraph(sketch, types, {});
  for (const ExecutorInfo& executor : torchExecutors()) {
    const CanvasKernels kernels = canvasKernels(graph, sketch, types, executor.name, 0);
    EXPECT_FALSE(kernels.known());
    EXPECT_TRUE(kernels.unknown.contains("PyTorch runs this variant"));
  }
}

TEST(TorchVariants, HaveNoGeneratedCodeAndSayWhy) {
  GeneratedCodeModel model;
  StudyOptions options;
  options.connect = []() -> std::unique_ptr<WorkerConnection> {
    throw std::runtime_error("no worker is to be asked");
  };
  model.setOptions(options);
  Experiment experiment = besideTorch();
  model.setExperiment(experiment);
  EXPECT_EQ(experiment.variants[static_cast<std::size_t>(model.variant())].name, "static");
  model.setVariant(3);
  model.setActive(true);
  EXPECT_EQ(model.state(), GeneratedCodeModel::State::empty);
  EXPECT_TRUE(model.message().contains("PyTorch runs this variant"));
}

class PythonChoice : public testing::Test {
 protected:
  PythonDialog& open() {
    dialog_ = std::make_unique<PythonDialog>(settings_, [this](const std::string& python,
                                                               std::stop_token stop) {
      while (hangs_ && !stop.stop_requested()) QThread::msleep(1);
      return DoctorCheck{"PyTorch", DoctorCheck::Status::note, "nothing in " + python, "get it"};
    });
    return *dialog_;
  }
  bool checked() {
    return QTest::qWaitFor([this] { return !dialog_->checking(); }, 10'000);
  }
  QTemporaryDir folder_;
  Settings settings_{folder_.filePath("settings.ini")};
  std::atomic<bool> hangs_ = false;
  std::unique_ptr<PythonDialog> dialog_;
};

TEST_F(PythonChoice, SaysWhatTheInterpreterHasAndKeepsIt) {
  PythonDialog& dialog = open();
  ASSERT_TRUE(checked());  // the usual one, at once
  dialog.path().setText(" /opt/venv/bin/python ");
  dialog.check();
  ASSERT_TRUE(checked());
  EXPECT_EQ(dialog.found().text(), "nothing in /opt/venv/bin/python\nget it");
  dialog.accept();
  EXPECT_EQ(settings_.python(), "/opt/venv/bin/python");
}

TEST_F(PythonChoice, WaitsForNoInterpreterThatHangs) {
  hangs_ = true;
  PythonDialog& dialog = open();
  dialog.check();  // the first one is given up
  EXPECT_TRUE(dialog.checking());
  dialog_.reset();  // and so is the second: this returns
}

TEST_F(PythonChoice, ForgetsWhatIsCanceled) {
  settings_.setPython("/usr/bin/python3");
  PythonDialog& dialog = open();
  EXPECT_EQ(dialog.path().text(), "/usr/bin/python3");
  dialog.path().setText("/elsewhere");
  dialog.reject();
  EXPECT_EQ(settings_.python(), "/usr/bin/python3");
}

}  // namespace
}  // namespace fusebench
