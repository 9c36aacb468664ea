// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QIcon>

#include "ui/models/setup/document_model.h"
#include "ui/theme/theme.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace fusebench {

/// A part of the form that can be folded: its header shows how many problems are inside.
class InspectorSection : public QWidget {
  Q_OBJECT

 public:
  InspectorSection(const QString& title, Problem::Where where, DocumentModel& document,
                   QWidget* parent);
  /// Shows the document as it is now.
  void refresh();
  virtual void setTheme(const Theme& theme);
  bool open() const;
  void setOpen(bool open);
  Problem::Where where() const { return where_; }
  QString title() const { return title_; }
  /// Whether a GPU is chosen to measure on: settings for the CPU only are hidden. Applied at the
  /// next refresh().
  void setOnGpu(bool onGpu) { onGpu_ = onGpu; }

 protected:
  virtual void showSettings() = 0;
  bool onGpu() const { return onGpu_; }
  /// A button at the right end of the header.
  QToolButton* addAction(const QString& text, const QString& tip);
  QVBoxLayout* body() const { return body_; }
  /// Shows problems with the section as a whole.
  void showOwnProblems(const QStringList& words);
  const Experiment& experiment() const { return document_.experiment(); }

  DocumentModel& document_;
  const Theme* theme_ = &darkTheme();

 private:
  QString title_;
  Problem::Where where_;
  bool onGpu_ = false;
  QToolButton* fold_;
  QLabel* count_;
  QLabel* problems_;
  QWidget* content_;
  QVBoxLayout* body_;
  QHBoxLayout* head_;
};

/// A framed part of a section: one variant, one input set, one axis.
class InspectorCard : public QFrame {
  Q_OBJECT

 public:
  explicit InspectorCard(QWidget* parent);
  QVBoxLayout* body() const { return content_; }
  void showProblems(const QStringList& words);
  /// Sets the subject of the card, shown above its fields.
  void setTitle(const QString& title, const QIcon& icon = {});
  QString title() const;
  /// A check box before the title; `name` describes it.
  QCheckBox* addTick(const QString& name);
  /// Shows only the title until it is opened.
  void makeFoldable(const QString& name);
  void setOpen(bool open);
  bool open() const;
  /// Gray text after the title, or on its own line if it would be cut there.
  void setDetails(const QString& text);
  /// The menu button "⋯" at the end of the title; `name` describes it.
  QToolButton* menuButton(const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeDetails();
  QHBoxLayout* head_;
  QVBoxLayout* body_;
  QWidget* folded_;
  QVBoxLayout* content_;
  QToolButton* fold_ = nullptr;
  QLabel* icon_;
  QLabel* title_;
  QLabel* details_;
  QLabel* problems_;
};

/// A sample of a series: color, dash and marker.
QIcon seriesIcon(const Theme& theme, int series);

}  // namespace fusebench
