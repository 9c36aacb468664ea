// SPDX-License-Identifier: GPL-3.0-or-later
#include <QColor>
#include <QString>
#include <initializer_list>
#include <utility>

#include "profiler/experiment/experiment.h"
#include "profiler/files/resources.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

// @name@ is replaced by the theme's colour of that name.
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
QComboBox::down-arrow { image: url(@arrow@); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @panel@; border: 1px solid @border@;
  selection-background-color: @raised@; selection-color: @text@; }
QCheckBox { spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 1px; }
QCheckBox:focus { border-color: @accent@; }
QCheckBox::indicator, QListWidget::indicator { width: 13px; height: 13px; border: 1px solid @muted@; border-radius: 3px;
  background: @raised@; }
QCheckBox::indicator:hover, QListWidget::indicator:hover { border-color: @accent@; }
QCheckBox::indicator:disabled { border-color: @border@; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: @accent@; border-color: @accent@;
  image: url(@check@); }
QRadioButton { spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 1px; }
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
#readout, #emptyCard, #askedCard { background: @panel@; border: 1px solid @border@; border-radius: 6px; }
#mapLesson { border: 1px solid transparent; border-radius: 4px; padding: 1px; }
#mapLesson:focus { border-color: @accent@; }
#headline { font-weight: 600; }
#cardTitle { font-weight: 600; font-size: 12.5pt; }
)";

}  // namespace

QString styleSheet(const Theme& theme) {
  QColor faint = theme.muted;
  faint.setAlphaF(0.55f);
  QString sheet = QString::fromUtf8(kStyleSheet);
  for (const auto& [key, color] :
       std::initializer_list<std::pair<const char*, QColor>>{{"window", theme.window},
                                                             {"panel", theme.panel},
                                                             {"raised", theme.raised},
                                                             {"border", theme.border},
                                                             {"text", theme.text},
                                                             {"muted", theme.muted},
                                                             {"accent", theme.accent},
                                                             {"accentHover", theme.accentHover},
                                                             {"onAccent", theme.onAccent},
                                                             {"warning", theme.warning},
                                                             {"error", theme.error}})
    sheet.replace(QLatin1Char('@') + QLatin1String(key) + QLatin1Char('@'), color.name());
  sheet.replace(QStringLiteral("@faint@"), QStringLiteral("rgba(%1, %2, %3, 55%)")
                                               .arg(faint.red())
                                               .arg(faint.green())
                                               .arg(faint.blue()));
  for (const char* icon : {"arrow", "check"}) {
    const QString file =
        QStringLiteral("icons/%1-%2.svg")
            .arg(QLatin1String(icon), QLatin1String(theme.dark ? "dark" : "light"));
    sheet.replace(QLatin1Char('@') + QLatin1String(icon) + QLatin1Char('@'),
                  QString::fromStdString(resourcePath(file.toStdString())));
  }
  return sheet;
}

}  // namespace fusebench
