// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "profiler/course/answers.h"

namespace fusebench {

/// The endings that a handout can have: html, pdf, md, fblesson.
bool isHandoutForm(const QString& path);
/// A lesson to be read on paper, with the answers if there are any: HTML, PDF or Markdown by the
/// extension of `path`. HTML and PDF contain charts of the run `measured`; null: none. Throws
/// InputError for any other extension.
QByteArray handoutContent(const course::Lesson& lesson, const course::Answers* answers,
                          const QString& path, const Run* measured = nullptr);
/// Writes a lesson's handout to `out`, with the charts of the run in the file `run`, empty: none.
/// An exit code, and why on stderr: see exportFiles().
int exportHandout(const QString& out, const QString& lesson, const QString& run = {});

}  // namespace fusebench
