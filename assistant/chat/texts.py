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
    "• `/why settings` shows what I do in a channel, and `/why forget` forgets what you said.\n"
    "• In a message's menu, *This is a rule* keeps it, *Not a decision* takes it away, *Who decided this?* tells.\n"
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
OFF_HERE = (
    "I am switched off in this channel, by a choice of its members. To switch me on, write `/why settings` here. "
    "In our direct messages, and with `/why QUESTION`, I answer as ever."
)
SHARE_OFF = "I could not share it: I am switched off in that channel, by a choice of its members."
SHARED_ROOM = (
    "I stay quiet in channels with guests or another company, unless an admin has allowed the channel. "
    "Ask me in our direct messages, or with `/why` from any other channel."
)
UNCHECKED_ROOM = (
    "I could not check who reads along in this channel, so I stay quiet here. Ask me in our direct messages, or with "
    "`/why`."
)
UNCHECKED_HOME = "I could not check which channels you are in, so this shows public sources only."
NO_ROOM = "I was mentioned in a channel I can't write in. Invite me there with `/invite`, or ask me here."

SHARED_BY = "asked in private and shared the answer:"
SHARE_WHERE = "Share here"
SHARE_FAILED = (
    "I could not share it: I am not in that channel. Invite me there with `/invite`, then ask there again with `/why`."
)

WITHDRAWN = (
    "I took this answer back: words that it rested on were deleted or changed, or are not open to everybody here any "
    "more. Ask again to see what I know without them."
)

CONSENT_ABOUT = (
    "I answer questions about company rules here when somebody mentions me. If this channel wants it, I also record "
    "what is said here, from now on and earlier, to find what was decided, by whom and in which words.\n"
    "Only who may open this channel ever sees it: of a private channel its members, of a public one full members of "
    "this workspace, never guests or other companies. Direct messages are never recorded.\n"
    "What is deleted in Slack is forgotten here, too; `/why forget` forgets what you said, and `/why settings` changes "
    "the choice below. Any full member of this channel may choose."
)
CONSENT_RETENTION = " What is older than {days} days is forgotten by itself."
CONSENT_NONE = "Nobody has chosen yet: I answer, and record nothing."
CONSENT_IS_OFF = "Switched off since {day} by {by}."
CONSENT_ANSWERS = "Answering only since {day}, as {by} chose."
CONSENT_RECORDS = "Recording since {day}, switched on by {by}."
CONSENT_STOPPED = (
    "Answering only since {day}: guests or another company read along here now, so I stopped recording. An admin can "
    "allow the channel."
)
CONSENT_BY_ADMIN = "an admin"
CONSENT_ANSWER = "Answer only"
CONSENT_RECORD = "Answer and record"
CONSENT_OFF = "Off"
CONSENT_KEPT = "What was recorded here before stays, for those who may open this channel, until it is forgotten."
CONSENT_FORGET = "Forget what was recorded"
CONSENT_FORGET_TITLE = "Forget it for good?"
CONSENT_FORGET_SURE = (
    "Everything recorded in this channel is deleted, with the decisions found in it and the answers that quote it. "
    "This cannot be undone."
)
CONSENT_FORGOTTEN = "<@{user}> had everything forgotten that was recorded in this channel."
CONSENT_NOT_YOURS = "Only full members of this channel can choose what I do here."
CONSENT_OUTSIDERS = (
    "I record nothing where guests or another company read along, unless an admin has allowed the channel."
)
CONSENT_DONE = "Done: the message about me in this channel says so now."
SETTINGS_WHERE = "Write `/why settings` in the channel whose settings you want to see."
SETTINGS_NOT_IN = "I am not in that channel, so I neither answer nor record there. Invite me with `/invite` first."

FORGET = "Forget"
FORGET_TITLE = "Forget what I said"
FORGET_LOOKING = "Looking up what is recorded of you…"
FORGET_NOTHING = (
    "Nothing is recorded that I know to be yours. Should you find something, whoever runs me can forget it with "
    "`brain forget`."
)
FORGET_FOUND = "Recorded of what you said:"
FORGET_PLACE = "• {place}: {count}"
FORGET_ELSEWHERE = "• nothing in places that you can open"
FORGET_ASKED = "• asked me: {count}"
FORGET_MARKED = "• marked by hand, in your words: {count}"
FORGET_JUDGED = "• judged, in your words: {count}"
FORGET_SURE = (
    "All of it is forgotten, and also what you said in places that you can no longer open: the words, the decisions "
    "found in them, and the answers that quote them. In Slack your messages stay. This cannot be undone."
)
FORGET_BEGUN = "I'm forgetting it, and tell you in our direct messages when it is done."
FORGET_DONE = "Done: what you had said until now is forgotten everywhere."
FORGET_ADMINS_ONLY = "Only admins can forget what others said. `/why forget` alone forgets what you said."
FORGET_NONE_SUCH = "I know no conversation and no person called {name}."
FORGET_ADMIN_FOUND = "{name}: {count}."
FORGET_ADMIN_SURE = (
    "They are forgotten everywhere: the words, the decisions found in them, and the answers that quote them. In Slack "
    "the messages stay. This cannot be undone."
)
FORGET_MESSAGES = ("1 message", "{count} messages")
FORGET_QUESTIONS = ("1 question", "{count} questions")
FORGET_ANSWERS = ("1 answer", "{count} answers")
FORGET_ADMIN_DONE = "Done: {name} is forgotten everywhere."

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

RULE_TITLE = "This is a rule"
RULE_SEND = "Keep as a rule"
RULE_STATEMENT = "What holds from now on"
RULE_STATEMENT_HINT = "One sentence that can be understood without the conversation."
RULE_DECIDER = "Who decided it"
RULE_SECTION = "Where it belongs in the handbook"
RULE_NO_SECTION = "None of these"
RULE_LOOKING = "_Looking for the nearest sections of the handbook…_"
RULE_NO_SECTIONS = "_I found no section that this belongs to. You can keep it all the same._"
RULE_FIND = "Another section"
RULE_FIND_HINT = "Write what it is about and press Enter: the list above changes."
RULE_UNRECORDED = (
    "Nothing is recorded in this channel. If you keep this as a rule, I keep the words of this one message, and "
    "nothing else that is said here."
)
RULE_EMPTY = "Write what holds, in a sentence."
NOT_OPENED = "I could not open the form in time. Please try again."

NO_DECISION_TITLE = "Not a decision"
NO_DECISION_SEND = "Take it away"
NO_DECISION_ASK = (
    "I'll take away what I hold as decided by this message, and find none in it again. It stays noted that you said "
    "so, and when. You can take that back."
)
NO_DECISION_LOOKING = "_Looking up what I hold…_"
NO_DECISION_FOUND = "What I hold:"
NO_DECISION_NONE = "_So far I hold nothing as decided by this message._"

WHO_TITLE = "Who decided this?"
WHO_NONE = "I know of no decision in this message."
WHO_MARK = "If it is one, you can mark it: then it is found when somebody asks."
CLOSE = "Close"

FLAG_DIRECT = "I keep nothing of direct messages, so nothing in them can be marked."
FLAG_OUTSIDER = "Only full members of this workspace can mark what was said."
FLAG_OUTSIDE = (
    "You can mark messages of channels that both of us are in. Join the channel, and invite me there with `/invite`."
)
FLAG_OFF = "This channel has switched me off, so I keep nothing of it. Its people can change that."
FLAG_GONE = "I can't read that message: it was deleted or forgotten, or I am not in its channel."
FLAG_FAILED = (
    "Sorry, I could not finish what you asked of me about {message}, although I tried for half an hour. Please try "
    "again later; whoever runs me finds the reason with `brain doctor --jobs`."
)
FLAG_OURS = "That is a message of mine. Mark the message in which somebody decided it."
FLAG_WORDLESS = "There are no words in that message that I could keep."
FLAG_RULE_KEPT = "You marked {message} as a rule:"
FLAG_NO_DECISION_KEPT = "Noted: {message} decided nothing."
THIS_MESSAGE = "this message"
A_MESSAGE = "a message"
FLAG_UNDO = "Take it back"
FLAG_UNDONE = "Taken back."
FLAG_UNDONE_KEPT = "Taken back; the words of that message, which I kept for this alone, are forgotten."
FLAG_WITHDRAWN = "What stood here spoke of a message that is deleted, or not open to everybody any more."
FLAG_LATER = "You can take it back here or on my Home tab at any time."
FLAG_OWNER_TOLD = "I showed {owners} a draft of the text to add."
FLAG_OWNER_BLIND = "{owners} can't open this place, so I only said that you marked something there."
FLAG_OWNER_UNKNOWN = "The page belongs to {owners}; I don't know who that is here, so please tell them."
FLAG_WRITTEN = "The handbook has it already, so I told nobody."
FLAG_NO_OWNER = "Nobody is named as the owner of that page, so I told nobody."

OWNER_LEAD = "{by} marked {message} as a rule, which would belong to a page of yours:"
OWNER_BLIND = "{by} marked a rule in a place that you can't open. If it concerns you, ask them."
OWNER_WHERE = "A draft, for `{path}`, under *{place}*, after line {line}:"
OWNER_DONE = "Done"
OWNER_NOT_NEEDED = "Not needed"
OWNER_SETTLED = {
    "done": "The rule that {by} marked: done, thank you.",
    "not needed": "The rule that {by} marked: noted as not needed in the handbook.",
}
OWNER_UNDONE = "{by} took this back; there is nothing to do."

NOTICE_SURE = "An answer is out of date"
NOTICE_DOUBT = "This may have changed an answer"
NOTICE_ASKED = "{who} asked {where}:"
NOTICE_SOMEBODY = "Somebody"
NOTICE_HERE = "in our direct messages"
NOTICE_ON_COMMAND = "on the command line"
NOTICE_PRIVATE = ("Asked by 1 person in private.", "Asked by {count} people in private.")
NOTICE_ANSWERED = "Answered: {claim}"
NOTICE_BLIND = "It rests on a page of yours that you can't open here, so I don't show its words."
NOTICE_BEFORE = "Before"
NOTICE_NOW = "Now"
NOTICE_BESIDE = "Came beside it"
NOTICE_GONE = "_gone, with nothing like it in its place_"
NOTICE_REFRESH = "Refresh"
NOTICE_RIGHT = "Still right"
NOTICE_NOT_MINE = "Not mine"
NOTICE_LATER = "Later"
NOTICE_ANEW = "It was asked again; the new answer stands under the old one."
NOTICE_SETTLED = {
    "still right": "Still right, says {by}.",
    "refreshed": "Asked again for {by}.",
    "not mine": "Not yours; I ask the next owner.",
    "later": "Put off until {until}.",
    "withdrawn": "That answer was taken back; there is nothing to do.",
}
NOTICE_MOVED = "What stood here is told in a newer message."
NOTICE_MORE = "_and {count} more: on my Home tab_"
NOTICE_SUMMARY = ("1 answer may need a look", "{count} answers may need a look")

STALE_SINCE = ":warning: *Out of date* since {commit} by {author} on {day}{again}"
STALE_AGAIN = ": asked again below"
STALE_DOUBT = ":grey_question: *May be out of date* since {commit} by {author} on {day}{again}"
AGAIN_LEAD = "{who}{commit} by {author} changed what the answer above rests on. Asked again:"
AGAIN_QUOTING = "{commit} by {author} changed what an answer of mine rests on. Asked again:\n> {question}"

HOME_NOTICES = "Answers to look at"
HOME_NOTICES_UNOWNED = "Nobody who owns `{path}` can be reached here: {owners}."
HOME_NOTICES_NO_OWNER = "Nobody is named as the owner of `{path}`."

HOME_RULES = "Agreed only in chat"
HOME_RULES_NONE = "Nothing: whatever was decided in your channels stands in the handbook, as far as I know."
HOME_CONFLICTS = "Decided against what the handbook says"
HOME_MARKS = "What you marked"
HOME_REST = "_and {count} older ones_"
HOME_SAYS = "The handbook says “{quote}” ({place})"

NO_TRANSCRIPT = (
    "Zoom made no transcript of your recording _{topic}_ of {day}, so what was decided in it cannot be found here. "
    "To have one the next time, switch on *Audio transcript* under *Recording* in your Zoom settings; if you have the "
    "words elsewhere, whoever runs me can take them in with `brain ingest`."
)


def no_transcript(topic: str, day: str) -> str:
    """What the host of a meeting is told whose recording has no transcript; `topic` is escaped."""
    return NO_TRANSCRIPT.format(topic=topic or "without a topic", day=day)


def apology(error: BaseException) -> str:
    """What to tell the person whose question ended in this error, as text: what is wrong and what to do, no trace."""
    if isinstance(error, UserFacing):
        return str(error)
    if isinstance(error, Retry):
        return TRIED.format(reason=error)
    return BROKEN
