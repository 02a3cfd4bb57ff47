"""Pictures and films of a `StageView` for papers and slides.

They are drawn with matplotlib from the view alone, as ``stage/js`` draws it in the
browser: same colours, same lines, same marks.
"""

from halfmoon.views.pictures.drawing import KINDS as PICTURES
from halfmoon.views.pictures.drawing import STAGE, drawable, picture
from halfmoon.views.pictures.films import KINDS as FILMS
from halfmoon.views.pictures.films import film

__all__ = ["FILMS", "PICTURES", "STAGE", "drawable", "film", "picture"]
