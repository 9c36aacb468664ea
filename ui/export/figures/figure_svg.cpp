// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_svg.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <cmath>
#include <string>

#include "ui/export/figures/figure_paint.h"
#include "ui/models/base/page_language.h"

namespace fusebench {
namespace {

constexpr const char* kFonts =
    "Inter, 'Inter Variable', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif";

/// Two decimals are a fiftieth of a pixel at twice the size.
QString number(double value) {
  QString text = QString::number(value, 'f', 2);
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

QString attribute(const char* name, const QString& value) {
  return QStringLiteral(" %1=\"%2\"").arg(QLatin1String(name), value);
}

QString attribute(const char* name, double value) {
  return attribute(name, number(value));
}

QString paint(const char* name, const QColor& color) {
  if (!color.isValid() || color.alpha() == 0) return attribute(name, QStringLiteral("none"));
  QString text = attribute(name, color.name());
  if (color.alphaF() < 1)
    text += attribute((std::string(name) + "-opacity").c_str(), color.alphaF());
  return text;
}

QString strokeOf(const FigureStroke& stroke) {
  if (!(stroke.width > 0)) return {};
  QString text = paint("stroke", stroke.color) + attribute("stroke-width", stroke.width);
  if (stroke.dashes.isEmpty()) return text;
  QStringList dashes;
  for (const double dash : stroke.dashes) dashes << number(dash);
  return text + attribute("stroke-dasharray", dashes.join(u' '));
}

QString pathOf(const FigureItem& item) {
  const bool closed = item.kind == FigureItem::Kind::areas;
  QString path;
  for (const QPolygonF& shape : item.shapes) {
    for (qsizetype i = 0; i < shape.size(); ++i)
      path += QStringLiteral("%1%2 %3")
                  .arg(QLatin1Char(i == 0 ? 'M' : 'L'))
                  .arg(number(shape[i].x()), number(shape[i].y()));
    if (closed) path += u'Z';
  }
  return path;
}

QString textOf(const FigureItem& item) {
  QString text = QStringLiteral("<text") + attribute("x", item.at.x()) +
                 attribute("y", item.at.y()) + attribute("font-size", item.size) +
                 paint("fill", item.fill);
  if (item.bold) text += attribute("font-weight", QStringLiteral("600"));
  if (item.anchor != Qt::AlignLeft)
    text += attribute("text-anchor", item.anchor == Qt::AlignRight ? QStringLiteral("end")
                                                                   : QStringLiteral("middle"));
  if (item.rotation != 0)
    text += attribute("transform",
                      QStringLiteral("rotate(%1 %2 %3)")
                          .arg(number(item.rotation), number(item.at.x()), number(item.at.y())));
  return text + u'>' + xmlEscaped(item.text) + QStringLiteral("</text>");
}

QString elementOf(const FigureItem& item, const QString& clip) {
  QString text;
  switch (item.kind) {
    case FigureItem::Kind::lines:
      text = QStringLiteral("<path") + attribute("d", pathOf(item)) +
             attribute("fill", QStringLiteral("none")) + strokeOf(item.stroke) +
             attribute("stroke-linejoin", QStringLiteral("round"));
      break;
    case FigureItem::Kind::areas:
      text = QStringLiteral("<path") + attribute("d", pathOf(item)) + paint("fill", item.fill) +
             strokeOf(item.stroke);
      break;
    case FigureItem::Kind::rect:
      text = QStringLiteral("<rect") + attribute("x", item.rect.x()) +
             attribute("y", item.rect.y()) + attribute("width", item.rect.width()) +
             attribute("height", item.rect.height()) + paint("fill", item.fill) +
             strokeOf(item.stroke);
      if (item.radius > 0) text += attribute("rx", item.radius);
      break;
    case FigureItem::Kind::ellipse:
      text = QStringLiteral("<circle") + attribute("cx", item.rect.center().x()) +
             attribute("cy", item.rect.center().y()) + attribute("r", item.rect.width() / 2) +
             paint("fill", item.fill) + strokeOf(item.stroke);
      break;
    case FigureItem::Kind::text:
      return textOf(item);
  }
  if (item.clipped) text += attribute("clip-path", QStringLiteral("url(#%1)").arg(clip));
  return text + QStringLiteral("/>");
}

QString body(const Figure& figure) {
  const QString clip = figure.id + QStringLiteral("-clip");
  const QRectF& plot = figure.plot;
  QString text =
      QStringLiteral("<title id=\"%1-title\">%2</title>\n<desc id=\"%1-desc\">%3</desc>\n")
          .arg(figure.id, xmlEscaped(figure.title), xmlEscaped(figure.description));
  text += QStringLiteral(
              "<defs><clipPath id=\"%1\"><rect x=\"%2\" y=\"%3\" width=\"%4\" "
              "height=\"%5\"/></clipPath></defs>\n")
              .arg(clip, number(plot.x()), number(plot.y()), number(plot.width()),
                   number(plot.height()));
  text += QStringLiteral("<rect width=\"%1\" height=\"%2\"%3/>\n")
              .arg(number(figure.size.width()), number(figure.size.height()),
                   paint("fill", figure.ground));
  // Each group once, in the order of their first items.
  QStringList groups;
  for (const FigureItem& item : figure.items)
    if (!groups.contains(item.group)) groups << item.group;
  for (const QString& group : groups) {
    text += QStringLiteral("<g id=\"%1-%2\">\n").arg(figure.id, group);
    for (const FigureItem& item : figure.items)
      if (item.group == group) text += elementOf(item, clip) + u'\n';
    text += QStringLiteral("</g>\n");
  }
  return text;
}

QString root(const Figure& figure, const QString& size) {
  return QStringLiteral(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1 %2\"%3 role=\"img\" "
             "aria-labelledby=\"%4-title %4-desc\" font-family=\"%5\" xml:lang=\"%6\">\n")
      .arg(number(figure.size.width()), number(figure.size.height()), size, figure.id,
           QLatin1String(kFonts), pageLanguage());
}

}  // namespace

QString xmlEscaped(const QString& text) {
  // Marks that turn the direction of writing would show a name that is not there.
  const auto turns = [](QChar c) {
    return c == u'\u061c' || c == u'\u200e' || c == u'\u200f' ||
           (c >= u'\u2028' && c <= u'\u202e') || (c >= u'\u2066' && c <= u'\u2069') ||
           (c >= u'\u007f' && c <= u'\u009f');
  };
  QString safe;
  for (const QChar c : text) {
    if (turns(c)) continue;
    if (c == u'<')
      safe += QLatin1String("&lt;");
    else if (c == u'>')
      safe += QLatin1String("&gt;");
    else if (c == u'&')
      safe += QLatin1String("&amp;");
    else if (c == u'"')
      safe += QLatin1String("&quot;");
    else if ((c >= u' ' && c < u'\ufffe') || c == u'\n' || c == u'\t')
      safe += c;
  }
  return safe;
}

QString idOf(const QString& text) {
  QString id;
  for (const QChar c : text)
    if (c.isLetterOrNumber())
      id += c;
    else if (!id.isEmpty() && !id.endsWith(u'-'))
      id += u'-';
  while (id.endsWith(u'-')) id.chop(1);
  return id.isEmpty() ? QStringLiteral("x") : id;
}

namespace {

/// The SVG of a figure that is a picture, as Qt paints it.
QString pictureSvg(const Figure& figure) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(static_cast<int>(kUnitsPerInch));
  generator.setSize(figure.size.toSize());
  generator.setViewBox(QRectF({0, 0}, figure.size));
  // Qt writes both as they are given to it.
  generator.setTitle(xmlEscaped(figure.title));
  generator.setDescription(xmlEscaped(figure.description));
  QPainter painter(&generator);
  paintFigure(figure, painter);
  painter.end();
  return QString::fromUtf8(buffer.data());
}

}  // namespace

QString toSvg(const Figure& figure) {
  if (figure.picture) return pictureSvg(figure);
  const QString size =
      attribute("width", figure.size.width()) + attribute("height", figure.size.height());
  return QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") + root(figure, size) +
         body(figure) + QStringLiteral("</svg>\n");
}

QString toInlineSvg(const Figure& figure) {
  return root(figure, {}) + body(figure) + QStringLiteral("</svg>\n");
}

}  // namespace fusebench
