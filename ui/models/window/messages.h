// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "ui/models/base/tone.h"

namespace fusebench {

/// The action that a message offers.
enum class Remedy : std::uint8_t {
  none,
  goOn,
  discardRestored,
  saveElsewhere,
  undo,
  stopStudy,
  forgetRun,
  stopAndGoOn,
  choosePython,
  sweepSize,
  stopOpening,
  openWhole,
  restart
};

/// The messages of the window, one at a time; each may offer one remedy.
class Messages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void say(Tone tone, const QString& text, const QString& button = {},
           Remedy remedy = Remedy::none);
  /// Dismisses the current message.
  void dismiss();
  /// The same, if it offers this remedy.
  void withdraw(Remedy remedy);
  Remedy offered() const { return remedy_; }
  /// The remedy that is offered. It can be taken once.
  Remedy take();

 signals:
  /// `button` is empty where there is no remedy.
  void said(fusebench::Tone tone, const QString& text, const QString& button);
  void dismissed();

 private:
  Remedy remedy_ = Remedy::none;
};

}  // namespace fusebench
