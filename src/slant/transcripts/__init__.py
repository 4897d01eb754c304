"""All answers of a run as one table: filtered, sorted, searched and read page by page.

`narrow` holds what is filtered and sorted by; `index` finds words and gives the texts;
`index_building` makes it, and `preparing` does so beside the reader; `transcripts` puts them
together.
"""

from slant.transcripts.answer import Row, Score, Whole
from slant.transcripts.preparing import Preparation
from slant.transcripts.selection import Selection
from slant.transcripts.transcripts import Transcripts, quick

__all__ = ["Preparation", "Row", "Score", "Selection", "Transcripts", "Whole", "quick"]
