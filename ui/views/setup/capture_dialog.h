// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <stop_token>
#include <string>

#include "profiler/capture/capture.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/base/tone.h"
#include "ui/views/base/dialogs.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace fusebench {

class Settings;

/// Makes an experiment of the user's own model: asks which file, states what will be executed, and
/// executes it in a separate process after the user confirms.
class CaptureDialog : public QDialog {
  Q_OBJECT

 public:
  /// captureModel(), or a test's replacement.
  using Capturer = std::function<CaptureResult(const CaptureOptions&,
                                               const std::function<void(const std::string&)>&,
                                               const std::stop_token&)>;

  CaptureDialog(Settings& settings, Dialogs dialogs, Capturer capturer, const QString& file,
                QWidget* parent = nullptr);
  ~CaptureDialog() override;

  CaptureOptions options() const;
  bool busy() const { return task_.busy(); }
  /// Executes the file; `captured` or an error in the dialog follows.
  void start();
  /// Stops the capture, or, if there is none, closes the dialog.
  void reject() override;

  QLineEdit& file() { return *file_; }
  QLineEdit& name() { return *name_; }
  QLineEdit& inputs() { return *inputs_; }
  QLineEdit& dynamic() { return *dynamic_; }
  QLineEdit& python() { return *python_; }
  QLineEdit& out() { return *out_; }
  QCheckBox& weights() { return *weights_; }
  QCheckBox& train() { return *train_; }
  QPushButton& captureButton() { return *capture_; }
  QPushButton& stopButton() { return *stop_; }
  const QLabel& warning() const { return *warning_; }
  const QLabel& status() const { return *status_; }

 signals:
  /// The experiment is written. `remarks`: what the user should know about it, one per line.
  void captured(const QString& path, fusebench::Tone tone, const QString& remarks);

 protected:
  bool focusNextPrevChild(bool next) override;

 private:
  /// The end of a capture.
  struct End {
    CaptureResult result;
    QString error;
    bool stopped = false;
  };
  QLineEdit* addLine(QFormLayout& form, const QString& label, const QString& tip,
                     QPushButton* button = nullptr);
  void fill(QFormLayout& form);
  void refresh();
  void take(const End& end);
  void say(Tone tone, const QString& text);

  Settings& settings_;
  Dialogs dialogs_;
  Capturer capturer_;
  QLineEdit *file_, *name_, *inputs_, *dynamic_, *python_, *out_;
  QCheckBox *weights_, *train_;
  QLabel *warning_, *status_;
  QProgressBar* progress_;
  QPushButton *capture_, *stop_;
  std::stop_source asked_;  ///< to stop: unlike the task's own, its result still arrives
  LatestTask task_{this};
};

}  // namespace fusebench
