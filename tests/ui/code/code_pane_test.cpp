// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/code_pane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>
#include <string>

#include "ui/models/code/code_lines.h"
#include "ui/models/code/code_paste.h"
#include "ui/models/code/code_spans.h"
#include "ui/models/code/op_completion.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_problems.h"
#include "ui/views/code/completion_popup.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kText =
    "def program(x):\n    x = x + 1\n    x = torch.sin(x)\n    return x.sum()";

class CodePanes : public testing::Test {
 protected:
  CodePanes() : pane(document) {
    document.setText(QStringLiteral("t"), {}, kText);
    document.load(document.experiment(), {});
    pane.resize(620, 420);
    pane.show();
    QApplication::setActiveWindow(&pane);
    pane.editor().setFocus();
  }
  CodeEditor& editor() { return pane.editor(); }
  std::string text() { return editor().toPlainText().toStdString(); }
  void type(const char* keys) { QTest::keyClicks(&editor(), QString::fromLatin1(keys)); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&editor(), key, modifiers);
  }

  DocumentModel document;
  CodePane pane;
};

TEST_F(CodePanes, ShowTheProgramAndReadWhatIsTypedAfterAPause) {
  EXPECT_EQ(text(), kText);
  editor().goTo(2, 14);
  type("0");
  EXPECT_EQ(document.sketch().text, kText);  // not yet
  ASSERT_TRUE(QTest::qWaitFor([&] { return document.sketch().text != kText; }, 3000));
  EXPECT_THAT(document.sketch().text, HasSubstr("x + 10"));
  EXPECT_EQ(document.sketch().program.ops[0].operands[1].number, 10);
}

TEST_F(CodePanes, TakeABurstOfTypingBackInOneStep) {
  editor().goTo(2, 14);
  type("2");
  pane.commit();
  type("3");
  pane.commit();
  type("4");
  EXPECT_THAT(text(), HasSubstr("x + 1234"));
  key(Qt::Key_Z, Qt::ControlModifier);  // what is not read yet is part of the step
  EXPECT_EQ(text(), kText);
  EXPECT_FALSE(document.canUndo());
  key(Qt::Key_Y, Qt::ControlModifier);
  EXPECT_THAT(text(), HasSubstr("x + 1234"));
  key(Qt::Key_Z, Qt::ControlModifier);
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_THAT(text(), HasSubstr("x + 1234"));
}

TEST_F(CodePanes, KeepTheCaretWhereItWasWhenTheCanvasEdits) {
  editor().goTo(3, 9);
  document.apply(QStringLiteral("Add"), appendOp(document.sketch(), *findOp("exp")));
  EXPECT_EQ(text(), document.sketch().text);
  EXPECT_EQ(editor().caretLine(), 3);
  EXPECT_EQ(editor().textCursor().positionInBlock(), 8);
  document.apply(QStringLiteral("Insert"),
                 insertOnEdge(document.sketch(), *findOp("relu"), {0, 0}));
  EXPECT_EQ(editor().caretLine(), 4);  // its line has moved down
  EXPECT_EQ(editor().textCursor().block().text().trimmed(), QStringLiteral("x = torch.sin(x)"));
}

TEST_F(CodePanes, PutWhatIsTypedIntoTheDocumentWhenTheFocusLeaves) {
  editor().goTo(2, 14);
  type("5");
  QFocusEvent out(QEvent::FocusOut);
  QApplication::sendEvent(&editor(), &out);
  EXPECT_THAT(document.sketch().text, HasSubstr("x + 15"));
}

TEST_F(CodePanes, MarkALineThatIsNotUnderstoodAndRemoveIt) {
  EXPECT_FALSE(pane.problems().isVisible());
  document.setText(QStringLiteral("t"), {},
                   "def program(x):\n    x = x + 1\n    x = torch.sinn(x)\n    return x.sum()");
  ASSERT_EQ(editor().marks().size(), 1u);
  EXPECT_EQ(editor().marks()[0].line, 3);
  EXPECT_TRUE(pane.problems().isVisible());
  ASSERT_EQ(pane.problems().list().count(), 1);
  EXPECT_THAT(pane.problems().list().item(0)->text().toStdString(), HasSubstr("Line 3: "));
  EXPECT_THAT(pane.problems().list().item(0)->text().toStdString(), HasSubstr("sinn"));
  editor().goTo(1, 1);
  emit pane.problems().list().itemActivated(pane.problems().list().item(0));
  EXPECT_EQ(editor().caretLine(), 3);
  ASSERT_TRUE(pane.problems().removeButton().isVisible());
  QTest::mouseClick(&pane.problems().removeButton(), Qt::LeftButton);
  EXPECT_TRUE(document.sketch().valid());
  EXPECT_THAT(text(), testing::Not(HasSubstr("sinn")));
  EXPECT_FALSE(pane.problems().isVisible());
  document.undo();
  EXPECT_THAT(text(), HasSubstr("sinn"));
}

TEST_F(CodePanes, OfferNoRemovalWhereEveryLineIsUnderstood) {
  document.setText(QStringLiteral("t"), {}, "def program(x):\n    x = x + 1\n");
  EXPECT_TRUE(pane.problems().isVisible());  // the return is missing
  EXPECT_FALSE(pane.problems().removeButton().isVisible());
}

TEST_F(CodePanes, PickTheOpsOfTheCaretsStatement) {
  QSignalSpy picked(&pane, &CodePane::opsPicked);
  editor().goTo(3, 5);
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked.takeFirst()[0].value<std::vector<int>>(), std::vector<int>{1});
  key(Qt::Key_Down);
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked.takeFirst()[0].value<std::vector<int>>(), std::vector<int>{2});
  key(Qt::Key_Home);
  EXPECT_EQ(picked.count(), 0);  // still the same
  editor().goTo(1, 1);
  EXPECT_THAT(picked.takeFirst()[0].value<std::vector<int>>(), IsEmpty());
}

TEST_F(CodePanes, TintTheLinesOfOpsPickedElsewhere) {
  pane.markOps({1, 2});
  EXPECT_THAT(editor().tinted(), ElementsAre(3, 4));
  pane.markOps({});
  EXPECT_THAT(editor().tinted(), IsEmpty());
}

TEST_F(CodePanes, ColorTheirStatementsAsTheGeneratedCodeDoes) {
  EXPECT_TRUE(editor().statements().empty());
  pane.colorStatements(true);
  EXPECT_THAT(editor().statements(), ElementsAre(-1, 1, 2, 0));
  document.setText(QStringLiteral("t"), {},
                   "def program(x):\n    x = (x +\n         1)\n    # why\n    return x.sum()");
  EXPECT_THAT(editor().statements(), ElementsAre(-1, 1, 1, -1, 0));
  pane.colorStatements(false);
  EXPECT_TRUE(editor().statements().empty());
}

TEST_F(CodePanes, IndentNewLinesAndLeaveByTab) {
  editor().goTo(2, 14);
  key(Qt::Key_Return);
  EXPECT_EQ(editor().textCursor().block().text(), QStringLiteral("    "));
  editor().goTo(1, 100);
  key(Qt::Key_Return);
  EXPECT_EQ(editor().textCursor().block().text(), QStringLiteral("    "));
  const std::string before = text();
  editor().goTo(3, 14);
  key(Qt::Key_Tab);
  EXPECT_EQ(text(), before);
}

TEST_F(CodePanes, TabLeavesFromTheStartOfALineToo) {
  QLineEdit next(&pane);
  next.show();
  editor().goTo(2, 1);
  const std::string before = text();
  key(Qt::Key_Tab);
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(editor().hasFocus());
}

TEST_F(CodePanes, TheListOfProblemsIsAsHighAsItsLines) {
  editor().setPlainText(QStringLiteral(
      "def program(x):\n    x = torch.sigmund(x)\n    x = torch.expp(x)\n    return x.sum()"));
  pane.commit();
  auto& list = *pane.findChild<CodeProblems*>()->findChild<QListWidget*>();
  ASSERT_GE(list.count(), 2);
  int lines = 0;
  for (int i = 0; i < list.count(); ++i) {
    const QRect text = list.fontMetrics().boundingRect({0, 0, list.width() - 36, 10'000},
                                                       Qt::TextWordWrap, list.item(i)->text());
    EXPECT_GE(list.visualItemRect(list.item(i)).height(), text.height());
    lines += text.height();
  }
  EXPECT_GE(list.height(), std::min(lines, 120));
}

TEST_F(CodePanes, CompleteOps) {
  editor().goTo(2, 14);
  key(Qt::Key_Return);
  type("x = torch.sigm");  // "sig" may be sign as well
  ASSERT_TRUE(editor().completion().isVisible());
  EXPECT_EQ(editor().completion().item(0)->text(), QStringLiteral("torch.sigmoid"));
  EXPECT_FALSE(editor().completion().item(0)->toolTip().isEmpty());
  key(Qt::Key_Tab);
  EXPECT_FALSE(editor().completion().isVisible());
  type("x");
  pane.commit();
  EXPECT_THAT(text(), HasSubstr("\n    x = torch.sigmoid(x)\n"));
  EXPECT_TRUE(document.sketch().valid());
  key(Qt::Key_End);
  key(Qt::Key_Return);
  type("x = x.rel");
  ASSERT_TRUE(editor().completion().isVisible());
  key(Qt::Key_Escape);
  EXPECT_FALSE(editor().completion().isVisible());
  EXPECT_THAT(text(), HasSubstr("x = x.rel\n"));
}

TEST_F(CodePanes, TakeAPastedFunctionAsTheNewProgram) {
  QApplication::clipboard()->setText(
      QStringLiteral("    def forward(self, y):\r\n\t\ty = torch.tanh(y)\r\n        return y * 2"));
  pane.pasteAsNewProgram();
  EXPECT_EQ(document.sketch().program.inputs, std::vector<std::string>{"y"});
  EXPECT_TRUE(document.sketch().valid()) << text();
  EXPECT_EQ(document.sketch().program.ops.size(), 2u);
  EXPECT_EQ(document.undoName(), QStringLiteral("Paste a program"));
  document.undo();
  EXPECT_EQ(text(), kText);
}

TEST_F(CodePanes, TakeAFunctionThatIsPastedIntoALineAsTheNewProgram) {
  const QString softmax = QStringLiteral(
      "import torch\n\ndef softmax(x):\n    m = x.max(dim=-1, keepdim=True).values\n"
      "    e = torch.exp(x - m)\n    return e / e.sum(dim=-1, keepdim=True)\n");
  QApplication::clipboard()->setText(softmax);
  editor().goTo(4, 19);  // behind the return, where a new program has its caret
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(text(), softmax.toStdString());
  EXPECT_TRUE(document.sketch().valid()) << document.sketch().text;
  EXPECT_EQ(document.undoName(), QStringLiteral("Paste a program"));
  document.undo();
  EXPECT_EQ(text(), kText);
  // Pasted on an empty line, it is added to the existing program.
  editor().goTo(1, 1);
  key(Qt::Key_Return);
  editor().goTo(1, 1);
  QApplication::clipboard()->setText(QStringLiteral("def twice(y):\n    return y * 2\n"));
  editor().paste();
  pane.commit();
  EXPECT_THAT(text(), HasSubstr("def twice(y)"));
  EXPECT_THAT(text(), HasSubstr("def program(x)"));
}

TEST_F(CodePanes, InsertPastedLinesAtTheCaretsIndentation) {
  editor().goTo(2, 14);
  key(Qt::Key_Return);
  QApplication::clipboard()->setText(QStringLiteral("x = x * 2\nx = x - 3\n"));
  editor().paste();
  pane.commit();
  EXPECT_THAT(text(), HasSubstr("\n    x = x * 2\n    x = x - 3\n"));
  EXPECT_TRUE(document.sketch().valid()) << text();
}

std::string spans(const char* line) {
  std::string text;
  const QString code = QString::fromUtf8(line);
  for (const CodeSpan& span : codeSpans(code))
    text += std::string("kl#'!").substr(static_cast<std::size_t>(span.kind), 1) +
            code.mid(span.begin, span.length).toStdString() + " ";
  return text;
}

TEST(CodeSpans, TellKeywordsFunctionsNumbersAndComments) {
  EXPECT_EQ(spans("def f(x):"), "kdef ");
  EXPECT_EQ(spans("    x = torch.exp(x * 0.5)  # grow 2"), "ltorch.exp #0.5 !# grow 2 ");
  EXPECT_EQ(spans("return F.gelu(x, approximate='tanh').sum()"), "kreturn lF.gelu ''tanh' ");
  EXPECT_EQ(spans("x = x2.relu() + 1e-3"), "lrelu #1e-3 ");
}

TEST(CodeLines, BelongToStatements) {
  const Sketch chain = sketch(
      "def program(x):\n    # first\n    x = torch.exp(\n        x * 2)\n\n    y = x + 1\n    "
      "return "
      "x * y");
  ASSERT_TRUE(chain.valid());
  EXPECT_THAT(opsAtLine(chain, 1), IsEmpty());
  EXPECT_THAT(opsAtLine(chain, 2), IsEmpty());
  EXPECT_THAT(opsAtLine(chain, 3), ElementsAre(0, 1));
  EXPECT_THAT(opsAtLine(chain, 4), ElementsAre(0, 1));
  EXPECT_THAT(opsAtLine(chain, 5), IsEmpty());
  EXPECT_THAT(opsAtLine(chain, 6), ElementsAre(2));
  EXPECT_THAT(opsAtLine(chain, 7), ElementsAre(3));
  EXPECT_THAT(linesOfOps(chain, {0, 3}), ElementsAre(3, 7));
}

TEST(CodeLines, CountColumnsInBytes) {
  const QString line = QString::fromUtf8("é = x");
  EXPECT_EQ(charactersBefore(line, 1), 0);
  EXPECT_EQ(charactersBefore(line, 3), 1);
  EXPECT_EQ(markedLength(QStringLiteral("x = torch.sinn(x)"), 4), 10);
  EXPECT_EQ(markedLength(QStringLiteral("x = "), 9), 1);
}

std::string completions(const char* before) {
  std::string text;
  for (const OpCompletion& choice : completeOp(QString::fromUtf8(before)).choices)
    text += choice.shown.toStdString() + " ";
  return text;
}

TEST(OpCompletions, FitWhatIsTyped) {
  EXPECT_THAT(completions("x = torch.sq"), HasSubstr("torch.square torch.sqrt "));
  EXPECT_THAT(completions("x = torch.sq"), testing::Not(HasSubstr("torch.exp")));
  EXPECT_THAT(completions("x = F.gel"), HasSubstr("F.gelu"));
  EXPECT_THAT(completions("return x.su"), HasSubstr(".sum"));
  EXPECT_THAT(completions("x = (x + 1).ex"), HasSubstr(".exp"));
  EXPECT_THAT(completions("x = sigm"), HasSubstr("torch.sigmoid"));
  EXPECT_EQ(completions("x"), "");
  EXPECT_EQ(completions("x = x + 1  # torch.e"), "");
  EXPECT_EQ(completions("x = 1.5"), "");
}

TEST(PastedText, LosesTheIndentationOfItsSource) {
  const auto pasted = [](const char* text, const char* before) {
    return pastedText(QString::fromUtf8(text), QString::fromUtf8(before)).toStdString();
  };
  EXPECT_EQ(pasted("x = 1", "    "), "x = 1");
  EXPECT_EQ(pasted("        a\n            b", ""), "a\n    b");
  EXPECT_EQ(pasted("a\n    b\n    c", "  "), "a\n  b\n  c");
  EXPECT_EQ(pasted("def f(x):\n    return x", ""), "def f(x):\n    return x");
  EXPECT_EQ(pasted("import torch\ndef f(x):\n\treturn x", ""),
            "import torch\ndef f(x):\n    return x");
  EXPECT_EQ(pasted("a\r\nb", ""), "a\nb");
}

TEST(PastedText, OfAPrintedGraphIsTheGraph) {
  const QString printed = QStringLiteral(
      "ExportedProgram:\n    class GraphModule(torch.nn.Module):\n"
      "        def forward(self, x: \"f32[4]\"):\n            return (x,)\n\n"
      "Graph signature:\n    # inputs\n");
  EXPECT_EQ(pastedText(printed, QString()).toStdString(),
            "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n"
            "        return (x,)");
}

}  // namespace
}  // namespace fusebench
