// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QFontDatabase>
#include <QProcess>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "app/export_arguments.h"
#include "app/window_text.h"
#include "engine/base/search_paths.h"
#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/course/lesson.h"
#include "profiler/doctor/device_list.h"
#include "profiler/files/input_error.h"
#include "profiler/files/kept_inputs.h"
#include "profiler/files/out_of_memory.h"
#include "profiler/machine/backend_table.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/export/export_files.h"
#include "ui/export/handout.h"
#include "ui/models/base/ui_language.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/window/settings.h"
#include "ui/views/base/plain_texts.h"
#include "ui/views/window/first_paint.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/snapshot.h"

namespace {

constexpr int kWrongArguments = 2;

int complain(const QString& what) {
  fusebench::putError("fusebench: " + fusebench::shownText(what.toStdString()) + "\n");
  return kWrongArguments;
}

/// The one asked for, else the one set in the window, else the system's; what is wrong with it, if
/// anything is. Asked before the arguments are read, since these are explained in it, too.
QString chooseLanguage(const QStringList& arguments) {
  QString asked = fusebench::Settings().language();
  bool forShells = false;  // man pages and completions ship in English
  for (qsizetype i = 1; i < arguments.size(); ++i) {
    const QString option = QStringLiteral("--language");
    if (arguments[i] == option && i + 1 < arguments.size()) asked = arguments[i + 1];
    if (arguments[i].startsWith(option + u'=')) asked = arguments[i].mid(option.size() + 1);
    forShells = forShells || arguments[i] == QLatin1String("--manual") ||
                arguments[i].startsWith(QLatin1String("--completion"));
  }
  if (forShells) asked = QStringLiteral("en");
  try {
    fusebench::setLanguage(asked.isEmpty() ? fusebench::systemLanguage() : asked.toStdString());
    fusebench::tellWorkersTheLanguage();
    return {};
  } catch (const fusebench::InputError& error) {
    return QString::fromUtf8(error.what());
  }
}

int printProgramText(const QString& shell, const QString& filesAbout,
                     const QList<QCommandLineOption>& options) {
  const QString text = fusebench::programTextFor(shell, filesAbout, options);
  if (text.isEmpty())
    return complain(fusebench::uiText("--completion %1: bash, zsh or fish").arg(shell));
  std::fputs(text.toUtf8().constData(), stdout);
  return 0;
}

/// A lesson's file, or the name of a shipped one.
bool isLesson(const QString& file) {
  const std::vector<std::string> shipped = fusebench::course::shippedLessons();
  return file.endsWith(QLatin1String(".fblesson"), Qt::CaseInsensitive) ||
         (!QFileInfo::exists(file) &&
          std::find(shipped.begin(), shipped.end(), file.toStdString()) != shipped.end());
}

/// Chinese is asked for and no font here has it: boxes are all that would be seen.
void warnOfMissingFont() {
  if (fusebench::language() != "zh_CN" ||
      !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
    return;
  complain(
      fusebench::text(fusebench::said("no font here has Chinese characters, so boxes are shown; "
                                      "apt-get install fonts-noto-cjk or fonts-wqy-microhei")));
}

bool hasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (!qEnvironmentVariableIsEmpty(name)) return true;
  return false;
}

std::string cliPath() {
  return (QCoreApplication::applicationDirPath() + QStringLiteral("/fusebench-cli")).toStdString();
}

fusebench::StudyOptions studyOptions() {
  fusebench::StudyOptions options;
  options.workerCommand = {cliPath(), "worker"};
  options.trace = true;
  return options;
}

/// The device asked for, under its plain name, among those that are here; else what is wrong.
QString readDevice(const std::string& asked, std::string& device) {
  try {
    const auto devices = fusebench::askDevices({cliPath(), "devices", "--json"}, {});
    if (const auto* found = fusebench::findDevice(devices, asked)) {
      device = found->name;
      return {};
    }
    std::string known, problem;
    for (const auto& each : devices) {
      if (each.usable()) known += (known.empty() ? "" : ", ") + each.name;
      if (!each.usable() && fusebench::namesGpu(asked)) problem = each.problem;
    }
    return fusebench::uiText("--device %1: %2; there are %3")
        .arg(
            QString::fromStdString(asked),
            problem.empty() ? fusebench::uiText("no such device") : QString::fromStdString(problem),
            QString::fromStdString(known));
  } catch (const std::exception& error) {
    return QStringLiteral("--device: %1").arg(QString::fromUtf8(error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  fusebench::openStandardStreams();
  fusebench::searchAbsoluteFoldersOnly(argv);
  fusebench::prepareForOutOfMemory("fusebench");
  // A file that may not grow, or a pipe that nobody reads, is an error of writing it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  QCoreApplication::setApplicationName(QStringLiteral("fusebench"));
  QCoreApplication::setOrganizationName(QStringLiteral("fusebench"));
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  if (const QString wrong = chooseLanguage(arguments); !wrong.isEmpty()) return complain(wrong);
  QCommandLineParser parser;
  parser.setApplicationDescription(fusebench::text(
      fusebench::said("Shows where kernel fusion pays off and what kernel launches cost.")));
  const QString filesAbout = fusebench::text(fusebench::said(
      "An experiment (.json), a run (.jsonl), both in one file (.fusebench), a report (.html, "
      ".pdf), a lesson (.fblesson), a trace (.json, .json.gz, .sqlite, .pftrace) or a directory of "
      "ranks to open; several traces are shown one below the other. With --export any number of "
      "runs, or of traces."));
  parser.addPositionalArgument(QStringLiteral("FILE"), filesAbout, QStringLiteral("[FILE...]"));
  const QCommandLineOption help = parser.addHelpOption();
  const QCommandLineOption version = parser.addVersionOption();
  const QCommandLineOption quick(
      QStringLiteral("quick"),
      fusebench::text(fusebench::said("Measure with a tenth of the time.")));
  const QCommandLineOption device(
      QStringLiteral("device"),
      fusebench::text(fusebench::said("Measure on this device, as if chosen in Setup: cpu, cuda:0 "
                                      "and so on; see fusebench-cli devices.")),
      QStringLiteral("NAME"));
  const QCommandLineOption snapshot(
      QStringLiteral("snapshot"),
      fusebench::text(
          fusebench::said("Draw the window into PNG files in DIR and exit; needs no display. FILE "
                          "is a run or a trace to show, or an experiment (its file, or the name of "
                          "a shipped one) to measure quickly (default: the main study).")),
      QStringLiteral("DIR"));
  const QCommandLineOption exportTo(
      QStringLiteral("export"),
      fusebench::text(
          fusebench::said(
              "Write the results of the runs FILE... to OUT and exit; needs no display. The "
              "extension selects the format: %1. An existing file is replaced. For a lesson (its "
              "file, or the name of a shipped one): a handout, .html, .pdf or .md; with a run of "
              "its experiment after it, also the run's charts."))
          .arg(fusebench::formsInWords()),
      QStringLiteral("OUT"));
  const QCommandLineOption firstPaint(
      QStringLiteral("first-paint"),
      fusebench::text(fusebench::said(
          "Show the window, print the milliseconds from the program's start until it is "
          "drawn, and exit.")));
  const QCommandLineOption language(
      QStringLiteral("language"),
      fusebench::text(fusebench::said("The language, in the window and here: en or zh_CN (default: "
                                      "the one set in the window, or else the system's).")),
      QStringLiteral("LANGUAGE"));
  const QList<QCommandLineOption> own =
      QList<QCommandLineOption>{quick, device, snapshot, exportTo, firstPaint, language} +
      fusebench::exportOptions();
  parser.addOptions(own);
  parser.addOptions(fusebench::manualOptions());

  if (!parser.parse(arguments))
    return complain(parser.errorText() + fusebench::text(fusebench::said("; see --help")));
  for (const QString& asked : {QStringLiteral("manual"), QStringLiteral("completion")})
    if (parser.isSet(asked))
      return printProgramText(parser.value(QStringLiteral("completion")), filesAbout,
                              QList{help, version} + own);
  const QStringList files = parser.positionalArguments();
  const bool traces = std::all_of(files.begin(), files.end(), [](const QString& file) {
    return fusebench::opensAsTrace(file.toStdString());
  });
  if (files.size() > 1 && !parser.isSet(exportTo) && (!traces || parser.isSet(snapshot)))
    return complain(fusebench::text(fusebench::said(
        "one file at a time (in the window, several if all are traces); see --help")));
  if (parser.isSet(help) || parser.isSet(version) || parser.isSet(snapshot) ||
      parser.isSet(exportTo))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  else if (!hasDisplay())
    return complain(fusebench::text(
        fusebench::said("there is no display; fusebench --snapshot DIR draws the window "
                        "without one, fusebench-cli run measures")));

  QApplication application(argc, argv);
  fusebench::keepTextsPlain(application);
  fusebench::setWindowLanguage(fusebench::language());
  QApplication::setApplicationVersion(QStringLiteral(FUSEBENCH_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("fusebench"));
  warnOfMissingFont();
  if (parser.isSet(help)) parser.showHelp();
  if (parser.isSet(version)) parser.showVersion();
  if (parser.isSet(exportTo)) {
    fusebench::keepInputs();
    fusebench::ExportChoices choices;
    if (const QString wrong = fusebench::readExportChoices(parser, choices); !wrong.isEmpty())
      return complain(wrong);
    choices.workerCommand = studyOptions().workerCommand;
    if (!files.isEmpty() && files.size() <= 2 && isLesson(files[0]))
      return fusebench::exportHandout(parser.value(exportTo), files[0], files.value(1));
    return fusebench::exportFiles(parser.value(exportTo), files, choices);
  }
  std::string onDevice;
  if (parser.isSet(device))
    if (const QString wrong = readDevice(parser.value(device).toStdString(), onDevice);
        !wrong.isEmpty())
      return complain(wrong);
  if (parser.isSet(snapshot))
    return fusebench::takeSnapshots(
        parser.value(snapshot), files.value(0), fusebench::runStudy,
        fusebench::onDevice(studyOptions(), onDevice.empty() ? "cpu" : onDevice));

  fusebench::Settings settings;
  if (parser.isSet(quick)) settings.setQuick(true);
  fusebench::MainWindow window(settings, fusebench::runStudy, fusebench::standardDialogs());
  window.setOptions(studyOptions());
  window.restoreSession();
  const auto openFiles = [&] {
    if (!files.isEmpty()) window.openFile(files[0]);
    if (files.size() > 1) window.timeline().openAll(files);
  };
  // Where edits came back it is asked what becomes of them: by a window that can be seen.
  const bool asks = !files.isEmpty() && window.document().modified();
  if (!asks) openFiles();
  if (!onDevice.empty()) window.devices().choose(QString::fromStdString(onDevice));
  const bool onlyPaint = parser.isSet(firstPaint);
  fusebench::FirstPaint painted(window, [&window, onlyPaint] {
    if (!onlyPaint) return window.warmUp();
    std::printf("%.0f\n", fusebench::millisecondsSinceStart());
    QCoreApplication::quit();
  });
  window.show();
  if (asks) QTimer::singleShot(0, &window, openFiles);
  const int code = QApplication::exec();
  if (window.restartWanted()) {
    const QString shown = window.document().path();
    QProcess::startDetached(QApplication::applicationFilePath(),
                            shown.isEmpty() ? QStringList() : QStringList(shown));
  }
  return code;
}
