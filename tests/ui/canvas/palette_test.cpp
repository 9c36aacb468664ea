// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/palette_view.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "engine/edit/layers.h"
#include "engine/edit/sketch.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

QStringList names(const PaletteModel& model) {
  QStringList result;
  for (int i = 0; i < model.rowCount(); ++i) result << model.index(i).data().toString();
  return result;
}

TEST(PaletteModel, ListsEveryOpOnceUnderItsCategory) {
  PaletteModel model;
  QAbstractItemModelTester tester(&model);
  int ops = 0;
  for (int i = 0; i < model.rowCount(); ++i) ops += model.at(i) != nullptr;
  EXPECT_EQ(ops, std::ranges::count_if(opRows(), canStart) + std::ranges::ssize(layerRows()));
  EXPECT_EQ(names(model).front(), "Inputs and layers");
  EXPECT_EQ(names(model)[static_cast<int>(layerRows().size()) + 1], "Arithmetic");
  EXPECT_EQ(model.at(0), nullptr);
  EXPECT_FALSE(model.index(0).flags() & Qt::ItemIsSelectable);
}

TEST(PaletteModel, SearchRanksNamesBeforeSpellingsBeforeDocs) {
  PaletteModel model;
  model.setSearch("exp");
  const QStringList found = names(model);
  ASSERT_GE(found.size(), 3);
  EXPECT_EQ(found[0], "exp");
  EXPECT_TRUE(found.contains("exp2"));
  EXPECT_TRUE(found.contains("logaddexp"));
  EXPECT_LT(found.indexOf("expm1"), found.indexOf("logaddexp"));
  model.setSearch("swish");
  EXPECT_TRUE(names(model).contains("silu"));  // by its doc
  model.setSearch("true_divide");
  EXPECT_EQ(names(model).first(), "div");  // by a spelling
  model.setSearch("+");
  EXPECT_EQ(names(model).first(), "add");
  model.setSearch("no such op at all");
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(PaletteModel, FindsLayersByNameAndDoc) {
  PaletteModel model;
  for (const auto& [search, layer] : {std::pair{"layer norm", "layer_norm"},
                                      {"attention", "attention"},
                                      {"residual", "residual"},
                                      {"GELU linear", "mlp"},
                                      {"swiglu", "swiglu"},
                                      {"rms", "rms_norm"},
                                      {"input", "input"}}) {
    model.setSearch(search);
    ASSERT_GT(model.rowCount(), 0) << search;
    EXPECT_EQ(model.at(0), findOpOrLayer(layer)) << search;
  }
  model.noteUsed(*findOpOrLayer("mlp"));
  EXPECT_EQ(model.recent(), QStringList{"mlp"});
}

TEST(PaletteModel, OpsUsedLastComeFirst) {
  PaletteModel model;
  QSignalSpy spy(&model, &PaletteModel::recentChanged);
  model.noteUsed(*findOp("relu"));
  model.noteUsed(*findOp("exp"));
  model.noteUsed(*findOp("relu"));
  EXPECT_EQ(model.recent(), (QStringList{"relu", "exp"}));
  EXPECT_EQ(spy.count(), 3);
  EXPECT_EQ(names(model).mid(0, 3), (QStringList{"Recently used", "relu", "exp"}));
  model.setRecent({"nonsense", "sin"});
  EXPECT_EQ(model.recent(), QStringList{"sin"});
}

class Palette : public testing::Test {
 protected:
  Palette() {
    view.resize(300, 500);
    view.show();
    view.start();
  }
  PaletteModel model;
  PaletteView view{model};
};

TEST_F(Palette, EnterChoosesWhatIsSearchedFor) {
  QSignalSpy spy(&view, &PaletteView::opChosen);
  QTest::keyClicks(&view.search(), "tanh");
  QTest::keyClick(&view.search(), Qt::Key_Return);
  ASSERT_EQ(spy.count(), 1);
  EXPECT_EQ(spy[0][0].value<const OpRow*>(), findOp("tanh"));
  EXPECT_EQ(model.recent(), QStringList{"tanh"});
}

TEST_F(Palette, AFunctionOfSeveralOpsPointsToTheText) {
  QSignalSpy wanted(&view, &PaletteView::textWanted), chosen(&view, &PaletteView::opChosen);
  QTest::keyClicks(&view.search(), "softmax");
  EXPECT_TRUE(view.pointer().isVisible());
  EXPECT_TRUE(view.pointer().text().contains("PyTorch text"));
  QTest::keyClick(&view.search(), Qt::Key_Return);
  EXPECT_EQ(chosen.count(), 0);  // not fmax, whose letters are alike
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0].toString(), "softmax");
}

TEST_F(Palette, AnOpOfThatNamePointsNowhere) {
  QTest::keyClicks(&view.search(), "relu");
  EXPECT_FALSE(view.pointer().isVisible());
  EXPECT_EQ(functionSearched("F.group_norm"), "group_norm");
  EXPECT_EQ(functionSearched("group"), "group_norm");
  EXPECT_TRUE(functionSearched("F.layer_norm").isEmpty()) << "it is a layer of the palette";
  EXPECT_TRUE(functionSearched("la").isEmpty());
}

TEST_F(Palette, ArrowsSkipHeadings) {
  ASSERT_EQ(view.list().currentOp(), findOpOrLayer("input"));
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(&view.search(), Qt::Key_Down);
    ASSERT_NE(view.list().currentOp(), nullptr);
  }
  for (int i = 0; i < 40; ++i) QTest::keyClick(&view.search(), Qt::Key_Up);
  EXPECT_EQ(view.list().currentOp(), findOpOrLayer("input"));
}

TEST_F(Palette, TheFooterSaysWhatTheOpDoes) {
  QTest::keyClicks(&view.search(), "rsqrt");
  EXPECT_TRUE(view.footer().text().contains("1 / sqrt(x)"));
  EXPECT_TRUE(view.footer().text().contains("torch.rsqrt(x)"));
}

TEST_F(Palette, HoveringTellsWhatAnOpDoesAndLeavesTheChoice) {
  const OpRow* before = view.list().currentOp();
  const QModelIndex index = model.index(3);
  const QPoint at = view.list().visualRect(index).center();
  QMouseEvent over(QEvent::MouseMove, at, view.list().viewport()->mapToGlobal(at), Qt::NoButton,
                   Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(view.list().viewport(), &over);
  const QString doc = index.data(PaletteModel::DocRole).toString();
  EXPECT_TRUE(view.footer().text().contains(doc.toHtmlEscaped()));
  EXPECT_TRUE(index.data(Qt::ToolTipRole).toString().contains(doc));
  EXPECT_NE(model.at(3), before);
  EXPECT_EQ(view.list().currentOp(), before);
  QEvent left(QEvent::Leave);
  QCoreApplication::sendEvent(view.list().viewport(), &left);
  EXPECT_TRUE(view.footer().text().contains(
      QString::fromUtf8(before->doc.data(), static_cast<qsizetype>(before->doc.size()))))
      << "the words are about the chosen op again";
}

TEST_F(Palette, ADoubleClickChooses) {
  QSignalSpy spy(&view, &PaletteView::opChosen);
  QTest::keyClicks(&view.search(), "sigmoid");
  const QPoint at = view.list().visualRect(model.index(0)).center();
  QTest::mouseClick(view.list().viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(view.list().viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(spy.count(), 1);
}

TEST_F(Palette, DraggingCarriesTheOp) {
  QString carried;
  view.list().dragStarter = [&](QMimeData* data) {
    carried = QString::fromUtf8(data->data(PaletteModel::kMimeType));
    delete data;
  };
  QTest::keyClicks(&view.search(), "cos");
  const QPoint at = view.list().visualRect(model.index(0)).center();
  QTest::mousePress(view.list().viewport(), Qt::LeftButton, {}, at);
  for (int i = 1; i < 6; ++i) QTest::mouseMove(view.list().viewport(), at + QPoint(12 * i, 3 * i));
  QTest::mouseRelease(view.list().viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(carried, "cos");
}

TEST_F(Palette, EscapeClearsTheSearchFirst) {
  QTest::keyClicks(&view.search(), "cos");
  QTest::keyClick(&view.search(), Qt::Key_Escape);
  EXPECT_TRUE(view.search().text().isEmpty());
  EXPECT_EQ(view.list().currentOp(), findOpOrLayer("input"));
}

TEST(PalettePopup, GivesOneChoiceAndCloses) {
  QWidget window;
  window.show();
  PaletteModel shared;
  PalettePopup popup(&window);
  popup.share(shared);
  const OpRow* chosen = nullptr;
  popup.open({50, 50}, "Insert after exp", [&](const OpRow& row) { chosen = &row; });
  EXPECT_EQ(popup.heading(), "Insert after exp");
  QTest::keyClicks(&popup.view().search(), "relu");
  QTest::keyClick(&popup.view().search(), Qt::Key_Return);
  EXPECT_EQ(chosen, findOp("relu"));
  EXPECT_FALSE(popup.isVisible());
  EXPECT_EQ(shared.recent(), QStringList{"relu"});
}

}  // namespace
}  // namespace fusebench
