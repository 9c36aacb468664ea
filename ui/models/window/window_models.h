// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/canvas/palette_model.h"
#include "ui/models/code/generated_code_model.h"
#include "ui/models/course/course_model.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/results/run_model.h"
#include "ui/models/runs/explore_controller.h"
#include "ui/models/runs/findings_model.h"
#include "ui/models/runs/results_table_model.h"
#include "ui/models/runs/run_library.h"
#include "ui/models/runs/run_memory.h"
#include "ui/models/runs/study_controller.h"
#include "ui/models/setup/devices_model.h"
#include "ui/models/setup/document_model.h"
#include "ui/models/timeline/launch_recording.h"
#include "ui/models/timeline/timeline_model.h"
#include "ui/models/whatif/what_if_model.h"
#include "ui/models/window/messages.h"
#include "ui/models/window/session.h"
#include "ui/models/window/settings.h"
#include "ui/models/window/shown_place.h"

namespace fusebench {

/// Everything that a window shows and works on. Knows no widget.
struct WindowModels {
  /// `folder`: location of the session and the runs.
  WindowModels(Settings& settings, const StudyRunner& runner, const QString& folder);

  Settings& settings;
  DocumentModel document;
  RunModel run;
  DevicesModel devices;
  StudyController study;
  ExploreController explore;
  AnalysisModel analysis;
  FindingsModel findings;
  ResultsTableModel table;
  PaletteModel palette;
  CourseModel course;
  RunLibrary library;
  GeneratedCodeModel generated;
  WhatIfModel whatIf;
  TimelineModel timeline;
  LaunchRecording launches;
  Session session;
  RunMemory memory;
  ShownPlace place;
  Messages messages;

  /// Whether the results shown are of the experiment as it is edited.
  bool measuredAsShown() const;
};

}  // namespace fusebench
