// SPDX-License-Identifier: GPL-3.0-or-later
#include <QString>
#include <QWidget>
#include <initializer_list>
#include <string>

#include "profiler/files/resources.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

struct ColorRole {
  const char* name;  ///< between two @ in a sheet
  const char* role;  ///< that Qt's style sheets call the palette's color by
};

// applyTheme sets each of these roles. Sheets name roles and no colors: to switch the theme, the
// palette changes and no sheet is set or read again.
constexpr ColorRole kColorRoles[] = {
    {"window", "window"},
    {"panel", "base"},
    {"raised", "alternate-base"},
    {"border", "mid"},
    {"text", "text"},
    {"muted", "dark"},
    {"faint", "light"},
    {"accent", "highlight"},
    {"accentHover", "midlight"},
    {"onAccent", "highlighted-text"},
    {"warning", "shadow"},
    {"error", "bright-text"},
};

// @name@ is replaced by the palette's role for the theme's color of that name.
constexpr const char* kStyleSheet = R"(
* { outline: 0; }
QMainWindow, QDialog { background: @window@; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip { background: @raised@; color: @text@; border: 1px solid @border@; padding: 5px 7px; }

#topBar { background: @panel@; border-bottom: 1px solid @border@; }
#panel { background: @panel@; }
#panelHeader { background: @panel@; border-bottom: 1px solid @border@; }
#panelTitle { font-weight: 600; }
#statusBar { background: @panel@; border-top: 1px solid @border@; }
#statusBar QLabel, #muted { color: @muted@; }
#notice, #codeNotice { color: @warning@; }
#notice { padding: 2px 14px; }
#separator { background: @border@; }

QToolButton, QPushButton { color: @text@; background: transparent; border: 1px solid transparent;
  border-radius: 5px; padding: 5px 10px; }
QToolButton:hover, QPushButton:hover { background: @raised@; }
QToolButton:pressed, QPushButton:pressed { background: @border@; }
QToolButton:checked { background: @raised@; border-color: @border@; }
QToolButton:focus, QPushButton:focus { border-color: @accent@; }
QToolButton:disabled, QPushButton:disabled { color: @faint@; }
QToolButton#iconOnly { padding: 6px; }
QFileDialog QToolButton { padding: 3px; }
QToolButton::menu-indicator { image: none; }
QPushButton { background: @raised@; border-color: @border@; }
QPushButton:hover { border-color: @muted@; }
#primary { background: @accent@; color: @onAccent@; font-weight: 600; border-color: @accent@;
  padding: 5px 14px; }
#primary:hover { background: @accentHover@; border-color: @accentHover@; }
#primary:focus { border-color: @text@; }
#primary:disabled { background: @raised@; color: @faint@; border-color: @raised@; }
#segmentLeft, #segmentRight { padding: 3px 9px; border: 1px solid @border@; color: @muted@; }
#segmentLeft { border-top-right-radius: 0; border-bottom-right-radius: 0; }
#segmentRight { border-top-left-radius: 0; border-bottom-left-radius: 0; border-left: 0; }
#segmentLeft:checked, #segmentRight:checked { background: @raised@; color: @text@; }
#segmentLeft:focus, #segmentRight:focus { border-color: @accent@; }
#small { padding: 3px 9px; border: 1px solid @border@; color: @muted@; }
#small:checked { background: @raised@; color: @text@; }
#small:focus { border-color: @accent@; }

QLineEdit { background: @raised@; color: @text@; border: 1px solid @border@; border-radius: 5px;
  padding: 3px 7px; selection-background-color: @accent@; selection-color: @onAccent@; }
QLineEdit:hover { border-color: @muted@; }
QLineEdit:focus { border-color: @accent@; }
#figureNumber { background: @raised@; color: @text@; border: 1px solid @border@; border-radius: 5px;
  padding: 3px 7px; }
#figureNumber:focus { border-color: @accent@; }
QComboBox QLineEdit { border: 0; padding: 0; background: transparent; }
QComboBox { background: @raised@; border: 1px solid @border@; border-radius: 5px; padding: 3px 8px; }
QComboBox:hover { border-color: @muted@; }
QComboBox:focus { border-color: @accent@; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @panel@; border: 1px solid @border@;
  selection-background-color: @raised@; selection-color: @text@; }
QCheckBox { spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 1px; }
QCheckBox:focus { border-color: @accent@; }
QCheckBox::indicator, QListWidget::indicator { width: 13px; height: 13px; border: 1px solid @muted@; border-radius: 3px;
  background: @raised@; }
QCheckBox::indicator:hover, QListWidget::indicator:hover { border-color: @accent@; }
QCheckBox::indicator:disabled { border-color: @border@; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: @accent@; border-color: @accent@; }
QRadioButton { spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 1px; }
QRadioButton#courseChoice { spacing: 0px; }
QRadioButton:focus { border-color: @accent@; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid @muted@; border-radius: 7px; background: @raised@; }
QRadioButton::indicator:hover { border-color: @accent@; }
QRadioButton::indicator:checked { background: @accent@; border-color: @accent@; }
QMenu { background: @panel@; border: 1px solid @border@; padding: 5px; }
QMenu::item { padding: 6px 28px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @raised@; }
QMenu::item:disabled { color: @faint@; }
QMenu::separator { height: 1px; background: @border@; margin: 5px 4px; }

QSplitter::handle { background: @border@; }
QSplitter::handle:hover { background: @accent@; }
QTabBar::tab { background: transparent; color: @muted@; padding: 7px 12px;
  border-bottom: 2px solid transparent; }
QTabBar[narrow="true"]::tab { padding: 7px 5px; }
QTabBar::scroller, QTabBar::tear { width: 0; border: 0; }
QTabBar QToolButton { border: 0; width: 0; }
QTabBar::tab:selected { color: @text@; border-bottom-color: @accent@; }
QTabBar::tab:focus { background: @raised@; color: @accent@; }

QAbstractScrollArea { background: @panel@; border: 0; }
#sentences { background: transparent; }
QAbstractScrollArea::corner { background: @panel@; border: 0; }
#notes { background: @raised@; border: 1px solid @border@; border-radius: 5px; margin: 4px 12px 2px; }
#notes:focus { border-color: @accent@; }
QHeaderView { background: @panel@; border: 0; }
QHeaderView::section { background: @panel@; color: @muted@; border: 0;
  border-bottom: 1px solid @border@; padding: 6px 8px; font-weight: 400; }
#resultsHeader::section { padding: 6px; }
QTableView { background: @panel@; border: 0; gridline-color: transparent;
  selection-background-color: @raised@; selection-color: @text@; }
QScrollBar { background: transparent; border: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @border@; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar { background: @raised@; border: 0; border-radius: 2px; }
QProgressBar::chunk { background: @accent@; border-radius: 2px; }
#banner { border: 1px solid @border@; border-radius: 6px; background: @raised@; }
#banner[tone="error"] { border-left: 4px solid @error@; }
#banner[tone="warning"] { border-left: 4px solid @warning@; }
#banner[tone="info"] { border-left: 4px solid @accent@; }
#canvasBar { background: @panel@; border-bottom: 1px solid @border@; }
#canvasBar QToolButton { color: @muted@; background: transparent; border: 1px solid transparent;
  border-radius: 5px; padding: 3px 5px; }
#canvasBar QToolButton:hover { background: @raised@; }
#canvasBar QToolButton:focus { border-color: @accent@; }
#canvasBar QToolButton[segment="true"] { border: 1px solid @border@; border-radius: 0;
  padding: 3px 8px 3px 6px; margin: 0 0 0 -1px; }
#canvasBar QToolButton[segment="true"]:checked { background: @raised@; color: @text@;
  border-color: @muted@; }
#canvasBar QToolButton[segment="true"]:focus { border-color: @accent@; }
#readout, #emptyCard, #askedCard { background: @panel@; border: 1px solid @border@; border-radius: 6px; }
#mapLesson { border: 1px solid transparent; border-radius: 4px; padding: 1px; }
#mapLesson:focus { border-color: @accent@; }
#headline { font-weight: 600; }
#cardTitle { font-weight: 600; font-size: 12.5pt; }
)";

/// Pictures have colors of their own. A window tells those below it which ones they are to show.
constexpr const char* kPictureSheet = R"(
QComboBox::down-arrow { image: url(@dark-arrow@); }
QWidget[light="true"] QComboBox::down-arrow { image: url(@light-arrow@); }
QCheckBox::indicator:checked, QListWidget::indicator:checked { image: url(@dark-check@); }
QWidget[light="true"] QCheckBox::indicator:checked,
QWidget[light="true"] QListWidget::indicator:checked { image: url(@light-check@); }
)";

}  // namespace

QString withRoles(const char* sheet) {
  QString text = QString::fromUtf8(sheet);
  for (const auto& [name, role] : kColorRoles)
    text.replace(QStringLiteral("@%1@").arg(QLatin1String(name)),
                 QStringLiteral("palette(%1)").arg(QLatin1String(role)));
  return text;
}

QString styleSheet() {
  QString pictures = QString::fromUtf8(kPictureSheet);
  for (const char* theme : {"dark", "light"})
    for (const char* icon : {"arrow", "check"})
      pictures.replace(QStringLiteral("@%1-%2@").arg(QLatin1String(theme), QLatin1String(icon)),
                       QString::fromStdString(
                           resourcePath(std::string("icons/") + icon + "-" + theme + ".svg")));
  return withRoles(kStyleSheet) + pictures;
}

void styleBy(QWidget& widget, const QString& sheet) {
  if (widget.styleSheet() != sheet) widget.setStyleSheet(sheet);
}

}  // namespace fusebench
