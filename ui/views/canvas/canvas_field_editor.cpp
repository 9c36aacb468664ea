// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_field_editor.h"

#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr const char* kFieldSheet = R"(
QLineEdit { background: @panel@; color: @text@; border: 1px solid @accent@; border-radius: 4px;
  padding: 0 2px; selection-background-color: @accent@; }
)";
constexpr const char* kWrongFieldSheet = R"(
QLineEdit { background: @panel@; color: @text@; border: 1px solid @error@; border-radius: 4px;
  padding: 0 2px; selection-background-color: @accent@; }
)";

}  // namespace

CanvasFieldEditor::CanvasFieldEditor(CanvasSurface& surface)
    : QLineEdit(surface.viewport()), surface_(surface) {
  hide();
  setAlignment(Qt::AlignCenter);
  connect(this, &QLineEdit::textEdited, this, [this] { judge(); });
  connect(&surface_, &CanvasSurface::viewChanged, this, [this] { follow(); });
}

void CanvasFieldEditor::restyle() {
  QFont font = canvas::chipFont();
  font.setPointSizeF(font.pointSizeF() * std::max(0.7, surface_.zoom()));
  styleBy(*this, withRoles(error_.isEmpty() ? kFieldSheet : kWrongFieldSheet) +
                     QStringLiteral("QLineEdit { font-family: \"%1\"; font-size: %2pt; }")
                         .arg(font.family())
                         .arg(font.pointSizeF()));
}

void CanvasFieldEditor::open(int node, int field) {
  if (isOpen()) leave();
  const CanvasNode& shown = surface_.graph().nodes[static_cast<std::size_t>(node)];
  if (field < 0 || field >= static_cast<int>(shown.fields.size())) return;
  const CanvasField& of = shown.fields[static_cast<std::size_t>(field)];
  node_ = node;
  field_ = field;
  flag_ = of.kind == CanvasField::Kind::flag;
  error_.clear();
  setReadOnly(flag_);
  setText(of.text);
  setAccessibleName(QStringLiteral("%1, %2").arg(of.name, of.range()));
  setToolTip(of.doc.isEmpty() ? of.range() : QStringLiteral("%1: %2").arg(of.doc, of.range()));
  restyle();
  surface_.reveal(node);
  follow();
  show();
  raise();
  selectAll();
  setFocus();
  if (say && flag_) say(uiText("Space toggles %1, Enter accepts").arg(of.name), below());
}

void CanvasFieldEditor::follow() {
  if (!isOpen() || node_ >= surface_.nodeCount()) return;
  QRect place = surface_.onViewport(surface_.node(node_).fieldFrame(field_));
  const int wanted = std::max(place.width() + 8, 64);
  place.adjust(-(wanted - place.width()) / 2, -3, (wanted - place.width()) / 2, 3);
  setGeometry(place);
}

QPointF CanvasFieldEditor::below() const {
  return surface_.node(node_).fieldFrame(field_).bottomLeft() + QPointF(0, 4);
}

void CanvasFieldEditor::judge() {
  const QString before = std::exchange(error_, check ? check(node_, field_, text()) : QString());
  if (error_ == before) return;
  restyle();
  if (say) say(error_, below());
}

/// Whether the value was taken; if not, says why and stays.
bool CanvasFieldEditor::accept() {
  judge();
  if (!error_.isEmpty()) {
    if (say) say(error_, below());
    return false;
  }
  // Committing the value may redraw the graph, which closes this editor.
  const int node = std::exchange(node_, -1), field = field_;
  const QString refusal = commit ? commit(node, field, text()) : QString();
  if (refusal.isEmpty()) {
    hide();
    if (say) say({}, {});
    surface_.setFocus();
    return true;
  }
  node_ = node;
  error_ = refusal;
  restyle();
  if (say) say(error_, below());
  return false;
}

void CanvasFieldEditor::leave() {
  if (!isOpen()) return;
  if (check && !check(node_, field_, text()).isEmpty()) return close();
  if (!accept()) close();
}

void CanvasFieldEditor::close() {
  if (!isOpen()) return;
  const bool focused = hasFocus();
  node_ = -1;
  hide();
  if (say) say({}, {});
  if (focused) surface_.setFocus();
}

void CanvasFieldEditor::walk(int fields) {
  const int node = node_;
  const int count =
      static_cast<int>(surface_.graph().nodes[static_cast<std::size_t>(node)].fields.size());
  const int next = (field_ + fields + count) % count;
  if (accept() && node < surface_.nodeCount()) open(node, next);
}

bool CanvasFieldEditor::event(QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    // Before Qt moves the focus on.
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Tab || key == Qt::Key_Backtab) {
      walk(key == Qt::Key_Tab ? 1 : -1);
      return true;
    }
  }
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();  // while a value is typed, keys are text
    return true;
  }
  return QLineEdit::event(event);
}

void CanvasFieldEditor::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      accept();
      return;
    case Qt::Key_Escape:
      close();
      return;
    default:
      break;
  }
  if (flag_ && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Up ||
                event->key() == Qt::Key_Down)) {
    setText(text() == QLatin1String("True") ? QStringLiteral("False") : QStringLiteral("True"));
    selectAll();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

void CanvasFieldEditor::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) leave();
}

}  // namespace fusebench

#include "moc_canvas_field_editor.cpp"
