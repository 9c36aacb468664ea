// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/python_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <string>

#include "profiler/study/torch_worker.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/window/settings.h"
#include "ui/views/base/tab_order.h"

namespace fusebench {

PythonDialog::PythonDialog(Settings& settings, Checker checker, QWidget* parent)
    : QDialog(parent), settings_(settings), checker_(std::move(checker)) {
  setWindowTitle(uiText("Python for PyTorch"));
  resize(560, 220);
  thread_.setMaxThreadCount(1);

  auto* what = new QLabel(
      uiText("Variants whose executor is torch, torch-static, torch-dynamic or torch-replay are "
             "run by PyTorch, in this Python. Enter the path of an interpreter that has torch; if "
             "empty, FUSEBENCH_PYTHON or else python3 is used."),
      this);
  what->setWordWrap(true);
  path_ = new QLineEdit(settings_.python(), this);
  path_->setPlaceholderText(QString::fromStdString(chosenPython({})));
  path_->setAccessibleName(uiText("Python interpreter"));
  auto* browse = new QPushButton(uiText("Choose…"), this);
  auto* look = new QPushButton(uiText("Check"), this);
  for (QPushButton* button : {browse, look}) button->setAutoDefault(false);
  found_ = new QLabel(this);
  found_->setWordWrap(true);
  found_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  found_->setAccessibleName(uiText("What was found there"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  ok_ = buttons->button(QDialogButtonBox::Ok);

  auto* row = new QHBoxLayout;
  row->addWidget(path_, 1);
  row->addWidget(browse);
  row->addWidget(look);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(what);
  layout->addLayout(row);
  layout->addWidget(found_, 1, Qt::AlignTop);
  layout->addWidget(buttons);

  connect(browse, &QPushButton::clicked, this, &PythonDialog::choose);
  connect(look, &QPushButton::clicked, this, &PythonDialog::check);
  connect(path_, &QLineEdit::textEdited, this, [this] { found_->clear(); });
  connect(buttons, &QDialogButtonBox::accepted, this, &PythonDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &PythonDialog::reject);
  check();
}

PythonDialog::~PythonDialog() {
  stop_.request_stop();
  thread_.clear();
  thread_.waitForDone();
}

bool PythonDialog::focusNextPrevChild(bool next) {
  return followTabOrder(*this, next);
}

void PythonDialog::check() {
  const int number = ++asked_;
  stop_.request_stop();  // stops the check of another interpreter
  stop_ = std::stop_source();
  found_->setText(uiText("Looking for PyTorch…"));
  const std::string python = chosenPython(path_->text().trimmed().toStdString());
  // The destructor waits for the thread; Qt drops calls that come after it.
  thread_.start([this, number, python, checker = checker_, stop = stop_.get_token()] {
    const DoctorCheck check = checker(python, stop);
    QString text = QString::fromStdString(check.found);
    if (!check.remedy.empty()) text += u'\n' + QString::fromStdString(check.remedy);
    QMetaObject::invokeMethod(
        this,
        [this, number, text] {
          answered_ = std::max(answered_, number);
          if (number == asked_) found_->setText(text);
        },
        Qt::QueuedConnection);
  });
}

void PythonDialog::choose() {
  const QString chosen =
      QFileDialog::getOpenFileName(this, uiText("Python interpreter"), path_->text());
  if (chosen.isEmpty()) return;
  path_->setText(chosen);
  check();
}

void PythonDialog::accept() {
  settings_.setPython(path_->text().trimmed());
  QDialog::accept();
}

}  // namespace fusebench

#include "moc_python_dialog.cpp"
