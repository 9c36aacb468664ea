// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/storages/storage_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/copy_text.h"
#include "tests/ui/events.h"
#include "tests/ui/local_worker.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/export/storages_export.h"
#include "ui/look/storage_colors.h"
#include "ui/models/storages/storage_maker.h"
#include "ui/models/storages/storage_picture.h"
#include "ui/theme/colors.h"
#include "ui/views/storages/storage_canvas.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;

CodeListing listing() {
  const std::string device(nameOf(Memory::device));
  CodeListing list;
  for (const char* name : {"sin", "exp", "mul"}) list.kernels.push_back({name, {}, {}, false});
  list.kernels.back().backward = true;
  list.storages = {{"a", "temporary", device, 100, 0, 1},
                   {"b", "saved", device, 40, 1, 2},
                   {"x", "input", device, 10, -1, 3},
                   {"w", "held", device, 5, -1, 3},
                   {"h", "input", std::string(nameOf(Memory::host)), 1000, -1, 3},
                   {"g", "result", device, 20, 2, 3}};
  return list;
}

std::vector<std::int64_t> bytesOf(const StoragePicture& picture) {
  std::vector<std::int64_t> bytes;
  for (const StoragePicture::Column& column : picture.columns) bytes.push_back(column.bytes);
  return bytes;
}

TEST(StoragePictures, AddUpWhatIsThereAtEachStep) {
  const StoragePicture picture = storagePicture(listing());
  EXPECT_THAT(bytesOf(picture), ElementsAre(115, 155, 75, 35));
  EXPECT_EQ(picture.peak, 155);
  EXPECT_EQ(picture.peakColumn, 1);
  EXPECT_THAT(peakText(picture).toStdString(),
              testing::AllOf(testing::HasSubstr("155 B at the peak"),
                             testing::HasSubstr(
                                 "100 B temporary, 40 B saved for gradients, 10 B inputs, 5 B held "
                                 "by the program (step 2 of 3"),
                             testing::Not(testing::HasSubstr("1000"))));
}

TEST(StoragePictures, StandWithoutGapsAndWithoutOverlap) {
  const StoragePicture picture = storagePicture(listing());
  for (int c = 0; c < static_cast<int>(picture.columns.size()); ++c) {
    const std::int64_t all = picture.columns[static_cast<std::size_t>(c)].bytes;
    std::vector<int> seen(picture.bands.size());
    for (std::int64_t at = 0; at < all; ++at) {
      const auto band = picture.bandAt(c, static_cast<double>(at) + 0.5);
      ASSERT_TRUE(band) << c << " " << at;
      ++seen[*band];
    }
    for (std::size_t b = 0; b < picture.bands.size(); ++b) {
      const StoragePicture::Band& band = picture.bands[b];
      const bool there = band.first <= c && c <= band.last;
      EXPECT_EQ(seen[b], there ? band.bytes : 0) << band.name.toStdString() << " at " << c;
    }
    EXPECT_FALSE(picture.bandAt(c, static_cast<double>(all) + 0.5));
  }
  EXPECT_EQ(picture.bands.front().name, QStringLiteral("w")) << "what stays lies lowest";
}

TEST(StoragePictures, SayHowLongAStorageIsNeeded) {
  const StoragePicture picture = storagePicture(listing());
  EXPECT_EQ(bandText(picture, 0), QStringLiteral("w · 5 B held by the program, from before the "
                                                 "call and stays"));
  EXPECT_EQ(bandText(picture, picture.bands.size() - 1),
            QStringLiteral("a · 100 B temporary, from step 1 until step 2"));
}

TEST(StoragePictures, OfNothingAreEmpty) {
  EXPECT_EQ(storagePicture({}).peak, 0);
  EXPECT_FALSE(peakText(storagePicture({})).isEmpty());
}

TEST(StorageMakers, MakeWhatWasAskedForLastAndNotOnTheCallersThread) {
  StorageMaker maker;
  QSignalSpy made(&maker, &StorageMaker::made);
  CodeListing other = listing();
  other.storages.pop_back();
  maker.make(std::make_shared<CodeListing>(listing()));
  EXPECT_EQ(maker.picture().peak, 0) << "nothing is made before this returns";
  maker.make(std::make_shared<CodeListing>(listing()));
  maker.make(std::make_shared<CodeListing>(other));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.busy(); }, 10'000));
  EXPECT_EQ(made.count(), 1);
  EXPECT_EQ(maker.picture().bands.size(), storagePicture(other).bands.size());
  maker.make(std::make_shared<CodeListing>());
  EXPECT_EQ(maker.picture().peak, 0);
}

Experiment storedExperiment() {
  return parseExperiment(R"json({
    "fusebench": "experiment", "version": 1, "title": "A chain with gradients",
    "program": ["x.requires_grad_(True)", "y = torch.sin(x)", "y = torch.exp(y)",
                "y = torch.sigmoid(y)", "l = y.sum()", "l.backward()", "return x.grad"],
    "inputs": [{"name": "all", "count": 2, "tensors": [{"name": "x", "extents": [64, 256]}]}],
    "variants": [{"name": "fused", "executor": "static"}, {"name": "plain", "executor": "eager"},
                 {"name": "theirs", "executor": "torch"}],
    "baseline": "plain",
    "axes": [{"name": "threads", "values": [1]}]
  })json",
                         "test");
}

class StorageViews : public testing::Test {
 protected:
  StorageViews() {
    StudyOptions options;
    options.connect = [this] { return std::make_unique<test::LocalWorker>(workers); };
    model.setOptions(options);
    view.resize(900, 600);
  }
  void show() {
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
          return view.settled() && view.model(0).state() == GeneratedCodeModel::State::ready &&
                 view.model(1).state() == GeneratedCodeModel::State::ready;
        },
        30'000))
        << view.note(0).toStdString() << " | " << view.note(1).toStdString();
  }
  test::Workers workers;
  GeneratedCodeModel model;
  StorageView view{model, nullptr};
};

TEST_F(StorageViews, AskNobodyWhileNobodyLooks) {
  model.setExperiment(storedExperiment());
  test::handleEvents();
  EXPECT_EQ(workers.started, 0);
}

TEST_F(StorageViews, PutTheBaselineAboveTheFusedVariantInOneScale) {
  model.setExperiment(storedExperiment());
  show();
  EXPECT_EQ(view.variants(0).currentText(), QStringLiteral("plain"));
  EXPECT_EQ(view.variants(1).currentText(), QStringLiteral("fused"));
  EXPECT_EQ(view.variants(0).count(), 2) << "PyTorch's memory is its own";
  const StoragePicture &above = view.canvas(0).picture(), &below = view.canvas(1).picture();
  EXPECT_GT(above.columns.size(), below.columns.size());
  EXPECT_GT(above.peak, below.peak);
  EXPECT_GT(above.atPeak[static_cast<std::size_t>(StorageClass::saved)], 0);
  EXPECT_TRUE(std::ranges::any_of(above.columns, &StoragePicture::Column::backward));
  EXPECT_TRUE(view.note(0).contains(QStringLiteral("at the peak")));
}

TEST_F(StorageViews, KeepAVariantThatWasChosen) {
  model.setExperiment(storedExperiment());
  show();
  emit view.variants(1).activated(view.variants(1).findText(QStringLiteral("plain")));
  ASSERT_TRUE(QTest::qWaitFor([this] { return view.settled(); }, 30'000));
  EXPECT_EQ(view.canvas(1).picture().peak, view.canvas(0).picture().peak);
  model.setExperiment(storedExperiment());
  EXPECT_EQ(view.variants(1).currentText(), QStringLiteral("plain"));
}

TEST_F(StorageViews, TellWhatLiesAtAPointAndAtAStep) {
  model.setExperiment(storedExperiment());
  show();
  StorageCanvas& canvas = view.canvas(0);
  canvas.setFocus();
  QTest::keyClick(&canvas, Qt::Key_Right);
  EXPECT_EQ(canvas.current(), 0);
  QTest::keyClick(&canvas, Qt::Key_End);
  EXPECT_EQ(canvas.current(), static_cast<int>(canvas.picture().columns.size()) - 1);
  EXPECT_TRUE(canvas.columnText(canvas.current()).startsWith(QStringLiteral("after the last")));
  canvas.setCurrent(-1);
  const QImage drawn = canvas.grab().toImage();
  const Theme& theme = darkTheme();
  int found = 0;
  for (int y = canvas.height() - 30; y > 20; y -= 4) {
    const QPoint at(canvas.width() / 2 + 3, y);
    if (!canvas.textAt(at).contains(QStringLiteral("saved for gradients"))) continue;
    const QColor color = blend(storageColor(theme, StorageClass::saved), theme.panel, 0.72);
    found += drawn.pixelColor(at * drawn.devicePixelRatio()).rgb() == color.rgb();
  }
  EXPECT_GT(found, 5) << "what is said of a point is what is drawn there";
}

TEST_F(StorageViews, AreTakenAlongAsTheyStand) {
  model.setExperiment(storedExperiment());
  show();
  ASSERT_TRUE(QTest::qWaitFor([this] { return view.settled(); }, 30'000));
  const StoragesSubject subject = view.subject();
  ASSERT_EQ(subject.rows.size(), 2u);
  EXPECT_EQ(subject.rows[0].variant, QStringLiteral("plain"));
  const StoragesExport source(subject);
  ExportChoices choices;
  choices.style.title = source.title();
  choices.style.size = QSizeF(420, 540);  // the words above the two take different room
  choices.style.caption = source.caption();
  const Figure figure = source.figure(choices);
  const QString svg = toSvg(figure);
  for (const char* said : {"plain", "fused", "saved for gradients", "at the peak", "backward"})
    EXPECT_TRUE(svg.contains(QLatin1String(said))) << said;
  // Both in one scale: what both have is as high above as below.
  const auto inputIn = [&](const QString& variant) {
    for (const FigureSpot& spot : figure.spots)
      if (spot.rows.front().name == variant && spot.rows.front().beside.contains("inputs"))
        return spot.area.height();
    return 0.0;
  };
  EXPECT_GT(inputIn(QStringLiteral("plain")), 0);
  EXPECT_NEAR(inputIn(QStringLiteral("plain")), inputIn(QStringLiteral("fused")), 1e-6);
  EXPECT_EQ(figure.spots.size(),
            subject.rows[0].picture->bands.size() + subject.rows[1].picture->bands.size());
  for (const FigureSpot& spot : figure.spots)
    EXPECT_TRUE(QRectF(QPointF(), figure.size).contains(spot.area));
}

TEST_F(StorageViews, SayWhyThereIsNothing) {
  model.clear(QStringLiteral("no"));
  view.show();
  EXPECT_FALSE(view.canvas(0).isVisible());
}

}  // namespace
}  // namespace fusebench
