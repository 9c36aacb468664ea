#!/usr/bin/env bash
# Tests the packages as a user installs them. Needs root, because it makes a root file system and changes into it:
#   packaging/test_package.sh [FOLDER]   FOLDER holds the packages; without one they are made first
# Checks them with lintian, desktop-file-validate and appstreamcli; installs them into a bare Debian 12; measures the
# main study there, shortly; opens the window under Xvfb; removes them, and finds nothing left.
# FUSEBENCH_BARE_ROOT=DIR: a bare root made before, to be copied; else debootstrap makes one.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "test_package: $*" >&2; exit 1; }
say() { printf '== %s  [%d s]\n' "$*" "$SECONDS"; }

[ "$(id -u)" -eq 0 ] || { echo "test_package: a root file system can only be made as root; run it with sudo" >&2; exit 2; }
for tool in lintian desktop-file-validate appstreamcli debootstrap Xvfb; do
  command -v "$tool" >/dev/null || { echo "test_package: $tool is missing; apt-get install lintian desktop-file-utils appstream debootstrap xvfb" >&2; exit 2; }
done
if [ $# -eq 0 ]; then
  packaging/make_packages.sh
  set -- build/packages
fi
packages=("$1"/fusebench-cli_*.deb "$1"/fusebench_*.deb "$1"/python3-fusebench_*.deb)
for package in "${packages[@]}"; do [ -f "$package" ] || die "$package is not there"; done

work=$(mktemp -d)
root=$work/root
display=
cleanup() {
  [ -z "$display" ] || kill "$display" 2>/dev/null || true
  for inside in tmp/.X11-unix proc; do
    if mountpoint -q "$root/$inside"; then umount "$root/$inside"; fi
  done
  rm -rf "$work"
}
trap cleanup EXIT

say "What the packages say of themselves"
lintian --fail-on warning "${packages[@]}"
for package in "${packages[@]}"; do dpkg-deb -x "$package" "$work/unpacked"; done
desktop-file-validate "$work"/unpacked/usr/share/applications/*.desktop
appstreamcli validate --no-net "$work"/unpacked/usr/share/metainfo/*.xml
for page in "$work"/unpacked/usr/share/man/man1/*.gz; do
  warnings=$(MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || die "$page: $warnings"
done
for program in "$work"/unpacked/usr/bin/*; do
  cmake -DFILE="$program" -P cmake/SearchesAbsoluteFolders.cmake || die "$program would load libraries from the current folder"
  for library in $(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(lib[A-Za-z0-9+_]*\|ld-linux-x86-64\).*/\1/p'); do
    case $library in libQt6*) library=libQt6 ;; libLLVM*) library=libLLVM ;; esac
    grep -qF "$library" "$work/unpacked/usr/share/doc/fusebench/copyright" ||
      die "$program is linked with $library, whose license the copyright file does not list"
  done
done

say "A bare root"
if [ -n "${FUSEBENCH_BARE_ROOT:-}" ]; then
  cp -a "$FUSEBENCH_BARE_ROOT" "$root"
else
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; die "debootstrap failed"; }
fi
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/"
mkdir -p "$root/packages"
cp "${packages[@]}" "$root/packages/"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root "$@"; }
as_user() { chroot "$root" runuser -u student -- env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 HOME=/home/student "$@"; }
everything() { (cd "$root" && find . -xdev -path ./proc -prune -o -path ./var/log -prune -o -path ./var/cache -prune -o \
  -path ./var/lib/dpkg -prune -o -path ./var/lib/apt -prune -o -path ./home -prune -o -path ./tmp -prune -o -print | sort); }

say "Installing with what they depend on"
inside apt-get update -q >"$work/apt.log" 2>&1
inside sh -c 'apt-get install -y -q --no-install-recommends /packages/*.deb' >>"$work/apt.log" 2>&1 ||
  { tail -5 "$work/apt.log" >&2; die "the packages cannot be installed"; }
inside useradd -m student
inside apt-get purge -y -q fusebench fusebench-cli python3-fusebench >>"$work/apt.log" 2>&1
everything >"$work/before"
inside sh -c 'dpkg -i /packages/*.deb' >>"$work/apt.log" 2>&1

say "The main study, shortly"
as_user fusebench-cli run fusion_study --quick --out /home/student/run.jsonl >"$work/study" 2>"$work/study.err" ||
  { cat "$work/study.err" >&2; die "the study failed"; }
grep -q 'static at 30: compiling' "$work/study" || { cat "$work/study" >&2; die "the study does not tell what compiling static takes"; }
as_user fusebench-cli analyze h100_every_way >"$work/recording" || die "a recording that ships is not found"
as_user fusebench --export /home/student/report.html /home/student/run.jsonl || die "no report can be written"
as_user fusebench-cli lesson >"$work/lessons" || die "the course is not found"
while read -r lesson; do
  grep -q "^$lesson " "$work/lessons" || die "the lesson $lesson is not there"
done <resources/lessons/order
as_user fusebench-cli --language zh_CN lesson "$(head -n 1 resources/lessons/order)" >"$work/chinese"
grep -q '^## 动手测量' "$work/chinese" || die "lessons are not there in Chinese"
# A page holds the letters that were found for it: some of a Chinese font, though none is in the root by itself.
as_user fusebench --language zh_CN --export /home/student/lesson.pdf "$(head -n 1 resources/lessons/order)" || die "no handout can be written"
grep -aqE '/FontName /[A-Z]+\+(WenQuanYi|NotoSansCJKsc|NotoSansCJKSC|DroidSansFallback)' "$root/home/student/lesson.pdf" ||
  die "Chinese has no letters of its own: $(grep -ao '/FontName /[^ ]*' "$root/home/student/lesson.pdf" | tr '\n' ' ')"

say "From Python"
as_user python3 -c "import fusebench as fb
run = fb.compare('return torch.sin(x)', {'x': (8,)}, executors=['eager', 'static'], device='sim:h100', progress=False)
assert {row['variant'] for row in run.table()} == {'eager', 'static'}" || die "import fusebench measures nothing"

say "The window"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$work/number" 2>"$work/xvfb.log" &
display=$!
for _ in $(seq 100); do [ -s "$work/number" ] && break; sleep 0.1; done
[ -s "$work/number" ] || die "Xvfb does not start: $(tail -1 "$work/xvfb.log")"
mkdir -p "$root/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
for language in en zh_CN; do
  painted=$(as_user DISPLAY=":$(cat "$work/number")" timeout 120 fusebench --language "$language" --first-paint /home/student/run.jsonl) ||
    die "the window does not open ($language)"
  say "The window was drawn $painted ms after the start ($language)"
done

say "Removing"
inside apt-get purge -y -q fusebench fusebench-cli python3-fusebench >>"$work/apt.log" 2>&1
everything >"$work/after"
diff "$work/before" "$work/after" >"$work/left" || { cat "$work/left" >&2; die "something is left of the packages"; }
say "Installed, used, removed: nothing is left"
