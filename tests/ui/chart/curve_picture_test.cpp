// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/curve_picture.h"

#include <gtest/gtest.h>

#include <QTest>
#include <cmath>

namespace fusebench {
namespace {

constexpr int kPoints = 5'000;

/// A plot with one dense red curve across it.
class DensePicture : public testing::Test {
 protected:
  DensePicture() {
    plot.resize(400, 300);
    plot.xAxis->setRange(0, kPoints);
    plot.yAxis->setRange(-2, 2);
    picture = new CurvePicture(plot, *plot.axisRect());  // now belongs to the plot
    picture->setLayer(plot.layer("main"));
    picture->setCurves({curve(1)});
    plot.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&plot));
    EXPECT_TRUE(drawn());  // what showing it began
  }
  static CurvePicture::DenseCurve curve(double height) {
    CurvePicture::DenseCurve made;
    made.pen = QPen(Qt::red, 2);
    for (int i = 0; i < kPoints; ++i) {
      CurvePoint point;
      point.x = i;
      point.y.value = height * std::sin(i * 1e-3);
      made.points.push_back(point);
    }
    return made;
  }
  void replot() { plot.replot(QCustomPlot::rpImmediateRefresh); }
  bool drawn() {
    return QTest::qWaitFor([this] { return !picture->busy(); }, 20'000);
  }
  /// Red pixels in the plot's widget as it is now.
  int red() {
    const QImage image = plot.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor color = image.pixelColor(x, y);
        count += color.red() > 200 && color.green() < 80 && color.blue() < 80;
      }
    return count;
  }
  QCustomPlot plot;
  CurvePicture* picture = nullptr;
};

TEST_F(DensePicture, IsMadeElsewhereAndThenShown) {
  EXPECT_GT(red(), 400);
  picture->forget();
  picture->setCurves({curve(1.5)});
  replot();
  EXPECT_TRUE(picture->busy());
  EXPECT_EQ(red(), 0);  // nothing stands in for it
  ASSERT_TRUE(drawn());
  EXPECT_GT(red(), 400);
}

TEST_F(DensePicture, TheOneBeforeStandsInUntilItIsThere) {
  picture->setCurves({curve(1.5)});
  replot();
  EXPECT_TRUE(picture->busy());
  EXPECT_GT(red(), 400);
  ASSERT_TRUE(drawn());
  replot();
  EXPECT_FALSE(picture->busy());  // up to date: nothing to make
}

TEST_F(DensePicture, StillOnesAreDrawnAtOnce) {
  picture->forget();
  picture->setStill(true);
  picture->setCurves({curve(1.5)});
  replot();
  EXPECT_FALSE(picture->busy());
  EXPECT_GT(red(), 400);
}

TEST_F(DensePicture, ZoomingMakesANewOne) {
  plot.xAxis->setRange(0, kPoints / 2);
  replot();
  EXPECT_TRUE(picture->busy());
  ASSERT_TRUE(drawn());
  plot.xAxis->setRange(0, kPoints / 2);
  replot();
  EXPECT_FALSE(picture->busy());
}

}  // namespace
}  // namespace fusebench
