# SPDX-License-Identifier: GPL-3.0-or-later
"""Assembles the Python wheel from the package, a program and the shipped files.

Run as: wheel.py FUSEBENCH_CLI OUT. See make_wheel.sh. Needs nothing but Python. The same input gives the same bytes.
Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent
TAG = "py3-none-manylinux_2_36_x86_64"
# Every Linux that the tag names has these (PEP 600 and the policy of manylinux).
SYSTEM = re.compile(r"(libc|libm|libstdc\+\+|libgcc_s|ld-linux-x86-64)\.so")
DATE = (1980, 1, 1, 0, 0, 0)

METADATA = """Metadata-Version: 2.1
Name: fusebench
Version: {version}
Summary: Measures when compiling a tensor program pays off, and what kernel launches cost
License: GPL-3.0-or-later
License-File: LICENSE
Keywords: benchmark,pytorch,torch.compile,kernel fusion,performance,ci
Classifier: Development Status :: 4 - Beta
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Programming Language :: Python :: 3 :: Only
Classifier: Programming Language :: Python :: 3.9
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development :: Testing
Classifier: Topic :: System :: Benchmark
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == 'pandas'
Provides-Extra: torch
Requires-Dist: torch>=2; extra == 'torch'
Description-Content-Type: text/markdown

{description}"""

ENTRY_POINTS = """[console_scripts]
fusebench-cli = fusebench.__main__:main

[pytest11]
fusebench = fusebench.pytest_plugin
"""


def version():
    text = (SOURCES / "python" / "fusebench" / "__init__.py").read_text()
    return re.search(r'^__version__ = "([^"]+)"', text, re.M)[1]


def libraries_beside(cli):
    """Libraries that the program looks for in ../lib of its own folder, with the files that it finds here."""
    dynamic = subprocess.run(["readelf", "-dW", cli], capture_output=True, text=True, check=True).stdout
    if "$ORIGIN/../lib" not in dynamic:
        return {}
    wanted = [name for name in re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic) if not SYSTEM.match(name)]
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", subprocess.run(["ldd", cli], capture_output=True, text=True,
                                                                      check=True).stdout, re.M))
    return {name: pathlib.Path(found[name]) for name in wanted}


def contents(cli):
    """The wheel's files: path in it, bytes, whether it is a program."""
    package = SOURCES / "python" / "fusebench"
    for path in sorted(package.glob("*")):
        if path.suffix in (".py", ".typed") or path.name == "py.typed":
            yield f"fusebench/{path.name}", path.read_bytes(), False
    yield "fusebench/_data/bin/fusebench-cli", pathlib.Path(cli).read_bytes(), True
    for name, path in libraries_beside(cli).items():
        yield f"fusebench/_data/lib/{name}", path.read_bytes(), True
    for folder in sorted(path for path in (SOURCES / "resources").iterdir() if path.is_dir()):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"fusebench/_data/resources/{path.relative_to(SOURCES / 'resources')}", path.read_bytes(), False


def entry(archive, name, data, program=False):
    info = zipfile.ZipInfo(name, DATE)
    info.external_attr = (0o100755 if program else 0o100644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data, compresslevel=9)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    number = version()
    said = subprocess.run([sys.argv[1], "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    if said != number:
        sys.exit(f"{sys.argv[1]} is version {said}, and the Python package {number}; set __version__ in python/fusebench")
    about = f"fusebench-{number}.dist-info"
    path = pathlib.Path(sys.argv[2], f"fusebench-{number}-{TAG}.whl")
    description = (SOURCES / "docs" / "python.md").read_text()
    record = []
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        def add(name, data, program=False):
            data = data.encode() if isinstance(data, str) else data
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            entry(archive, name, data, program)

        for name, data, program in contents(sys.argv[1]):
            add(name, data, program)
        add(f"{about}/METADATA", METADATA.format(version=number, description=description))
        add(f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: fusebench\nRoot-Is-Purelib: false\nTag: {TAG}\n")
        add(f"{about}/entry_points.txt", ENTRY_POINTS)
        add(f"{about}/licenses/LICENSE", (SOURCES / "LICENSE").read_bytes())
        record.append(f"{about}/RECORD,,\n")
        entry(archive, f"{about}/RECORD", "".join(record).encode())
    part.replace(path)
    print(path)


if __name__ == "__main__":
    main()
