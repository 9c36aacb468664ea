// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QThreadPool>
#include <memory>

#include "ui/export/export_files.h"
#include "ui/views/dialogs.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace fusebench {

class FigurePreview;

/// Writes the shown run in any form, with what it will be before one's eyes. Files are made on
/// another thread; the dialog stays open, so that one form after another can be written.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `crossings` are those of the run; `folder` is where the first file is offered.
  ExportDialog(std::shared_ptr<const Run> run, std::vector<Crossing> crossings,
               const Dialogs& dialogs, const QString& folder, QWidget* parent = nullptr);
  ~ExportDialog() override;

  /// By the ending: "svg". False for an unknown one.
  bool chooseForm(const QString& ending);
  bool chooseView(const QString& view);
  bool choosePreset(const QString& key);
  ExportChoices choices() const;
  const ExportForm& form() const;
  const FigurePreview& preview() const { return *preview_; }
  QString previewText() const;
  /// Writes it there, in the background; `exported` or `failed` follows.
  void writeTo(const QString& path);
  /// The chart as a picture and as SVG.
  void copy();
  bool busy() const { return busy_; }

 signals:
  void exported(const QString& path);
  void failed(const QString& message);

 private:
  QWidget* makeForm();
  void refresh();
  void applyPreset();
  void chooseFile();
  bool isReport() const;
  QString dataText() const;
  void say(const QString& text, bool wrong);
  ExportedRun exportedRun() const { return {name_.toStdString(), run_.get(), crossings_}; }

  std::shared_ptr<const Run> run_;
  std::vector<Crossing> crossings_;
  Dialogs dialogs_;
  QString folder_, name_;
  QComboBox *forms_, *views_, *variants_, *slices_, *presets_, *themes_, *legends_;
  QSpinBox *width_, *height_;
  QDoubleSpinBox* scale_;
  QLineEdit *title_, *caption_;
  QLabel* status_;
  QPushButton *copy_, *write_;
  QStackedWidget* stack_;
  FigurePreview* preview_;
  QPlainTextEdit* text_;
  QFormLayout* fields_;
  std::vector<QWidget*> figureFields_;
  QThreadPool pool_;
  bool busy_ = false;
  bool settling_ = true;
};

}  // namespace fusebench
