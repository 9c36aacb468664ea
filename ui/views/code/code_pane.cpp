// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/code_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/base/said_again.h"
#include "engine/base/work_limit.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/code/code_lines.h"
#include "ui/models/code/code_paste.h"
#include "ui/views/code/code_editor.h"
#include "ui/views/code/code_problems.h"

namespace fusebench {
namespace {
constexpr int kPauseMs = 150;
constexpr int kEndOfStepMs = 1500;
}  // namespace

CodePane::CodePane(DocumentModel& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      editor_(new CodeEditor(this)),
      problems_(new CodeProblems(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(editor_, 1);
  layout->addWidget(problems_);
  setFocusProxy(editor_);
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  endOfStep_.setSingleShot(true);
  endOfStep_.setInterval(kEndOfStepMs);
  connect(&pause_, &QTimer::timeout, this, &CodePane::commit);
  connect(&endOfStep_, &QTimer::timeout, &document_, &DocumentModel::endMerge);
  connect(editor_, &CodeEditor::typed, this, &CodePane::typed);
  connect(editor_, &CodeEditor::left, this, &CodePane::commit);
  connect(editor_, &CodeEditor::undoAsked, this, [this] {
    commit();
    document_.undo();
  });
  connect(editor_, &CodeEditor::redoAsked, this, [this] {
    commit();
    document_.redo();
  });
  connect(editor_, &CodeEditor::newProgramPasted, this, &CodePane::replaceAll);
  connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &CodePane::caretMoved);
  connect(problems_, &CodeProblems::picked, editor_, &CodeEditor::goTo);
  connect(problems_, &CodeProblems::removeAsked, this, &CodePane::removeUnknown);
  connect(&document_, &DocumentModel::textChanged, this, [this] {
    task_.cancel();  // an edit of the text before
    showProgram();
  });
  connect(&document_, &DocumentModel::changed, this, &CodePane::showProblems);
  showProgram();
  showProblems();
}

CodePane::~CodePane() {
  // An editor that loses the focus because it goes away must not find a pane that is half gone.
  editor_->disconnect(this);
  problems_->disconnect(this);
}

void CodePane::setTheme(const Theme& theme) {
  editor_->setTheme(theme);
  problems_->setTheme(theme);
}

void CodePane::colorStatements(bool colored) {
  colored_ = colored;
  showStatements();
}

void CodePane::showStatements() {
  if (document_.reading()) return;  // the colors of before stay until there are others
  editor_->setStatements(colored_ ? statementsOfLines(document_.sketch()) : std::vector<int>());
}

void CodePane::typed() {
  pause_.start();
  endOfStep_.stop();
}

void CodePane::commit() {
  if (!pause_.isActive() &&
      editor_->toPlainText().toStdString() == document_.experiment().programText)
    return;
  pause_.stop();
  committing_ = true;
  document_.setText(uiText("Edit the program"), QStringLiteral("code"),
                    editor_->toPlainText().toStdString());
  committing_ = false;
  endOfStep_.start();
  picked_.clear();
  caretMoved();
}

void CodePane::showProgram() {
  if (committing_) return;
  pause_.stop();
  editor_->setTinted({});
  picked_.clear();
  editor_->showText(QString::fromStdString(document_.experiment().programText));
}

void CodePane::showProblems() {
  if (document_.reading()) return;  // the marks of before stay until there are others
  std::vector<CodeMark> marks;
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::program)
      marks.push_back(
          {std::max(problem.place.line, 1), std::max(problem.place.column, 1), problem.text});
  problems_->show(marks, hasUnknownLines(document_.sketch()));
  editor_->setMarks(std::move(marks));
  showStatements();
}

void CodePane::caretMoved() {
  if (!editor_->hasFocus() || pause_.isActive() || document_.reading()) return;
  std::vector<int> ops = opsAtLine(document_.sketch(), editor_->caretLine());
  if (ops == picked_) return;
  picked_ = ops;
  editor_->setTinted({});
  emit opsPicked(std::move(ops));
}

void CodePane::markOps(std::vector<int> ops) {
  if (document_.reading()) return;
  editor_->setTinted(linesOfOps(document_.sketch(), ops));
  picked_ = std::move(ops);
}

void CodePane::goTo(int line, int column) {
  editor_->goTo(line, column);
}

void CodePane::removeUnknown() {
  commit();
  editor_->setFocus();
  if (document_.reading()) return;
  const auto work = [sketch = document_.sharedSketch()] {
    Removal removal;
    try {
      removal.edit = removeProblemLines(*sketch);
    } catch (const EditRefused& refused) {
      removal.refusal = refused.what();
    }
    return removal;
  };
  if (document_.isSmall())
    if (const auto removal = LatestTask::tryNow(work)) return take(*removal);
  task_.start(
      [work](const std::stop_token& stop) {
        const WorkLimit limit(WorkLimit::kUsualSeconds, stop);
        return work();
      },
      [this](const Removal& removal) { take(removal); });
}

void CodePane::take(const Removal& removal) {
  if (removal.refusal.empty())
    return document_.apply(uiText("Remove lines not understood"), removal.edit);
  std::vector<CodeMark> marks = editor_->marks();
  marks.insert(marks.begin(), {1, 1, QString::fromStdString(saidAgain(removal.refusal))});
  problems_->show(marks, true);
}

void CodePane::pasteAsNewProgram() {
  replaceAll(pastedText(QApplication::clipboard()->text(), QString()));
}

void CodePane::replaceAll(const QString& text) {
  commit();
  document_.endMerge();
  document_.paste(uiText("Paste a program"), text.toStdString());
}

}  // namespace fusebench

#include "moc_code_pane.cpp"
