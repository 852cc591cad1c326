"""How questions of each kind are phrased, as patterns over the mended, lower-case question."""

import re


def _any(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


PATH = r"[\w@./-]*\w\.(?:md|mdx|markdown|html\.md(?:\.erb)?|erb|rst|txt|adoc)\b"

_SAYS = r"\b(?:says?|said|states?|stated|reads?|contains?|contained|tells?)\b"
_MADE = (
    r"(?:chang\w*|add\w*|remov\w*|introduc\w*|made|make|brought|put|set|wrote|written|updat\w*|replac\w*|renam\w*|"
    r"rais\w*|lower\w*|cut|drop\w*|delet\w*|mov\w*|increas\w*|decreas\w*|reduc\w*|stretch\w*|correct\w*|shorten\w*|"
    r"extend\w*|tighten\w*|loosen\w*|switch\w*|merged|committed|landed|start\w*|did|get|got|became|become)"
)
_DID = (
    r"(?:changed|added|removed|introduced|made|brought|put|set|wrote|updated|replaced|renamed|raised|lowered|cut|"
    r"dropped|deleted|moved|increased|decreased|reduced|corrected|shortened|extended|tightened|loosened|switched|"
    r"merged|committed|started)"
)
_DECIDED = (
    r"(?:decided|approved|agreed|settled|ruled|signed (?:it )?off|picked|chose|chosen|discussed|confirmed|"
    r"made (?:the|that|this) (?:call|decision)|gave the go-ahead)"
)
_REQUEST = r"(?:prs?|mrs?|pull requests?|merge requests?|commits?|changes?)"
_MOVED = (
    r"(?:drop\w*|f[ae]ll\w*|rise|rose|risen|increas\w*|decreas\w*|declin\w*|jump\w*|go|went|gone|spik\w*|collaps\w*|"
    r"grow\w*|grew|shrink|shrank|dip\w*|plummet\w*|surg\w*|doubl\w*|halv\w*)"
)
_ON_PAGE = rf"(?:of|in|on)\s+(?:the\s+)?(?P<p>{PATH}|[^?]+?\s+page|page\s+[^?]+?)"

ABOUT = re.compile(
    r'^what (?:does|did|do)\s+(?:the\s+)?(?P<p>[^"?]+?)\s+(?:page|document|doc)\s+'
    r'(?:say|tell(?: us)?|state)\s+(?:about|on|regarding)\s+(?:the\s+)?(?P<h>[^"?]+?)\s*\??$'
)
"""What does a page say about a topic, which may be a section of it."""

SECTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf'\bsection\s+"(?P<h>.+)"\s+(?:of|in|on|from)\s+(?P<p>.+?)\s+{_SAYS}',
        rf'\bsection\s+"(?P<h>.+)"\s+(?:of|in|on|from)\s+(?P<p>{PATH})',
        rf'"(?P<h>[^"]+)"\s+(?:section\s+)?(?:of|in|on|from)\s+(?P<p>{PATH})',
        r'(?:\bsection\s+"(?P<h>[^"]+)"|"(?P<h2>[^"]+)"\s+section)(?P<p>)',
        rf'^what (?:does|did|do)\s+"(?P<h>[^"]+)"(?P<p>)\s+{_SAYS}',
        rf'\b(?:section|chapter|paragraph)\s+(?P<h>[^"?]+?)\s+(?:of|in|on|from)\s+(?:the (?:page )?)?(?P<p>{PATH})',
        (
            r'\bthe\s+(?P<h>[^"?]+?)\s+(?:section|chapter|paragraph)\s+(?:of|in|on|from)\s+(?:the (?:page )?)?'
            rf"(?P<p>[^?]+?)(?:\s+page)?(?:\s+{_SAYS}|\s*\?|$)"
        ),
        (
            r'^(?:what|show|quote|read|give|open|display)\b.*?\bthe\s+(?P<h>[^"?]+?)\s+(?:section|chapter)(?P<p>)'
            rf"(?:\s+{_SAYS}|\s*\?|$)"
        ),
        (r'\bsection\s+(?P<h>[^"?]+?)\s+(?:of|in|on|from)\s+(?:the\s+)?(?P<p>[^"?]+?)\s+(?:page|document|doc)\b'),
        rf'\bsection\s+(?P<h>[^"?]+?)(?P<p>)\s+{_SAYS}',
        ABOUT,
    )
)
"""What does a section say: `h` is the heading, `p` the page; the contract's own form first."""

WAYS = {
    **dict.fromkeys(("before", "above", "precedes", "ahead of"), "before"),
    **dict.fromkeys(("after", "follows", "following"), "after"),
    **dict.fromkeys(("under", "below", "beneath", "inside", "within"), "under"),
}
"""Words for where a section stands, and which of the three they mean."""

NEIGHBOUR = re.compile(
    r"^(?:and\s+)?(?:what|which)(?:'s)?(?:\s+(?:sections?|headings?|parts?|chapters?|subsections?))?"
    r"(?:\s+(?:comes?|is|are|stands?|goes|lies|there))*(?:\s+(?:directly|right|immediately|just|next))*"
    rf"\s+(?P<way>{'|'.join(sorted(WAYS, key=len, reverse=True))})\s+(?P<h>[^?]+?)(?:\s+{_ON_PAGE})?\s*\??$"
)
OUTLINE = re.compile(
    r"\b(?:outline|table of contents|toc|structure|(?:sub)?sections|headings)\b(?:\s+(?:are|is|there|does|do))*"
    rf"\s+{_ON_PAGE.replace('of|in|on', 'of|in|on|under|for')}\s*(?:have)?\s*\??$"
)
PAGES = re.compile(
    r"^(?:(?:what|which)\s+(?:other\s+)?pages\s+(?:are there|exist|do you (?:know|have)|can i ask about|"
    r"(?:are|stand) in the handbook|does the handbook have)|"
    r"(?:list|show)(?: me)?(?: all)?(?: the| your)?\s+pages)\s*\??$"
)
OWNER = re.compile(
    r"\b(?:who(?:'s| is| are)?\s+(?:the\s+)?(?:owns?|owners?|owned|maintains?|maintainers?|responsible\s+for|"
    r"in charge of|codeowners?)|owners?\s+of|whose\s+(?:page|section|document|file)\s+is|"
    r"(?:whom?|who)\s+(?:do|should|can|must)\s+(?:i|we)\s+(?:ask|contact|ping|talk to)\s+about)\b(?:\s+of)?"
)
PAGE_ITSELF = re.compile(rf"{PATH}|\b(?:page|section|document|doc|file|codeowners|this|that|it|handbook)\b")
"""In a question about an owner: it means the page, not a thing that the page tells of."""

CHANGES = re.compile(
    r"^(?:and\s+|so\s+)?(?:what(?:'s| is| has| have| was)?(?:\s+been)?\s+"
    r"(?:chang(?:ed|es|ing)|new|updated|modified|different|edited)\b|"
    r"(?:any|list|show(?: me)?|which|what)(?:\s+(?:are|the|recent|latest|last|new|rule|page|handbook))*\s+changes?\b|"
    r"changes?\s+(?:to|in|on|since|between)\b|did anything change|has anything changed|"
    r"what (?:sections|pages|rules) (?:have )?(?:been )?changed)(?:\s+(?:lately|recently))?"
)
IMPACT = re.compile(
    rf"\b(?:what|which)\b.*\b(?:commit\s+(?P<sha>[0-9a-f]{{6,40}})|{_REQUEST}\s+(?P<n2>\d+))|"
    rf"\b(?:what|which)\b.*?\s(?:{_REQUEST}\s*)?[#!](?P<n>\d+)"
)
METRIC = re.compile(
    r"^(?:and\s+|so\s+)?why\s+(?!(?:\w+\s+)?(?:we|they|you|i|people)\b)(?:did|have|has|had|is|are|was|were)?\s*"
    rf"(?P<m>.+?)\s+{_MOVED}\b"
)
STILL = re.compile(
    r"^(?:and\s+)?(?:is|are|does|do|must|should|can|may|will)\b.*\bstill\b|"
    r"\bstill\s+(?:so|true|valid|current|the case)\b"
)
SINCE = re.compile(
    r"\b(?:since when|from when on|how long ago (?:was|did|were)|how long has|how long have)\b|"
    rf"^(?:and\s+)?when\s+(?:did|was|were|has|had|have)\b.*\b(?:{_MADE}|{_DECIDED}|agree|decide|come|came)\b"
)
CHANGER = re.compile(
    rf"\b(?:in\s+)?(?:which|what)\s+{_REQUEST}\b(?=.*\b(?:{_MADE}|\w{{3,}}ed|rewrote)\b)|\bby\s+whom\b|"
    r"\b(?:by|with|in|through)\s+(?:which|what)\s+request\b|"
    rf"\b(?:which|what)\s+request\s+(?:last\s+|first\s+)?{_DID}\b|"
    rf"\bwho(?:\s+(?:has|had|have|first|originally|actually|finally))?\s+(?:{_DID}|{_DECIDED}|laid down|went ahead|"
    r"(?!used|need|own|involv)[a-z]{3,}ed)\b|\bwhose\s+(?:decision|idea|change|commit)\b|"
    r"\bwhich\s+(?:commit|pr|mr|pull request|merge request)\s*\??$"
)
BEFORE = re.compile(
    r"\b(?:was|were|did|had|has been)\b[^?]*?\b(?:before\b(?:\s+(?:that|this|then|it|the\s+\w+)|\s*,|\s*\?|$)|"
    r"previously|formerly|originally|initially|at first\b|earlier\b|until then)|\bdid\b[^?]*\buse to\b|"
    r"^(?:and\s+)?what (?:was|were) (?:the|our) (?:very )?(?:previous|former|old|earlier|prior|original|initial)\b|"
    r"^what used\b[^?]*\bto be\b|"
    r"^before\s+(?:that|this|then|the)\b|\band\s+before\b|(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )"
    r"\bused to\b|\bthe\s+(?:previous|former|old|earlier|prior)\s+"
    r"(?:value|rule|version|wording|text|limit|one|number)\b"
)
FIRST = re.compile(r"\b(?:originally|original|initially|initial|at first)\b")
"""That a question about before means how it began."""

_ALTERED = (
    r"(?:chang|updat|revis|modifi|amend|alter|edit|adjust|rais|lower|increas|decreas|reduc|rewrit|reword)"
    r"(?:ed|es?|y|ten)?"
)
HISTORY = re.compile(
    r"^(?:and\s+)?(?:(?:what(?:'s| is| was)|(?:show|give|tell)(?: me)?|list)\s+)?(?:the\s+)?(?:whole\s+|full\s+)?"
    r"(?:history|evolution|timeline|versions)\s+of\b|"
    rf"^how (?:has|have|did)\b[^?]*\b(?:{_ALTERED}|evolved?|develop(?:ed)?)"
    r"(?:\s+(?:over|through|across|with)\b[^?]*)?\s*\??$"
)
COUNT = re.compile(rf"^(?:and\s+)?how (?:often|many times)\s+(?:did|was|were|has|have|had)\b[^?]*\b{_ALTERED}\b")
MOVED = re.compile(
    r"^(?:and\s+)?(?:did|has|have|was|were)\s+(?!(?:we|i|you|they|anyone|anybody|someone)\b)"
    rf"[^?]+?\s{_ALTERED}"
    r"(?=\s*\??$|\s+(?:in|on|since|before|after|between|during|last|this|lately|recently|at|over|within)\b)"
)
"""Whether it changed at all, or in a stretch of time."""
TALK = re.compile(
    r"^(?:and\s+|so\s+)?(?:why\s+(?:did|was|were|have|has|had|don't|didn't|do we no longer)|what made\b|"
    r"what was the reason|how come\b|for what reason)|\bwhere\b[^?]*\b(?:discussed|decided|agreed|conversation)\b|"
    rf"\bin which (?:channel|meeting|thread|call)\b[^?]*\b{_DECIDED}\b"
)
PAST = re.compile(r"\b(?:was|were|did|had|said|would|could|told|got|paid|read|stood|meant|\w{3,}ed)\b|\bas of\b")
"""That a question is about how things were."""


_SINCE_WORDS = (
    r"since when", r"from when on", r"how long ago (?:was|did|were)", r"how long ha(?:s|ve)(?: we)?",
    r"when\s+(?:did|was|were|has|had|have)", r"change", _DID, _DECIDED, r"come", r"been",
)  # fmt: skip
_ANY_RULE = r"(?:the|that|our) (?:rules?|sections?|pages?) (?:about|on|for)"
"""Words before what a question is about, which stand in no rule."""
_CHANGER_WORDS = (
    _ANY_RULE, rf"(?:(?:in|by|with|through)\s+)?(?:which|what)\s+(?:{_REQUEST}|request)", r"by whom", r"whose?",
    r"that|did|was|were", _DID, r"rewrote",
    _DECIDED, r"decision", _REQUEST,
)  # fmt: skip
_BEFORE_WORDS = (
    (
        r"(?:and\s+)?before(?:\s+(?:that|this|then|it)\b(?:\s+(?:was\s+)?\w+ed\b)?|"
        r"\s+the\s+(?:change|switch|update|move|redesign|rename|new one))?"
    ),
    r"previously", r"formerly", r"originally", r"original", r"initially", r"initial", r"at first",
    r"used? to(?: be)?", r"what used", r"to be", r"earlier", r"until then", r"previous", r"former", r"old",
    r"prior", r"wording", r"version", r"it changed",
)  # fmt: skip
_CHANGES_WORDS = (
    r"lately", r"recently", r"since", r"between", r"in the handbook", r"any", r"changes?",
    r"in|on|to|about|for|with|of",
)  # fmt: skip
_TALK_WORDS = (
    _ANY_RULE, r"why", r"how come", r"what made", r"what was the reason", r"for what reason", r"where", r"can i read",
    r"the conversation", r"in which (?:channel|meeting|thread|call)", r"was|were|did", _DID, _DECIDED,
)  # fmt: skip

_HISTORY_WORDS = (
    (
        r"(?:what(?:'s| is| was)|(?:show|give|tell)(?: me)?|list)(?=(?:\s+the)?(?:\s+(?:whole|full))?"
        r"\s+(?:history|evolution|timeline|versions))"
    ),
    r"(?:the\s+)?(?:whole\s+|full\s+)?(?:history|evolution|timeline|versions)\s+of",
    r"how (?:often|many times)?\s*(?:has|have|did|was|were|had)",
    r"^(?:did|has|have|was|were)", _ALTERED, r"evolved?", r"develop(?:ed)?",
    r"over (?:time|the years)", r"ever", r"been",
    r"lately", r"recently", r"already",
)  # fmt: skip
HISTORY_WORDS = re.compile(rf"\b{_any(*_HISTORY_WORDS)}\b", re.I)
SINCE_WORDS = re.compile(rf"\b{_any(*_SINCE_WORDS)}\b", re.I)
CHANGER_WORDS = re.compile(rf"\b{_any(*_CHANGER_WORDS)}\b", re.I)
BEFORE_WORDS = re.compile(rf"\b{_any(*_BEFORE_WORDS)}\b", re.I)
STILL_WORDS = re.compile(r"\b(?:still|true|valid|so|current|the case)\b", re.I)
OWNER_WORDS = re.compile(
    rf"{OWNER.pattern}|\b(?:the\s+)?(?:page|section|document|doc|file|rule)s?(?:\s+(?:about|on|for|of))?\b", re.I
)
CHANGES_WORDS = re.compile(rf"{CHANGES.pattern}|\b{_any(*_CHANGES_WORDS)}\b", re.I)
TALK_WORDS = re.compile(rf"\b{_any(*_TALK_WORDS)}\b", re.I)
_ASKING_WORDS = (
    rf"(?:in |by |with |on )?(?:which|what) (?:{_REQUEST}|channel|meeting|thread|call|room|minutes|day|date|time)",
    *_CHANGER_WORDS, *_SINCE_WORDS, *_TALK_WORDS, _DID, r"agree\w*|decid\w*|decisions?|approv\w*|settl\w*",
    r"discuss\w*|talk\w*|conversation|anywhere|reasons?|reasoning|rationale|thinking|motivation",
    r"any ?more|no longer|rules?|polic(?:y|ies)|handbook|page|slack|zoom|chat",
)  # fmt: skip
ASKING_WORDS = re.compile(rf"\b{_any(*_ASKING_WORDS)}\b", re.I)
"""Words that say what is asked of a decision, whatever it is about."""
DECIDING = re.compile(rf"\b(?:{_DECIDED}|decisions?|decide|approve|agree|settle|agreement|new)\b", re.I)
"""Words for deciding, whoever does, and whatever it is about."""
