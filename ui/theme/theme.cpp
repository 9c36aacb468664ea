// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QWidget>

#include "profiler/catalogue/catalogue.h"
#include "profiler/experiment/experiment.h"
#include "profiler/files/resources.h"
#include "ui/theme/recolor.h"

namespace fusebench {
namespace {

constexpr double kTextPoints = 9.75;
constexpr int kIconSize = 16;

/// Empty where none is there.
QString firstFamily(std::initializer_list<const char*> families) {
  for (const char* family : families)
    if (QFontDatabase::hasFamily(QLatin1String(family))) return QLatin1String(family);
  return {};
}

QString firstFamily(std::initializer_list<const char*> families,
                    QFontDatabase::SystemFont otherwise) {
  const QString found = firstFamily(families);
  return found.isEmpty() ? QFontDatabase::systemFont(otherwise).family() : found;
}

/// Behind a font without Chinese letters the system's fallback follows its own language, so that a
/// reader of Chinese may get the letters and marks that are usual in Japan.
void withChinese(QFont& font, const QString& family) {
  if (language() == "zh_CN" && !family.isEmpty()) font.setFamilies({font.family(), family});
}

/// Contextual alternates turn "657 x86_64" into a product and "--" into a dash, and what is copied
/// out of a PDF has neither.
void asWritten(QFont& font) {
  font.setStyleStrategy(QFont::PreferNoShaping);
}

QPalette paletteOf(const Theme& theme) {
  QColor faint = theme.muted;
  faint.setAlphaF(0.55f);
  QPalette palette;
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.panel);
  palette.setColor(QPalette::AlternateBase, theme.raised);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::Button, theme.raised);
  palette.setColor(QPalette::ButtonText, theme.text);
  palette.setColor(QPalette::BrightText, theme.error);
  palette.setColor(QPalette::ToolTipBase, theme.raised);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.muted);
  palette.setColor(QPalette::Highlight, theme.accent);
  palette.setColor(QPalette::HighlightedText, theme.onAccent);
  palette.setColor(QPalette::Link, theme.accent);
  palette.setColor(QPalette::LinkVisited, theme.accent);
  // Those that the style sheet alone uses.
  palette.setColor(QPalette::Mid, theme.border);
  palette.setColor(QPalette::Dark, theme.muted);
  palette.setColor(QPalette::Light, faint);
  palette.setColor(QPalette::Midlight, theme.accentHover);
  palette.setColor(QPalette::Shadow, theme.warning);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.muted);
  return palette;
}

QPixmap drawIcon(const QByteArray& svg, const QColor& color, qreal ratio) {
  QByteArray colored = svg;
  colored.replace("currentColor", color.name().toLatin1());
  QPixmap pixmap(QSize(kIconSize, kIconSize) * ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  QSvgRenderer(colored).render(&painter);
  painter.end();
  pixmap.setDevicePixelRatio(ratio);
  return pixmap;
}

}  // namespace

SeriesStyle Theme::series(int index) const {
  static const std::array<QVector<qreal>, 4> kDashes = {
      QVector<qreal>{}, {6, 2.5}, {1.5, 2}, {7, 2.5, 1.5, 2.5}};
  const auto i = static_cast<std::size_t>(std::max(0, index));
  const std::size_t color = i % (seriesColors.size() + moreColors.size());
  return {
      color < seriesColors.size() ? seriesColors[color] : moreColors[color - seriesColors.size()],
      kDashes[i % kDashes.size()], static_cast<MarkerShape>(i % 6)};
}

const Theme& darkTheme() {
  static const Theme kTheme = {
      true,
      QColor("#14171C"),
      QColor("#1B1F26"),
      QColor("#242A33"),
      QColor("#343B47"),
      QColor("#E7EAEF"),
      QColor("#9BA5B4"),
      QColor("#5AA9FF"),
      QColor("#7DBBFF"),
      QColor("#0B1420"),
      QColor("#2B313B"),
      QColor("#FFC24D"),
      QColor("#FF7A66"),
      {QColor("#3D8FFF"), QColor("#FF8802"), QColor("#DBF0E7"), QColor("#CC73B4"),
       QColor("#E8CB5E"), QColor("#FF3E4B")},
      {QColor("#32D9B2"), QColor("#FFA5FE"), QColor("#1B9A6C"), QColor("#F6FF00")}};
  return kTheme;
}

const Theme& lightTheme() {
  static const Theme kTheme = {
      false,
      QColor("#F3F5F8"),
      QColor("#FFFFFF"),
      QColor("#EBEEF3"),
      QColor("#D3D9E2"),
      QColor("#1A1F27"),
      QColor("#5B6675"),
      QColor("#0B66C3"),
      QColor("#0A58A8"),
      QColor("#FFFFFF"),
      QColor("#E3E7ED"),
      QColor("#8A5A00"),
      QColor("#B3261E"),
      {QColor("#0053FF"), QColor("#AB5710"), QColor("#40786F"), QColor("#994FB0"),
       QColor("#504900"), QColor("#203A5A")},
      {QColor("#5C0BA6"), QColor("#5D001A"), QColor("#190008"), QColor("#000057")}};
  return kTheme;
}

QFont textFont(double scale, QFont::Weight weight) {
  static const QString kFamily = firstFamily(
      {"Inter", "Inter Variable", "Noto Sans", "DejaVu Sans"}, QFontDatabase::GeneralFont);
  QFont font(kFamily);
  font.setPointSizeF(kTextPoints * scale);
  font.setWeight(weight);
  static const QString kChinese =
      firstFamily({"Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN",
                   "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"});
  withChinese(font, kChinese);
  asWritten(font);
  return font;
}

QFont monoFont(double scale) {
  static const QString kFamily = firstFamily(
      {"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont);
  QFont font(kFamily);
  font.setStyleHint(QFont::Monospace);
  font.setPointSizeF(kTextPoints * scale);
  static const QString kChinese =
      firstFamily({"Noto Sans Mono CJK SC", "Noto Sans CJK SC", "WenQuanYi Micro Hei Mono",
                   "WenQuanYi Zen Hei Mono", "Droid Sans Fallback"});
  withChinese(font, kChinese);
  asWritten(font);
  return font;
}

void applyTheme(QApplication& application, const Theme& theme) {
  // Another style, font or sheet asks every widget to polish itself again.
  constexpr const char* kStyled = "fusebenchStyled";
  const bool styled = application.property(kStyled).toBool();
  if (!styled) application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  application.setPalette(paletteOf(theme));
  for (QWidget* window : QApplication::topLevelWidgets()) window->setProperty("light", !theme.dark);
  if (styled) return recolorWidgets(application);
  application.setFont(textFont());
  application.setStyleSheet(styleSheet());
  application.setProperty(kStyled, true);
}

QIcon themedIcon(const QString& name, const Theme& theme, const QColor& color) {
  QFile file(QString::fromStdString(resourcePath("icons/" + name.toStdString() + ".svg")));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray svg = file.readAll();
  QColor disabled = theme.muted;
  disabled.setAlphaF(0.5f);
  QIcon icon;
  for (const qreal ratio : {1.0, 2.0}) {
    icon.addPixmap(drawIcon(svg, color.isValid() ? color : theme.text, ratio));
    icon.addPixmap(drawIcon(svg, disabled, ratio), QIcon::Disabled);
  }
  return icon;
}

QIcon applicationIcon() {
  return QIcon(QString::fromStdString(resourcePath("icons/fusebench.svg")));
}

}  // namespace fusebench
