// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/dialogs.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QStandardPaths>
#include <QTreeView>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/theme/theme.h"

namespace fusebench {

namespace {

constexpr int kRoomBeside = 24;  ///< extra width of a column, next to its text

/// Where a person keeps files, not where the program was started.
QString documentsFolder() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(folder).isDir() ? folder : QDir::homePath();
}

/// Places a suggestion without a folder in the usual folder.
QString inAFolder(const QString& suggestion) {
  return QFileInfo(suggestion).isAbsolute() ? suggestion
                                            : QDir(documentsFolder()).filePath(suggestion);
}

QString chosenIn(QFileDialog& dialog) {
  giveRoom(dialog);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace

QString openFilter() {
  return uiText(
      "All supported files (*.fusebench *.json *.jsonl *.html *.pdf *.fblesson *.json.gz *.gz "
      "*.pftrace *.sqlite *.py *.pt2 *.log *.txt);;Experiments (*.json);;Runs and reports (*.jsonl "
      "*.html *.pdf);;Lessons (*.fblesson);;Models to capture (*.py *.pt2);;Traces (*.json "
      "*.json.gz *.gz *.pftrace *.sqlite);;Logs of torch.compile (*.log *.txt *.gz);;All files "
      "(*)");
}

void giveRoom(QFileDialog& dialog) {
  const QSize usual(900, 560), most = dialog.screen()->availableSize() * 0.9;
  dialog.resize(usual.boundedTo(most));
  auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
  if (!files) return;  // a desktop's own dialog
  files->ensurePolished();
  QHeaderView& header = *files->header();
  const QString kinds[] = {{},
                           QStringLiteral("8 888.88 MiB"),
                           QStringLiteral("Gzip archive"),
                           QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat)};
  for (int column = 1; column < header.count() && column < int(std::size(kinds)); ++column) {
    const int needed = files->fontMetrics().horizontalAdvance(kinds[column]) + kRoomBeside;
    header.resizeSection(column, std::max(header.sectionSize(column), needed));
  }
}

Dialogs standardDialogs() {
  Dialogs dialogs;
  dialogs.openFile = [](QWidget* parent, const QString& folder) {
    QFileDialog dialog(parent, uiText("Open"), folder.isEmpty() ? documentsFolder() : folder,
                       openFilter());
    dialog.setFileMode(QFileDialog::ExistingFile);
    return chosenIn(dialog);
  };
  dialogs.saveFile = [](QWidget* parent, const QString& suggestion, const QString& filter) {
    const QFileInfo file(inAFolder(suggestion));
    QFileDialog dialog(parent, uiText("Save"), file.absolutePath(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(file.fileName());
    return chosenIn(dialog);
  };
  dialogs.unsaved = [](QWidget* parent, const QString& question) {
    QMessageBox box(QMessageBox::NoIcon, uiText("Unsaved changes"), question,
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
      case QMessageBox::Save:
        return Dialogs::Unsaved::save;
      case QMessageBox::Discard:
        return Dialogs::Unsaved::discard;
      default:
        return Dialogs::Unsaved::cancel;
    }
  };
  dialogs.stop = [](QWidget* parent, const QString& question) {
    QMessageBox box(QMessageBox::NoIcon, uiText("Still measuring"), question, QMessageBox::NoButton,
                    parent);
    QPushButton* stop = box.addButton(uiText("Stop and close"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(uiText("Resume measuring"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == stop;
  };
  dialogs.measure = [](QWidget* parent, const QString& question) {
    QMessageBox box(QMessageBox::NoIcon, uiText("This takes longer"), question, QMessageBox::Cancel,
                    parent);
    QPushButton* measure = box.addButton(uiText("Measure"), QMessageBox::AcceptRole);
    box.setDefaultButton(measure);
    box.exec();
    return box.clickedButton() == measure;
  };
  return dialogs;
}

void showAbout(QWidget* parent) {
  auto* box = new QMessageBox(parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(uiText("About Fusebench"));
  box->setIconPixmap(applicationIcon().pixmap(64, 64));
  box->setTextFormat(Qt::RichText);
  box->setText(QStringLiteral("<b>Fusebench %1</b>").arg(QStringLiteral(FUSEBENCH_VERSION)));
  box->setInformativeText(
      uiText("<p>Shows where kernel fusion pays off and what kernel launches cost.</p><p>Free "
             "software under the GNU General Public License, version 3 or later. It comes with no "
             "warranty. You may pass it on and change it under the terms of that "
             "license.</p><p>Built on Qt %1 (LGPL 3), QCustomPlot 2.1 by Emanuel Eichhammer (GPL "
             "3) and LLVM 19 (Apache 2.0 with LLVM exceptions).</p>")
          .arg(QString::fromLatin1(qVersion())));
  for (QLabel* label : box->findChildren<QLabel*>()) label->setTextFormat(Qt::RichText);
  box->setStandardButtons(QMessageBox::Close);
  box->open();
}

}  // namespace fusebench
