"""The games' workbooks against oracles by hand, the contract's samples and the component data."""

import pytest

pytest.register_assert_rewrite("tests.games.harness")
