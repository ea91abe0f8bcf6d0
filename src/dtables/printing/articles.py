"""Italian prepositions and the articles after them."""

from __future__ import annotations

import re

_ARTICLES = re.compile(r"\b(di|a|da|in|su) (il|lo|la|i|gli|le) |\b(di|a|da|in|su) l(?=['’])")
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}


def joined_articles(text: str) -> str:
    """`di i pacchi` is `dei pacchi`, `a la fine` `alla fine`, `su l'ultimo` `sull'ultimo`."""

    def join(found: re.Match[str]) -> str:
        if found.group(3):
            return _STEMS[found.group(3)] + "ll"
        return _STEMS[found.group(1)] + _ENDINGS[found.group(2)] + " "

    return _ARTICLES.sub(join, text)
