// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/torch_worker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/base/sha256.h"
#include "engine/device/object_cache.h"
#include "engine/device/private_folder.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kMain = "torch/fusebench_torch.py";
constexpr const char* kRemedy = toBeSaid(
    "install Python 3 with PyTorch (pip install torch), or name an interpreter that has it: with "
    "--python or FUSEBENCH_PYTHON, or in the window's menu under Python for PyTorch");

/// A private folder for as long as the program runs.
const fs::path& ownFolder() {
  struct Folder {
    Folder() : path((fs::temp_directory_path() / "fusebench-torch-XXXXXX").string()) {
      if (!mkdtemp(path.data())) throw InputError(systemMessage(path, saying("cannot be made")));
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
    std::string path;
  };
  static const Folder folder;
  static const fs::path path = folder.path;
  return path;
}

/// The worker's program in the cache, for an executable that came without its files. Where there is
/// no cache that nobody else can write to, in a folder that goes with this program.
std::string unpacked(std::string_view main) {
  const std::vector<std::string> files = shippedFiles("torch/");
  std::string all;
  for (const std::string& file : files) all += resourceText(file);
  fs::path folder = ObjectCache::defaultFolder();
  if (!folder.empty()) folder = folder.parent_path() / ("torch-" + sha256(all).substr(0, 16));
  if (!makePrivateFolder(folder).empty()) folder = ownFolder();
  for (const std::string& file : files) {
    const fs::path path = folder / fs::path(file).filename();
    const std::string text = resourceText(file);
    std::error_code error;
    if (fs::exists(path, error) && readFile(path.string()) == text) continue;
    fs::remove(path, error);  // a file that was read is not replaced
    writeFile(path.string(), text);
  }
  return (folder / fs::path(main).filename()).string();
}

/// The member if it is a text; else empty.
std::string textOr(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string torchScript(std::string_view name) {
  const std::string path = resourcePath(name);
  std::error_code ignored;
  return fs::exists(path, ignored) ? path : unpacked(name);
}

std::string chosenPython(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* set = std::getenv("FUSEBENCH_PYTHON"); set && *set) return set;
  return "python3";
}

GuestWorker torchWorker(const std::string& python, const std::string& device) {
  GuestWorker guest;
  guest.name = "torch";
  for (const ExecutorInfo& executor : torchExecutors()) guest.executors.emplace_back(executor.name);
  guest.command = {python, "-B", torchScript(kMain), "--device", device};
  guest.ranksArguments = {"torch-worker", "--python", python, "--device", device};
  guest.remedy = saying(kRemedy);
  return guest;
}

DoctorCheck checkTorch(const std::string& python, std::stop_token stop) {
  const auto note = [](std::string found, std::string remedy) -> DoctorCheck {
    return {"PyTorch", DoctorCheck::Status::note, std::move(found), std::move(remedy)};
  };
  try {
    const GuestWorker guest = torchWorker(python, "cpu");
    WorkerClient client(startWorker(guest.command), std::move(stop));
    const Reply reply = client.greet(guest.aliveSeconds, guest.greetSeconds);
    client.quit();
    if (!reply.ok) return note(reply.message, saying(kRemedy));
    const json& hello = reply.result;
    if (const std::string missing = saidAgain(textOr(hello, "unavailable")); !missing.empty()) {
      const std::string between = saying("; ");
      const std::size_t cut = missing.find(between);  // what is wrong; what helps
      return note(missing.substr(0, cut), cut == std::string::npos
                                              ? saying(kRemedy)
                                              : missing.substr(cut + between.size()));
    }
    const std::string found =
        fmt::format("{} ({})", textOr(hello, "description"), textOr(hello, "interpreter"));
    const std::string why = textOr(hello.value("executors", json::object()), "torch-static");
    if (!why.empty()) return note(found, saidAgain(why));
    return {"PyTorch", DoctorCheck::Status::good, found, ""};
  } catch (const WorkerSilent& silent) {
    return note(silent.of(python), saying(kRemedy));
  } catch (const std::runtime_error& error) {  // not started, lost, or invalid lines
    return note(error.what(), saying(kRemedy));
  }
}

}  // namespace fusebench
