// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/snapshot.h"
#include "tests/support/built_paths.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QSet>
#include <QTemporaryDir>
#include <memory>

#include "tests/ui/synthetic.h"

namespace fusebench {
namespace {

int colorsIn(const QImage& image) {
  QSet<QRgb> colors;
  for (int y = 0; y < image.height(); y += 3)
    for (int x = 0; x < image.width(); x += 3) colors.insert(image.pixel(x, y));
  return static_cast<int>(colors.size());
}

TEST(Snapshot, DrawsTheWindowInBothThemesAtBothScales) {
  QTemporaryDir folder;
  auto study = std::make_shared<test::FakeStudy>();
  ASSERT_EQ(takeSnapshots(folder.filePath("shots"), {}, test::fakeRunner(study), {}), 0);
  EXPECT_TRUE(study->quick);
  const QDir shots(folder.filePath("shots"));
  for (const char* theme : {"dark", "light"}) {
    const QImage once(shots.filePath(QStringLiteral("window-%1.png").arg(theme)));
    const QImage twice(shots.filePath(QStringLiteral("window-%1@2x.png").arg(theme)));
    EXPECT_EQ(once.size(), QSize(1280, 800));
    EXPECT_EQ(twice.size(), QSize(2560, 1600));
    EXPECT_GT(colorsIn(once), 50);
    for (const char* view :
         {"empty",         "canvas",        "palette",          "code",           "chart",
          "map",           "anatomy",       "anatomy-launches", "timeline",       "generated",
          "whatif",        "compare",       "results",          "findings",       "setup",
          "runs",          "course",        "lesson",           "published",      "large",
          "kernels-eager", "kernels-fused", "chart-speed-up",   "chart-launches", "chart-compile",
          "chart-payback", "captured",      "window-captured"})
      EXPECT_TRUE(shots.exists(QStringLiteral("%1-%2.png").arg(view, theme))) << view;
  }
  const QImage dark(shots.filePath("window-dark.png")), light(shots.filePath("window-light.png"));
  EXPECT_LT(qGray(dark.pixel(640, 60)), 60);
  EXPECT_GT(qGray(light.pixel(640, 60)), 200);
}

TEST(Snapshot, AWrongRunFileIsTheUsersFault) {
  QTemporaryDir folder;
  auto study = std::make_shared<test::FakeStudy>();
  EXPECT_EQ(
      takeSnapshots(folder.path(), folder.filePath("absent.jsonl"), test::fakeRunner(study), {}),
      2);
  EXPECT_EQ(study->started, 0);
}

TEST(Snapshot, DrawsATracesTimeline) {
  QTemporaryDir folder;
  auto study = std::make_shared<test::FakeStudy>();
  const auto draw = [&](const QString& file) {
    return takeSnapshots(folder.path(), file, test::fakeRunner(study), {});
  };
  ASSERT_EQ(draw(QString::fromStdString(
                fusebench::test::sourcePath("/tests/profiler/traces/kineto_cpu.json"))),
            0);
  for (const char* theme : {"dark", "light"})
    for (const char* view : {"timeline", "window-timeline", "timeline-near", "large-timeline"})
      EXPECT_GT(colorsIn(QImage(folder.filePath(QStringLiteral("%1-%2.png").arg(view, theme)))), 20)
          << view;
  EXPECT_EQ(study->started, 0);
  QFile wrong(folder.filePath("wrong.json"));
  ASSERT_TRUE(wrong.open(QIODevice::WriteOnly));
  wrong.write("[{\"ph\":\"X\"}]");
  wrong.close();
  EXPECT_EQ(draw(wrong.fileName()), 2);
}

TEST(Snapshot, DrawsACapturedModelThatTakesAMomentToRead) {
  QTemporaryDir folder;
  auto study = std::make_shared<test::FakeStudy>();
  ASSERT_EQ(takeSnapshots(folder.path(),
                          QString::fromStdString(fusebench::test::sourcePath(
                              "/tests/zoo/captured/torch_transformer.json")),
                          test::fakeRunner(study), {}),
            0);
  EXPECT_EQ(study->started, 1);
  for (const char* theme : {"dark", "light"})
    EXPECT_GT(colorsIn(QImage(folder.filePath(QStringLiteral("canvas-%1.png").arg(theme)))), 20);
}

TEST(Snapshot, AFailedStudyIsAFailure) {
  QTemporaryDir folder;
  auto study = std::make_shared<test::FakeStudy>();
  study->throwInstead = "no worker";
  EXPECT_EQ(takeSnapshots(folder.path(), {}, test::fakeRunner(study), {}), 1);
}

}  // namespace
}  // namespace fusebench
