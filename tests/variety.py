"""What makes the texts of a mock model differ, for copies of one answer count once."""

NUMBER = "{0|1|2|3|4|5|6|7|8|9}" * 3
"""A number below a thousand, drawn anew for every answer."""
