"""Packages that are needed only for some things, imported when they are."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import PackageMissing


def need(package: str, what_for: str) -> Any:
    """The imported package, or an error that says what to install."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise PackageMissing(f"{what_for} needs {package}, which is not there ({error}); "
                             f"install it: pip install {package}") from error
