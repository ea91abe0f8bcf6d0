"""What other verifiers find is found here, with its cells: a small table for each of their findings."""

from __future__ import annotations

import pytest

from tests.support.peers import Peer, peers, said


@pytest.mark.parametrize("peer", peers(), ids=lambda peer: peer.name)
def test_peers__what_they_find_is_said(peer: Peer) -> None:
    assert peer.expected.strip()
    assert said(peer.table) == peer.expected
