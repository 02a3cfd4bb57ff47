"""How much a scenario may hold, and how much is read from outside."""

MAX_URL = 6_000  # characters that browsers, chats and mail programs all carry
# What is read from outside. Links that are written stay below MAX_URL; real points
# unpack to three times their packed size, so a link's packed part swells to 40 kB.
MAX_LINK = 16_000  # characters, names of parameters included
MAX_UNPACKED = 400_000  # bytes that the packed parts of a link may swell to, together
MAX_NAMES = 200  # parameters of a link, hidden controls, thresholds
MAX_COLUMNS = 1_000  # feature columns that are named one by one
MAX_NAME = 200  # characters of a file's or a column's name
MAX_LISTS = 60_000  # in a saved file: five runs in a row, each with all its points
MAX_REMARKS = 12  # sentences about one link; more are not read
# By hand, measured for reading, posing, and writing the link: 5,000 points take 0.15 s
# and 20,000 take 0.9 s; 20,000 labels take 0.25 s. The stage draws 5,000 points.
MAX_DRAWN = 5_000  # points added, and moved, and removed
MAX_HAND = 20_000  # labels
MAX_METHODS = 4  # side by side
MAX_CHAIN = 4  # runs that may have been continued one from another
# In the earlier runs of all methods together: as much as those of one method can hold,
# so that what one visitor can make is never too much for a saved file.
MAX_EARLIER = {"labels": MAX_CHAIN * MAX_HAND, "points": 2 * MAX_CHAIN * MAX_DRAWN}
