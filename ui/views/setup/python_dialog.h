// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QThreadPool>
#include <functional>
#include <stop_token>
#include <string>

#include "profiler/doctor/doctor.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace fusebench {

class Settings;

/// The Python in which PyTorch's variants run, and what is installed there.
class PythonDialog : public QDialog {
  Q_OBJECT

 public:
  /// Reports what an interpreter has; called on another thread, and notified when the result is no
  /// longer needed.
  using Checker = std::function<DoctorCheck(const std::string& python, std::stop_token stop)>;

  PythonDialog(Settings& settings, Checker checker, QWidget* parent = nullptr);
  ~PythonDialog() override;

  QLineEdit& path() { return *path_; }
  const QLabel& found() const { return *found_; }
  bool checking() const { return asked_ != answered_; }

 public slots:
  /// Checks the interpreter that is currently entered.
  void check();
  void accept() override;

 protected:
  bool focusNextPrevChild(bool next) override;

 private:
  void choose();

  Settings& settings_;
  Checker checker_;
  QLineEdit* path_;
  QLabel* found_;
  QPushButton* ok_;
  QThreadPool thread_;
  std::stop_source stop_;  ///< stops the current check
  int asked_ = 0, answered_ = 0;
};

}  // namespace fusebench
