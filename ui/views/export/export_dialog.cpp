// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/export_dialog.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPicture>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <cmath>

#include "profiler/files/files.h"
#include "ui/export/figures/figure_paint.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/base/tab_order.h"
#include "ui/views/export/export_fields.h"
#include "ui/views/export/figure_preview.h"

namespace fusebench {
namespace {

constexpr int kDialogMargin = 48;  ///< pixels of the screen that stay free around the dialog
constexpr qsizetype kPreviewText = 20'000;

}  // namespace

ExportDialog::ExportDialog(std::unique_ptr<const ExportSource> source, const Dialogs& dialogs,
                           const QString& folder, QWidget* parent)
    : QDialog(parent), source_(std::move(source)), dialogs_(dialogs), folder_(folder) {
  setWindowTitle(source_->heading());
  pool_.setMaxThreadCount(1);
  auto* columns = new QHBoxLayout(this);
  columns->setContentsMargins(16, 16, 16, 16);
  columns->setSpacing(16);
  stack_ = new QStackedWidget(this);
  preview_ = new FigurePreview(stack_);
  preview_->setGround(palette().color(QPalette::AlternateBase));
  text_ = new QPlainTextEdit(stack_);
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setAccessibleName(uiText("Preview"));
  constexpr double kAround = 14;  // a page has margins
  text_->document()->setDocumentMargin(kAround);
  stack_->addWidget(preview_);
  stack_->addWidget(text_);
  columns->addWidget(stack_, 1);
  columns->addWidget(makeSide());
  connect(fields_, &ExportFields::changed, this, &ExportDialog::refresh);
  refresh();
  resize(
      QSize(1080, 640).boundedTo(screen()->availableSize() - QSize(kDialogMargin, kDialogMargin)));
  fields_->setFocus();
}

ExportDialog::~ExportDialog() {
  stop_.request_stop();  // a report may be waiting for a worker
  pool_.waitForDone();
}

QWidget* ExportDialog::makeSide() {
  auto* side = new QWidget(this);
  side->setFixedWidth(320);
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  fields_ = new ExportFields(*source_, side);
  rows->addWidget(fields_);
  rows->addStretch(1);
  status_ = new QLabel(side);
  status_->setWordWrap(true);
  status_->setAccessibleName(uiText("Result of the export"));
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  rows->addWidget(status_);
  auto* buttons = new QHBoxLayout;
  copy_ = new QPushButton(uiText("Copy"), side);
  copy_->setToolTip(uiText("Copy to the clipboard"));
  auto* close = new QPushButton(uiText("Close"), side);
  write_ = new QPushButton(uiText("Export…"), side);
  write_->setDefault(true);
  write_->setObjectName(QStringLiteral("primary"));
  for (QPushButton* button : {copy_, close, write_}) buttons->addWidget(button);
  rows->addLayout(buttons);
  connect(copy_, &QPushButton::clicked, this, &ExportDialog::copy);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(write_, &QPushButton::clicked, this, &ExportDialog::chooseFile);
  return side;
}

bool ExportDialog::focusNextPrevChild(bool next) {
  return followTabOrder(*this, next);
}

void ExportDialog::refresh() {
  const ExportForm& form = fields_->form();
  const ExportChoices choices = fields_->choices();
  bool isText = true;
  try {
    if (form.figure) {
      preview_->setFigure(source_->figure(choices));
      fields_->showHeight(preview_->figure().size.height());
      stack_->setCurrentWidget(preview_);
    } else {
      const QString text = source_->preview(form, choices, isText);
      text_->setFont(isText ? monoFont(0.92) : textFont(1.1));
      text_->setLineWrapMode(isText ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
      text_->setPlainText(text.left(kPreviewText));
      stack_->setCurrentWidget(text_);
    }
    copy_->setEnabled(isText);
    const QSizeF pixels = preview_->figure().size * choices.scale;
    if (!busy_)
      say(Tone::info, form.pixels ? uiText("%1 × %2 pixels")
                                        .arg(std::lround(pixels.width()))
                                        .arg(std::lround(pixels.height()))
                                  : QString());
    write_->setEnabled(!busy_);
  } catch (const std::exception& error) {
    // The preview still shows the previous figure.
    write_->setEnabled(false);
    copy_->setEnabled(false);
    say(Tone::error, QString::fromUtf8(error.what()));
  }
}

QString ExportDialog::previewText() const {
  return stack_->currentWidget() == text_ ? text_->toPlainText() : QString();
}

void ExportDialog::copy() {
  const ExportForm& form = fields_->form();
  auto* copied = new QMimeData;
  if (form.figure) {
    const Figure& figure = preview_->figure();
    copied->setImageData(figureImage(figure, fields_->choices().scale));
    copied->setData(QStringLiteral("image/svg+xml"), toSvg(figure).toUtf8());
    copied->setText(figure.description);
  } else {
    bool isText = true;
    copied->setText(source_->preview(form, fields_->choices(), isText));
  }
  QGuiApplication::clipboard()->setMimeData(copied);
  say(Tone::info, uiText("Copied."));
}

void ExportDialog::chooseFile() {
  const QString ending = QLatin1Char('.') + QLatin1String(fields_->form().ending);
  QString path =
      dialogs_.saveFile(this, folder_ + u'/' + source_->fileName() + ending,
                        QStringLiteral("%1 (*%2)").arg(uiText(fields_->form().name), ending));
  if (path.isEmpty()) return;
  if (!path.endsWith(ending, Qt::CaseInsensitive) && QFileInfo(path).suffix().isEmpty())
    path += ending;
  writeTo(path);
}

void ExportDialog::writeTo(const QString& path) {
  if (busy_) return;
  busy_ = true;
  write_->setEnabled(false);
  say(Tone::info, uiText("Writing…"));
  const ExportForm form = fields_->form();
  const ExportChoices choices = fields_->choices();
  ExportSource::Writer write;
  if (form.figure) {
    Figure figure = preview_->figure();
    if (figure.picture) {  // playing one reads its buffer: each thread has its own
      auto own = std::make_shared<QPicture>();
      own->setData(figure.picture->data(), figure.picture->size());
      figure.picture = std::move(own);
    }
    write = [figure, form, scale = choices.scale](const QString& to, std::stop_token) {
      const QByteArray content = form.figure(figure, scale);
      writeFile(to.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
    };
  } else {
    write = source_->writer(form, choices);
  }
  pool_.start([this, path, write = std::move(write), stop = stop_.get_token()] {
    QString wrong;
    try {
      write(path, stop);
    } catch (const std::exception& error) {
      wrong = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(this, [this, path, wrong] {
      busy_ = false;
      write_->setEnabled(true);
      wrong.isEmpty() ? say(Tone::info, uiText("Written: %1").arg(path)) : say(Tone::error, wrong);
      if (!wrong.isEmpty()) return emit failed(wrong);
      folder_ = QFileInfo(path).absolutePath();
      emit exported(path);
    });
  });
}

void ExportDialog::say(Tone tone, const QString& text) {
  status_->setProperty("tone", nameOf(tone));
  status_->setText(text);
  status_->setAccessibleName(text.isEmpty() ? uiText("Result of the export") : text);
}

}  // namespace fusebench

#include "moc_export_dialog.cpp"
