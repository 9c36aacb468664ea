// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/palette_view.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"

namespace fusebench {

PaletteView::PaletteView(PaletteModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      search_(new QLineEdit(this)),
      list_(new PaletteList(model, this)),
      footer_(new QLabel(this)),
      pointer_(new QLabel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  search_->setPlaceholderText(uiText("Search ops: name, spelling or what it does"));
  search_->setAccessibleName(uiText("Search ops"));
  search_->setClearButtonEnabled(true);
  search_->setText(model_.search());
  search_->installEventFilter(this);
  footer_->setWordWrap(true);
  footer_->setTextFormat(Qt::RichText);
  footer_->setAccessibleName(uiText("What the op does"));
  footer_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  footer_->setContentsMargins(12, 7, 10, 8);
  footer_->setMinimumHeight(QFontMetrics(textFont()).lineSpacing() * 3 + 18);
  footer_->setObjectName(QStringLiteral("paletteFooter"));
  pointer_->setWordWrap(true);
  pointer_->setTextFormat(Qt::RichText);
  pointer_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  pointer_->setContentsMargins(4, 0, 4, 2);
  pointer_->hide();
  auto* top = new QVBoxLayout;
  top->setContentsMargins(8, 8, 8, 6);
  top->setSpacing(6);
  top->addWidget(search_);
  top->addWidget(pointer_);
  layout->addLayout(top);
  layout->addWidget(list_, 1);
  layout->addWidget(footer_);
  setFocusProxy(search_);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    model_.setSearch(text);
    list_->selectFirst();
    point();
  });
  connect(pointer_, &QLabel::linkActivated, this, &PaletteView::textWanted);
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    if (!list_->currentIndex().isValid()) describe({});
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) { describe(now); });
  connect(list_, &QAbstractItemView::entered, this, &PaletteView::describe);
  connect(list_, &QAbstractItemView::activated, this, &PaletteView::choose);
  connect(list_, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
    if (chooseOnClick_) choose(index);
  });
  list_->viewport()->installEventFilter(this);
  setTheme(*theme_);
}

void PaletteView::setTheme(const Theme& theme) {
  theme_ = &theme;
  list_->setTheme(theme);
  styleBy(*search_, withRoles("QLineEdit { background: @raised@; color: @text@; "
                              "border: 1px solid @border@; border-radius: 5px; padding: 5px 8px; }"
                              "QLineEdit:focus { border-color: @accent@; }"));
  styleBy(*footer_, withRoles("#paletteFooter { border-top: 1px solid @border@; color: @text@; }"));
  describe(list_->currentIndex());
  point();
}

void PaletteView::start() {
  search_->clear();
  model_.setSearch({});
  list_->selectFirst();
  search_->setFocus();
}

void PaletteView::describe(const QModelIndex& index) {
  if (!index.isValid() || !model_.at(index.row())) {
    footer_->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                         .arg(theme_->muted.name(),
                              uiText("Drag an op to the canvas, or press Enter to append it.")));
    return;
  }
  footer_->setText(QStringLiteral("<span style='font-family:\"%1\"'>%2</span><br>"
                                  "<span style='color:%3'>%4</span>")
                       .arg(monoFont().family(),
                            index.data(PaletteModel::SpellingRole).toString().toHtmlEscaped(),
                            theme_->muted.name(),
                            index.data(PaletteModel::DocRole).toString().toHtmlEscaped()));
}

void PaletteView::point() {
  const QString function = functionSearched(search_->text());
  pointer_->setVisible(!function.isEmpty());
  if (function.isEmpty()) return;
  pointer_->setText(uiText("<b>%1</b> consists of several operators: <a style='color:%2' "
                           "href='%1'>write it as PyTorch text</a> (Enter, or Alt+2).")
                        .arg(function, theme_->accent.name()));
}

void PaletteView::choose(const QModelIndex& index) {
  const OpRow* row = index.isValid() ? model_.at(index.row()) : nullptr;
  if (!row) return;
  // The list gets another row on top; what the person looks at stays where it is.
  const int before = model_.rowCount(), scrolled = list_->verticalScrollBar()->value();
  const int height = list_->visualRect(index).height();
  model_.noteUsed(*row);
  int last = -1;
  for (int i = 0; i < model_.rowCount(); ++i)
    if (model_.at(i) == row) last = i;
  if (last >= 0) list_->setCurrentIndex(model_.index(last));
  list_->verticalScrollBar()->setValue(scrolled + (model_.rowCount() - before) * height);
  emit opChosen(row);
}

bool PaletteView::eventFilter(QObject* object, QEvent* event) {
  // Without the mouse over another op, the words are about the chosen one.
  if (object == list_->viewport() && event->type() == QEvent::Leave)
    describe(list_->currentIndex());
  if (object != search_ || event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(object, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      list_->step(1);
      return true;
    case Qt::Key_Up:
      list_->step(-1);
      return true;
    case Qt::Key_PageDown:
      list_->step(10);
      return true;
    case Qt::Key_PageUp:
      list_->step(-10);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      // A person who types "softmax" in full wants it, not an op with a similar name.
      if (const QString function = functionSearched(search_->text());
          !function.isEmpty() &&
          search_->text().trimmed().endsWith(function, Qt::CaseInsensitive)) {
        emit textWanted(function);
        return true;
      }
      if (!list_->currentOp()) list_->selectFirst();
      choose(list_->currentIndex());
      search_->selectAll();  // the next name replaces this one, another Enter repeats it
      return true;
    case Qt::Key_Escape:
      if (search_->text().isEmpty()) break;
      search_->clear();
      return true;
    default:
      break;
  }
  return QWidget::eventFilter(object, event);
}

}  // namespace fusebench

#include "moc_palette_view.cpp"
