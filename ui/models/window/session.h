// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <optional>
#include <string>

#include "ui/models/setup/document_model.h"

namespace fusebench {

/// The state that a window restores at its next start. It is written during work, so that a crash
/// loses at most the last second of editing. The first of several windows owns the session.
class Session : public QObject {
  Q_OBJECT

 public:
  struct State {
    Experiment experiment;
    QString path;           ///< file that it came from, or empty
    bool modified = false;  ///< against that file
    QString shownRun;       ///< file of the run that was shown, or empty
    bool crashed = false;   ///< the last window did not close properly
  };

  /// `folder` is created if it does not exist. Nothing is written before begin().
  Session(DocumentModel& document, const QString& folder, QObject* parent = nullptr);
  ~Session() override;

  /// False if another window owns it: then nothing is restored and nothing written.
  bool mine() const { return mine_; }
  /// Where the session is, whether or not there is one.
  QString file() const { return folder_ + QStringLiteral("/session.json"); }
  /// The session of the last window; nothing if there is none, or if it cannot be read. Reads a
  /// program, which takes up to the limit of its time.
  static std::optional<State> read(const QString& file);
  std::optional<State> left() const { return mine_ ? read(file()) : std::nullopt; }
  /// Renames the session that the last window left, because this one writes its own in its place.
  /// Returns the new name; empty if there is nothing, or it cannot be renamed.
  QString setAside() const;

  /// Starts to write, at most once per second.
  void begin();
  const QString& shownRun() const { return shownRun_; }
  void setShownRun(const QString& path);
  /// The window closes properly: writes a last time, immediately. Edits that should not be kept are
  /// discarded; the next start shows the file that they were made to.
  void end(bool keepEdits = true);

 signals:
  /// The session cannot be written; one line. Reported once.
  void failed(const QString& what);

 private:
  std::string text(bool open, const std::string& experiment, bool modified) const;
  void write();

  DocumentModel& document_;
  QString folder_;
  QLockFile lock_;
  bool mine_ = false;
  bool writing_ = false;
  bool complained_ = false;
  QString shownRun_;
  QTimer pause_;
  QThreadPool pool_;
};

}  // namespace fusebench
