"""The package's version, written only here; a test compares it with the library's."""

VERSION = "0.1.0"
