// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_panel.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/tab_drag.h"

namespace fusebench {
namespace {
constexpr int kTabsHeight = 38;

/// Knows how wide its tabs are, of those that are not shown, too.
class PanelTabs : public QTabBar {
 public:
  using QTabBar::QTabBar;
  using QTabBar::tabSizeHint;
  int wholeWidth() const {
    int width = 0;
    for (int i = 0; i < count(); ++i) width += tabSizeHint(i).width();
    return width;
  }
};

}  // namespace

TabPanel::TabPanel(const QString& accessibleName, QWidget* parent)
    : QFrame(parent),
      tabs_(new PanelTabs(this)),
      more_(new QToolButton(this)),
      stack_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("panel"));
  auto* header = new QFrame(this);
  header->setObjectName(QStringLiteral("panelHeader"));
  header->setFixedHeight(kTabsHeight);
  tabs_->setAccessibleName(accessibleName);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  // The style leaves the buttons away: tabs scroll to the one that is shown, and the menu has all.
  tabs_->setUsesScrollButtons(true);
  tabs_->setFocusPolicy(Qt::StrongFocus);
  tabs_->installEventFilter(this);
  more_->setObjectName(QStringLiteral("small"));
  more_->setText(QStringLiteral("»"));
  more_->setToolTip(uiText("Tabs that do not fit"));
  more_->setAccessibleName(more_->toolTip());
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setFocusPolicy(Qt::StrongFocus);
  more_->setMenu(new QMenu(more_));
  more_->hide();
  connect(more_->menu(), &QMenu::aboutToShow, this, &TabPanel::fillMore);
  header_ = new QHBoxLayout(header);
  header_->setContentsMargins(4, 0, 8, 0);
  header_->setSpacing(6);
  header_->addWidget(tabs_, 1, Qt::AlignBottom);
  header_->addWidget(more_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header);
  layout->addWidget(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &TabPanel::turnTo);
  tabs_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(tabs_, &QTabBar::customContextMenuRequested, this, [this](const QPoint& at) {
    const int tab = tabs_->tabAt(at), index = tab < 0 ? tabs_->currentIndex() : tab;
    if (index >= 0)
      emit menuWanted(pages_[static_cast<std::size_t>(index)].key, tabs_->mapToGlobal(at));
  });
  auto* drag = new TabDrag(*tabs_);
  connect(drag, &TabDrag::moved, this,
          [this](int tab, QPoint place) { emit dragMoved(keys().value(tab), place); });
  connect(drag, &TabDrag::dropped, this,
          [this](int tab, QPoint place) { emit dropped(keys().value(tab), place); });
  connect(drag, &TabDrag::canceled, this, &TabPanel::dragCanceled);
}

QWidget* TabPanel::pages() const {
  return stack_;
}

QWidget* TabPanel::header() const {
  return header_->parentWidget();
}

void TabPanel::add(const QString& key, const QString& title, QWidget* view, QWidget* controls) {
  put({key, title, view, controls}, count());
}

QStringList TabPanel::keys() const {
  QStringList keys;
  for (const Page& page : pages_) keys << page.key;
  return keys;
}

void TabPanel::put(Page page, int index) {
  QWidget *const view = page.view, *const controls = page.controls;
  const QString title = page.title;
  if (view->accessibleName().isEmpty()) view->setAccessibleName(title);
  pages_.insert(pages_.begin() + index, std::move(page));
  stack_->insertWidget(index, view);
  if (controls) {
    // Tabs shrink; the controls next to them do not.
    controls->setSizePolicy(QSizePolicy::Fixed, controls->sizePolicy().verticalPolicy());
    header_->addWidget(controls);
    controls->setVisible(pages_.size() == 1);
  }
  tabs_->insertTab(index, title);
  if (isVisible()) fitLater();
}

TabPanel::Page TabPanel::take(const QString& key) {
  const int index = indexOf(key);
  Page page = pages_[static_cast<std::size_t>(index)];
  // The pages of tabs and stack must agree before anybody hears of it.
  {
    const QSignalBlocker quiet(tabs_);
    pages_.erase(pages_.begin() + index);
    tabs_->removeTab(index);
    stack_->removeWidget(page.view);
    if (page.controls) header_->removeWidget(page.controls);
  }
  if (page.controls) page.controls->hide();
  turnTo(tabs_->currentIndex());
  fitLater();
  return page;
}

void TabPanel::addToHeader(QWidget* widget) {
  header_->insertWidget(2, widget);
}

void TabPanel::addBelowHeader(QWidget* widget) {
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, widget);
}

void TabPanel::fillMore() {
  QMenu& menu = *more_->menu();
  menu.clear();
  for (int i = 0; i < tabs_->count(); ++i) {
    QAction* action = menu.addAction(
        tabs_->tabText(i), this, [this, i] { focusView(pages_[static_cast<std::size_t>(i)].key); });
    action->setCheckable(true);
    action->setChecked(i == tabs_->currentIndex());
  }
}

/// Hides tabs that fit only in part. Visible are the current tab and as many of the first tabs as
/// fit with it. The menu lists all tabs.
void TabPanel::chooseTabs(int room) {
  const auto& bar = static_cast<const PanelTabs&>(*tabs_);
  const int current = tabs_->currentIndex();
  int left = current < 0 ? room : room - bar.tabSizeHint(current).width();
  bool fits = true;
  for (int i = 0; i < tabs_->count(); ++i) {
    if (i == current) continue;
    left -= bar.tabSizeHint(i).width();
    fits = fits && left >= 0;
    if (tabs_->isTabVisible(i) != fits) tabs_->setTabVisible(i, fits);
  }
}

/// Narrows the tabs if they would not fit, and shows the menu if that is not enough.
void TabPanel::fitTabs() {
  // The style sheet's paddings of a tab, on both sides: 12 and, narrow, 5.
  constexpr int kSaved = 2 * (12 - 5);
  const bool narrow = tabs_->property("narrow").toBool();
  const int room =
      tabs_->width() + (more_->isHidden() ? 0 : more_->sizeHint().width() + header_->spacing());
  const int roomy =
      static_cast<PanelTabs*>(tabs_)->wholeWidth() + (narrow ? kSaved * tabs_->count() : 0);
  if (narrow != (roomy > room)) {
    tabs_->setProperty("narrow", !narrow);
    tabs_->style()->unpolish(tabs_);
    tabs_->style()->polish(tabs_);
    // Polishing alone leaves the tabs where they were until the bar is resized.
    QEvent changed(QEvent::StyleChange);
    QApplication::sendEvent(tabs_, &changed);
  }
  const bool tooMany = roomy - kSaved * tabs_->count() > room;
  more_->setVisible(tooMany);
  chooseTabs(tooMany ? room - more_->sizeHint().width() - header_->spacing() : roomy);
}

bool TabPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tabs_ && event->type() == QEvent::KeyPress) {
    // The tabs that do not fit are walked through as well.
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int next = tabs_->currentIndex() + step;
    if (step != 0) {
      if (next >= 0 && next < tabs_->count()) showView(pages_[static_cast<std::size_t>(next)].key);
      return true;
    }
  }
  if (watched == tabs_ && (event->type() == QEvent::Resize ||
                           event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show))
    fitLater();
  return QFrame::eventFilter(watched, event);
}

/// Later: what is shown amid a layout may be left unpainted.
void TabPanel::fitLater() {
  if (std::exchange(fitting_, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        fitting_ = false;
        fitTabs();
      },
      Qt::QueuedConnection);
}

void TabPanel::setTitle(const QString& key, const QString& title) {
  const int index = indexOf(key);
  if (index < 0) return;
  pages_[static_cast<std::size_t>(index)].title = title;
  tabs_->setTabText(index, title);
}

void TabPanel::showView(const QString& key) {
  const int index = indexOf(key);
  if (index < 0) return;
  // It comes first, and others give way: without a current tab in sight the bar would choose one.
  tabs_->setTabVisible(index, true);
  tabs_->setCurrentIndex(index);
  fitTabs();
}

void TabPanel::focusView(const QString& key) {
  showView(key);
  if (const int index = indexOf(key); index >= 0)
    pages_[static_cast<std::size_t>(index)].view->setFocus(Qt::ShortcutFocusReason);
}

QString TabPanel::shown() const {
  const int index = tabs_->currentIndex();
  return index < 0 ? QString() : pages_[static_cast<std::size_t>(index)].key;
}

int TabPanel::indexOf(const QString& key) const {
  for (std::size_t i = 0; i < pages_.size(); ++i)
    if (pages_[i].key == key) return static_cast<int>(i);
  return -1;
}

void TabPanel::turnTo(int index) {
  if (index < 0) return;
  stack_->setCurrentIndex(index);
  for (std::size_t i = 0; i < pages_.size(); ++i)
    if (pages_[i].controls) pages_[i].controls->setVisible(static_cast<int>(i) == index);
  emit shownChanged(shown());
}

}  // namespace fusebench

#include "moc_tab_panel.cpp"
