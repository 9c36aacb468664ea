// SPDX-License-Identifier: GPL-3.0-or-later
// Files, disks and terminals that mean no good.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

json experiment(double budget) {
  return {
      {"fusebench", "experiment"},
      {"version", 1},
      {"title", "A test"},
      {"program", {"x = x + 1", "x = torch.sin(x)", "return x"}},
      {"inputs", {{{"name", "all"}, {"tensors", {{{"name", "x"}, {"extents", {4, 16}}}}}}}},
      {"variants",
       {{{"name", "eager"}, {"executor", "eager"}}, {{"name", "static"}, {"executor", "static"}}}},
      {"baseline", "eager"},
      {"axes", {{{"name", "statements"}, {"values", {1, 2}}}}},
      {"measure",
       {{"budgetSeconds", budget},
        {"precision", 0.0001},
        {"maximumSamples", 100000},
        {"compileRepeats", 1}}}};
}

class HostileCli : public testing::Test {
 protected:
  std::string file(const json& content, const std::string& name = "test.json") {
    writeFile(folder.path(name), content.dump());
    return folder.path(name);
  }
  /// Waits until a run that is under way has written samples.
  static bool samplesIn(const std::string& path, Child& child) {
    while (child.running()) {
      std::ostringstream content;
      content << std::ifstream(path).rdbuf();
      if (content.str().find("\"samples\"") != std::string::npos) return true;
      usleep(20'000);
    }
    return false;
  }
  TemporaryFolder folder;
};

TEST_F(HostileCli, DeepJsonIsWrongInput) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  writeFile(folder.path("deep.json"), deep);
  for (const char* command : {"run", "code"}) {
    const Ended ended = runCli({command, folder.path("deep.json")});
    EXPECT_EQ(ended.code, 2) << command;
    EXPECT_THAT(ended.err, HasSubstr("nests deeper than 64 levels")) << command;
  }
  // A list is a trace, of which this one shows nothing.
  const Ended ended = runCli({"analyze", folder.path("deep.json")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("no event of the trace can be shown: 1 malformed"));
}

TEST_F(HostileCli, HangUpKeepsAndPrintsWhatWasMeasured) {
  const std::string out = folder.path("r.jsonl");
  Child child({"run", file(experiment(1000)), "--json", "--out", out});
  ASSERT_TRUE(samplesIn(out + ".part", child)) << child.err();
  kill(child.pid(), SIGHUP);
  EXPECT_EQ(child.wait(), 1);
  EXPECT_EQ(json::parse(child.out())["interrupted"], true);
  EXPECT_EQ(runCli({"analyze", out}).code, 0);
}

TEST_F(HostileCli, TheNextRunKeepsWhatAKilledOneMeasured) {
  const std::string out = folder.path("r.jsonl");
  Child killed({"run", file(experiment(1000)), "--out", out});
  ASSERT_TRUE(samplesIn(out + ".part", killed)) << killed.err();
  kill(killed.pid(), SIGKILL);
  killed.wait();
  const std::string measured = readFile(out + ".part");
  const Ended next = runCli({"run", file(experiment(0.3)), "--quick", "--out", out});
  EXPECT_EQ(next.code, 0) << next.err;
  const std::string aside = folder.path("r-unfinished.jsonl");
  EXPECT_THAT(next.err, HasSubstr("was never finished; what it measured is in " + aside));
  EXPECT_EQ(readFile(aside), measured);
  EXPECT_EQ(runCli({"analyze", aside}).code, 0);
  EXPECT_EQ(runCli({"analyze", out}).code, 0);
}

TEST_F(HostileCli, TwoRunsDoNotShareAFile) {
  const std::string out = folder.path("r.jsonl");
  Child first({"run", file(experiment(1000)), "--out", out});
  ASSERT_TRUE(samplesIn(out + ".part", first)) << first.err();
  const Ended second = runCli({"run", folder.path("test.json"), "--quick", "--out", out});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, HasSubstr("another run is being written there"));
  kill(first.pid(), SIGTERM);
  EXPECT_EQ(first.wait(), 1);
  EXPECT_EQ(runCli({"analyze", out}).code, 0);
}

TEST_F(HostileCli, AFileThatMayNotGrowCostsNoResult) {
  const std::string out = folder.path("r.jsonl"), path = file(experiment(2));
  const int pid = fork();
  if (pid == 0) {
    // Not the caught output, which is short, but the run grows beyond this.
    const rlimit limit{6000, 6000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto redirected = [&](const char* name, int to) {
      dup2(open(folder.path(name).c_str(), O_WRONLY | O_CREAT, 0600), to);
    };
    redirected("out", STDOUT_FILENO);
    redirected("err", STDERR_FILENO);
    execl(fusebench::test::cliPath(), fusebench::test::cliPath(), "run", path.c_str(), "--out",
          out.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(readFile(folder.path("out")), AllOf(HasSubstr("eager"), HasSubstr("static")));
  EXPECT_THAT(readFile(folder.path("err")),
              AllOf(HasSubstr("the run is not kept"), HasSubstr("File too large"),
                    HasSubstr("is in " + out + ".part")));
  EXPECT_EQ(runCli({"analyze", out + ".part"}).code, 0);
}

TEST_F(HostileCli, SpecialFilesStayWhatTheyAre) {
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  const Ended ended =
      runCli({"run", file(experiment(0.5)), "--quick", "--out", folder.path("pipe")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  char text[64] = {};
  EXPECT_GT(read(reader, text, sizeof text - 1), 0);
  EXPECT_THAT(text, HasSubstr("{"));
  close(reader);
  EXPECT_TRUE(fs::is_fifo(folder.path("pipe")));
}

TEST_F(HostileCli, TerminalsAreToldNothing) {
  json wild = experiment(0.3);
  const std::string evil =
      "\x1b]0;owned\x07\xc2\x9b"
      "31m\x7f";
  wild["note"] = "note " + evil;
  wild["question"] = "question " + evil;
  wild["axes"][0]["unit"] = "u" + evil;
  const Ended run = runCli({"run", file(wild), "--quick"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("note \\x1b]0;owned\\x07\\u009b31m\\x7f"));
  const Ended object = runCli({"run", folder.path("test.json"), "--quick", "--json"});
  wild["titel" + evil] = 1;
  const Ended wrong = runCli({"run", file(wild)});
  EXPECT_EQ(wrong.code, 2);
  const Ended gone = runCli({"run", "none" + evil + "\xff"});
  EXPECT_EQ(gone.code, 2);
  EXPECT_THAT(gone.err, HasSubstr("none\\x1b]0;owned\\x07\\u009b31m\\x7f\\xff"));
  for (const std::string& text : {run.out, run.err, object.out, wrong.err, gone.err})
    for (const char* obeyed : {"\x1b", "\xc2\x9b", "\x7f", "\x07", "\xff"})
      EXPECT_EQ(text.find(obeyed), std::string::npos) << text;
}

TEST_F(HostileCli, NumbersAndNamesOutOfBoundsGetALine) {
  json huge = experiment(1);
  std::string text = huge.dump();
  text.replace(text.find("0.0001"), 6, "1e999");
  writeFile(folder.path("huge.json"), text);
  const Ended number = runCli({"run", folder.path("huge.json")});
  EXPECT_EQ(number.code, 2);
  EXPECT_THAT(number.err, HasSubstr("the number 1e999 is too large"));
  huge["baseline"] = std::string(3'000'000, 'b');
  const Ended name = runCli({"run", file(huge)});
  EXPECT_EQ(name.code, 2);
  EXPECT_LT(name.err.size(), 500u);
  const Ended path = runCli({"run", file(experiment(1)), "--out", std::string(5000, 'p')});
  EXPECT_EQ(path.code, 2);
  EXPECT_THAT(path.err, HasSubstr("cannot be written: File name too long"));
}

TEST_F(HostileCli, AHundredThousandStatementsAreRefusedWithAPlace) {
  json many = experiment(1);
  many["program"] = std::vector<std::string>(100'000, "x = x + 1");
  many["program"].push_back("return x");
  file(many);
  for (const char* command : {"run", "code"}) {
    const Ended ended = runCli({command, folder.path("test.json")});
    EXPECT_EQ(ended.code, 2) << command;
    EXPECT_THAT(ended.err,
                AllOf(HasSubstr("line 20001 of the program"), HasSubstr("which is the maximum")));
  }
}

TEST_F(HostileCli, NoStrangersPythonIsRun) {
  // A portable copy, below a folder in which anyone could put files that we once would have run.
  fs::create_directories(folder / "resources/torch");
  fs::create_directories(folder / "share/fusebench/torch");
  fs::create_directories(folder / "copy/of/mine");
  for (const char* planted : {"resources/torch", "share/fusebench/torch"})
    writeFile(folder.path(planted) + "/fusebench_torch.py",
              fmt::format("open('{}', 'w')\n", folder.path("marker")));
  const std::string copy = folder.path("copy/of/mine/fusebench-cli");
  fs::copy_file(fusebench::test::cliPath(), copy);
  const std::string command =
      fmt::format("env -u FUSEBENCH_RESOURCES XDG_CACHE_HOME={0}/cache {1} doctor > {0}/told 2>&1",
                  folder.string(), copy);
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_THAT(readFile(folder.path("told")), HasSubstr("kernel cache"));
  EXPECT_FALSE(fs::exists(folder.path("marker")));
  EXPECT_THAT(readFile(folder.path("told")), Not(HasSubstr(folder.path("resources"))));
}

TEST_F(HostileCli, ALoneExecutableUnpacksEveryScriptOfPyTorchsWorker) {
  fs::create_directories(folder / "copy");
  const std::string copy = folder.path("copy/fusebench-cli");
  fs::copy_file(fusebench::test::cliPath(), copy);
  const std::string command =
      fmt::format("env -u FUSEBENCH_RESOURCES XDG_CACHE_HOME={0}/cache {1} doctor > {0}/told 2>&1",
                  folder.string(), copy);
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  const auto scriptsIn = [](const fs::path& in) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(in))
      if (entry.path().extension() == ".py") names.insert(entry.path().filename().string());
    return names;
  };
  std::set<std::string> unpacked;
  for (const auto& entry : fs::directory_iterator(folder / "cache/fusebench"))
    if (entry.path().filename().string().starts_with("torch-")) unpacked = scriptsIn(entry.path());
  const std::set<std::string> shipped = scriptsIn(fusebench::test::sourcePath("/resources/torch"));
  EXPECT_GT(shipped.size(), 10u);
  EXPECT_EQ(unpacked, shipped);
}

/// Runs a command with one of its standard streams as the shell makes it, such as "2>&-".
int codeWith(const std::vector<std::string>& arguments, const std::string& redirections) {
  std::string command = fmt::format("FUSEBENCH_RESOURCES='{}/resources' '{}'",
                                    fusebench::test::sourcePath(), fusebench::test::cliPath());
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  const int status = std::system((command + " " + redirections).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(HostileCli, ARunOutlivesAStandardErrorThatIsClosedOrFull) {
  const std::string to = " >" + folder.path("told");
  // Its line about the file that was put aside is the first complaint.
  for (const char* redirection : {"2>&-", "2>/dev/full", "0<&- 2>&-"}) {
    const std::string out = folder.path("r.jsonl");
    writeFile(out + ".part", "{}\n");
    EXPECT_EQ(codeWith({"run", file(experiment(0.5)), "--quick", "--out", out}, redirection + to),
              0)
        << redirection;
    EXPECT_THAT(readFile(folder.path("told")), HasSubstr("eager")) << redirection;
    // A stream that is closed does not let a file take its place.
    EXPECT_EQ(runCli({"analyze", out}).code, 0) << redirection;
    EXPECT_THAT(readFile(out), Not(HasSubstr("fusebench-cli:"))) << redirection;
    fs::remove(out);
  }
  EXPECT_EQ(codeWith({"run", folder.path("gone.json")}, "2>&-" + to), 2);
  EXPECT_EQ(codeWith({"ops"}, ">&- 2>&-"), 1) << "results that go nowhere are an error";
}

TEST_F(HostileCli, APipeForErrorsThatNobodyReadsStopsNoRun) {
  ASSERT_EQ(mkfifo(folder.path("errors").c_str(), 0600), 0);
  const int reader = open(folder.path("errors").c_str(), O_RDONLY | O_NONBLOCK);
  const int writer = open(folder.path("errors").c_str(), O_WRONLY | O_NONBLOCK);
  const std::string filling(4096, 'x');
  while (write(writer, filling.data(), filling.size()) > 0) {
  }
  EXPECT_EQ(codeWith({"run", folder.path("gone.json")}, "2>" + folder.path("errors")), 2);
  close(writer);
  close(reader);
}

TEST_F(HostileCli, AnOutputThatIsAnInputIsRefused) {
  const std::string path = file(experiment(0.3));
  const std::string before = readFile(path);
  fs::create_symlink(path, folder / "link.json");
  fs::create_hard_link(path, folder / "second.json");
  for (const std::string& out : {path, folder.path("link.json"), folder.path("second.json"),
                                 folder.string() + "/./test.json"})
    for (const char* option : {"--out", "--trace"}) {
      const Ended ended = runCli({"run", path, "--quick", option, out});
      EXPECT_EQ(ended.code, 2) << option << " " << out;
      EXPECT_THAT(ended.err, HasSubstr("this file is also an input")) << option << " " << out;
      EXPECT_EQ(readFile(path), before) << option << " " << out;
    }
  const Ended same = runCli(
      {"run", path, "--quick", "--out", folder.path("r"), "--trace", folder.string() + "/./r"});
  EXPECT_EQ(same.code, 2);
  EXPECT_THAT(same.err, HasSubstr("name the same file"));
}

TEST_F(HostileCli, EveryCommandThatWritesKeepsItsInputs) {
  const std::string run = folder.path("run.jsonl");
  ASSERT_EQ(runCli({"run", file(experiment(0.3)), "--quick", "--out", run}).code, 0);
  const std::string measured = readFile(run);
  const Ended fit = runCli({"fit", run, "--out", run});
  EXPECT_EQ(fit.code, 2) << fit.out;
  EXPECT_THAT(fit.err, HasSubstr("this file is also an input"));
  EXPECT_EQ(readFile(run), measured);
  // A trace in the folder of its own tables, under the name of one of them.
  const std::string trace = folder.path("kernels.csv");
  writeFile(trace, R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2,"cat":"kernel"}])");
  const Ended tables = runCli({"analyze", trace, "--csv", folder.string()});
  EXPECT_EQ(tables.code, 2) << tables.out;
  EXPECT_THAT(tables.err, HasSubstr("this file is also an input"));
  const std::string lesson = folder.path("a.fblesson");
  fs::copy_file(fusebench::test::sourcePath("/resources/lessons/queue.fblesson"), lesson);
  const Ended written = runCli({"lesson", lesson, "--experiment", lesson});
  EXPECT_EQ(written.code, 2);
  EXPECT_THAT(written.err, HasSubstr("this file is also an input"));
}

TEST_F(HostileCli, TablesOfTracesHoldNoFormulasAndNoControlCharacters) {
  writeFile(
      folder.path("t.json"),
      R"([{"ph":"X","name":"=cmd|calc\u001b[31m","pid":1,"tid":1,"ts":1,"dur":2,"cat":"kernel"}])");
  ASSERT_EQ(runCli({"analyze", folder.path("t.json"), "--csv", folder.path("tables")}).code, 0);
  const std::string names = readFile(folder.path("tables/kernels.csv"));
  EXPECT_THAT(names, HasSubstr(",'=cmd|calc\\x1b[31m,kernel"));
  EXPECT_THAT(names, Not(HasSubstr("\x1b")));
}

TEST_F(HostileCli, AFullDiskFromTheStartStillMeasuresAndPrints) {
  const Ended ended = runCli({"run", file(experiment(0.3)), "--quick", "--out", "/dev/full"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("eager"), HasSubstr("static")));
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("No space left on device"), HasSubstr("the run is not kept")));
}

TEST_F(HostileCli, WhatHasNoEndIsNoExperiment) {
  for (const char* endless : {"/dev/urandom", "/dev/zero"}) {
    for (const char* command : {"run", "code", "lesson"}) {
      const Ended ended = runCli({command, endless});
      EXPECT_EQ(ended.code, 2) << command << " " << endless;
      EXPECT_THAT(ended.err, HasSubstr("this is a device; name a file")) << command;
    }
    EXPECT_EQ(runCli({"analyze", endless}).code, 2) << endless;
  }
  EXPECT_EQ(codeWith({"run", "/dev/stdin"}, "</dev/zero 2>" + folder.path("err")), 2);
  std::ofstream(folder / "large.json").close();
  fs::resize_file(folder / "large.json", (64 << 20) + 1);
  const Ended large = runCli({"run", folder.path("large.json")});
  EXPECT_EQ(large.code, 2);
  EXPECT_THAT(large.err, HasSubstr("larger than 64 MiB"));
}

TEST_F(HostileCli, TheNameOfMpirunIsNoCommandOfAShell) {
  const std::string marker = folder.path("marker");
  json ranks = experiment(0.3);
  ranks["variants"] = {{{"name", "two"}, {"executor", "static"}, {"ranks", 2}}};
  ranks["program"] = {"x = x + 1", "return x"};
  ranks["baseline"] = "two";
  ::setenv("FUSEBENCH_MPIRUN", fmt::format("x'; : > {} ; '", marker).c_str(), 1);
  runCli({"run", file(ranks), "--quick"});
  ::unsetenv("FUSEBENCH_MPIRUN");
  EXPECT_FALSE(fs::exists(marker));
}

}  // namespace
}  // namespace fusebench
