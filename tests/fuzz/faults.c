/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before a program (LD_PRELOAD), makes its n-th call that writes fail. FUSEBENCH_FAULT is
   KIND:N with KIND ENOSPC, EIO, EINTR or short (half of the bytes are written); from an ENOSPC or EIO
   on all such calls fail, as on a disk that is full or gone; EINTR and short happen once. With the
   KIND memory it is the n-th request for memory that fails, of those after a file below
   FUSEBENCH_FAULT_ONLY was opened.
   FUSEBENCH_FAULT_COUNT names a file that takes the number of calls counted, at the end. Calls on what
   is no regular file, and those of whatever does not lie below FUSEBENCH_FAULT_ONLY, are neither counted nor failed:
   the terminal and the protocol of workers are not disks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count;
static long at;
static int sort; /* 0: none, else an errno; -1: short */
static int starves; /* it is memory that runs out */
static atomic_int reading; /* a file that is tried has been opened */
static const char* only;

static void set_up(void) {
  const char* fault = getenv("FUSEBENCH_FAULT");
  only = getenv("FUSEBENCH_FAULT_ONLY");
  if (!fault) return;
  const char* colon = strchr(fault, ':');
  if (!colon) return;
  at = atol(colon + 1);
  if (!strncmp(fault, "ENOSPC", 6)) sort = ENOSPC;
  if (!strncmp(fault, "EIO", 3)) sort = EIO;
  if (!strncmp(fault, "EINTR", 5)) sort = EINTR;
  if (!strncmp(fault, "short", 5)) sort = -1;
  if (!strncmp(fault, "memory", 6)) starves = 1;
}

__attribute__((constructor)) static void begin(void) { set_up(); }

__attribute__((destructor)) static void end(void) {
  const char* file = getenv("FUSEBENCH_FAULT_COUNT");
  if (!file) return;
  char name[4096], text[32];
  snprintf(name, sizeof name, "%s.%d", file, (int)getpid());
  const int to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (to < 0) return;
  const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
  ssize_t (*real)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  if (real(to, text, (size_t)length) < 0) { /* nobody to tell */
  }
  close(to);
}

/* Whether a path belongs to what is tried: it lies below FUSEBENCH_FAULT_ONLY. */
static int tried_path(const char* path) {
  return only && path && !strncmp(path, only, strlen(only));
}

static int tried_file(int file) {
  struct stat status;
  if (!only || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return tried_path(path);
}

/* glibc's own, under the names that stay when these are ours. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static int refused(void) {
  if (!starves || !atomic_load(&reading) || atomic_fetch_add(&count, 1) + 1 != at) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void* calloc(size_t number, size_t size) { return refused() ? NULL : __libc_calloc(number, size); }
void* realloc(void* memory, size_t size) { return refused() ? NULL : __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : __libc_memalign(alignment, size);
}
void* memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void** to, size_t alignment, size_t size) {
  *to = aligned_alloc(alignment, size);
  return *to ? 0 : ENOMEM;
}

/* What this call is to do: 0 as ever, -1 short, else fail with it. */
static int verdict(void) {
  if (starves) return 0;
  const long number = atomic_fetch_add(&count, 1) + 1;
  if (sort == 0 || number < at) return 0;
  if (sort == EINTR || sort == -1) return number == at ? sort : 0;
  return sort;
}

#define REAL(type, name, ...)                                 \
  static type (*real)(__VA_ARGS__);                           \
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, name)

#define FAIL_OR(call)                    \
  const int what = verdict();            \
  if (what > 0) return errno = what, -1; \
  return call

ssize_t write(int file, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  if (!tried_file(file)) return real(file, bytes, size);
  const int what = verdict();
  if (what > 0) return errno = what, -1;
  return real(file, bytes, what < 0 && size > 1 ? size / 2 : size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t to) {
  REAL(ssize_t, "pwrite", int, const void*, size_t, off_t);
  if (!tried_file(file)) return real(file, bytes, size, to);
  const int what = verdict();
  if (what > 0) return errno = what, -1;
  return real(file, bytes, what < 0 && size > 1 ? size / 2 : size, to);
}

int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  if (!tried_path(to)) return real(from, to);
  FAIL_OR(real(from, to));
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  REAL(int, "renameat2", int, const char*, int, const char*, unsigned);
  if (!tried_path(to)) return real(from_folder, from, to_folder, to, flags);
  FAIL_OR(real(from_folder, from, to_folder, to, flags));
}

int fdatasync(int file) {
  REAL(int, "fdatasync", int);
  if (!tried_file(file)) return real(file);
  FAIL_OR(real(file));
}

int ftruncate(int file, off_t size) {
  REAL(int, "ftruncate", int, off_t);
  if (!tried_file(file)) return real(file, size);
  FAIL_OR(real(file, size));
}

static int open_with(const char* name, const char* path, int flags, mode_t mode) {
  int (*real)(const char*, int, ...) = NULL;
  *(void**)(&real) = dlsym(RTLD_NEXT, name);
  if (tried_path(path)) atomic_store(&reading, 1);
  if ((flags & O_CREAT) && tried_path(path)) {
    FAIL_OR(real(path, flags, mode));
  }
  return real(path, flags, mode);
}

#define MODE_OF_OPEN                                     \
  mode_t mode = 0;                                       \
  if (flags & (O_CREAT | __O_TMPFILE)) {                 \
    va_list rest;                                        \
    va_start(rest, flags);                               \
    mode = va_arg(rest, mode_t);                         \
    va_end(rest);                                        \
  }

int open(const char* path, int flags, ...) {
  MODE_OF_OPEN
  return open_with("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  MODE_OF_OPEN
  return open_with("open64", path, flags, mode);
}
