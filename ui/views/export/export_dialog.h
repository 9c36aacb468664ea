// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QThreadPool>
#include <memory>
#include <stop_token>

#include "ui/export/export_source.h"
#include "ui/models/base/tone.h"
#include "ui/views/base/dialogs.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace fusebench {

class ExportFields;
class FigurePreview;

/// Writes the content of its source in any form, with a preview. Files are written on another
/// thread; the dialog stays open, so that several forms can be written.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `folder` is suggested for the first file.
  ExportDialog(std::unique_ptr<const ExportSource> source, const Dialogs& dialogs,
               const QString& folder, QWidget* parent = nullptr);
  ~ExportDialog() override;

  ExportFields& fields() { return *fields_; }
  const FigurePreview& preview() const { return *preview_; }
  QString previewText() const;
  const QLabel& status() const { return *status_; }
  /// Writes it there, in the background; `exported` or `failed` follows.
  void writeTo(const QString& path);
  /// The figure as a picture and as SVG.
  void copy();
  bool busy() const { return busy_; }

 signals:
  void exported(const QString& path);
  void failed(const QString& message);

 protected:
  bool focusNextPrevChild(bool next) override;

 private:
  QWidget* makeSide();
  void refresh();
  void chooseFile();
  void say(Tone tone, const QString& text);

  std::unique_ptr<const ExportSource> source_;
  Dialogs dialogs_;
  QString folder_;
  ExportFields* fields_;
  QLabel* status_;
  QPushButton *copy_, *write_;
  QStackedWidget* stack_;
  FigurePreview* preview_;
  QPlainTextEdit* text_;
  std::stop_source stop_;
  QThreadPool pool_;
  bool busy_ = false;
};

}  // namespace fusebench
