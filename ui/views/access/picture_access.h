// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QPointer>
#include <vector>

#include "ui/views/access/access_part.h"

namespace fusebench {

/// How a class of widgets that paint themselves is presented to a screen reader.
struct AccessKind {
  bool (*is)(const QObject& widget);
  QAccessible::Role role;
  AccessParts (*parts)(QWidget& widget) = nullptr;  ///< null: it has none
  void (*press)(QWidget& widget) = nullptr;         ///< null: a click has no effect
};

/// A widget that paints itself, with its drawn elements as children after its child widgets.
class PictureAccess : public QAccessibleWidget {
 public:
  PictureAccess(QWidget& widget, const AccessKind& kind);
  ~PictureAccess() override;

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;
  QString text(QAccessible::Text text) const override;
  QStringList actionNames() const override;
  void doAction(const QString& action) override;

  /// Their current state; computed at most once per iteration of the event loop.
  const AccessParts& parts() const;
  QWidget* shown() const { return widget(); }
  QAccessibleInterface* part(int number) const;
  /// The one with the keyboard focus; -1: none.
  int currentPart() const;

 private:
  class Watch;

  const AccessKind& kind_;
  mutable AccessParts parts_;
  mutable bool fresh_ = false;
  mutable std::vector<QAccessible::Id> ids_;
  QPointer<Watch> watch_;
};

}  // namespace fusebench
