"""The command `dtables`, also as `python -m dtables`."""

import gc
import os
import sys


def main() -> None:
    """Whoever breaks it off while it starts is told no more than later. What is left at the end is not gone
    through for circles: it ends with the process."""
    try:
        from dtables.cli import main as commands

        commands()
    except KeyboardInterrupt:
        os.write(sys.stderr.fileno(), b"interrupted\n")
        sys.exit(130)
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
