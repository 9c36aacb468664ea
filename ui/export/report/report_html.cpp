// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "profiler/files/shipped_resources.h"
#include "profiler/run/report_runs.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/export/report/report.h"
#include "ui/models/base/page_language.h"
#include "ui/models/base/page_policy.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

constexpr const char* kExperimentType = "application/x-fusebench-experiment";
constexpr double kPictureScale = 2;

QString shippedText(std::string_view name) {
  const std::string_view text = embeddedText(shippedResources(), name);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString tag(const char* name, const QString& inside, const QString& attributes = {}) {
  return QStringLiteral("<%1%2>%3</%1>\n").arg(QLatin1String(name), attributes, inside);
}

/// JSON within a script element. "<" can only occur in strings, where \u003c means the same.
QString scriptData(const char* type, const QString& id, const QString& name, QString json) {
  json.replace(u'<', QLatin1String("\\u003c"));
  return QStringLiteral("<script type=\"%1\" id=\"%2\" data-file=\"%3\">\n%4</script>\n")
      .arg(QLatin1String(type), id, xmlEscaped(name), json);
}

nlohmann::ordered_json readingsOf(const Figure& figure) {
  auto all = nlohmann::ordered_json::array();
  for (const FigureReading& reading : figure.readings) {
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < reading.readout.rows.size(); ++i) {
      const ReadoutRow& row = reading.readout.rows[i];
      QString group, color;
      for (const FigureSeries& series : figure.series)
        if (series.variant == row.variant && group.isEmpty()) {
          group = figure.id + u'-' + series.group;
          color = series.color.name();
        }
      rows.push_back({{"group", group.toStdString()},
                      {"color", color.toStdString()},
                      {"name", row.name.toStdString()},
                      {"value", row.value.toStdString()},
                      {"interval", row.interval.toStdString()},
                      {"beside", row.beside.toStdString()},
                      {"note", row.note.toStdString()}});
      if (i < reading.heights.size() && std::isfinite(reading.heights[i]))
        rows.back()["y"] = reading.heights[i];
    }
    all.push_back({{"x", reading.pixel},
                   {"title", reading.readout.title.toStdString()},
                   {"rows", std::move(rows)}});
  }
  return all;
}

nlohmann::ordered_json spotsOf(const Figure& figure) {
  auto all = nlohmann::ordered_json::array();
  for (const FigureSpot& spot : figure.spots) {
    auto rows = nlohmann::ordered_json::array();
    for (const FigureSpot::Row& row : spot.rows) {
      rows.push_back({{"name", row.name.toStdString()},
                      {"value", row.value.toStdString()},
                      {"interval", row.beside.toStdString()}});
      if (row.color.isValid()) rows.back()["swatch"] = row.color.name().toStdString();
    }
    const QRectF& area = spot.area;
    all.push_back({{"area", {area.x(), area.y(), area.width(), area.height()}},
                   {"title", spot.title.toStdString()},
                   {"rows", std::move(rows)}});
  }
  return all;
}

class HtmlWriter {
 public:
  QString operator()(const ReportText& block) const {
    const QString tone = block.tone == ReportText::Tone::lead ? QStringLiteral(" class=\"lead\"")
                         : block.tone == ReportText::Tone::muted
                             ? QStringLiteral(" class=\"muted\"")
                             : QString();
    return tag("p", xmlEscaped(block.text), tone);
  }

  QString operator()(const ReportPoint& block) const {
    const QString style = block.color.isValid()
                              ? QStringLiteral(" style=\"border-color:%1\"").arg(block.color.name())
                              : QString();
    QString inside;
    if (!block.headline.isEmpty()) inside += tag("strong", xmlEscaped(block.headline));
    return tag("div", inside + tag("p", xmlEscaped(block.text)),
               QStringLiteral(" class=\"point\"") + style);
  }

  QString operator()(const ReportHeading& block) const { return tag("h3", xmlEscaped(block.text)); }

  QString operator()(const ReportFacts& block) const {
    QString rows;
    for (const auto& [label, value] : block.rows)
      rows += tag("dt", xmlEscaped(label)) +
              tag("dd", xmlEscaped(value).replace(u'\n', QLatin1String("<br>")));
    return tag("dl", rows);
  }

  QString operator()(const ReportTable& block) const {
    const ExportTable& table = block.table;
    // A name does not break at its hyphens; longer texts may.
    const auto kindOf = [&](const std::string& text, std::size_t column) {
      if (table.numeric[column]) return QStringLiteral(" class=\"number\"");
      return text.size() <= kLongestName ? QStringLiteral(" class=\"name\"") : QString();
    };
    const auto cell = [&](const char* name, const std::string& text, std::size_t column) {
      return QStringLiteral("<%1%2>%3</%1>")
          .arg(QLatin1String(name), kindOf(text, column), xmlEscaped(QString::fromStdString(text)));
    };
    QString head, body, notes;
    for (std::size_t i = 0; i < table.header.size(); ++i) head += cell("th", table.header[i], i);
    for (const auto& row : table.rows) {
      QString line;
      for (std::size_t i = 0; i < row.size(); ++i) line += cell("td", row[i], i);
      body += tag("tr", line);
    }
    for (const std::string& note : table.notes)
      notes +=
          tag("p", xmlEscaped(QString::fromStdString(note)), QStringLiteral(" class=\"muted\""));
    QString caption;
    if (!block.caption.isEmpty()) caption = tag("caption", xmlEscaped(block.caption));
    return tag("div",
               tag("table", caption + tag("thead", tag("tr", head)) + tag("tbody", body)) + notes,
               QStringLiteral(" class=\"table\""));
  }

  QString operator()(const ReportFigure& block) const {
    const Figure& figure = block.figure;
    QString buttons;
    for (const FigureSeries& series : figure.series)
      buttons += QStringLiteral(
                     "<button type=\"button\" aria-pressed=\"true\" data-group=\"%1-%2\"><i "
                     "style=\"background:%3\"></i>%4</button>")
                     .arg(figure.id, series.group, series.color.name(), xmlEscaped(series.name));
    if (figure.series.size() < 2) buttons.clear();
    if (!buttons.isEmpty())
      buttons = tag("div", buttons,
                    QStringLiteral(" class=\"legend\" role=\"group\" aria-label=\"Curves\""));
    const bool spots = !figure.spots.empty();
    QString json = QString::fromStdString((spots ? spotsOf(figure) : readingsOf(figure)).dump())
                       .replace(u'<', QLatin1String("\\u003c"));
    QString inside = buttons + tag("div", toInlineSvg(figure),
                                   QStringLiteral(" class=\"chart\" tabindex=\"0\""));
    if (spots || !figure.readings.empty())
      inside +=
          tag("script", json, QStringLiteral(" type=\"application/json\" class=\"readings\""));
    if (!block.caption.isEmpty()) inside += tag("figcaption", xmlEscaped(block.caption));
    return tag("figure", inside, QStringLiteral(" id=\"figure-%1\"").arg(figure.id));
  }

  QString operator()(const ReportPicture& block) const {
    QImage image((block.size * kPictureScale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(kPictureScale, kPictureScale);
    painter.drawPicture(0, 0, *block.picture);
    painter.end();
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return tag("figure",
               QStringLiteral("<img alt=\"%1\" width=\"%2\" src=\"data:image/png;base64,%3\">")
                   .arg(xmlEscaped(block.description))
                   .arg(std::lround(block.size.width()))
                   .arg(QLatin1String(png.toBase64())),
               QStringLiteral(" class=\"picture\""));
  }

  QString operator()(const ReportCode& block) const {
    return tag("pre", tag("code", xmlEscaped(block.text)), QStringLiteral(" tabindex=\"0\""));
  }
};

}  // namespace

QString toHtml(const Report& report) {
  QString contents, body, data;
  for (const ReportSection& section : report.sections) {
    contents += QStringLiteral("<li><a href=\"#%1\">%2</a></li>")
                    .arg(section.id, xmlEscaped(section.title));
    QString inside = tag("h2", xmlEscaped(section.title));
    for (const ReportBlock& block : section.blocks) inside += std::visit(HtmlWriter(), block);
    body += tag("section", inside, QStringLiteral(" id=\"%1\"").arg(section.id));
  }
  QString files;
  const auto attach = [&](const char* type, const char* kind,
                          const std::vector<std::pair<QString, QString>>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const QString id = QStringLiteral("%1-%2").arg(QLatin1String(kind)).arg(i + 1);
      data += scriptData(type, id, texts[i].first, texts[i].second);
      files += QStringLiteral("<button type=\"button\" data-save=\"%1\">%2</button>")
                   .arg(id, xmlEscaped(uiText("Save %1").arg(texts[i].first)));
    }
  };
  attach(kExperimentType, "experiment", report.experiments);
  attach(kEmbeddedRunType, "run", report.runs);
  // A report of traces has no runs in it.
  const QString footer =
      data.isEmpty()
          ? QString()
          : tag("footer",
                u'\n' +
                    tag("p", uiText("This page contains the experiment and every sample of the "
                                    "run: open it in Fusebench to continue from here.")) +
                    tag("p", files));
  const QString script = u'\n' + shippedText("report/report.js");
  return QStringLiteral(
             "<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n%2"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"generator\" content=\"Fusebench " FUSEBENCH_VERSION
             "\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n<title>")
             .arg(pageLanguage(), pagePolicy(script)) +
         xmlEscaped(report.title) + QStringLiteral("</title>\n<style>\n") +
         shippedText("report/report.css") +
         QStringLiteral("</style>\n</head>\n<body>\n<header><h1>") + xmlEscaped(report.title) +
         QStringLiteral("</h1>\n") +
         tag("p", xmlEscaped(report.subtitle), QStringLiteral(" class=\"muted\"")) +
         tag("nav", tag("ol", contents),
             QStringLiteral(" aria-label=\"%1\"").arg(uiText("Contents"))) +
         QStringLiteral("</header>\n<main>\n") + body + QStringLiteral("</main>\n") + footer +
         data + QStringLiteral("<script>") + script +
         QStringLiteral("</script>\n</body>\n</html>\n");
}

}  // namespace fusebench
