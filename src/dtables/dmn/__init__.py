"""Models of the DMN standard, versions 1.2 to 1.5: read, worked out, null where the standard says null."""

from dtables.dmn.messages import DmnError
from dtables.dmn.model import Model, load
from dtables.dmn.values import IsoText

__all__ = ["DmnError", "IsoText", "Model", "load"]
