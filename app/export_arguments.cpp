// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_arguments.h"

#include <QRegularExpression>

#include "engine/base/saying.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr double kLeastWidth = 280, kLeastHeight = 200, kMostSize = 8000;  ///< chart sizes

QString presetKeys() {
  QStringList keys;
  for (const FigurePreset& preset : figurePresets()) keys << preset.key;
  return keys.join(QStringLiteral(", "));
}

QString readSize(const QString& text, FigureStyle& style) {
  static const QRegularExpression kForm(QStringLiteral("^(\\d+)[x×](\\d+)$"));
  const auto match = kForm.match(text);
  const QSizeF size(match.captured(1).toDouble(), match.captured(2).toDouble());
  if (!match.hasMatch() || size.width() < kLeastWidth || size.height() < kLeastHeight ||
      std::max(size.width(), size.height()) > kMostSize)
    return uiText("--size %1: a width and a height from %2x%3 to %4x%4, such as 960x540")
        .arg(text)
        .arg(kLeastWidth)
        .arg(kLeastHeight)
        .arg(kMostSize);
  style.size = size;
  return {};
}

QString readTheme(const QString& text, FigureStyle& style) {
  if (text == QLatin1String("light"))
    style.theme = lightTheme();
  else if (text == QLatin1String("dark"))
    style.theme = darkTheme();
  else if (text == QLatin1String("grey"))
    style.theme = grayTheme();
  else
    return uiText("--theme %1: light, dark or gray").arg(text);
  return {};
}

QString readLegend(const QString& text, FigureStyle& style) {
  const std::pair<const char*, LegendPlace> kPlaces[] = {{"ends", LegendPlace::ends},
                                                         {"top", LegendPlace::top},
                                                         {"bottom", LegendPlace::bottom},
                                                         {"none", LegendPlace::none}};
  for (const auto& [key, place] : kPlaces)
    if (text == QLatin1String(key)) {
      style.legend = place;
      return {};
    }
  return uiText("--legend %1: ends, top, bottom or none").arg(text);
}

}  // namespace

QList<QCommandLineOption> exportOptions() {
  const auto option = [](const char* name, const QString& text, const char* value) {
    return QCommandLineOption(QLatin1String(name), fusebench::text(said("With --export: ")) + text,
                              QLatin1String(value));
  };
  return {
      option("view",
             fusebench::text(said(
                 "what a chart shows (default: latency): latency, speed-up, launches, compile, "
                 "payback, memory, error, bandwidth (of inputs from host memory), map (break-evens "
                 "over two axes), anatomy (the call breakdown), scatter (error against latency, "
                 "sizes by memory), program (its graph) or storages (memory contents during a "
                 "call); for several runs also ratio (of the first two); for a run on a GPU also "
                 "host, device, alone (synchronized latency), or times for all four.")),
             "VIEW"),
      option("preset",
             fusebench::text(said("size, text and colors of a chart: %1.")).arg(presetKeys()),
             "NAME"),
      option("size", fusebench::text(said("size of a chart in 1/96 inch, such as 960x540.")),
             "WxH"),
      option("theme", fusebench::text(said("colors: light, dark or gray.")), "NAME"),
      option("scale", fusebench::text(said("pixels of a PNG per 1/96 inch (default: 2).")), "N"),
      option("legend",
             fusebench::text(
                 said("position of the legend: ends (of the curves), top, bottom or none.")),
             "PLACE"),
      option(
          "hide",
          fusebench::text(said("curve to leave out of a chart: the name of a variant or of another "
                               "run, \"fitted lines\" or \"break-evens\". Can be repeated.")),
          "NAME"),
      QCommandLineOption(
          QStringLiteral("published"),
          fusebench::text(said("With --export: published curves next to latencies."))),
      option("title", fusebench::text(said("title above a chart, or title of a report.")), "TEXT"),
      option("caption", fusebench::text(said("text below a chart.")), "TEXT"),
      option("code",
             fusebench::text(
                 said("variant whose generated code a report contains: the loop nest of each "
                      "kernel and the compiled code; \"all\" for every variant. Can be repeated.")),
             "VARIANT"),
  };
}

QString readExportChoices(const QCommandLineParser& parser, ExportChoices& choices) {
  const auto given = [&](const char* name) { return parser.isSet(QLatin1String(name)); };
  const auto value = [&](const char* name) { return parser.value(QLatin1String(name)); };
  if (given("view")) choices.view = value("view").toLower();
  if (given("preset")) {
    const FigurePreset* preset = figurePreset(value("preset"));
    if (!preset) return uiText("--preset %1: one of %2").arg(value("preset"), presetKeys());
    choices.style = styleOf(*preset);
  }
  QString wrong;
  choices.sized = given("size");
  if (given("size")) wrong = readSize(value("size"), choices.style);
  if (wrong.isEmpty() && given("theme")) wrong = readTheme(value("theme"), choices.style);
  if (wrong.isEmpty() && given("legend")) wrong = readLegend(value("legend"), choices.style);
  if (wrong.isEmpty() && given("scale")) {
    bool good = false;
    choices.scale = value("scale").toDouble(&good);
    if (!good || !(choices.scale >= 0.1 && choices.scale <= 20))
      wrong = uiText("--scale %1: a number from 0.1 to 20").arg(value("scale"));
  }
  choices.style.title = value("title");
  choices.style.caption = value("caption");
  choices.hidden = parser.values(QStringLiteral("hide"));
  choices.published = given("published");
  for (const QString& variant : parser.values(QStringLiteral("code")))
    choices.code.push_back(variant.toStdString());
  return wrong;
}

}  // namespace fusebench
