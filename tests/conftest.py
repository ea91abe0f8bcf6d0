"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

from tests.support.thinned import SEARCH, draws

os.environ["DTABLES_CACHE"] = "off"
# What is tested is worked out, never remembered; tests of the cache give it a folder of their own.

settings.register_profile("check", settings.get_profile("ci"), max_examples=draws(100))
if SEARCH not in os.environ:
    # What is drawn at random is the same in every run: a check fails for what was changed, not by chance.
    settings.load_profile("check")
