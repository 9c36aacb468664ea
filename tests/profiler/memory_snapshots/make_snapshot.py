#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes two_layers.json: a snapshot as torch.cuda.memory._snapshot() makes it, with round numbers."""
import json
import pathlib

MIB = 1 << 20
FIRST, SECOND = 1 << 32, 1 << 33  # addresses of two segments


def frame(file, line, name):
    return {"filename": file, "line": line, "name": name}


INIT = [frame("/venv/site-packages/torch/nn/modules/linear.py", 105, "__init__"),
        frame("/home/me/net/model.py", 5, "__init__"), frame("/home/me/net/train.py", 20, "main")]
HIDDEN = [frame("/venv/site-packages/torch/nn/functional.py", 2000, "linear"),
          frame("/home/me/net/model.py", 12, "forward"), frame("/home/me/net/train.py", 31, "main")]
SCORES = [frame("/home/me/net/model.py", 13, "forward"), frame("/home/me/net/train.py", 31, "main")]


def event(time, action, address, size, frames=()):
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": 1_700_000_000_000_000 + time,
            "compile_context": "N/A", "user_metadata": "", "frames": list(frames)}


def block(address, size, state, frames=()):
    return {"address": address, "size": size, "requested_size": size, "state": state, "frames": list(frames)}


def segment(address, blocks):
    return {"device": 0, "address": address, "total_size": sum(each["size"] for each in blocks), "stream": 0,
            "segment_type": "large", "segment_pool_id": [0, 0], "is_expandable": False, "frames": [],
            "allocated_size": sum(each["size"] for each in blocks if each["state"] == "active_allocated"),
            "blocks": blocks}


SNAPSHOT = {
    "segments": [
        segment(FIRST, [block(FIRST, 2 * MIB, "active_allocated", INIT),  # weights, from before the recording
                        block(FIRST + 2 * MIB, MIB, "inactive"),
                        block(FIRST + 3 * MIB, MIB, "active_allocated", HIDDEN)]),
        segment(SECOND, [block(SECOND, 5 * MIB, "inactive")]),
    ],
    "device_traces": [
        [event(0, "alloc", FIRST + 3 * MIB, MIB, HIDDEN),
         event(100, "segment_alloc", SECOND, 5 * MIB),
         event(120, "alloc", SECOND, 3 * MIB, SCORES),
         event(200, "free_requested", FIRST + 2 * MIB, MIB),  # allocated before the recording
         event(201, "free_completed", FIRST + 2 * MIB, MIB),
         event(250, "alloc", SECOND + 3 * MIB, 3 * MIB // 2, HIDDEN),  # the peak: 7.5 MiB of 9 MiB
         event(400, "free_requested", SECOND, 3 * MIB),
         event(401, "free_completed", SECOND, 3 * MIB),
         event(450, "free_requested", SECOND + 3 * MIB, 3 * MIB // 2),
         event(500, "oom", 0, 1 << 30),
         event(550, "alloc", 0, -5),
         event(560, "teleport", 0, 5),
         event(600, "snapshot", 0, 0)],
        [],
    ],
    "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": False},
    "external_annotations": [],
}

if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parent
    (folder / "two_layers.json").write_text(json.dumps(SNAPSHOT) + "\n")
