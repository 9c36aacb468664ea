// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <stop_token>

#include "engine/base/work_limit.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  static std::string errorOf(const auto& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  test::TemporaryFolder folder_;
};

/// While it lives no file of this process grows beyond so many bytes.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit lower{bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST_F(OutputFiles, APipeIsWrittenToAndStaysAPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  writeFile(path("pipe"), "hello");
  char text[16] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 5);
  EXPECT_STREQ(text, "hello");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, APipeThatNobodyReadsIsAnErrorAtOnce) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(errorOf([&] { writeFile(path("pipe"), "hello"); }),
              HasSubstr("nothing reads this pipe"));
}

TEST_F(OutputFiles, ADeviceStaysADevice) {
  const std::string null = path("null");
  if (mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) GTEST_SKIP() << "needs root";
  const int opened = open(null.c_str(), O_WRONLY);
  if (opened < 0) GTEST_SKIP() << "devices do not work here";
  close(opened);
  demandWritable(null);
  writeFile(null, "hello");
  RunWriter(null, emptyRun(smallExperiment())).finish(emptyRun(smallExperiment()));
  EXPECT_TRUE(fs::is_character_file(null));
  EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, AFullDeviceSaysThatItIsFull) {
  EXPECT_THAT(
      errorOf([] { writeFile("/dev/full", "hello"); }),
      testing::AllOf(HasSubstr("/dev/full: cannot be written"), HasSubstr("No space left")));
}

TEST_F(OutputFiles, LinksAreFollowedWhetherTheirTargetIsThereOrNot) {
  fs::create_directory(folder_ / "other");
  writeFile(path("other/there"), "before");
  fs::create_symlink("other/there", path("link"));
  fs::create_symlink("link", path("second"));
  fs::create_symlink(path("other/new"), path("dangling"));
  writeFile(path("second"), "after");
  writeFile(path("dangling"), "made");
  OutputFile growing(path("link"), OutputFile::Kind::growing);
  EXPECT_EQ(fs::path(growing.lies()).filename(), "there.part");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("second")) &&
              fs::is_symlink(path("dangling")));
  EXPECT_EQ(readFile(path("other/there")), "after");
  EXPECT_EQ(readFile(path("other/new")), "made");
}

TEST_F(OutputFiles, WhatTakesAFilesPlaceIsNoMoreReadableThanIt) {
  writeFile(path("secret"), "before");
  fs::permissions(path("secret"), fs::perms::owner_read | fs::perms::owner_write);
  writeFile(path("secret"), "after");
  EXPECT_EQ(fs::status(path("secret")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFiles, OneAtATimeGrows) {
  fs::create_symlink("run", path("link"));
  std::optional<OutputFile> first(std::in_place, path("run"), OutputFile::Kind::growing);
  first->write("one");
  for (const char* name : {"run", "link"})
    EXPECT_THAT(errorOf([&] { OutputFile(path(name), OutputFile::Kind::growing); }),
                HasSubstr("another run is being written there"));
  first->finish();
  first.reset();
  EXPECT_EQ(readFile(path("run")), "one");
  OutputFile second(path("run"), OutputFile::Kind::growing);
  second.finish();
  EXPECT_EQ(readFile(path("run")), "");
}

TEST_F(OutputFiles, WhatWasNeverFinishedIsPutAsideBeforeAnotherGrows) {
  const auto grow = [&](const char* measured, bool finishes) {
    OutputFile file(path("run.jsonl"), OutputFile::Kind::growing);
    file.write(measured);
    EXPECT_EQ(readFile(path("run.jsonl.part")), measured);
    if (finishes) file.finish();
    return file.putAside();
  };
  EXPECT_EQ(grow("first", false), "");
  EXPECT_EQ(grow("second", false), path("run-unfinished.jsonl"));
  EXPECT_EQ(grow("third", true), path("run-unfinished-2.jsonl"));
  EXPECT_EQ(readFile(path("run-unfinished.jsonl")), "first");
  EXPECT_EQ(readFile(path("run-unfinished-2.jsonl")), "second");
  EXPECT_EQ(readFile(path("run.jsonl")), "third");
  EXPECT_EQ(count(), 3u);
  OutputFile unwritten(path("run.jsonl"), OutputFile::Kind::growing);
  EXPECT_EQ(unwritten.putAside(), "");
}

TEST_F(OutputFiles, APartThatNobodyWritesIsRecoveredOneUnderWayIsNot) {
  {
    OutputFile file(path("run.jsonl"), OutputFile::Kind::growing);
    file.write("kept");
    EXPECT_EQ(recoverPart(path("run.jsonl")), "");
    EXPECT_EQ(readFile(path("run.jsonl.part")), "kept");
  }
  EXPECT_EQ(recoverPart(path("run.jsonl")), path("run-unfinished.jsonl"));
  EXPECT_EQ(readFile(path("run-unfinished.jsonl")), "kept");
  EXPECT_EQ(recoverPart(path("run.jsonl")), "");
  writeFile(path("empty.part"), "");
  writeFile(path("precious"), "kept");
  fs::create_symlink("precious", path("linked.part"));
  for (const char* name : {"empty", "linked"}) EXPECT_EQ(recoverPart(path(name)), "") << name;
  EXPECT_FALSE(fs::exists(path("empty.part")));
  EXPECT_EQ(readFile(path("precious")), "kept");
}

TEST_F(OutputFiles, AGrowingFileThatNothingWasWrittenToLeavesNothing) {
  { const OutputFile file(path("run"), OutputFile::Kind::growing); }
  EXPECT_EQ(count(), 0u);
}

TEST_F(OutputFiles, ALinkLaidForThePartIsNotFollowed) {
  writeFile(path("precious"), "kept");
  fs::create_symlink("precious", path("run.part"));
  EXPECT_THROW(OutputFile(path("run"), OutputFile::Kind::growing), InputError);
  EXPECT_EQ(readFile(path("precious")), "kept");
}

TEST_F(OutputFiles, WhatIsNotFinishedLeavesNothing) {
  writeFile(path("there"), "before");
  {
    OutputFile file(path("there"));
    file.write("half");
  }
  const std::string error = [&] {
    const FileSizeLimit limit(100);
    return errorOf([&] { writeFile(path("there"), std::string(200, 'x')); });
  }();
  EXPECT_THAT(error, HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(readFile(path("there")), "before");
  EXPECT_EQ(count(), 1u);
  demandWritable(path("new"));
  EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, ANameThatCannotBeIsAnErrorOfItsOwn) {
  EXPECT_THAT(errorOf([&] { demandWritable(path(std::string(5000, 'n'))); }),
              HasSubstr("cannot be written"));
  EXPECT_THAT(errorOf([&] { RunWriter(path("no/such/folder")); }), HasSubstr("cannot be written"));
}

TEST_F(OutputFiles, ARunOnAFullDiskKeepsWhatWasWrittenAndSaysWhere) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  fillSamples(run, 5, 0.01, 3, [](const CellKey&) { return 100.0; });
  RunWriter writer(path("run"), emptyRun(smallExperiment({1, 2})));
  writer.cell(run.cells[0]);
  const auto before = fs::file_size(path("run.part"));
  fillSamples(run, 500, 0.01, 3, [](const CellKey&) { return 100.0; });
  std::string error;
  {
    const FileSizeLimit limit(before + 100);
    EXPECT_NO_THROW(writer.cell(run.cells[1]));
    error = errorOf([&] { writer.finish(run); });
  }
  EXPECT_THAT(error, testing::AllOf(HasSubstr("File too large"),
                                    HasSubstr("the part that was written before of the run is in"),
                                    HasSubstr("run.part")));
  const fusebench::Run read = parseRun(readFile(path("run.part")), "part");
  EXPECT_EQ(read.cells[0].samples.size(), 5u);
  EXPECT_TRUE(read.cells[1].samples.empty());
  EXPECT_FALSE(fs::exists(path("run")));
}

TEST_F(OutputFiles, ARunGoesOnWhereTheDiskHasRoomAgain) {
  fusebench::Run run = emptyRun(smallExperiment({1, 2}));
  RunWriter writer(path("run"), run);
  fillSamples(run, 500, 0.01, 3, [](const CellKey&) { return 100.0; });
  {
    const FileSizeLimit limit(fs::file_size(path("run.part")) + 100);
    writer.cell(run.cells[0]);
  }
  writer.cell(run.cells[1]);
  writer.finish(run);
  const fusebench::Run read = loadRun(path("run"));
  for (const Cell& cell : read.cells) EXPECT_EQ(cell.samples.size(), 500u);
}

TEST_F(OutputFiles, NoPipeHoldsUpWhoReads) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(errorOf([&] { readFile(path("pipe")); }), HasSubstr("this pipe delivers no data"));
  {
    std::stop_source source;
    source.request_stop();
    const WorkLimit limit(WorkLimit::kUsualSeconds, source.get_token());
    EXPECT_THAT(errorOf([&] { readFile(path("pipe")); }), HasSubstr("was stopped"));
  }
  EXPECT_THAT(errorOf([&] { ByteSource(path("pipe")); }), HasSubstr("this is a pipe or a device"));
  const int writer = open(path("pipe").c_str(), O_RDWR);
  ASSERT_EQ(write(writer, "hello", 5), 5);
  const int reader = open(path("pipe").c_str(), O_RDONLY);  // keeps what was written
  close(writer);
  EXPECT_EQ(readFile(path("pipe")), "hello");
  close(reader);
}

}  // namespace
}  // namespace fusebench
