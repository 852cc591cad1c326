"""Everything the bot says besides answers, in one place."""

from assistant.errors import Retry, UserFacing

LONGEST_QUESTION = 3000
"""Characters of a question that are read."""

LOOKING = "Looking it up…"
WORKING = "is looking it up…"

HELP = (
    "Ask me about a company rule, in your own words. I answer from the handbook and show the exact version of the "
    "section that says so, with the commit and the request that wrote it.\n"
    "• In a channel or a thread, mention me: the answer comes in the thread. For a follow-up, mention me again there.\n"
    "• In our direct messages, just write.\n"
    "• `/why QUESTION` asks in private: the answer comes in our direct messages, and you decide whether to share it.\n"
    "Any day of the past can be asked about: _What was the limit for meals on 1 March 2021?_ · "
    "_Since when do we have it?_ · _Who owns that page?_ · _What changed last week?_"
)

EMPTY = "You mentioned me without a question.\n" + HELP
ONLY_FILES = (
    "I can read words only, no pictures or files. Please write your question as text (mention me again in a channel)."
)
TOO_LONG = (
    f"That is longer than the {LONGEST_QUESTION:,} characters I read of a question. Please ask it in a few sentences."
)

IN_DM = "I'm answering in our direct messages; only you see it."
QUEUE_GONE = "I can't take questions just now: my queue does not answer. Please try again in a minute."
QUEUE_GONE_FOR_LONG = (
    "Sorry, I could not take this question: my queue did not answer for several minutes. Please ask it again later; "
    "whoever runs me finds the reason with `brain doctor`."
)

TRIED = (
    "Sorry, I could not answer this, although I tried for a while: {reason}. Please ask again in a few minutes; "
    "whoever runs me finds out more with `brain doctor`."
)
BROKEN = (
    "Sorry, I could not answer this: something on my side is broken, and it has been written down. Asking again in "
    "other words may help; if not, whoever runs me finds the reason with `brain doctor --jobs`."
)

GUEST = (
    "I answer only full members of this workspace: the rules I know are not meant for guests. Please ask a colleague."
)
SHARED_ROOM = (
    "I stay quiet in channels with guests or another company, unless an admin has allowed the channel. "
    "Ask me in our direct messages, or with `/why` from any other channel."
)
NO_ROOM = "I was mentioned in a channel I can't write in. Invite me there with `/invite`, or ask me here."

SHARED_BY = "asked in private and shared the answer:"
SHARE_WHERE = "Share here"
SHARE_FAILED = (
    "I could not share it: I am not in that channel. Invite me there with `/invite`, then ask there again with `/why`."
)

GOOD = "Good answer"
BAD = "Bad answer"
THANKS = "Thank you, noted."
WHY_TITLE = "What was wrong?"
WHY_LABEL = "What did you expect, or where does it say something else?"
SEND = "Send"
CANCEL = "Cancel"

AS_OF = "As of {day}"
MORE_SOURCES = "and {count} more"
CUT = "_This is too long for a message; the source below has the whole text._"

HOME_TITLE = "What I know"
HOME_NOTHING = "No handbook yet. Whoever runs me fills me with `brain ingest git REPO`."
HOME_RECENT = "Your recent questions"
HOME_NO_QUESTIONS = "You have not asked me anything yet."
HOME_ASK = "How to ask"


def apology(error: BaseException) -> str:
    """What to tell the person whose question ended in this error, as text: what is wrong and what to do, no trace."""
    if isinstance(error, UserFacing):
        return str(error)
    if isinstance(error, Retry):
        return TRIED.format(reason=error)
    return BROKEN
