// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/protocol/connection.h"

namespace fusebench {

/// A model that the user asks to capture. The user's Python executes the user's file.
struct CaptureOptions {
  std::string file;  ///< a Python file, or a file written by torch.export.save (.pt2)
  std::string name;  ///< the function or module in it; empty: it is searched for
  std::string python;
  std::string out;     ///< the experiment to write; empty: the result of captureOutput()
  std::string folder;  ///< where that is then; empty: the current one
  bool weights = false;
  bool core = false;  ///< operations are broken up to the core ATen set
  bool train = false;
  std::vector<std::string> inputs;   ///< "x=1,3,224,224:float32"
  std::vector<std::string> dynamic;  ///< "batch=0"
  /// Seam: how the process is reached; by default the command is started.
  std::function<std::unique_ptr<WorkerConnection>(const std::vector<std::string>&)> connect;
};

struct CaptureResult {
  std::string title, how;
  std::string out;      ///< the experiment's file
  std::string weights;  ///< the name of the file of weights next to it; empty: none
  int nodes = 0, modules = 0, parts = 0;
  /// Largest difference between the graph and the module, both run by PyTorch, relative to the
  /// largest element; nothing: not compared.
  std::optional<double> difference;
  std::vector<std::string> notes;
  /// Why the experiment cannot run: an operation that Fusebench does not support. Empty: it can.
  std::string problem;
};

/// NAME.json of FILE.py, in the options' folder.
std::string defaultCapture(const CaptureOptions& options);

/// The output path: from the options, else defaultCapture(). Throws InputError if another file is
/// there already, or the name does not end in .json.
std::string captureOutput(const CaptureOptions& options);

/// The command to start, which is shown to the user first.
std::vector<std::string> captureCommand(const CaptureOptions& options);

/// Runs the user's file and writes the experiment. `progress` receives the current activity. On a
/// stop the process is terminated and nothing is written. Throws InputError in one line: the user's
/// source line, cause, remedy.
CaptureResult captureModel(const CaptureOptions& options,
                           const std::function<void(const std::string&)>& progress,
                           const std::stop_token& stop = {});

}  // namespace fusebench
