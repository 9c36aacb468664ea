// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/plain_texts.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>
#include <algorithm>
#include <array>

namespace fusebench {
namespace {

/// Whether Qt would look for something outside of the text in order to show it.
bool namesSomethingToLoad(const QString& text) {
  constexpr std::array<const char*, 7> kWords = {"<img",    "url(",   "background", "<link",
                                                 "@import", "<style", "<object"};
  return Qt::mightBeRichText(text) && std::ranges::any_of(kWords, [&](const char* word) {
           return text.contains(QLatin1String(word), Qt::CaseInsensitive);
         });
}

QString shownTip(const QString& text) {
  return namesSomethingToLoad(text)
             ? QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped())
             : text;
}

/// The tooltip that a widget would show at a position.
QString tipAt(const QWidget& widget, QPoint at) {
  if (const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
      view && view->viewport() == &widget)
    return view->indexAt(at).data(Qt::ToolTipRole).toString();
  return widget.toolTip();
}

class PlainTexts : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Polish) {
      // Before anything of it is laid out. A tip is a label, too, and most tips are rich.
      if (auto* label = qobject_cast<QLabel*>(watched);
          label && label->textFormat() == Qt::AutoText &&
          (!label->inherits("QTipLabel") || namesSomethingToLoad(label->text())))
        label->setTextFormat(Qt::PlainText);
    } else if (event->type() == QEvent::ToolTip && watched->isWidgetType()) {
      auto* widget = static_cast<QWidget*>(watched);
      const auto* help = static_cast<QHelpEvent*>(event);
      const QString text = tipAt(*widget, help->pos());
      if (namesSomethingToLoad(text)) {
        showTip(help->globalPos(), text, widget);
        return true;
      }
    }
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

void keepTextsPlain(QApplication& application) {
  application.installEventFilter(new PlainTexts(&application));
}

void showTip(QPoint global, const QString& text, QWidget* widget) {
  QToolTip::showText(global, shownTip(text), widget);
}

}  // namespace fusebench
