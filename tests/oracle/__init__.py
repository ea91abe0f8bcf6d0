"""What a checked workbook means: every construct walked as the workbook has it, slowly and plainly.

All engines are held to it. It reads the model and nothing that an engine makes of it, takes records that are
read already, and tells nothing on its way. A construct gets its case here before an engine has one, and keeps
it when an engine changes.
"""

from tests.oracle.oracle import Oracle
from tests.oracle.values import Mode

__all__ = ["Mode", "Oracle"]
