// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/command_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// More than a person reads; what is typed finds the others.
constexpr std::size_t kMostListed = 200;

}  // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent),
      commands_(std::move(commands)),
      search_(new QLineEdit(this)),
      list_(new QTreeWidget(this)) {
  setWindowTitle(uiText("Find a command"));
  search_->setPlaceholderText(
      uiText("Type some letters: an action, an op, a view, a study, a lesson, a file"));
  search_->setAccessibleName(windowTitle());
  search_->installEventFilter(this);
  list_->setAccessibleName(uiText("Commands"));
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(search_);
  layout->addWidget(list_, 1);
  constexpr QSize kUsualSize(620, 420);
  resize(kUsualSize.boundedTo(parent ? parent->size() : kUsualSize));
  connect(search_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
  fill();
}

std::vector<const Command*> CommandPalette::listed() const {
  std::vector<const Command*> found;
  for (const std::size_t index : shown_) found.push_back(&commands_[index]);
  return found;
}

void CommandPalette::fill() {
  std::vector<std::pair<int, std::size_t>> ranked;
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (const int rank = commandRank(commands_[i], search_->text()); rank >= 0)
      ranked.emplace_back(rank, i);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min(ranked.size(), kMostListed));
  shown_.clear();
  list_->clear();
  for (const auto& [rank, index] : ranked) {
    shown_.push_back(index);
    const Command& command = commands_[index];
    auto* const item = new QTreeWidgetItem({command.name, command.group, command.keys});
    item->setToolTip(0, command.about);
    list_->addTopLevelItem(item);
  }
  if (!shown_.empty()) list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandPalette::choose() {
  const int row = list_->indexOfTopLevelItem(list_->currentItem());
  if (row < 0) return;
  // The dialog is gone by then, and the keyboard is the window's again.
  QTimer::singleShot(0, parentWidget(), commands_[shown_[static_cast<std::size_t>(row)]].run);
  accept();
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (object != search_ || event->type() != QEvent::KeyPress)
    return QDialog::eventFilter(object, event);
  const int rows = list_->topLevelItemCount();
  const int row = list_->indexOfTopLevelItem(list_->currentItem());
  const auto go = [&](int to) {
    if (rows > 0) list_->setCurrentItem(list_->topLevelItem(std::clamp(to, 0, rows - 1)));
    return true;
  };
  constexpr int kPage = 10;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      return go(row + 1);
    case Qt::Key_Up:
      return go(row - 1);
    case Qt::Key_PageDown:
      return go(row + kPage);
    case Qt::Key_PageUp:
      return go(row - kPage);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      choose();
      return true;
    default:
      return QDialog::eventFilter(object, event);
  }
}

}  // namespace fusebench

#include "moc_command_palette.cpp"
