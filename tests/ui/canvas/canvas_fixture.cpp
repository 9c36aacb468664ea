// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/canvas/canvas_fixture.h"

#include <QApplication>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QTest>

#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_message.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {

Canvas::Canvas() {
  view.setAnimated(false);
  view.resize(900, 900);
  view.show();
  view.activateWindow();
  EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
  view.surface().setFocus();
}

void Canvas::load(const std::string& body, const std::string& inputs) {
  document.setText(QStringLiteral("Start"), {}, "def program(" + inputs + "):\n" + body);
  document.load(document.experiment(), {});
}

std::string Canvas::code() {
  QStringList lines;
  for (const QString& line :
       QString::fromStdString(document.sketch().text).split(QLatin1Char('\n')))
    if (!line.trimmed().isEmpty() && !line.startsWith(QLatin1String("def")))
      lines << line.trimmed();
  return lines.join(QStringLiteral("; ")).toStdString();
}

int Canvas::node(const QString& title, int nth) {
  const auto& nodes = view.surface().graph().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].title == title && nth-- == 0) return static_cast<int>(i);
  ADD_FAILURE() << "there is no node " << title.toStdString();
  return -1;
}

int Canvas::edge(const QString& from, const QString& to) {
  const CanvasGraph& graph = view.surface().graph();
  for (std::size_t i = 0; i < graph.edges.size(); ++i)
    if (graph.nodes[static_cast<std::size_t>(graph.edges[i].from)].title == from &&
        graph.nodes[static_cast<std::size_t>(graph.edges[i].to)].title == to)
      return static_cast<int>(i);
  ADD_FAILURE() << "there is no such edge";
  return -1;
}

std::string Canvas::selected() {
  const CanvasSurface& surface = view.surface();
  QStringList titles;
  for (int i : surface.selected())
    titles << surface.graph().nodes[static_cast<std::size_t>(i)].title;
  return titles.join(QLatin1Char(' ')).toStdString();
}

std::string Canvas::current() {
  const CanvasSurface& surface = view.surface();
  if (surface.current() < 0) return {};
  return surface.graph().nodes[static_cast<std::size_t>(surface.current())].title.toStdString();
}

QPoint Canvas::pixel(QPointF scene) {
  return view.surface().mapFromScene(scene);
}

QPoint Canvas::body(const QString& title, int nth) {
  const CanvasNodeItem& item = view.surface().node(node(title, nth));
  return pixel(item.frame().topLeft() + QPointF(8, 13));
}

QPoint Canvas::out(const QString& title) {
  return pixel(view.surface().node(node(title)).outPort());
}

QPoint Canvas::in(const QString& title, int operand) {
  return pixel(view.surface().node(node(title)).inPort(operand));
}

QPoint Canvas::middle(const QString& from, const QString& to) {
  return pixel(view.surface().edge(edge(from, to)).middle());
}

QPoint Canvas::ground() {
  return {20, view.surface().viewport()->height() - 20};
}

namespace {

void send(QWidget& to, QEvent::Type type, QPoint at, Qt::MouseButton button,
          Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers) {
  QMouseEvent event(type, at, to.mapToGlobal(at), button, buttons, modifiers);
  QApplication::sendEvent(&to, &event);
}

}  // namespace

void Canvas::press(QPoint at, Qt::KeyboardModifiers modifiers) {
  send(*view.surface().viewport(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton,
       modifiers);
}

void Canvas::move(QPoint to, Qt::KeyboardModifiers modifiers) {
  send(*view.surface().viewport(), QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton, modifiers);
}

void Canvas::release(QPoint at, Qt::KeyboardModifiers modifiers) {
  send(*view.surface().viewport(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton,
       modifiers);
}

void Canvas::click(QPoint at, Qt::KeyboardModifiers modifiers) {
  press(at, modifiers);
  release(at, modifiers);
}

void Canvas::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
  press(from, modifiers);
  for (int i = 1; i <= 8; ++i) move(from + (to - from) * i / 8, modifiers);
  release(to, modifiers);
}

void Canvas::key(int key, Qt::KeyboardModifiers modifiers) {
  QWidget* focus = QApplication::focusWidget();
  ASSERT_NE(focus, nullptr);
  QTest::keyClick(focus, static_cast<Qt::Key>(key), modifiers);
}

void Canvas::type(const QString& text) {
  ASSERT_NE(QApplication::focusWidget(), nullptr);
  QTest::keyClicks(QApplication::focusWidget(), text);
}

bool Canvas::carry(QMimeData& data, QPoint to) {
  QWidget* viewport = view.surface().viewport();
  QDragEnterEvent enter(to - QPoint(40, 0), Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(viewport, &enter);
  QDragMoveEvent over(to, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(viewport, &over);
  return over.isAccepted();
}

bool Canvas::drop(QMimeData& data, QPoint at) {
  if (!carry(data, at)) return false;
  QDropEvent dropped(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(view.surface().viewport(), &dropped);
  return dropped.isAccepted();
}

bool Canvas::dropOp(const char* name, QPoint at) {
  QMimeData data;
  data.setData(QString::fromLatin1(PaletteModel::kMimeType), name);
  return drop(data, at);
}

void Canvas::chooseInPopup(const QString& search) {
  ASSERT_TRUE(view.popup().isVisible());
  QTest::keyClicks(&view.popup().view().search(), search);
  QTest::keyClick(&view.popup().view().search(), Qt::Key_Return);
}

std::string Canvas::said() {
  const CanvasMessage& message = view.message();
  return message.isVisible() ? message.text().toStdString() : std::string();
}

}  // namespace fusebench
