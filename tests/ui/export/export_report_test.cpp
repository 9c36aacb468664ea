// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <variant>

#include "profiler/run/report_runs.h"
#include "tests/support/built_paths.h"
#include "tests/ui/chart/map_run.h"
#include "tests/ui/export/exported.h"
#include "tests/ui/synthetic.h"
#include "ui/export/export_files.h"
#include "ui/export/report/report.h"
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/format.h"
#include "ui/models/chart/break_even_map.h"
#include "ui/models/chart/chart_series.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

using test::exportedOf;
using test::measuredRun;

using testing::HasSubstr;
using testing::Not;

QString htmlOf(const Run& run) {
  const ExportedRun one = exportedOf(run);
  return toHtml(makeReport({&one, 1}));
}

QStringList all(const QString& text, const char* pattern) {
  QStringList found;
  auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(text);
  while (matches.hasNext()) found << matches.next().captured(1);
  return found;
}

void save(const QString& path, const QByteArray& content) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(content);
}

QByteArray outputOf(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  process.waitForFinished(90'000);
  return process.readAllStandardOutput();
}

TEST(ReportSections, WhatAnExperimentShowsFirstStandsBesideTheAnswer) {
  fusebench::Run run = measuredRun();
  run.experiment.variants[1].options.delivery.from = Delivery::From::pinned;
  const auto captions = [&] {
    const QString html = htmlOf(run);
    return std::pair(html.indexOf(metricCaption(Metric::bandwidth)),
                     html.indexOf(metricCaption(Metric::latency)));
  };
  const auto [bandwidthLater, latency] = captions();
  ASSERT_GE(latency, 0);
  EXPECT_GT(bandwidthLater, latency);
  run.experiment.shown = Experiment::Shown::bandwidth;
  const auto [bandwidth, latencyLater] = captions();
  ASSERT_GE(bandwidth, 0);
  EXPECT_GT(latencyLater, bandwidth);
  // If there is no bandwidth to show, latency is shown instead.
  run.experiment.variants[1].options.delivery.from = Delivery::From::device;
  const auto [none, first] = captions();
  EXPECT_EQ(none, -1);
  EXPECT_GE(first, 0);
}

TEST(ReportSections, AnswerFirstAndNoneIsEmpty) {
  auto run = measuredRun();
  run.experiment.question = "From where on does fusing win?";
  const ExportedRun one = exportedOf(run);
  const Report report = makeReport({&one, 1});
  QStringList ids;
  for (const ReportSection& section : report.sections) {
    ids << section.id;
    EXPECT_FALSE(section.blocks.empty()) << section.id.toStdString();
  }
  EXPECT_EQ(ids, (QStringList{"answer", "charts", "anatomy", "break-evens", "tables", "program",
                              "method"}));
  const auto* question = std::get_if<ReportText>(&report.sections[0].blocks[0]);
  ASSERT_TRUE(question);
  EXPECT_EQ(question->text, "From where on does fusing win?");
  EXPECT_TRUE(std::holds_alternative<ReportFigure>(report.sections[0].blocks[1]));
  const auto* answer = std::get_if<ReportPoint>(&report.sections[0].blocks[2]);
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->headline.toStdString(), HasSubstr("ahead from"));
}

TEST(ReportSections, AllBreakEvensAreInTheAnswerThoseThatCrossFirst) {
  auto run = measuredRun();
  std::vector<Cell> more;
  for (const char* name : {"fourth", "fifth", "sixth"}) {
    Variant variant = run.experiment.variants[1];
    variant.name = name;
    run.experiment.variants.push_back(variant);
    for (Cell cell : run.cells)
      if (cell.key.variant == 0) {
        cell.key.variant = static_cast<int>(run.experiment.variants.size()) - 1;
        for (Sample& sample : cell.samples) sample.nanoseconds *= 0.5;
        more.push_back(std::move(cell));
      }
  }
  run.cells.insert(run.cells.end(), more.begin(), more.end());
  const ExportedRun one = exportedOf(run);
  QStringList answers;
  const Report report = makeReport({&one, 1});
  for (const ReportBlock& block : report.sections[0].blocks) {
    if (std::holds_alternative<ReportHeading>(block)) break;
    if (const auto* point = std::get_if<ReportPoint>(&block)) answers << point->headline;
  }
  ASSERT_EQ(answers.size(), 6) << answers.join("; ").toStdString();
  EXPECT_TRUE(answers[0].contains("ahead from") && answers[1].contains("ahead from"));
  for (int i = 2; i < 5; ++i) EXPECT_TRUE(answers[i].contains("ahead throughout"));
}

TEST(ReportSections, TwoAxesBringAMapAndTwoRunsAComparison) {
  const auto map =
      test::mapRun({1, 10, 20}, {16, 64, 256}, [](double n, double) { return n > 5 ? 2.0 : 0.5; });
  const ExportedRun one = exportedOf(map);
  QStringList ids;
  for (const ReportSection& section : makeReport({&one, 1}).sections) ids << section.id;
  EXPECT_TRUE(ids.contains("map"));

  const auto a = measuredRun(), b = measuredRun(40);
  const ExportedRun both[] = {exportedOf(a, "before"), exportedOf(b, "after")};
  const Report report = makeReport(both);
  EXPECT_EQ(report.sections[0].id, "comparison");
  EXPECT_EQ(report.sections[1].id, "run1-answer");
  EXPECT_EQ(report.sections.back().id, "run2-method");
  const auto* chart = std::get_if<ReportFigure>(&report.sections[0].blocks[0]);
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->figure.series.size(), 6U);
}

TEST(ReportSections, SayWhatADeviceDidInABarAndATableAndByWhatThatIsKnown) {
  auto run = measuredRun();
  run.environment["cupti"] = "13.0 (interface 130001)";
  for (Cell& cell : run.cells) {
    for (Sample& sample : cell.samples) sample.device.emplace();
    if (cell.key.variant == 0) {
      cell.anatomy->device.emplace().nanoseconds = {100, 0, 250, 450, 200};
      cell.anatomy->device->executions = 3;
    } else {
      cell.anatomy->deviceProblem = "its time was up";
    }
  }
  const ExportedRun one = exportedOf(run);
  const Report report = makeReport({&one, 1});
  QString machine;
  const ReportSection* anatomy = nullptr;
  for (const ReportSection& section : report.sections) {
    if (section.id == "anatomy") anatomy = &section;
    for (const ReportBlock& block : section.blocks)
      if (const auto* facts = std::get_if<ReportFacts>(&block))
        for (const auto& [label, value] : facts->rows) machine += label + ": " + value + '\n';
  }
  EXPECT_TRUE(machine.contains("Device recorded by CUPTI: 13.0 (interface 130001)"));
  ASSERT_TRUE(anatomy);
  const auto* figure = std::get_if<ReportFigure>(&anatomy->blocks[1]);
  const auto* table = std::get_if<ReportTable>(&anatomy->blocks[2]);
  ASSERT_TRUE(figure && table);
  EXPECT_THAT(figure->figure.description.toStdString(),
              HasSubstr("delay 10%, kernels 25%, gaps 45%, idle 20%."));
  EXPECT_THAT(figure->caption.toStdString(),
              HasSubstr("Device activity of static, dynamic was not recorded: its time was up."));
  const auto row = [&](const std::string& part) {
    for (const auto& cells : table->table.rows)
      if (cells[0] == part) return cells;
    return std::vector<std::string>(4);
  };
  EXPECT_THAT(row("device: gaps")[1], testing::EndsWith("(45%)"));
  EXPECT_EQ(row("device: gaps")[2], "–");
  EXPECT_THAT(row("kernel")[1], HasSubstr("%)"));
  EXPECT_EQ(table->table.numeric.size(), 4u);
  // Not a word of devices where there is none.
  const auto host = measuredRun();
  const ExportedRun plain = exportedOf(host);
  for (const ReportSection& section : makeReport({&plain, 1}).sections) {
    if (section.id != "anatomy") continue;
    for (const auto& cells : std::get<ReportTable>(section.blocks[2]).table.rows)
      EXPECT_THAT(cells[0], Not(HasSubstr("device")));
  }
}

TEST(ReportSections, OfASimulatedRunTheMethodSaysWhereTheModelsFiguresComeFrom) {
  auto run = measuredRun();
  const std::string truth = "simulated Anything, made up for teaching; values by nobody";
  run.environment["simulated"] = truth;
  run.environment["model_note"] = "Every cost is a round number.";
  EXPECT_THAT(htmlOf(run).toStdString(), Not(HasSubstr("Every cost is a round number.</p>")));
  EXPECT_THAT(htmlOf(run).toStdString(), Not(HasSubstr(" --device ")));
  run.device = "sim:round-numbers";
  const std::string page = htmlOf(run).toStdString();
  EXPECT_THAT(page, HasSubstr("Every cost is a round number.</p>"));
  EXPECT_THAT(page, HasSubstr("Anything, made up for teaching"));
  EXPECT_THAT(page, HasSubstr(".json --device sim:round-numbers --out my_run.jsonl"));
}

TEST(ReportHtml, EveryIdIsThereOnceAndEveryLinkHasItsTarget) {
  const auto a = measuredRun(), b = measuredRun(40);
  const ExportedRun both[] = {exportedOf(a, "before"), exportedOf(b, "after")};
  const QString html = toHtml(makeReport(both));
  const QStringList ids = all(html, "<[a-z]+[^>]* id=\"([^\"]+)\"");
  QStringList unique = ids;
  unique.removeDuplicates();
  EXPECT_EQ(ids.size(), unique.size());
  for (const QString& target : all(html, "href=\"#([^\"]+)\""))
    EXPECT_TRUE(ids.contains(target)) << target.toStdString();
  for (const QString& target : all(html, "data-(?:group|save)=\"([^\"]+)\""))
    EXPECT_TRUE(ids.contains(target)) << target.toStdString();
}

TEST(ReportHtml, AsksNothingOfTheNetwork) {
  const QString html = htmlOf(measuredRun());
  for (const QString& source : all(html, "(?:src|href)=\"([^\"]*)\""))
    EXPECT_TRUE(source.startsWith("data:") || source.startsWith('#')) << source.toStdString();
  for (const char* word : {"@import", "fetch(", "XMLHttpRequest", "url(http"})
    EXPECT_FALSE(html.contains(QLatin1String(word))) << word;
  EXPECT_TRUE(html.contains("default-src 'none'"));
}

TEST(ReportHtml, RunsItsOwnScriptAndNoOther) {
  const QString html = htmlOf(measuredRun());
  const QString policy = all(html, "Content-Security-Policy\" content=\"([^\"]*)\"").value(0);
  EXPECT_FALSE(QString(policy).remove("style-src 'unsafe-inline'").contains("unsafe"));
  const QStringList scripts = all(html, "<script>([\\s\\S]*?)</script>");
  ASSERT_EQ(scripts.size(), 1);
  const QByteArray hash =
      QCryptographicHash::hash(scripts[0].toUtf8(), QCryptographicHash::Sha256).toBase64();
  EXPECT_THAT(policy.toStdString(), HasSubstr("script-src 'sha256-" + hash.toStdString() + "'"));
  const QString browser = QStandardPaths::findExecutable("chromium");
  if (browser.isEmpty()) GTEST_SKIP() << "no chromium here: apt-get install chromium";
  // A smuggled script does nothing. The page's own script reacts to a click, which is shown by a
  // probe that the policy allows.
  const QString probe =
      "const button = document.querySelector('[data-group=latency-curve-static]'); button.click();"
      "const curve = document.getElementById('latency-curve-static');"
      "document.getElementById('probe').textContent = getComputedStyle(curve).display;";
  const QByteArray allowed =
      QCryptographicHash::hash(probe.toUtf8(), QCryptographicHash::Sha256).toBase64();
  QString wild = html;
  wild.replace("script-src ", "script-src 'sha256-" + allowed + "' ");
  wild.replace("</header>",
               "<script>document.title = 'smuggled'</script><img src=\"data:,\" "
               "onerror=\"document.title = 'smuggled'\"></header>");
  wild.replace("</body>", "<pre id=\"probe\"></pre><script>" + probe + "</script></body>");
  QTemporaryDir folder;
  const QString path = folder.filePath("report.html");
  save(path, wild.toUtf8());
  const QString dom = QString::fromUtf8(
      outputOf(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--user-data-dir=" + folder.filePath("profile"), "--dump-dom", path}));
  EXPECT_TRUE(dom.contains("<pre id=\"probe\">none</pre>")) << dom.right(400).toStdString();
  EXPECT_FALSE(dom.contains("<title>smuggled"));
}

TEST(ReportHtml, OpensAgainAsTheRunItWasMadeOf) {
  auto run = measuredRun();
  run.experiment.title = "</script><script>alert(1)</script> & <b>";
  QTemporaryDir folder;
  const QString path = folder.filePath("report.html");
  const QString html = htmlOf(run);
  EXPECT_FALSE(html.contains("alert(1)</script>"));
  save(path, html.toUtf8());
  const Document document = openDocument(path);
  const auto* back = std::get_if<fusebench::Run>(&document);
  ASSERT_TRUE(back);
  EXPECT_EQ(runText(*back), runText(run));
}

TEST(ReportHtml, APageOfAnotherKindIsRefusedInOneLine) {
  QTemporaryDir folder;
  const QString path = folder.filePath("page.html");
  save(path, "<html><body>Hello</body></html>");
  try {
    openDocument(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("page.html: this file contains no run"));
  }
}

TEST(ReportHtml, TheTableSaysWhatWasMeasured) {
  const auto run = measuredRun();
  const QString html = htmlOf(run);
  const ExportTable table = latencyTable(run);
  for (const auto& row : table.rows)
    for (const std::string& cell : row) EXPECT_THAT(html.toStdString(), HasSubstr(cell));
  for (const Crossing& crossing : findCrossings(run)) {
    if (crossing.kind != Crossing::Kind::breakEven) continue;
    EXPECT_THAT(html.toStdString(), HasSubstr(sentence(crossing, "statements")));
  }
}

/// In a real browser, where there is one: what pointing says, and that nothing goes wrong.
TEST(ReportHtml, InABrowserPointingReadsTheRightNumbers) {
  const QString browser = QStandardPaths::findExecutable("chromium");
  if (browser.isEmpty()) GTEST_SKIP() << "no chromium here: apt-get install chromium";
  const auto run = measuredRun();
  QString html = htmlOf(run);
  html.replace("<meta http-equiv=",
               "<script>window.wrong=[];addEventListener('error',e=>wrong.push(e.message));"
               "addEventListener('securitypolicyviolation',e=>wrong.push(e.blockedURI))</script>\n"
               "<meta data-was=");
  html.replace("</body>", R"js(<pre id="probe"></pre><script>
    const figure = document.getElementById("figure-latency"), chart = figure.querySelector(".chart");
    const svg = chart.querySelector("svg"), area = svg.getBoundingClientRect(), seen = [];
    const point = x => chart.dispatchEvent(new PointerEvent("pointermove",
      {clientX: area.left + x * area.width / svg.viewBox.baseVal.width, clientY: area.top + 50}));
    const read = () => Array.from(figure.querySelectorAll(".reading tr")).map(
      row => [row.dataset.name, row.cells[1].textContent]);
    const places = JSON.parse(figure.querySelector(".readings").textContent);
    for (const place of places) {
      point(place.x + 2);
      seen.push({title: figure.querySelector(".reading b").textContent, rows: read()});
    }
    figure.querySelector("[data-group=latency-curve-static]").click();
    const hidden = getComputedStyle(document.getElementById("latency-curve-static")).display;
    point(places[0].x);
    const left = read().length;
    chart.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    const next = figure.querySelector(".reading b").textContent;
    document.getElementById("probe").textContent = JSON.stringify({seen, hidden, left, next,
      wrong, requests: performance.getEntriesByType("resource").map(e => e.name)
        .filter(name => !name.startsWith("data:"))});
    </script></body>)js");
  QTemporaryDir folder;
  const QString path = folder.filePath("report.html");
  save(path, html.toUtf8());
  const QString dom = QString::fromUtf8(
      outputOf(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--user-data-dir=" + folder.filePath("profile"), "--dump-dom", path}));
  const auto match = QRegularExpression("<pre id=\"probe\">(.*?)</pre>").match(dom);
  ASSERT_TRUE(match.hasMatch()) << dom.left(400).toStdString();
  QString text = match.captured(1);
  text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
  const QJsonObject probe = QJsonDocument::fromJson(text.toUtf8()).object();
  EXPECT_EQ(probe["wrong"].toArray().size(), 0);
  EXPECT_EQ(probe["requests"].toArray().size(), 0);
  EXPECT_EQ(probe["hidden"].toString(), "none");
  EXPECT_EQ(probe["left"].toInt(), 2) << "a hidden curve is not read";
  const auto& values = run.experiment.axes[0].values;
  const QJsonArray seen = probe["seen"].toArray();
  ASSERT_EQ(seen.size(), static_cast<qsizetype>(values.size()));
  for (qsizetype i = 0; i < seen.size(); ++i) {
    const std::int64_t at = values[static_cast<std::size_t>(i)];
    const QJsonArray rows = seen[i].toObject()["rows"].toArray();
    ASSERT_EQ(rows.size(), 3);
    for (int v = 0; v < 3; ++v) {
      const double latency = run.find({v, {at}})->latency().value;
      EXPECT_EQ(rows[v].toArray()[1].toString(), formatTime(latency));
    }
  }
  EXPECT_EQ(probe["next"].toString(), seen[1].toObject()["title"].toString());
}

/// The tooltip at each spot of a figure, read in a browser; empty if there is no browser.
QJsonObject spotsRead(const fusebench::Run& run, const QString& figure) {
  const QString browser = QStandardPaths::findExecutable("chromium");
  if (browser.isEmpty()) return {};
  QString html = htmlOf(run);
  html.replace("<meta http-equiv=",
               "<script>window.wrong=[];addEventListener('error',e=>wrong.push(e.message))"
               "</script>\n<meta data-was=");
  html.replace("</body>", QString(R"js(<pre id="probe"></pre><script>
    const figure = document.getElementById("figure-%1"), chart = figure.querySelector(".chart");
    const svg = chart.querySelector("svg"), area = svg.getBoundingClientRect(), seen = [];
    const scale = area.width / svg.viewBox.baseVal.width;
    const text = () => figure.querySelector(".reading") ? {
      title: figure.querySelector(".reading b").textContent,
      rows: Array.from(figure.querySelectorAll(".reading tr")).map(
        row => [row.cells[0].textContent, row.cells[1].textContent])} : null;
    for (const {area: [x, y, width, height]} of JSON.parse(
           figure.querySelector(".readings").textContent)) {
      chart.dispatchEvent(new PointerEvent("pointermove",
        {clientX: area.left + (x + width / 2) * scale, clientY: area.top + (y + height / 2) * scale}));
      seen.push(text());
    }
    chart.dispatchEvent(new PointerEvent("pointermove",
      {clientX: area.left + 1, clientY: area.top + 1}));
    const outside = text();
    const key = name => chart.dispatchEvent(new KeyboardEvent("keydown", {key: name}));
    key("ArrowDown");
    const first = text();
    for (let i = 0; i < 9; ++i) { key("ArrowDown"); key("ArrowUp"); key("ArrowRight"); }
    const last = text();
    document.getElementById("probe").textContent = JSON.stringify({seen, outside, first, last, wrong});
    </script></body>)js")
                              .arg(figure));
  QTemporaryDir folder;
  const QString path = folder.filePath("report.html");
  save(path, html.toUtf8());
  const QString dom = QString::fromUtf8(
      outputOf(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--user-data-dir=" + folder.filePath("profile"), "--dump-dom", path}));
  QString text = QRegularExpression("<pre id=\"probe\">(.*?)</pre>").match(dom).captured(1);
  text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
  return QJsonDocument::fromJson(text.toUtf8()).object();
}

TEST(ReportHtml, InABrowserAMapIsReadPlaceByPlace) {
  if (QStandardPaths::findExecutable("chromium").isEmpty()) GTEST_SKIP() << "no chromium here";
  const auto run =
      test::mapRun({1, 10, 20}, {16, 64}, [](double n, double) { return n > 5 ? 2.0 : 0.5; });
  const QJsonObject probe = spotsRead(run, "map1");
  EXPECT_EQ(probe["wrong"].toArray().size(), 0);
  const QJsonArray seen = probe["seen"].toArray();
  ASSERT_EQ(seen.size(), 6);
  const BreakEvenMap map = breakEvenMap(run, 1);
  for (std::size_t k = 0; k < 6; ++k) {
    const QJsonObject one = seen[static_cast<qsizetype>(k)].toObject();
    EXPECT_EQ(one["title"].toString(), placeTitle(map, k / 2, k % 2));
    const QJsonArray rows = one["rows"].toArray();
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[2].toArray()[0].toString(), "speedup");
    EXPECT_EQ(rows[2].toArray()[1].toString(), formatRatio(map.places[k].speedUp.value));
  }
  EXPECT_TRUE(probe["outside"].isNull());
  EXPECT_EQ(probe["first"].toObject(), seen[0].toObject());
  EXPECT_EQ(probe["last"].toObject()["title"].toString(), placeTitle(map, 2, 1));
}

TEST(ReportHtml, InABrowserBarsOfACallAreRead) {
  if (QStandardPaths::findExecutable("chromium").isEmpty()) GTEST_SKIP() << "no chromium here";
  const auto run = measuredRun();
  const QJsonObject probe = spotsRead(run, "anatomy");
  EXPECT_EQ(probe["wrong"].toArray().size(), 0);
  RunModel model;
  model.show(run, true);
  const AnatomyModel anatomy(model);
  const QJsonArray seen = probe["seen"].toArray();
  ASSERT_EQ(seen.size(), static_cast<qsizetype>(anatomy.bars().size()));
  for (qsizetype b = 0; b < seen.size(); ++b) {
    const AnatomyBar& bar = anatomy.bars()[static_cast<std::size_t>(b)];
    const QJsonObject one = seen[b].toObject();
    EXPECT_EQ(one["title"].toString(),
              QStringLiteral("%1: %2").arg(bar.name, formatTime(bar.total)));
    const QJsonArray rows = one["rows"].toArray();
    ASSERT_EQ(rows.size(), static_cast<qsizetype>(anatomy.parts().size()));
    EXPECT_EQ(rows[0].toArray()[1].toString(),
              formatTime(bar.parts[static_cast<std::size_t>(anatomy.parts()[0])]));
  }
}

TEST(ReportPdf, HasPagesNumbersContentsAndVectors) {
  auto run = measuredRun();
  run.experiment.question = "From where on does fusing win?";
  const ExportedRun one = exportedOf(run);
  const QByteArray pdf = toPdf(makeReport({&one, 1}));
  ASSERT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_FALSE(pdf.contains("/Subtype /Image"));
  EXPECT_EQ(runsInReport(pdf.toStdString()), std::vector{runText(run)});
  const qsizetype pages = pdf.count("/Type /Page\n");
  EXPECT_GE(pages, 6);
  const QString reader = QStandardPaths::findExecutable("pdftotext");
  if (reader.isEmpty()) GTEST_SKIP() << "no pdftotext here: apt-get install poppler-utils";
  QTemporaryDir folder;
  save(folder.filePath("report.pdf"), pdf);
  const QStringList texts =
      QString::fromUtf8(outputOf(reader, {"-layout", folder.filePath("report.pdf"), "-"}))
          .split(QChar(0x0C), Qt::SkipEmptyParts);
  ASSERT_EQ(texts.size(), pages);
  EXPECT_TRUE(texts[0].contains("Contents"));
  const QStringList titles = {
      "Question and answer", "Curves", "Break-even and payback", "Tables", "Program",
      "Machine and method"};
  for (const QString& title : titles) {
    const auto entry =
        QRegularExpression(QRegularExpression::escape(title) + " +(\\d+)").match(texts[0]);
    ASSERT_TRUE(entry.hasMatch()) << title.toStdString();
    const int page = entry.captured(1).toInt();
    ASSERT_LE(page, texts.size());
    EXPECT_TRUE(QRegularExpression("^ *" + QRegularExpression::escape(title) + " *$",
                                   QRegularExpression::MultilineOption)
                    .match(texts[page - 1])
                    .hasMatch())
        << texts[page - 1].toStdString();
  }
  for (qsizetype i = 0; i < texts.size(); ++i)
    EXPECT_THAT(texts[i].simplified().remove(u' ').toStdString(),
                testing::EndsWith(QStringLiteral("%1/%2").arg(i + 1).arg(pages).toStdString()));
  // Copied text is the text as written, without substitutions by the font.
  EXPECT_THAT(texts.join(QString()).toStdString(), HasSubstr(" --out my_run.jsonl"));
  EXPECT_THAT(texts.join(QString()).toStdString(), HasSubstr("±1%"));
  // The listing and the graph are side by side: a heading between them would leave half of a page
  // empty.
  EXPECT_FALSE(texts.join(QString()).contains("As a graph"));
}

TEST(ReportHtml, OfSeveralRunsHoldsThemAll) {
  const auto a = measuredRun(), b = measuredRun(40);
  const ExportedRun both[] = {exportedOf(a, "before"), exportedOf(b, "after")};
  QTemporaryDir folder;
  save(folder.filePath("both.html"), toHtml(makeReport(both)).toUtf8());
  const auto runs = openRuns(folder.filePath("both.html"));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].cells[0].samples.size(), 31U);
  EXPECT_EQ(runs[1].cells[0].samples.size(), 40U);
  EXPECT_EQ(loadForExport({folder.filePath("both.html")}).exported[1].name, "both 2");
}

TEST(ReportCodeSection, ListsEachKernelOnceAndSaysWhyThereIsNone) {
  const auto run = measuredRun();
  const ExportedRun one = exportedOf(run);
  Report report = makeReport({&one, 1});
  VariantCode fused{"static", "x (8, 16)", {}, {}};
  fused.kernels.push_back(
      {"fused", {0, 1, -1}, {{"readable", "for i\n", {}}, {"llvm", "define\n", {}}}, 2});
  addGeneratedCode(report, std::vector{fused, VariantCode{"torch", {}, "PyTorch's own.", {}}});
  const auto found =
      std::find_if(report.sections.begin(), report.sections.end(),
                   [](const ReportSection& section) { return section.id == "code"; });
  ASSERT_NE(found, report.sections.end());
  EXPECT_EQ((found - 1)->id, "program");
  QStringList texts;
  for (const ReportBlock& block : found->blocks) {
    if (const auto* text = std::get_if<ReportText>(&block)) texts << text->text;
    if (const auto* code = std::get_if<ReportCode>(&block)) texts << code->text;
  }
  EXPECT_EQ(texts, (QStringList{"At the end of the axes, for x (8, 16); 1 kernel.",
                                "fused: Loop nest, statements 1 to 2 and the return, and 2 others "
                                "like it:",
                                "for i\n",
                                "fused: LLVM IR, statements 1 to 2 and the return, and 2 others "
                                "like it:",
                                "define\n", "Not available: PyTorch's own."}));
}

/// The program from outside, with no display.
class ExportCommand : public testing::Test {
 protected:
  void SetUp() override {
    run_ = folder_.filePath("run.jsonl");
    saveRun(measuredRun(), run_.toStdString());
  }
  struct Outcome {
    int code;
    QString error;
  };
  Outcome exported(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
      environment.remove(name);
    environment.insert("XDG_RUNTIME_DIR", folder_.path());  // Qt complains without
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(fusebench::test::buildPath("/bin/fusebench")),
                  QStringList{"--export"} + arguments);
    EXPECT_TRUE(process.waitForFinished(90'000));
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
  }
  QByteArray contentOf(const QString& name) {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
  QString run_;
};

TEST_F(ExportCommand, WritesEveryFormWithNoDisplay) {
  for (const ExportForm& form : exportForms()) {
    if (!form.ofRuns()) continue;
    const QString name = QStringLiteral("out.") + form.ending;
    const Outcome outcome = exported({folder_.filePath(name), run_});
    EXPECT_EQ(outcome.code, 0) << form.ending << outcome.error.toStdString();
    EXPECT_EQ(outcome.error, "") << form.ending;
    EXPECT_GT(contentOf(name).size(), 500) << form.ending;
  }
  EXPECT_EQ(exported({folder_.filePath("both.html"), run_, run_}).code, 0);
  EXPECT_EQ(exported({folder_.filePath("again.csv"), folder_.filePath("out.html")}).code, 0);
  EXPECT_EQ(contentOf("again.csv"), contentOf("out.csv")) << "a report holds its run";
}

TEST_F(ExportCommand, ReplacesAFileThatIsThereAndLeavesNothingElse) {
  const QString out = folder_.filePath("out.md");
  save(out, QByteArray(100'000, 'x'));
  EXPECT_EQ(exported({out, run_}).code, 0);
  EXPECT_TRUE(contentOf("out.md").startsWith("## "));
  EXPECT_EQ(QDir(folder_.path()).entryList(QDir::Files), (QStringList{"out.md", "run.jsonl"}));
}

TEST_F(ExportCommand, AReportTakesATitleAndTheCodeOfAVariantOnRequest) {
  const QString out = folder_.filePath("out.html");
  const Outcome outcome = exported({out, run_, "--title", "Mine & yours", "--code", "static"});
  EXPECT_EQ(outcome.code, 0) << outcome.error.toStdString();
  const std::string html = contentOf("out.html").toStdString();
  EXPECT_THAT(html, HasSubstr("<h1>Mine &amp; yours</h1>"));
  EXPECT_THAT(html, HasSubstr("LLVM IR, statements"));
  EXPECT_THAT(html, HasSubstr("define "));
  EXPECT_EQ(exported({out, run_}).code, 0);
  EXPECT_THAT(contentOf("out.html").toStdString(), Not(HasSubstr("LLVM IR, statements")));
}

TEST_F(ExportCommand, WhatCannotBeDoneIsSaidInOneLine) {
  const QString absent = folder_.filePath("absent.jsonl"), out = folder_.filePath("out.svg");
  const std::pair<QStringList, const char*> kCases[] = {
      {{folder_.filePath("out.doc"), run_}, "the extension selects the format"},
      {{out}, "needs the file of a run"},
      {{out, absent}, "absent.jsonl"},
      {{folder_.filePath("no/such/out.svg"), run_}, "cannot be written"},
      {{folder_.path() + "/x.svg/", run_}, "the extension"},
      {{out, run_, "--view", "map"}, "one axis"},
      {{out, run_, "--view", "colour"}, "latency"},
      {{out, run_, "--size", "10x10"}, "--size"},
      {{out, run_, "--preset", "a5"}, "single"},
      {{out, run_, "--theme", "pink"}, "light, dark or gray"},
      {{out, run_, "--scale", "nan"}, "--scale"},
      {{folder_.filePath("out.html"), run_, "--code", "nobody"}, "no variant \"nobody\""},
      {{folder_.filePath("out.py"), run_, run_}, "one experiment"},
  };
  for (const auto& [arguments, expected] : kCases) {
    const Outcome outcome = exported(arguments);
    EXPECT_EQ(outcome.code, 2) << expected;
    EXPECT_THAT(outcome.error.toStdString(), HasSubstr(expected));
    EXPECT_EQ(outcome.error.count('\n'), 1) << outcome.error.toStdString();
    EXPECT_TRUE(outcome.error.startsWith("fusebench: "));
  }
  EXPECT_EQ(QDir(folder_.path()).entryList(QDir::Files), QStringList{"run.jsonl"});
}

TEST_F(ExportCommand, AFullDiskLeavesTheOldFileAsItWas) {
  // The smallest file system that fills up: a tmpfs of one page. Only root may make one.
  const QString disk = folder_.filePath("disk");
  QDir().mkpath(disk);
  if (QProcess::execute("unshare", {"-m", "true"}) != 0) GTEST_SKIP() << "no own mounts here";
  QProcess process;
  process.start(
      "unshare",
      {"-m", "bash", "-c",
       QStringLiteral("mount -t tmpfs -o size=4k none '%1' && echo old > '%1/out.html' && "
                      "'%2' --export '%1/out.html' '%3'; code=$?; cat '%1/out.html'; ls '%1'; "
                      "exit $code")
           .arg(disk, QString::fromStdString(fusebench::test::buildPath("/bin/fusebench")), run_)});
  ASSERT_TRUE(process.waitForFinished(60'000));
  EXPECT_EQ(process.exitCode(), 2);
  EXPECT_EQ(process.readAllStandardOutput(), "old\nout.html\n");
  EXPECT_THAT(process.readAllStandardError().toStdString(), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace fusebench
