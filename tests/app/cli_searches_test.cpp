// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries, programs and Python modules are never taken from the current folder by their names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/base/search_paths.h"
#include "engine/base/shared_library.h"
#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder as somebody else made it, with a library of every name that the program asks for.
class SearchesInAForeignFolder : public testing::Test {
 protected:
  SearchesInAForeignFolder() {
    for (const char* name :
         {"libcuda.so.1", "libnvidia-ml.so.1", "libnvrtc.so.13", "libnvrtc.so.12", "libcupti.so.13",
          "libcupti.so.12", "libcublasLt.so.13", "libcublasLt.so.12", "libcudnn.so.9",
          "libcudnn.so.8", "libnccl.so.2", "libdnnl.so.2", "libmpi.so.40", "libmpich.so.12"})
      fs::copy_file(fusebench::test::markingLibraryPath(), folder / name);
  }
  ~SearchesInAForeignFolder() override {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::string& value) {
    const char* const had = std::getenv(name.c_str());
    before_.try_emplace(name, had ? std::optional<std::string>(had) : std::nullopt);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  Ended runThere(const std::vector<std::string>& arguments) {
    Child child(arguments, "", folder.string());
    const int code = child.wait();
    return {code, child.out(), child.err()};
  }
  bool loaded() const { return fs::exists(folder / "library-was-loaded"); }

  TemporaryFolder folder;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(SearchesInAForeignFolder, NoLibraryThatIsOpenedOnTheWayIsLoaded) {
  for (const char* list :
       {"", ":", ".", "/nowhere:", ":/nowhere", "/nowhere::/nothing", "./;..", "x/../"}) {
    set("LD_LIBRARY_PATH", list);
    for (const char* command : {"doctor", "devices"}) {
      const Ended ended = runThere({command});
      EXPECT_EQ(ended.code, 0) << command << " LD_LIBRARY_PATH=" << list << ended.err;
      EXPECT_FALSE(loaded()) << command << " LD_LIBRARY_PATH=" << list;
    }
  }
}

TEST_F(SearchesInAForeignFolder, NoLibraryThatTheProgramIsLinkedWithIsLoaded) {
  for (const char* name : {"libz.so.1", "libzstd.so.1", "libsqlite3.so.0", "libsimdjson.so.14",
                           "libfmt.so.9", "libstdc++.so.6", "libLLVM.so.19.1"})
    fs::copy_file(fusebench::test::markingLibraryPath(), folder / name);
  EXPECT_EQ(runThere({"--version"}).code, 0);
  EXPECT_FALSE(loaded());
}

TEST_F(SearchesInAForeignFolder, AVariableWithARelativePathLoadsNothing) {
  for (const char* name : {"lib64", "site"}) fs::create_directory(folder / name);
  for (const char* name : {"libnvrtc.so.13", "libcupti.so.13"})
    fs::copy_file(fusebench::test::markingLibraryPath(), folder / "lib64" / name);
  for (const char* variable :
       {"CUDA_HOME", "CUDA_PATH", "FUSEBENCH_CUDA_PATH", "VIRTUAL_ENV", "HOME"})
    set(variable, ".");
  for (const char* variable :
       {"FUSEBENCH_CUDA_DRIVER", "FUSEBENCH_NVML", "FUSEBENCH_CUDA_NVRTC", "FUSEBENCH_CUPTI"})
    set(variable, "./libcuda.so.1");
  EXPECT_EQ(runThere({"doctor"}).code, 0);
  EXPECT_FALSE(loaded());
}

TEST_F(SearchesInAForeignFolder, NoProgramThatIsStartedByItsNameIsFoundThere) {
  for (const char* name : {"python3", "mpirun"}) {
    writeFile(folder.path(name), "#!/bin/sh\n: > program-was-started\n");
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  for (const char* list : {"", ":/usr/bin", ".:/usr/bin", "/usr/bin:"}) {
    set("PATH", list);
    EXPECT_EQ(runThere({"doctor"}).code, 0) << list;
    EXPECT_FALSE(fs::exists(folder / "program-was-started")) << list;
    fs::remove(folder / "program-was-started");
  }
}

TEST_F(SearchesInAForeignFolder, NoModuleOfPythonIsFoundThere) {
  writeFile(folder.path("torch.py"), "open('module-was-loaded', 'w').close()\nraise ImportError\n");
  for (const char* list : {"", ":", ".", "/nowhere:"}) {
    set("PYTHONPATH", list);
    EXPECT_EQ(runThere({"doctor"}).code, 0) << list;
    EXPECT_FALSE(fs::exists(folder / "module-was-loaded")) << list;
  }
}

TEST(SearchPaths, OnlyAbsoluteElementsStay) {
  EXPECT_EQ(absoluteElements(""), "");
  EXPECT_EQ(absoluteElements(":"), "");
  EXPECT_EQ(absoluteElements("/usr/lib"), "/usr/lib");
  EXPECT_EQ(absoluteElements(":/a::b:./c:/d:"), "/a:/d");
  EXPECT_EQ(absoluteElements("/a;.;/b"), "/a:/b");
}

TEST(SearchPaths, ALibraryIsNotOpenedByARelativePath) {
  std::string error;
  EXPECT_FALSE(SharedLibrary::open("./libm.so.6", error));
  EXPECT_THAT(error, HasSubstr("./libm.so.6 is not an absolute path"));
}

}  // namespace
}  // namespace fusebench
