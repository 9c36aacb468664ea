// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/trace_notes.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/csv_text.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

using NotesJson = nlohmann::ordered_json;

constexpr const char* kNotesKind = "trace notes";
constexpr std::size_t kMostNotes = 10'000, kLongestNote = 4'000;

[[noreturn]] void refuseNotes(const std::string& path, const std::string& why) {
  throw InputError(path + ": " + why);
}

/// The content of the file; throws if it does not have notes.
nlohmann::json notesFile(const std::string& path) {
  nlohmann::json file = jsonOf(readFile(path, kLargestWritten));
  if (!file.is_object() || !file.contains("fusebench") || file["fusebench"] != kNotesKind ||
      !file.contains("notes") || !file["notes"].is_array())
    refuseNotes(path, saying("this is not a file of notes; move it away to keep notes here"));
  return file;
}

std::string textAt(const nlohmann::json& of, const char* key) {
  const auto found = of.find(key);
  return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<Nanoseconds> timeAt(const nlohmann::json& of, const char* key) {
  const auto found = of.find(key);
  if (found == of.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<Nanoseconds>();
}

bool earlier(const TraceNote& a, const TraceNote& b) {
  return std::tie(a.time.from, a.time.to) < std::tie(b.time.from, b.time.to);
}

}  // namespace

std::vector<TraceNote> readNotes(const std::string& path, const QString& part) {
  std::vector<TraceNote> notes;
  const nlohmann::json file = notesFile(path);
  for (const nlohmann::json& one : file["notes"]) {
    if (!one.is_object() || textAt(one, "part") != part.toStdString()) continue;
    const auto from = timeAt(one, "from_ns"), to = timeAt(one, "to_ns");
    if (!from || !to || *to < *from)
      refuseNotes(path, saying("a note must have from_ns and to_ns, whole numbers in order"));
    if (notes.size() == kMostNotes)
      refuseNotes(path, saying("more than {} notes; remove some", kMostNotes));
    notes.push_back({{*from, *to}, text(textAt(one, "text")), text(textAt(one, "about"))});
  }
  std::ranges::stable_sort(notes, earlier);
  return notes;
}

void writeNotes(const std::string& path, const QString& part, const std::vector<TraceNote>& notes) {
  NotesJson list = NotesJson::array();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    const nlohmann::json before = notesFile(path);
    for (const nlohmann::json& one : before["notes"])
      if (textAt(one, "part") != part.toStdString()) list.push_back(NotesJson(one));
  }
  for (const TraceNote& note : notes)
    list.push_back({{"part", part.toStdString()},
                    {"from_ns", note.time.from},
                    {"to_ns", note.time.to},
                    {"text", note.text.toStdString()},
                    {"about", note.about.toStdString()}});
  const NotesJson file = {{"fusebench", kNotesKind}, {"version", 1}, {"notes", list}};
  writeFile(path, file.dump(1, ' ', false, NotesJson::error_handler_t::replace) + "\n");
}

QString TraceNotes::fileBeside(const QString& trace) {
  return trace.isEmpty() ? QString() : trace + QStringLiteral(".notes.json");
}

/// One for each trace: many folders may have files of the same name.
QString TraceNotes::otherFile(const QString& trace) const {
  const QString folder = folder_.isEmpty()
                             ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                             : folder_;
  const QFileInfo info(trace);
  const QByteArray place =
      QCryptographicHash::hash(info.absoluteFilePath().toUtf8(), QCryptographicHash::Sha256)
          .toHex()
          .left(12);
  return folder + QStringLiteral("/notes/") +
         fileBeside(info.fileName() + u'-' + QString::fromLatin1(place));
}

void TraceNotes::setOwners(const std::vector<Owner>& owners) {
  const std::vector<Kept> before = std::exchange(kept_, {});
  said_.clear();
  for (const Owner& owner : owners) {
    // Those of a recording have no file: they stay while it is shown.
    const auto known = std::ranges::find(before, owner, &Kept::owner);
    Kept made{owner, {}};
    if (known != before.end()) made.notes = known->notes;
    for (const QString& file : {otherFile(owner.file), fileBeside(owner.file)}) {
      if (owner.file.isEmpty() || !QFileInfo::exists(file)) continue;
      try {
        made.notes = readNotes(file.toStdString(), owner.title);
        made.readable = true;
      } catch (const std::exception& wrong) {
        made.readable = false;
        said_ = text(wrong.what());
      }
    }
    kept_.push_back(std::move(made));
  }
  emit changed();
}

const std::vector<TraceNote>& TraceNotes::of(std::size_t trace) const {
  static const std::vector<TraceNote> kNone;
  return trace < kept_.size() ? kept_[trace].notes : kNone;
}

std::size_t TraceNotes::count() const {
  std::size_t count = 0;
  for (const Kept& one : kept_) count += one.notes.size();
  return count;
}

TraceNotes::Place TraceNotes::add(std::size_t trace, TraceNote note) {
  Kept& kept = kept_.at(trace);
  note.text.truncate(kLongestNote);
  const auto at = std::upper_bound(kept.notes.begin(), kept.notes.end(), note, earlier);
  const Place place{trace, static_cast<std::size_t>(at - kept.notes.begin())};
  kept.notes.insert(at, std::move(note));
  keep(kept);
  return place;
}

void TraceNotes::setText(Place place, const QString& text) {
  Kept& kept = kept_.at(place.trace);
  QString& now = kept.notes.at(place.note).text;
  if (now == text) return;
  now = text.left(kLongestNote);
  keep(kept);
}

void TraceNotes::remove(Place place) {
  Kept& kept = kept_.at(place.trace);
  if (place.note >= kept.notes.size()) return;
  kept.notes.erase(kept.notes.begin() + static_cast<std::ptrdiff_t>(place.note));
  keep(kept);
}

/// Writes next to the trace, else into the user's folder, and explains that in one line.
void TraceNotes::keep(Kept& kept) {
  const QString& trace = kept.owner.file;
  if (trace.isEmpty()) {
    said_ = uiText(
        "These notes are lost when the recording is closed. Export it as a trace and "
        "open that to keep notes.");
  } else if (!kept.readable) {
    // said_ tells why already.
  } else {
    said_.clear();
    try {
      writeNotes(fileBeside(trace).toStdString(), kept.owner.title, kept.notes);
    } catch (const std::exception& refused) {
      const QString other = otherFile(trace);
      try {
        QDir().mkpath(QFileInfo(other).path());
        writeNotes(other.toStdString(), kept.owner.title, kept.notes);
        said_ = uiText("%1; the notes are in %2").arg(text(refused.what()), other);
      } catch (const std::exception& refusedThere) {
        said_ = uiText("The notes are not saved: %1").arg(text(refusedThere.what()));
      }
    }
  }
  emit changed();
}

std::optional<TraceNotes::Place> TraceNotes::next(Nanoseconds from, bool backwards) const {
  std::optional<Place> best;
  Nanoseconds when = 0;
  for (std::size_t t = 0; t < kept_.size(); ++t)
    for (std::size_t n = 0; n < kept_[t].notes.size(); ++n) {
      const Nanoseconds time = kept_[t].notes[n].time.from;
      if (backwards ? time >= from : time <= from) continue;
      if (best && (backwards ? time <= when : time >= when)) continue;
      best = Place{t, n};
      when = time;
    }
  return best;
}

QString TraceNotes::csv() const {
  std::string table = "trace,from_ns,to_ns,text,about\n";
  for (const Kept& kept : kept_)
    for (const TraceNote& note : kept.notes)
      table += csvField(kept.owner.title.toStdString()) + "," + std::to_string(note.time.from) +
               "," + std::to_string(note.time.to) + "," + csvField(note.text.toStdString()) + "," +
               csvField(note.about.toStdString()) + "\n";
  return text(table);
}

}  // namespace fusebench

#include "moc_trace_notes.cpp"
