"""`python -m dtables`"""

from dtables.cli import main

main()
