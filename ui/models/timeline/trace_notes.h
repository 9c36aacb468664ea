// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// A bookmark on a trace, or a note on a time of it.
struct TraceNote {
  TimeRange time;  ///< a moment where both ends are equal
  QString text;
  QString about;  ///< the event on which it was created; may be empty
  bool operator==(const TraceNote&) const = default;
};

/// Reads and writes a file of notes. Throws InputError, which names the file and the problem.
std::vector<TraceNote> readNotes(const std::string& path, const QString& part);
/// Notes of other parts of the same file are kept.
void writeNotes(const std::string& path, const QString& part, const std::vector<TraceNote>& notes);

/// The notes of the traces on a timeline. They are saved in a file next to their trace, or in the
/// user's data folder if that location is not writable.
class TraceNotes : public QObject {
  Q_OBJECT

 public:
  /// The trace of the notes: its file (empty: it is not from one), and its title, which
  /// distinguishes the parts of a file.
  struct Owner {
    QString file, title;
    bool operator==(const Owner&) const = default;
  };
  struct Place {
    std::size_t trace = 0, note = 0;
    bool operator==(const Place&) const = default;
  };

  explicit TraceNotes(QObject* parent = nullptr) : QObject(parent) {}
  /// The folder for notes that cannot be next to their trace; empty: the user's data folder.
  void setFolder(const QString& folder) { folder_ = folder; }
  /// Shows the notes of these traces, in this order; those of files are read.
  void setOwners(const std::vector<Owner>& owners);
  const std::vector<TraceNote>& of(std::size_t trace) const;
  std::size_t count() const;
  /// Saves it immediately. Returns its position, by time.
  Place add(std::size_t trace, TraceNote note);
  void setText(Place place, const QString& text);
  void remove(Place place);
  /// The next one after a time, or the one before it, in any of the traces.
  std::optional<Place> next(Nanoseconds from, bool backwards) const;
  /// One line: where the notes are saved, or why they are not next to the trace.
  QString said() const { return said_; }
  /// The notes as a table for other programs.
  QString csv() const;
  /// The file in which the notes of a trace are saved, if they can be.
  static QString fileBeside(const QString& trace);

 signals:
  void changed();

 private:
  struct Kept {
    Owner owner;
    std::vector<TraceNote> notes;
    bool readable = true;  ///< a file of another kind is left unchanged
  };
  QString otherFile(const QString& trace) const;
  void keep(Kept& kept);

  std::vector<Kept> kept_;
  QString folder_, said_;
};

}  // namespace fusebench
