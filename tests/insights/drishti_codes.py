"""Codes of what drishti-io (PyPI) says of logs: python drishti_codes.py LOG... prints {log: [code, ...]} as JSON.

A process of its own: the package reads the command line when it is imported, and keeps what it found in globals.
"""

import contextlib
import io
import json
import os
import sys
import warnings


def handler_of_package():
    """The package parses the command line and looks for commands of Slurm: it is shown neither."""
    os.environ["PATH"] = "/nonexistent"
    sys.argv = ["drishti", "--csv", "none.darshan"]
    from drishti.handlers import handle_darshan
    from drishti.includes import config
    for name in ("display_content", "display_thresholds", "display_footer", "export_html", "export_svg", "export_csv"):
        setattr(handle_darshan, name, lambda *_: None)
    return handle_darshan.handler, config


def codes(handler, config, log):
    """What it came to say before it ended, or stumbled: in a log without MPI hints it does, after its last check but one."""
    config.csv_report.clear()
    config.args.log_path = log
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            handler()
    except Exception as error:  # noqa: BLE001  whatever it stumbles over
        print(f"{log}: {error!r}", file=sys.stderr)
    return sorted(set(config.csv_report))


def main():
    logs = sys.argv[1:]
    warnings.simplefilter("ignore")
    handler, config = handler_of_package()
    json.dump({log: codes(handler, config, log) for log in logs}, sys.stdout)


if __name__ == "__main__":
    main()
