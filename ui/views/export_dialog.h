// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QThreadPool>
#include <memory>
#include <stop_token>

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

  /// Another run that goes with it: a comparison. Both have names then.
  void compareWith(const QString& ownName, std::shared_ptr<const Run> other, const QString& name);
  /// A run that lies over the chart.
  struct LaidOver {
    QString name;
    std::shared_ptr<const Run> run;
  };
  /// Opens on a view as the window shows it: its axes and the part of them, models, other runs.
  bool openOn(const QString& view, const ChartShown& shown, bool models,
              std::vector<LaidOver> over);
  /// What makes generated code for reports; without it none is offered.
  void setWorker(std::vector<std::string> command);
  /// By the ending: "svg". False for an unknown one.
  bool chooseForm(const QString& ending);
  bool chooseView(const QString& view);
  bool choosePreset(const QString& key);
  /// Of a variant, or "all".
  bool chooseCode(const QString& variant);
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
  std::vector<ExportedRun> exportedRuns() const;

  std::shared_ptr<const Run> run_;
  std::vector<Crossing> crossings_;
  Dialogs dialogs_;
  QString folder_, name_, ownName_;
  std::shared_ptr<const Run> other_;  ///< in a comparison
  std::vector<Crossing> otherCrossings_;
  QString otherName_;
  std::vector<std::string> worker_;
  QString shownView_;
  ChartShown shown_;
  bool models_ = true;
  std::vector<LaidOver> over_;  ///< of charts alone
  QComboBox *codes_, *forms_, *views_, *variants_, *slices_, *presets_, *themes_, *legends_;
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
  std::stop_source stop_;
  QThreadPool pool_;
  bool busy_ = false;
  bool settling_ = true;
};

}  // namespace fusebench
