// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/device/object_cache.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

class ObjectCacheTest : public testing::Test {
 protected:
  fs::path onlyFile() const {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) found = entry.path();
    return found;
  }
  std::uintmax_t totalBytes() const {
    std::uintmax_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path())) total += entry.file_size();
    return total;
  }
  test::TemporaryFolder folder_;
};

TEST_F(ObjectCacheTest, FindsWhatWasStoredAndNothingElse) {
  ObjectCache cache(folder_);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", std::string("ob\0ject", 7));
  EXPECT_EQ(ObjectCache(folder_).find("key"), std::string("ob\0ject", 7));
  EXPECT_FALSE(cache.find("other"));
}

TEST_F(ObjectCacheTest, EveryDamagedFileIsAMissAndIsRemoved) {
  const std::string object(300, 'x');
  ObjectCache cache(folder_);
  cache.store("key", object);
  std::string whole;
  {
    std::ifstream in(onlyFile(), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto damage = [&](const std::string& text) {
    cache.store("key", object);
    std::ofstream(onlyFile(), std::ios::binary) << text;
    EXPECT_FALSE(cache.find("key"));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
  };
  damage("");
  damage("garbage");
  for (std::size_t length = 1; length < whole.size(); length += 37) damage(whole.substr(0, length));
  for (std::size_t at = 0; at < whole.size(); at += 23) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    damage(flipped);
  }
}

TEST_F(ObjectCacheTest, StaysWithinItsBoundAndKeepsTheRecentlyUsed) {
  ObjectCache cache(folder_, 200000);
  for (int i = 0; i < 400; ++i) cache.store("key" + std::to_string(i), std::string(2000, 'y'));
  EXPECT_LE(totalBytes(), 200000u + 65 * 2100u);  // looked at every 64 stores
  EXPECT_TRUE(cache.find("key399"));
  EXPECT_FALSE(cache.find("key0"));
}

TEST_F(ObjectCacheTest, TwoProcessesWriteAtOnceAndReadNothingBroken) {
  const auto hammer = [&](char letter) {
    ObjectCache cache(folder_);
    for (int i = 0; i < 300; ++i) {
      const std::string key = "key" + std::to_string(i % 10);
      cache.store(key, std::string(static_cast<std::size_t>(1000 + i), letter));
      if (const auto found = cache.find(key))
        for (char c : *found)
          if (c != found->front()) return 1;
    }
    return 0;
  };
  const pid_t child = fork();
  if (child == 0) _exit(hammer('a'));
  EXPECT_EQ(hammer('b'), 0);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(ObjectCacheTest, AnObjectUnderAnotherNameIsRefused) {
  ObjectCache cache(folder_);
  cache.store("one", "object of one");
  const fs::path one = onlyFile();
  const fs::path kept = folder_ / "kept";
  fs::copy_file(one, kept);
  fs::remove(one);
  cache.store("two", "object of two");
  fs::path two;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    if (entry.path() != kept) two = entry.path();
  fs::rename(kept, two);
  EXPECT_FALSE(cache.find("two"));
  EXPECT_NE(cache.problem().find(two.string()), std::string::npos) << cache.problem();
  EXPECT_FALSE(fs::exists(two));
}

TEST_F(ObjectCacheTest, WhatOthersCouldHaveWrittenIsNotUsed) {
  ObjectCache cache(folder_);
  cache.store("key", "object");
  EXPECT_EQ(fs::status(onlyFile()).permissions() & fs::perms(077), fs::perms::none);
  fs::permissions(onlyFile(), fs::perms(0622));
  EXPECT_FALSE(cache.find("key"));

  cache.store("key", "object");
  fs::permissions(folder_.path(), fs::perms(0777));
  ObjectCache open(folder_);
  EXPECT_FALSE(open.find("key"));
  EXPECT_NE(open.problem().find("can be written to by others"), std::string::npos);
  open.store("other", "object");
  fs::permissions(folder_.path(), fs::perms(0755));  // as older versions made it
  EXPECT_TRUE(ObjectCache(folder_).find("key"));
  EXPECT_FALSE(ObjectCache(folder_).find("other"));
  EXPECT_EQ(fs::status(folder_.path()).permissions(), fs::perms(0700));
}

TEST_F(ObjectCacheTest, AFolderOfSomebodyElseIsNotUsed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(folder_.path().c_str(), 12345, 12345), 0);
  ObjectCache cache(folder_);
  EXPECT_NE(cache.problem().find("belongs to another user"), std::string::npos);
  cache.store("key", "object");
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(ObjectCacheTest, ALinkIsNotFollowed) {
  const test::TemporaryFolder elsewhere;
  fs::create_directories(folder_ / "mine/fusebench");
  fs::create_directory_symlink(elsewhere.path(), folder_ / "mine/fusebench/kernels");
  ObjectCache cache(folder_ / "mine/fusebench/kernels");
  EXPECT_NE(cache.problem().find("is a symbolic link"), std::string::npos) << cache.problem();
  cache.store("key", "object");
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));

  if (::geteuid() != 0) return;  // only root can give a link away
  fs::create_directory_symlink(elsewhere.path(), folder_ / "theirs");
  ASSERT_EQ(::lchown((folder_ / "theirs").c_str(), 12345, 12345), 0);
  ObjectCache reached(folder_ / "theirs/kernels");
  EXPECT_NE(reached.problem().find("another user's link"), std::string::npos) << reached.problem();
  reached.store("key", "object");
  EXPECT_FALSE(fs::exists(elsewhere / "kernels/key"));
}

TEST_F(ObjectCacheTest, NoFallbackInASharedFolder) {
  const auto with = [](const char* cache, const char* home) {
    const auto set = [](const char* name, const char* value) {
      value ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    set("XDG_CACHE_HOME", cache);
    set("HOME", home);
    return ObjectCache::defaultFolder().string();
  };
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "/";
  EXPECT_EQ(with("/c", "/h"), "/c/fusebench/kernels");
  EXPECT_EQ(with(".", "/h"), "/h/.cache/fusebench/kernels");
  EXPECT_EQ(with(nullptr, nullptr).find(fs::temp_directory_path().string()), std::string::npos);
  EXPECT_EQ(with(nullptr, "relative"), "");
  with(nullptr, before.c_str());
}

TEST_F(ObjectCacheTest, AFolderThatCannotBeMadeOnlyMisses) {
  ObjectCache cache("/proc/nowhere/kernels");
  cache.store("key", "object");
  EXPECT_FALSE(cache.find("key"));
}

}  // namespace
}  // namespace fusebench
