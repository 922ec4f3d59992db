"""Adds a program to a wheel as a script, so that `pip install` puts it beside `python`.

    python3 add_script.py WHEEL PROGRAM OUTPUT

A wheel is a zip file; its RECORD names every file with size and hash.
"""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

# Zip files know no earlier date; with the same one every time, the same inputs give the same bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)


def add_script(wheel, program, output):
    content = program.read_bytes()
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        script = record.replace(".dist-info/RECORD", f".data/scripts/{program.name}")
        for entry in old.infolist():
            if entry.filename != record:
                new.writestr(entry, old.read(entry))
        info = zipfile.ZipInfo(script, EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o100755 << 16
        new.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines = old.read(record).decode().splitlines()
        lines.insert(len(lines) - 1, f"{script},sha256={digest},{len(content)}")
        new.writestr(zipfile.ZipInfo(record, EPOCH), "\n".join(lines) + "\n")


if __name__ == "__main__":
    add_script(*map(Path, sys.argv[1:]))
