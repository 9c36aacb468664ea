// SPDX-License-Identifier: GPL-3.0-or-later
// What can be seen: the kernels' hulls, how near one looks, and whether it can be read.
#include <QComboBox>
#include <QFontMetricsF>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <cmath>

#include <QSignalSpy>
#include <QTest>

#include "tests/support/built_paths.h"
#include "tests/ui/canvas/canvas_fixture.h"
#include "tests/ui/events.h"
#include "ui/models/results/same_measurement.h"
#include "ui/models/setup/documents.h"
#include "ui/views/canvas/canvas_bar.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using Zooming = CanvasSurface::Zooming;

class CanvasIslands : public Canvas {
 protected:
  CanvasIslands() {
    const QString study =
        QString::fromStdString(fusebench::test::sourcePath("/resources/experiments/%1"));
    document.load(std::get<Experiment>(openDocument(study.arg("fusion_study.json"))), {});
    view.setShownStatements(30);
  }
  int variant(const std::string& executor) {
    const auto& variants = document.experiment().variants;
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (variants[i].executor == executor) return static_cast<int>(i);
    return -1;
  }
};

class CanvasLook : public Canvas {
 protected:
  CanvasLook() {
    load("    x = torch.exp(x)\n    x = torch.sin(x)\n    x = torch.cos(x)\n    return x.sum()");
  }
  void resizeTo(int width, int height) {
    view.resize(width, height);
    QCoreApplication::processEvents();
  }
  bool labelsAreSeen() {
    QCoreApplication::processEvents();  // scroll bars come and go then
    const QRect room = view.surface().viewport()->rect();
    for (int i = 0; i < view.surface().edgeCount(); ++i) {
      const QRect label = view.surface().onViewport(view.surface().edge(i).labelFrame());
      if (label.left() < room.left() || label.right() > room.right()) return false;
    }
    return !view.surface().horizontalScrollBar()->isVisible();
  }
  CanvasSurface& surface() { return view.surface(); }
};

TEST_F(CanvasIslands, EagerLaunchesEveryOpOfTheStudyAndFusedVariantsOnce) {
  view.setVariant(variant("eager"));
  EXPECT_EQ(view.kernels().launches(), 34);
  EXPECT_TRUE(view.badge().text().contains(">34<"));
  EXPECT_EQ(view.badge().accessibleDescription(), "34 launches");
  EXPECT_TRUE(view.surface().islands().captionFrame(0).isEmpty());
  for (const char* executor : {"static", "dynamic"}) {
    view.setVariant(variant(executor));
    EXPECT_EQ(view.kernels().launches(), 1) << executor;
    EXPECT_EQ(view.badge().accessibleDescription(), "1 launch");
    EXPECT_FALSE(view.surface().islands().captionFrame(0).isEmpty());
    // One hull around all that was in boxes of their own.
    for (int i = 0; i < view.surface().graph().ops; ++i)
      EXPECT_TRUE(view.surface().islands().hullBounds(0).contains(
          view.surface().places()[static_cast<std::size_t>(view.surface().graph().nodeOfOp(i))]));
  }
}

TEST_F(CanvasIslands, ASegmentOfTheBarSwitchesAndSaysSo) {
  QSignalSpy chosen(&view, &CanvasView::variantChanged);
  view.bar().segment(variant("static"))->click();
  EXPECT_EQ(view.kernels().launches(), 1);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toInt(), variant("static"));
}

TEST_F(CanvasIslands, AVariantIsShownWithTheProgramThatItRuns) {
  const QString study =
      QString::fromStdString(fusebench::test::sourcePath("/resources/experiments/%1"));
  document.load(std::get<Experiment>(openDocument(study.arg("graph_breaks.json"))), {});
  const Experiment measured = document.experiment();
  const auto chosen = [&] { return view.bar().findChild<QComboBox*>()->currentText(); };
  ASSERT_EQ(document.experiment().programName, "branch");
  EXPECT_EQ(chosen(), "branch") << "not the first variant, which runs the other program";
  EXPECT_EQ(view.kernels().launches(), 9);
  const auto pick = [&](int variant) { view.bar().segment(variant)->click(); };
  pick(2);
  EXPECT_EQ(chosen(), "static, where");
  EXPECT_EQ(document.experiment().programName, "where");
  EXPECT_EQ(view.kernels().launches(), 1);
  EXPECT_TRUE(sameMeasurement(measured, document.experiment())) << "results stay";
  document.undo();
  EXPECT_EQ(chosen(), "branch");
}

TEST_F(CanvasIslands, SwitchingMovesHullsOnlyAndCanBeStill) {
  view.setVariant(variant("eager"));
  const std::vector<QRectF> places = view.surface().places();
  view.setVariant(variant("static"));
  EXPECT_FALSE(view.animating());  // the fixture has it switched off
  EXPECT_EQ(view.surface().islands().progress(), 1);
  EXPECT_EQ(view.surface().places(), places);
  view.setAnimated(true);
  view.setVariant(variant("eager"));
  EXPECT_TRUE(view.animating());
  EXPECT_LT(view.surface().islands().progress(), 1);
  EXPECT_EQ(view.kernels().launches(), 34);  // the number is not waited for
  EXPECT_TRUE(QTest::qWaitFor([&] { return !view.animating(); }));
  EXPECT_EQ(view.surface().islands().progress(), 1);
}

TEST_F(CanvasIslands, ACaptionCoversNeitherNodesNorLabels) {
  load(
      "    a = torch.exp(x * 0.5)\n    b = a * y\n    c = torch.where(b > 0, b, x)\n"
      "    d = b + c\n    e = d.mean(dim=1, keepdim=True)\n    f = torch.sin(d - e)\n"
      "    return f.sum()",
      "x, y");
  int captions = 0;
  for (const char* executor : {"static", "dynamic"}) {
    view.setVariant(variant(executor));
    for (int k = 0; k < view.kernels().launches(); ++k) {
      const QRectF caption = view.surface().islands().captionFrame(k).adjusted(1, 1, -1, -4);
      if (caption.isEmpty()) continue;
      ++captions;
      for (const QRectF& place : view.surface().places()) EXPECT_FALSE(caption.intersects(place));
      for (int i = 0; i < view.surface().edgeCount(); ++i) {
        const CanvasEdgeItem& item = view.surface().edge(i);
        EXPECT_FALSE(item.state().labeled && caption.intersects(item.labelFrame())) << i;
      }
    }
  }
  EXPECT_GE(captions, 2);
}

TEST_F(CanvasLook, InAPanelOfTheUsualWidthLabelsFitAtASizeThatCanBeRead) {
  resizeTo(320, 600);
  EXPECT_TRUE(labelsAreSeen());
  EXPECT_EQ(surface().zoom(), 1);
  for (const QFont& font : {canvas::smallFont(), canvas::chipFont(), canvas::problemFont()})
    EXPECT_GE(font.pointSizeF(), 9);
  for (int i = 0; i < 20; ++i) view.appendOp(findOp(i % 2 ? "leaky_relu" : "sigmoid"));
  EXPECT_TRUE(labelsAreSeen());
  EXPECT_TRUE(surface().verticalScrollBar()->isVisible());
  // The appended op is visible.
  EXPECT_TRUE(surface().viewport()->rect().contains(
      surface().onViewport(surface().node(surface().current()).frame())));
  resizeTo(900, 900);
  EXPECT_EQ(surface().zoom(), 1);
}

TEST_F(CanvasLook, WhatIsTooWideIsScrolledAndNotMadeSmaller) {
  load(
      "    a = torch.exp(x)\n    b = torch.sin(x)\n    c = torch.cos(x)\n    d = torch.tanh(x)\n"
      "    e = torch.abs(x)\n    return (a * b * c * d * e).sum()");
  resizeTo(280, 600);
  EXPECT_DOUBLE_EQ(surface().zoom(), 1);
  EXPECT_TRUE(surface().horizontalScrollBar()->isVisible());
}

TEST_F(CanvasLook, AProgramTooWideStartsAtItsFirstRow) {
  load(
      "    x = torch.relu(x)\n    a = torch.exp(x).sum()\n    b = torch.sin(a + x).mean()\n"
      "    c = torch.cos(b * x).amax()\n    d = torch.tanh(c - x).amin()\n"
      "    return (a * b, c * d, a + d, b + c, a - c)");
  resizeTo(240, 500);
  ASSERT_TRUE(surface().horizontalScrollBar()->isVisible());
  const QRectF first = surface().layout().nodes.front();
  EXPECT_TRUE(surface().viewport()->rect().contains(surface().onViewport(first)));
  // Further down a resize leaves what is in sight there.
  surface().verticalScrollBar()->setValue(surface().verticalScrollBar()->maximum());
  surface().horizontalScrollBar()->setValue(surface().horizontalScrollBar()->maximum());
  const double right = surface().mapToScene(surface().viewport()->rect().center()).x();
  resizeTo(244, 500);
  EXPECT_NEAR(surface().mapToScene(surface().viewport()->rect().center()).x(), right, 4);
}

TEST_F(CanvasLook, AZoomMadeByHandIsKeptUntilFitGivesItBack) {
  resizeTo(320, 600);
  const double automatic = surface().zoom();
  key(Qt::Key_Plus);
  EXPECT_EQ(surface().zooming(), Zooming::byHand);
  const double mine = surface().zoom();
  EXPECT_GT(mine, automatic);
  view.appendOp(findOp("exp"));
  resizeTo(700, 600);
  EXPECT_DOUBLE_EQ(surface().zoom(), mine);
  resizeTo(320, 600);
  view.bar().fitButton().click();
  EXPECT_EQ(surface().zooming(), Zooming::width);
  EXPECT_NEAR(surface().zoom(), automatic, 0.05);
  EXPECT_TRUE(labelsAreSeen());
  EXPECT_EQ(view.bar().zoomButton().text(),
            QStringLiteral("%1%").arg(std::lround(surface().zoom() * 100)));
}

TEST_F(CanvasLook, FitOnceMoreShowsTheWholeProgram) {
  for (int i = 0; i < 30; ++i) view.appendOp(findOp("exp"));
  key(Qt::Key_0, Qt::ControlModifier);
  EXPECT_EQ(surface().zooming(), Zooming::whole);
  EXPECT_FALSE(surface().verticalScrollBar()->isVisible());
  EXPECT_TRUE(
      surface().viewport()->rect().contains(surface().onViewport(surface().layout().bounds)));
  key(Qt::Key_0, Qt::ControlModifier);
  EXPECT_EQ(surface().zoom(), 1);
  key(Qt::Key_1, Qt::ControlModifier);
  EXPECT_EQ(surface().zooming(), Zooming::byHand);
}

TEST_F(CanvasLook, AnotherDocumentStartsAtItsTopWithTheAutomaticZoom) {
  resizeTo(320, 400);
  surface().setZoom(2);
  document.load(document.experiment(), {});
  EXPECT_EQ(surface().zooming(), Zooming::width);
  EXPECT_TRUE(labelsAreSeen());
  EXPECT_EQ(surface().verticalScrollBar()->value(), surface().verticalScrollBar()->minimum());
}

TEST_F(CanvasLook, FromFarAProblemIsSaidInASizeThatCanBeRead) {
  load("    x = torch.exp(x)\n    x = torch.sinn(x)\n    return x.sum()");
  resizeTo(420, 600);
  const auto* said = view.findChild<QLabel*>("canvasProblems");
  ASSERT_TRUE(said);
  surface().setZoom(1);
  EXPECT_TRUE(said->isHidden());  // the node shows it
  surface().setZoom(0.6);
  EXPECT_FALSE(said->isHidden());
  EXPECT_THAT(said->text().toStdString(), HasSubstr("2: "));
  EXPECT_THAT(said->text().toStdString(), HasSubstr("sinn"));
  surface().setZoom(1);
  EXPECT_TRUE(said->isHidden());
}

TEST_F(CanvasLook, TheNumberOfLaunchesCoversNoNode) {
  for (int i = 0; i < 20; ++i) view.appendOp(findOp("exp"));
  resizeTo(320, 600);  // a strip above the graph
  EXPECT_TRUE(view.badge().isVisible());
  EXPECT_LE(view.badge().geometry().bottom(), surface().viewport()->geometry().top());
  EXPECT_LT(view.badge().height(), 40);
  resizeTo(900, 600);  // a card over it, from under which the graph can be scrolled
  surface().verticalScrollBar()->setValue(surface().verticalScrollBar()->minimum());
  const QRect card = view.badge().geometry();
  EXPECT_TRUE(surface().viewport()->geometry().contains(card));
  EXPECT_GE(surface().onViewport(surface().node(0).frame()).top() +
                surface().viewport()->geometry().top(),
            card.bottom());
}

double luminance(const QColor& color) {
  const auto linear = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST_F(CanvasLook, InANarrowPanelAChainsNodesGiveWayToTheLabelsBesideThem) {
  const auto width = [this] {
    return surface().node(0 + surface().graph().inputs).frame().width();
  };
  resizeTo(700, 700);
  test::handleEvents();
  const double usual = width();
  EXPECT_TRUE(labelsAreSeen());
  document.edit("t", {}, [](Experiment& e) {
    for (InputSet& set : e.inputSets)
      for (InputSpec& input : set.inputs) input.extents = {"1024", "1024"};
  });
  resizeTo(300, 700);
  test::handleEvents();
  EXPECT_LT(width(), usual);
  EXPECT_TRUE(labelsAreSeen());
  EXPECT_EQ(surface().zoom(), 1);
  resizeTo(700, 700);
  test::handleEvents();
  EXPECT_EQ(width(), usual) << "where there is room again they take it";
}

TEST_F(CanvasLook, LabelsOfInputsSideBySideLeaveEachOtherAlone) {
  const QString study =
      QString::fromStdString(fusebench::test::sourcePath("/resources/experiments/%1"));
  document.load(std::get<Experiment>(openDocument(study.arg("autotune_conv.json"))), {});
  test::handleEvents();
  int labels = 0, cut = 0;
  for (int i = 0; i < surface().edgeCount(); ++i) {
    const CanvasEdgeItem& one = surface().edge(i);
    if (!one.state().labeled || one.labelFrame().isEmpty()) continue;
    ++labels;
    cut += one.shownLabel().endsWith(u'…') ? 1 : 0;
    for (int j = 0; j < i; ++j)
      if (surface().edge(j).state().labeled) {
        EXPECT_FALSE(one.labelFrame().intersects(surface().edge(j).labelFrame())) << i << " " << j;
      }
  }
  EXPECT_GE(labels, 4);
  EXPECT_GE(cut, 1) << "there is no room for all of it";
}

TEST_F(CanvasLook, EdgeLabelsCanBeReadInBothThemes) {
  for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
    view.setTheme(*theme);
    for (int i = 0; i < surface().edgeCount(); ++i)
      EXPECT_GE(contrast(surface().edge(i).labelColor(), canvasGround(*theme)), 4.5);
    // The painted color also matters: some pixel of each label nearly has the label's color.
    const QImage shot = surface().viewport()->grab().toImage();
    for (int i = 0; i < surface().edgeCount(); ++i) {
      const QRect label = surface().onViewport(surface().edge(i).labelFrame());
      double best = 1;
      for (int y = label.top(); y <= label.bottom(); ++y)
        for (int x = label.left(); x <= label.right(); ++x)
          if (shot.valid(x, y))
            best = std::max(best, contrast(shot.pixelColor(x, y), canvasGround(*theme)));
      EXPECT_GE(best, 4) << i << (theme->dark ? " dark" : " light");
    }
  }
}

}  // namespace
}  // namespace fusebench
