"""What holds for all tests."""

from __future__ import annotations

import os

os.environ["DTABLES_CACHE"] = "off"
# What is tested is worked out, never remembered; tests of the cache give it a folder of their own.
