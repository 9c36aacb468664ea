// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QDir>
#include <QSize>
#include <filesystem>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/run/report_runs.h"
#include "tests/fuzz/readers.h"
#include "ui/models/runs/run_record.h"
#include "ui/models/setup/documents.h"
#include "ui/models/window/session.h"
#include "ui/models/window/settings.h"

namespace fusebench::fuzz {
namespace {

namespace fs = std::filesystem;

using Text = std::optional<std::string>;

/// Timers and settings want an application.
void demandApplication() {
  static int count = 1;
  static char name[] = "fusebench-mutate";
  static char* arguments[] = {name, nullptr};
  if (!QCoreApplication::instance()) new QCoreApplication(count, arguments);
}

QString inThisFolder(const char* name) {
  return QString::fromStdString((fs::current_path() / name).string());
}

Tried sessions() {
  demandApplication();
  const QString folder = inThisFolder("session");
  const std::string file = (folder + QStringLiteral("/session.json")).toStdString();
  QDir().mkpath(folder);
  DocumentModel document;
  document.load(parseExperiment(filesIn("resources/experiments", 1 << 14).front(), "f"), {});
  {
    Session session(document, folder);
    session.setShownRun(QStringLiteral("/a/run.jsonl"));
    session.begin();
    session.end();
  }
  return {[=](const std::string& text) -> Text {
            writeFile(file, text);
            DocumentModel edited;
            const Session session(edited, folder);
            const auto left = session.left();
            if (!left) return std::nullopt;
            return toJson(left->experiment) + left->path.toStdString() +
                   left->shownRun.toStdString() + (left->crashed ? "crashed" : "");
          },
          {readFile(file)}};
}

Tried settings() {
  demandApplication();
  // Qt keeps what it read of a file and looks again only if its size or time is another.
  static int serial = 0;
  const auto nextFile = [] {
    constexpr int kNames = 997;
    const auto name = "settings-" + std::to_string(serial++ % kNames) + ".ini";
    return (fs::current_path() / name).string();
  };
  const std::string first = nextFile();
  {
    Settings made(QString::fromStdString(first));
    made.setDark(false);
    made.setQuick(true);
    made.setPython(QStringLiteral("/usr/bin/python3"));
    made.setDevice(QStringLiteral("cuda:0"));
    made.addRecentFile(QStringLiteral("/a, b/\u00e9.json"));
    made.setRecentOps({QStringLiteral("sin"), QStringLiteral("cos")});
    made.setGeometry(QByteArray("\x01\xd9\xd0\xcb\0\x03", 6));
    made.setPlace(QStringLiteral("splitter"), QByteArray("\0\0\0\xff", 4));
    made.setPlace(QStringLiteral("width"), QSize(3, 4));
  }
  const std::string corpus = readFile(first);
  fs::remove(first);
  return {[nextFile](const std::string& text) -> Text {
            const std::string file = nextFile();
            writeFile(file, text);
            std::string told;
            {
              const Settings read(QString::fromStdString(file));
              for (const bool flag : {read.dark(), read.logLatency(), read.showPublished(),
                                      read.showLesson(), read.quick(), read.explore()})
                told += flag ? '1' : '0';
              told += (read.python() + read.device() + read.folder()).toStdString();
              told += (read.recentFiles() + read.recentOps()).join(u' ').toStdString();
              told += read.geometry().toStdString();
              for (const char* place : {"splitter", "width", "tab"})
                told += read.place(QString::fromLatin1(place)).toString().toStdString();
            }
            fs::remove(file);
            return told;
          },
          {corpus}};
}

Tried reports() {
  const auto page = [](const std::string& inside) {
    return "<!DOCTYPE html><html><body><p>a report</p>" + inside + "</body></html>\n";
  };
  const auto script = [](const std::string& run) {
    return std::string("<script type=\"") + kEmbeddedRunType + "\" id=\"run\">\n" + run +
           "</script>";
  };
  return {[](const std::string& text) -> Text {
            const std::string path = inputFile() + ".html";
            writeFile(path, text);
            std::string all;
            for (const Run& run : openRuns(QString::fromStdString(path))) all += runText(run);
            return all;
          },
          {page(script(sampleRun())), page(script(sampleRun()) + script(sampleRun()))}};
}

/// A run of the library with the notes that the window keeps in another file.
Tried notes() {
  const QString run = inThisFolder("noted.jsonl");
  writeFile(run.toStdString(), sampleRun());
  RunRecord record = completed(readRecord(run));
  record.name = QStringLiteral("mine");
  record.notes = QStringLiteral("a\nb");
  writeNote(record);
  const std::string note = notePath(run).toStdString();
  return {[=](const std::string& text) -> Text {
            writeFile(note, text);
            const RunRecord read = completed(readRecord(run));
            return (read.name + read.notes + read.title + read.result + read.problem).toStdString();
          },
          {readFile(note)}};
}

}  // namespace

void addWindowReaders(Readers& readers) {
  readers["session"] = sessions;
  readers["settings"] = settings;
  readers["report"] = reports;
  readers["note"] = notes;
}

}  // namespace fusebench::fuzz
