// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/access/picture_access.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QTimer>
#include <QWidget>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// The widget whose coordinates the places of parts are in.
QWidget& groundOf(QWidget& widget) {
  auto* area = qobject_cast<QAbstractScrollArea*>(&widget);
  return area ? *area->viewport() : widget;
}

/// A part of a picture. It keeps its number only: what it says is asked of the picture each time.
class PartAccess : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PartAccess(const PictureAccess& picture, int number) : picture_(picture), number_(number) {}

  bool isValid() const override {
    return picture_.isValid() && number_ < static_cast<int>(picture_.parts().size());
  }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(picture_.shown());
  }
  int childCount() const override { return 0; }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  QAccessible::Role role() const override { return part().role; }
  QRect rect() const override {
    const QRect place = part().place;
    if (place.isEmpty()) return {};
    const QWidget& ground = groundOf(*picture_.shown());
    return {ground.mapToGlobal(place.topLeft()), place.size()};
  }
  QString text(QAccessible::Text text) const override {
    const AccessPart& own = part();
    switch (text) {
      case QAccessible::Name:
        return own.name;
      case QAccessible::Value:
        return own.value;
      case QAccessible::Description:
        // Not every platform asks a part for its value.
        if (own.value.isEmpty() || own.description.isEmpty()) return own.value + own.description;
        return own.value + QStringLiteral(". ") + own.description;
      default:
        return {};
    }
  }
  void setText(QAccessible::Text /*text*/, const QString& /*words*/) override {}
  QAccessible::State state() const override {
    const AccessPart& own = part();
    QWidget& widget = *picture_.shown();
    QAccessible::State state;
    state.invisible = !widget.isVisible();
    state.offscreen = !groundOf(widget).rect().intersects(own.place);
    state.focusable = widget.focusPolicy() != Qt::NoFocus;
    state.focused = own.current && widget.hasFocus();
    state.selectable = own.selected || own.press;
    state.selected = own.selected;
    state.readOnly = true;
    return state;
  }
  QList<QPair<QAccessibleInterface*, QAccessible::Relation>> relations(
      QAccessible::Relation match) const override {
    // An operand controls its reader; newer versions of Qt have relations for data flow.
    QList<QPair<QAccessibleInterface*, QAccessible::Relation>> made;
    const AccessPart& own = part();
    for (const auto& [parts, relation] :
         {std::pair(&own.from, QAccessible::Controller), {&own.to, QAccessible::Controlled}})
      if (match & relation)
        for (const int number : *parts)
          if (QAccessibleInterface* other = picture_.part(number)) made.append({other, relation});
    return made;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                : nullptr;
  }
  QStringList actionNames() const override {
    return part().press ? QStringList{pressAction()} : QStringList{};
  }
  void doAction(const QString& action) override {
    // The action may replace the list that this function is in.
    if (const auto press = part().press; press && action == pressAction()) press();
  }
  QStringList keyBindingsForAction(const QString& /*action*/) const override { return {}; }

 private:
  const AccessPart& part() const {
    static const AccessPart kGone;
    return isValid() ? picture_.parts()[static_cast<std::size_t>(number_)] : kGone;
  }

  const PictureAccess& picture_;
  int number_;
};

}  // namespace

/// Tells a screen reader when the keyboard has gone to another part, or what it is at has changed.
class PictureAccess::Watch : public QObject {
 public:
  Watch(QWidget& widget, PictureAccess& picture) : QObject(&widget), picture_(picture) {
    widget.installEventFilter(this);
    for (QTimer* timer : {&later_, &stale_}) {
      timer->setSingleShot(true);
      timer->setInterval(0);
    }
    connect(&later_, &QTimer::timeout, this, [this] { tell(); });
    connect(&stale_, &QTimer::timeout, this, [this] { picture_.fresh_ = false; });
  }
  /// The parts are computed again in the next round of the event loop.
  void ageParts() { stale_.start(); }
  bool eventFilter(QObject* watched, QEvent* event) override {
    switch (event->type()) {
      case QEvent::KeyPress:
      case QEvent::FocusIn:
        later_.start();  // once the widget has handled it
        break;
      default:
        break;
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  void tell() {
    picture_.fresh_ = false;
    const int now = picture_.currentPart();
    QAccessibleInterface* part = now < 0 ? nullptr : picture_.part(now);
    const QString words =
        part ? part->text(QAccessible::Name) + part->text(QAccessible::Value) : QString();
    if (now == told_ && words == words_) return;
    told_ = now;
    words_ = words;
    if (!part || !picture_.shown()->hasFocus()) return;
    QAccessibleEvent event(part, QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
  }

  PictureAccess& picture_;
  QTimer later_, stale_;
  int told_ = -1;
  QString words_;
};

void boundParts(AccessParts& parts, std::size_t all) {
  if (parts.size() > kMostAccessParts) parts.resize(kMostAccessParts);
  if (all <= parts.size()) return;
  AccessPart rest;
  rest.role = QAccessible::StaticText;
  rest.name = uiText("and %1 more").arg(formatCount(static_cast<std::int64_t>(all - parts.size())));
  parts.push_back(std::move(rest));
}

PictureAccess::PictureAccess(QWidget& widget, const AccessKind& kind)
    : QAccessibleWidget(&widget, kind.role), kind_(kind) {
  if (kind_.parts) watch_ = new Watch(widget, *this);
}

PictureAccess::~PictureAccess() {
  delete watch_;
  for (const QAccessible::Id id : ids_) QAccessible::deleteAccessibleInterface(id);
}

const AccessParts& PictureAccess::parts() const {
  if (fresh_ || !watch_) return parts_;
  parts_ = kind_.parts(*widget());
  fresh_ = true;
  // A screen reader that asks for a hundred parts in a row gets them from one list.
  watch_->ageParts();
  return parts_;
}

QAccessibleInterface* PictureAccess::part(int number) const {
  if (number < 0 || number >= static_cast<int>(parts().size())) return nullptr;
  while (static_cast<int>(ids_.size()) <= number) {
    // Qt's cache of interfaces owns it.
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
    ids_.push_back(QAccessible::registerAccessibleInterface(
        new PartAccess(*this, static_cast<int>(ids_.size()))));
  }
  return QAccessible::accessibleInterface(ids_[static_cast<std::size_t>(number)]);
}

int PictureAccess::currentPart() const {
  const AccessParts& all = parts();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].current) return static_cast<int>(i);
  return -1;
}

int PictureAccess::childCount() const {
  return QAccessibleWidget::childCount() + static_cast<int>(parts().size());
}

QAccessibleInterface* PictureAccess::child(int index) const {
  const int widgets = QAccessibleWidget::childCount();
  return index < widgets ? QAccessibleWidget::child(index) : part(index - widgets);
}

int PictureAccess::indexOfChild(const QAccessibleInterface* child) const {
  if (child && !child->object())
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (QAccessible::accessibleInterface(ids_[i]) == child)
        return QAccessibleWidget::childCount() + static_cast<int>(i);
  return QAccessibleWidget::indexOfChild(child);
}

QAccessibleInterface* PictureAccess::childAt(int x, int y) const {
  // The last part is drawn on top.
  for (int i = static_cast<int>(parts().size()) - 1; i >= 0; --i)
    if (QAccessibleInterface* made = part(i); made && made->rect().contains(x, y)) return made;
  return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface* PictureAccess::focusChild() const {
  if (widget()->hasFocus())
    if (QAccessibleInterface* made = part(currentPart())) return made;
  return QAccessibleWidget::focusChild();
}

QString PictureAccess::text(QAccessible::Text text) const {
  const QString own = QAccessibleWidget::text(text);
  // Qt falls back on tool tips for names, which describe.
  return text == QAccessible::Name && !widget()->accessibleName().isEmpty()
             ? widget()->accessibleName()
             : own;
}

QStringList PictureAccess::actionNames() const {
  QStringList names = QAccessibleWidget::actionNames();
  if (kind_.press && !names.contains(pressAction())) names.prepend(pressAction());
  return names;
}

void PictureAccess::doAction(const QString& action) {
  if (kind_.press && action == pressAction()) return kind_.press(*widget());
  QAccessibleWidget::doAction(action);
}

}  // namespace fusebench
