"""`python -m slant`: the same as the command `slant`."""

from slant.cli import main

if __name__ == "__main__":
    main()
