#!/usr/bin/env bash
# Makes all pictures of README and docs again, in resources/pictures:
#   packaging/make_pictures.sh [FOLDER]           FOLDER contains fusebench and fusebench-cli (default: build/release/bin)
#   packaging/make_pictures.sh --check [FOLDER]   only draws those that recordings determine, and fails if one differs
#                                                 from the picture that is there
# Pictures of a GPU are drawn from shipped recordings. The others are measured here, so let the machine be idle. No
# display is needed. Commit what has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then check=yes; shift; fi
programs=$(realpath "${1:-build/release/bin}")
for program in fusebench fusebench-cli; do
  [ -x "$programs/$program" ] || { echo "make_pictures: $programs/$program is missing; build it, or name its folder" >&2; exit 2; }
done
export QT_QPA_PLATFORM=offscreen FUSEBENCH_RESOURCES=$PWD/resources LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
recordings=resources/recordings
pictures=resources/pictures
made=$work/made
mkdir "$made"
draw() { "$programs/fusebench" --language en --export "$made/$1" "${@:2}"; }

# The README's picture: five of the ten variants, and the break-even of torch.compile with its interval.
for theme in light dark; do
  draw "h100-$theme.png" "$recordings/h100_every_way.jsonl" --theme "$theme" --size 860x430 --scale 2 \
    --hide dynamic --hide static+replay --hide instant --hide torch-dynamic --hide torch-replay --hide "fitted lines"
done
draw timeline.png "$recordings/h100_launches.json.gz" --theme light --size 900x420 --scale 1.5
draw breakdown.png "$recordings/h100_fusion_study.jsonl" --view anatomy --theme light --size 860x260 --scale 1.5

if [ -n "$check" ]; then
  command -v compare >/dev/null || { echo "make_pictures: ImageMagick is missing; apt-get install imagemagick" >&2; exit 77; }
  [ -n "$(fc-list Inter)" ] || { echo "make_pictures: the font Inter is missing; apt-get install fonts-inter" >&2; exit 77; }
  old=0
  for picture in "$made"/*.png; do
    name=$(basename "$picture")
    # A renamed text changes about 1,000 pixels. Edges may differ slightly between versions of a font library.
    differing=$(compare -metric AE -fuzz 15% "$picture" "$pictures/$name" null: 2>&1) || true
    echo "$name: $differing pixels differ"
    case $differing in
      '' | *[!0-9]*) old=1 ;;  # another size, or no picture
      *) [ "$differing" -le 300 ] || old=1 ;;
    esac
  done
  [ "$old" -eq 0 ] || { echo "make_pictures: pictures are older than what they show; run packaging/make_pictures.sh" >&2; exit 1; }
  exit 0
fi

# Memory during a call with gradients is determined by the plan: a quick run is enough.
"$programs/fusebench-cli" --language en run checkpointing --quick --out "$work/checkpointing.jsonl" >"$work/memory.txt"
draw memory.png "$work/checkpointing.jsonl" --view storages --theme light --size 860x380 --scale 1.5

# The window at its usual size. For a recording the dark window is used, which is drawn first: later the window tries to
# record launches on a GPU, and a banner reports that there is none.
"$programs/fusebench" --language en --snapshot "$work/h100" "$recordings/h100_fusion_study.jsonl"
cp "$work/h100/window-dark.png" "$made/window_h100.png"
"$programs/fusebench-cli" --language en run fusion_study --out "$work/fusion_study.jsonl" >"$work/study.txt"
"$programs/fusebench" --language en --snapshot "$work/cpu" "$work/fusion_study.jsonl"
cp "$work/cpu/window-light.png" "$made/window.png"
cp "$made"/*.png "$pictures/"
ls -l "$pictures"
