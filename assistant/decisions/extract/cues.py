"""Words that tell what an utterance does: settle, propose, ask, defer, give work out, agree, object."""

import re

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)"
_NAME = r"@?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?"


def _cue(*forms: str, exact: bool = False) -> re.Pattern[str]:
    return re.compile("|".join(forms), 0 if exact else re.I)


CUES: dict[str, re.Pattern[str]] = {
    "settled": _cue(
        r"\b(?:is|was|that's|it's|so|consider it|consider this) (?:decided|settled|agreed|approved|final)\b",
        r"^(?:\W*(?:ok(?:ay)?|so|alright|fine|good|right),? )?(?:decided|settled|agreed|approved|resolved|"
        r"confirmed)\b",
        r"\bdecision\s*:|\bdone then\b|\bcalling it\b|\bcall it settled\b|\bit's a deal\b|\bmotion (?:carries|"
        r"passes)\b",
        r"\bwe(?:'ve| have)? (?:decided|agreed|settled|resolved)\b|\bmy decision\b|\bfinal (?:answer|call|word)\b",
        r"\blet me (?:close|settle|conclude|wrap) (?:this|it)\b|\bi'?ll (?:decide|make the call|call it)\b",
        r"\bto (?:sum up|summarise|summarize|conclude)\b|\bi'?ll (?:summarise|summarize|sum up)\b|"
        r"\bfor the (?:notes|record|minutes)\b",
    ),
    "resolve": _cue(
        r"\blet'?s (?:do|go|take|put|say|make|give|call|set|use|keep it at|switch|move|drop|try|settle|stick|"
        r"have|adopt|fix)\b",
        r"\bwe(?:'re| are) (?:going with|doing|moving|switching|dropping|taking|changing|adopting)\b",
        r"\b(?:we|i) (?:go|take|do|switch|use|adopt|settle|change|drop|start|stop|move|raise|lower|cut|choose|say|"
        r"make|set|cap|allow|require|expect|limit|ban|merge)\b",
        r"\bwe'?ll (?:go|take|do|use|switch|settle|move|adopt|make)\b|\bgo(?:ing)? with\b",
        r"\bmake it\b|\bput it at\b|\bdo it\b|\bdo that\b|\bi'?m convinced\b|\bapproved\b|\bship it\b|"
        r"\byes,? let'?s\b",
    ),
    "it_is": _cue(r"\bit is(?: then)?\b(?= *[.,;!]| then|$)|\bit'?s (?:about )?\S+(?: \S+)? then\b|\bthen it'?s\b"),
    "then": _cue(
        r"^\W*(?:ok(?:ay)?|alright|all right|right|good|great|fine|yes|yeah|well|so|and|hm)?[,.]? ?(?:so )?then\b",
        r"^[^.?!]{0,60}\bthen(?:[.,:]| and\b|$)",
    ),
    "opener": _cue(
        r"^\W*(?:ok(?:ay)?|alright|all right|right|good|great|fine|done|so|well|yes|yeah|perfect|thanks all)\b"
    ),
    "rule": _cue(
        r"\bnew (?:\w+ )?(?:rule|limit|policy|default|standard|process|cap|threshold|minimum|maximum)\b",
        r"\bthat'?s (?:a|the) (?:new )?(?:rule|limit|policy|number|default|standard)\b",
        r"\bthat'?s (?:how|what|the way) (?:we|i)(?:'ll)? (?:do|go|handle|work|use)\b|\bthe rule is\b|\bas a rule\b",
    ),
    "onward": _cue(
        r"\bfrom (?:now|today|here|tomorrow|then|this (?:week|month|quarter|year|sprint|"
        r"release))(?: on(?:wards?)?)?\b",
        rf"\b(?:from|as of|as from|starting|effective|beginning)(?: with| on| from| in)? (?:the )?(?:next|coming|"
        rf"today|now|tomorrow"
        rf"|{_DAY}|{_MONTH}\b|\d{{1,2}}(?:st|nd|rd|th)?\b|(?:\w+-)?\w+(?:th|st|nd|rd)\b|this|q[1-4]|fy|immediately)",
        r"\bgoing forward\b|\bfrom the next\b|\bfor good\b|\bwith (?:immediate effect|the new fy)\b|"
        r"\bhenceforth\b|\bpermanently\b",
    ),
    "replaced": _cue(
        r"\binstead of\b|\bin place of\b|\breplac(?:es|ing)\b|\brather than\b|\bno longer\b|\b(?:not|"
        r"n't) [^.?!]{1,40} any ?more\b",
        r"\b(?:scrap|forget|drop|kill|remove) (?:the|what|that|my)\b|\b(?:is|are) (?:gone|out|dropped)\b|"
        r"\b(?:down|up|goes?|moves?) to\b",
        r"\b(?:and|,) not (?:the|from|to|in|on|a|an|\w+)\b|\bdisappears?\b|\bsupersedes?\b|\breverts?\b",
    ),
    "work": _cue(
        r"\b(?:put|write|add|fold) (?:it|this|that|them) (?:on|in|into|down)\b|\bthe page is yours\b|"
        r"\byour page\b|\bon (?:the|that|our) (?:\w+ )?page\b",
        r"\bi(?:'ll| will|'m going to|'m) (?:put|change|update|fix|rewrite|rewriting|reorganising|reorganizing|"
        r"correct|announce|tell|write|adjust|do the|approve|bounce|fold|edit|post|close|closing|push|open)\b",
        r"\bcorrect the page\b|\bpages?\b",
    ),
    "given": _cue(
        rf"(?:^|[.,;!?] |\band )(?:{_NAME})(?:,| please| can you| could you| will you| will| you| updates?|"
        rf" changes?| does| do| puts?| builds?| moves?| rewrites?| and I (?:are|will))\b",
        rf"\b(?:[Cc]an|[Ww]ill|[Cc]ould|[Pp]lease,?) (?:{_NAME})\b|\btell (?:your|the) \w+\b|"
        rf"\bplease (?:\w+ )?(?:put|push|update|write|move|change|use)\b|\bwho has time\b",
        exact=True,
    ),
    "everyone": _cue(
        r"\b(?:everyone|everybody|whoever|nobody|no one|anyone who|all of us|every|per (?:person|teammate|"
        r"head))\b",
        r"\bno (?:exceptions?|discussion|more)\b|\b(?:never|always|at most|at least|exactly|officially)\b|"
        r"\bfor (?:all|everyone|everybody)\b|\bonly\b",
    ),
    "pointer": _cue(
        r"\b\w+['’]s (?:version|number|proposal|idea|option|options|suggestion|plan|deadline|round number|PR|pr|"
        r"way|wording)\b",
        r"\b(?:what|where|the way|how|as|exactly what|with what|"
        r"like) (?:@?[A-Z][\w'’-]+(?: and @?[A-Z][\w'’-]+)?|you|he|she|they|I) (?:just )?(?:says?|said|put|puts|"
        r"propos|suggest|describ|wrote|posted|named|want|ran|did|tried|has)",
        rf"\b(?:[Aa]gree|[Aa]greed|[Gg]o|I'm) with (?:@?[A-Z]\w+)|\b(?:the )?(?:{_ORDINAL}|longer|shorter|middle|"
        rf"latter|former|lower|higher|bigger|smaller|other) (?:option|one|version|number|of)\b",
        rf"\b(?:[Oo]ption|[Vv]ariant|[Vv]ersion|[Nn]umber) (?:[A-Da-d1-5]\b|{_ORDINAL})|\b[Bb]oth\b|"
        rf"\b[Ss]ame (?:clock|slot|as|for|person)\b|\bthat split\b|\b[Tt]he new one\b",
        r"\b(?:number|version|proposal|option|idea|one|deadline|two) [A-Z][\w-]+(?:'s)? (?:is |was )?\w+|\b(?:I|"
        r"we) (?:just )?(?:said|proposed|posted) before\b",
        r"^(?:[A-Da-d]|[1-5])(?:\.| it is\b| then\b|,)",
        exact=True,
    ),
    "yielding": _cue(
        r"\bi (?:give up|give in|withdraw|'ve lost|was going to fight)\b|\bconvinced\b|\bi'?m (?:fine|ok|"
        r"okay) with\b|\bok(?:ay)? (?:from|for|with|by) me\b"
        r"|\bfine by me\b|\bworks for me\b|\bno objections?\b|\bi like (?:it|that|the)\b|\bagreed\b|\bi agree\b|"
        r"\banyone against\b|\bi don'?t see anyone\b|\bworks for everybody\b"
    ),
    "propose": _cue(
        r"\b(?:i'?d|i would) (?:say|like|go|take|want|put|prefer|rather|suggest|do|make|keep|be|call|give|have|"
        r"drop|love)\b",
        r"\b(?:how|what) about\b|\bwhat if\b|\bcould (?:we|you|it|be)\b|\bshould (?:we|it|be)\b|\bgive it to\b|"
        r"\bpush it\b|\b(?:my )?(?:proposal|suggestion|idea)\b",
        r"\bpropos(?:e|al)\b|\bsuggest\b|\bmaybe\b|\bperhaps\b|\bwhy (?:not|don't we)\b|\boptions?\b|"
        r"\bthree ways\b|\bor (?:we|should)\b",
    ),
    "suppose": _cue(
        r"\bif (?:we|it|you|i|they|there)\b|\bwould\b|\bmight\b|\bhypothetical|\bin theory\b|"
        r"\bthinking out loud\b|\bwonder(?:ing)?\b|\b\w+'d\b|\bimagine\b"
    ),
    "defer": _cue(
        r"\bpark(?:ed)?\b|\bfor now\b|\bnot (?:now|yet|today|this (?:week|month|year|quarter))\b|\blater\b|"
        r"\bpostpone|\brevisit\b|\bopen for\b",
        r"\b(?:look|talk|come back|think|decide|discuss) (?:at|about|to|on)? ?(?:it |this |that )?(?:again|later|"
        r"next|after|in|when|once)\b|\bleave (?:it|this|that)\b|\bstays?\b|\bno change\b|\bas (?:it )?is\b",
        r"\bask me in\b|\b(?:don't|doesn't|do not) (?:know|want to change)\b|\bwait (?:for|until)\b|"
        r"\buntil (?:we|somebody|i|you)\b|\bkeep the\b|\btake (?:it|this) offline\b|\bnot going to\b|"
        r"\bfirst want\b|\bi'?d rather first\b|\bbefore i say yes\b|\bwhen it's real\b",
    ),
    "refuse": _cue(
        r"^\W*(?:no|nope|nah)\b",
        r"\bit's a no\b|\bis a no\b|\bthen no\b|\bi'?m sorry\b|\brejected\b|\bplease (?:no|don't)\b",
        r"\bout of the question\b",
    ),
    "joke": _cue(
        r"\bha(?:ha)*\b|\blol\b|\bjok(?:e|ing)\b|\bkidding\b|\bjust kidding\b|:(?:joy|rofl|laughing|"
        r"upside_down_face|wink|see_no_evil|sob|innocent|sweat_smile|slightly_smiling_face|grimacing):|[😂🤣😅😉🙃]"
    ),
    "others": _cue(
        r"\b(?:competitor|other compan|my (?:old|last|previous) (?:company|team|job|employer)|"
        r"elsewhere|friend at|rumou?r|their policy|"
        r"comparable compan)\w*"
    ),
    "restate": _cue(
        r"\b(?:page|policy|handbook|doc|document|plan|contract|template|guide) (?:says|said|has|asks|gives|wants|"
        r"reads)\b|\bit says\b|\bcurrently\b|\bat the moment\b|\btoday it'?s\b|\bas (?:it is )?now\b|\balready\b|"
        r"\bremind"
    ),
    "report": _cue(
        r"\b(?:fyi|reminder|heads.?up|tip|ps|btw)\b|^(?:good )?morning\b|^(?:hello|hi|hey|welcome)\b|\bmedian\b|"
        r"\bp95\b|\blast (?:week|month|year|quarter|tuesday|monday)\b|\bwas\b|\bwere\b"
    ),
    "agenda": _cue(
        r"\bnext (?:one|topic|item|point|line|is|are)\b|\blast (?:thing|one|point|topic|item)\b|^(?:then|"
        r"and then|okay,? then|so then) (?:the|there)\b|\banything else\b|\bother topics\b|\bmoving on\b|"
        r"\bwhat else\b|\bsecond (?:half|question|thing)\b"
    ),
    "bye": _cue(r"\b(?:bye|thanks (?:all|everyone|everybody)|see you|talk soon|ciao|good night)\b"),
    "because": _cue(r"\bbecause\b|\bsince\b|\bso that\b|\botherwise\b|\bthe reason\b|\bthat way\b"),
}  # fmt: skip
"""Each class and its forms; several may hold for one utterance."""

ASSENT = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|good|great|fine|perfect|agreed|done|deal|works|sure|will do|on it|got it|"
    r"noted|understood|roger|thanks?|thank you|thx"
    r"|love it|nice|smart|makes sense|fair|true|right|exactly|sounds good|no objections?|happy|with pleasure|"
    r"absolutely|of course)\b"
    r"|:(?:\+1|thumbsup|white_check_mark|heavy_check_mark|tada|ok_hand|clap|pray|heart|raised_hands|"
    r"saluting_face|100|rocket|ship|shipit|shipit)[\w:]*|\+1|👍|✅|🎉)",
    re.I,
)
"""How an answer that agrees begins."""

TAKES_WORK = re.compile(
    r"\b(?:i'?ll|i will|i can|on it|will do|doing it|packing it|setting|both on|as we speak|ordering)\b", re.I
)
"""Somebody takes up what was given out."""

OBJECTION = re.compile(
    r"^\W*(?:no\b|but\b|hm+\b|wait\b|hold on|i disagree|not sure|why\b|really\?|please (?:no|don't)|objection|"
    r"hard pass|nope|i don't)|\bi'?d rather\b",
    re.I,
)
"""How an answer that goes against it begins."""

APPROVING = frozenset(
    "white_check_mark heavy_check_mark ballot_box_with_check +1 thumbsup ok ok_hand handshake 100 ship shipit approved "
    "check check_mark raised_hands".split()
)
"""Reactions that agree."""

DECIDING = frozenset("white_check_mark heavy_check_mark ballot_box_with_check approved check check_mark shipit".split())
"""Reactions that sign something off."""

ASKS_APPROVAL = re.compile(
    r"\bok(?:ay)? (?:for|with|by) you\b|\bcheck ?mark\b|:white_check_mark:|:\+1:|\bapprov\w+|\bsign(?:ed)? off\b|"
    r"\bproposal\b|\bpropose\b|\breact\b|\bvote\b|\bobjections?\b|\bok\?|"
    r"\b(?:vorschlag|einverstanden|zustimm|genehmig|freigabe|abstimm|passt das|propuesta|de acuerdo|apr[uo][eé]?b|"
    r"d['’]accord|approuv|proposition|voorstel|akkoord|goedkeur|proposta|aprov|concord|предлага|соглас|одобр)|"
    r"提案|承認|賛成|同意|批准|제안|승인|동의",
    re.I,
)
"""A proposal that asks for a reaction: a sign settles in any language, if only what it is asked for is known."""


_EXACT = {name: forms for name, forms in CUES.items() if not forms.flags & re.I}
_ANY_CASE = {name: re.compile(forms.pattern) for name, forms in CUES.items() if forms.flags & re.I}
"""Looked for in the text in small letters, which takes a third less time."""


def cues(text: str) -> frozenset[str]:
    """The classes that hold for the text."""
    small = text.lower()
    return frozenset(
        [name for name, forms in _ANY_CASE.items() if forms.search(small)]
        + [name for name, forms in _EXACT.items() if forms.search(text)]
    )
