"""The command `dtables`, also as `python -m dtables`."""

import os
import sys


def main() -> None:
    """Whoever breaks it off while it starts is told no more than later."""
    try:
        from dtables.cli import main as commands

        commands()
    except KeyboardInterrupt:
        os.write(sys.stderr.fileno(), b"interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
