"""Which lines that minutes give as an outcome settle something: most do, but some leave it open or give a task."""

import re

from assistant.text.spelling import english
from assistant.text.staged import reviewers

_OPEN = re.compile(
    r"\bno (?:\w+ )?(?:decisions?|consensus|agreements?|conclusions?|resolutions?|outcome|majority|quorum)\b|"
    r"\b(?:no|nothing|none)(?: \w+)? (?:recorded|decided|agreed|settled|noted|yet)\b|\bnothing (?:is )?necessary\b|"
    r"\bno (?:(?:further|other|more) )?(?:changes?|(?:action|decision|change)s? (?:is |are )?necessary)\b"
    r"(?! (?:on|after|before|during|without|in)\b)|"
    r"\b(?:not|n['’]t) (?:yet |been |be |have )*(?:decide[ds]?|agree[ds]?|settled?|resolved?|sure|ready|reached|"
    r"carried|passed|approved|adopted)\b|"
    r"(?<!can be )(?<!may be )(?<!must be )\b(?:defer|postpon|adjourn|tabl|delay)(?:ed|ing)\b|"
    r"\b(?:withheld|on hold|undecided)\b|"
    r"\b(?:next|another|later|future|following) (?:meeting|time|session)\b(?! (?:is|will be|on)\b)|"
    r"(?<!from )(?<!from the )(?<!as of )(?<!starting )(?<!until )(?<!in the )(?<!by the )\b(?:next|another|later|"
    r"future) "
    r"(?:week|month|quarter)\b(?! (?:is|are|will be|on)\b)|"
    r"\brevisit\w*|\b(?:to|will|should|must) be (?:re)?(?:discuss|clarifi|decid|determin|consider|evaluat)\w*|"
    r"\b(?:will|should|must|(?:need|ha[sv]e?)s? to|(?P<bare>to)) be (?:re)?(?:confirm|review|check)ed\b"
    r"(?(bare)(?! (?:by an?|within|every|each)\b)|(?=\W*$| (?:later|soon|again|first|whether|if|by (?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day)\b))|"
    r"\bfurther (?:discussion|work|feedback|input|research|investigation)\b|"
    r"\b(?:still|remains?|left|kept) (?:\w+ )?(?:open|unclear|pending|undecided|under (?:discussion|review))\b"
    r"(?! (?:from|at|between|(?:un)?till?) (?:\d|noon|midnight))|"
    r"\b(?:is|are) (?:still (?:open|unclear|under \w+)|unclear|pending|undecided|under (?:discussion|review))\b|"
    r"^\W*pending\b|\bpending\W*$|\bcontinu\w+ (?:the |this |to )?(?:discuss|talk|work|debat)\w*|\bcome back to\b|"
    r"\bawait\w*|\bwait(?:ing)? for\b|^\W*(?:we |still |it |this )*needs?\b|\bopen question\b|"
    r"\b(?:motion|amendment|proposal|vote|resolution|antrag)\b[^.;]{0,200}\b(?:failed|fails|defeated|lost|rejected|"
    r"abgelehnt|zurückgezogen|rejetée?|rechazad[ao])\b|^\W*(?:failed|defeated|"
    r"lost)\b(?! [a-z]+s?\b(?<!by)(?<!on)(?<!with)(?<!for))|"
    r"^\W*(?:none|nothing|n/?a|tb[acd]|open|pending|offen|keine?r?s?|nichts|rien|aucune?|ningun[oa]|nada|\?+|-)\W*$|"
    r"\?\s*$|\b(?:vertagt|verschoben|zurückgestellt|aufgeschoben)\b(?! werden)|"
    r"\boffen\W*$(?<!uhr offen)(?<!uhr offen\.)|"
    r"(?<!ab )\bnächste[nr]? (?:sitzung|mal|treffen|woche)\b|"
    r"\b(?:keine|noch keine) (?:einigung|entscheidung)\b|\bkein(?:en)? beschluss\b|\bnoch nicht\b|"
    r"(?<!être )\b(?:report|ajourn|différ)[ée]e?s?\b(?! (?:à|sur) l['’]année)|\b(?:aucune|pas de) (?:décision|"
    r"conclusion)\b|"
    r"\bprochaine (?:réunion|séance)\b|"
    r"\b(?:aplaz|pospuest|posterg)\w+|\bquedan? (?:\w+ )?pendientes?\b|"
    r"\bsin (?:decisión|acuerdo)\b|\bpróxima (?:reunión|sesión)\b",
    re.I,
)
"""It is left open, or for later."""
_TOLD_OF = re.compile(
    r"\b(?:was|were|has been|have been) (?:\w+ )?(?:shown|presented|discussed|reported|noted|heard|reviewed|"
    r"mentioned|explained|thanked|introduced|raised by|debated)\b|\b(?:is|are) (?:discussed|mentioned|thanked|"
    r"debated)\b|"
    r"^\W*(?:the |a |an )?(?:(?!(?:is|are|be|must|will|shall|can|may|get|gets) )\w+ ){0,2}(?:discussed|presented|"
    r"reported|noted|heard|reviewed|mentioned|explained|"
    r"thanked|raised|asked|expressed|pointed out|gave|shared|talked|spoke)\b"
    r"(?! \w+ (?:is|are|must|will|may|can|needs?|gets?|costs?)\b)|"
    r"^\W*(?:good|great|useful|lively|long|productive|interesting) (?:\w+ )?(?:discussion|meeting|session|progress)\b|"
    r"^\W*(?!we\b|who|any|every|if\b|when)(?:(?!who )\w+ ){1,3}(?:likes?|liked|loves?|loved|enjoy(?:ed|s)?|wants?|"
    r"wanted|prefers?|preferred|"
    r"complain\w*|felt|feels?|thinks?|thought)\b|"
    r"\bwurden? (?:\w+ ){0,3}(?:vorgestellt|besprochen|diskutiert|berichtet|erwähnt)\b",
    re.I,
)
"""It was only talked about."""
_NAMED = (
    r"(?:(?!(?:Chacune?|On|Jede[rs]?|Wer|Man|Wir|Nous|Se|Cada|Every\w+|All|Whoever|Nobody)\b)[A-Z][\w.'’-]*|@[\w.-]+)"
)
_ALL = rf"(?:{_NAMED}|(?i:everyone|everybody|all))"
_ERRANDS = (
    r"send|ask|check|write|prepare|contact|update|talk|follow|look|draft|schedule|organi[sz]e|book|find|investigate|"
    r"report|present|bring|share|circulate|explore|research|collect|gather|email|call|remind|compare|clarify|"
    r"evaluate|review|discuss|propose|create|set up|arrange|invite|coordinate|reach out|speak|meet|confirm|verify|"
    r"order|buy|fix|sign|submit|publish|post|test|finish|complete|handle|get|provide|obtain|figure out|inform|tell|"
    r"notify|announce|chase|ensure|make sure|track|monitor|document|finali[sz]e|deliver|upload|translate|escalate|"
    r"request"
)
_SEARCHES = (
    r"investigate|explore|look into|follow up|research|evaluate|discuss|clarify|consider|find out|think about|"
    r"figure out|check (?:if|whether|with)|talk to|reach out|get back|prüfen|klären"
)
_SEES_TO = (
    r"klärt|prüft|fragt|erstellt|schickt|kümmert sich|bereitet|informiert|organisiert|meldet sich|"
    r"envoie|prépare|contacte|vérifie|demande|organise|se renseigne|va|enviará|preparará|hablará|contactará|revisará|"
    r"preguntará|organizará|comprobará"
)
_TASK = re.compile(
    r"^\W*(?:(?:action|todo|to do|owner|task|aufgabe|next step|due|deadline|follow-up)s?(?: items?| points?)?\s*[:–-]|"
    r"\[[ xX]\]|(?-i:(?!OK\b)[A-Z]{2,4}(?:(?:/| and | & |, )[A-Z]{2,4})*) to (?!be\b|stage\b)[a-z]+\b|"
    rf"(?-i:{_ALL})(?:(?: | and | & |/|, | und )(?-i:{_ALL})){{0,3}}(?: to |:\s*)(?:{_ERRANDS})\b|"
    rf"(?P<who>(?-i:{_NAMED})(?:(?: | and | & |/|, | und )(?-i:{_NAMED})){{0,3}}) (?:will|shall|"
    rf"should) (?:{_ERRANDS})\b|"
    rf"(?-i:{_NAMED}) (?:{_SEES_TO})\b(?! man\b)|"
    rf"(?:we (?:will|should|need to|have to) |please |let['’]?s )?(?:{_SEARCHES})\b)",
    re.I,
)
"""Somebody has to do something."""
_FORMAL = re.compile(
    r"\b(?:(?:previous |last |draft )?minutes|agenda|protokolls?|tagesordnung|procès-verbal|compte[- ]rendu|"
    r"ordre du jour|actas?|orden del día)\b[^.;]{0,60}\b(?:approved|adopted|accepted|confirmed|agreed|genehmigt|"
    r"angenommen|approuvée?|adoptée?|aprobad[oa])\b|"
    r"\b(?:approved|adopted|accepted|approve|adopt|accept) (?:the |of )?(?:\w+ ){0,2}(?:minutes|agenda)\b|"
    r"\bmeeting (?:was |is )?(?:closed|adjourned|opened|ended)\b",
    re.I,
)
"""The meeting settled only how it met."""
_REFERS = re.compile(
    r"\W*(?:(?:see|siehe|voir|cf\.|véase|ver) |"
    r"(?:date|datum|fecha|time|zeit|place|ort|lieu|lugar|location|present|apologies|absent|attendees|participants|"
    r"anwesend\w*|teilnehm\w*|présents?|participants?|asistentes|chair|minutes taken by|protokoll)\s?:)",
    re.I,
)
"""What came out stands elsewhere, or it only says who met and when."""
_CONSENT = re.compile(
    r"\bconsensus\b|\b(?:was|were|is|are|and|been) (?:approved|agreed|accepted|adopted|decided)\b", re.I
)
"""What makes a decision of a line that also gives a task."""
_AGREED = re.compile(
    rf"{_CONSENT.pattern}|\b(?:carried|passed|passes|resolved|decided|agreed (?:that|to|on)|voted|approved|adopted|"
    r"beschlossen|beschließt|entschieden|vereinbart|décidé|adopté|convenu|acordó|acuerda|decidió|aprobó)\b",
    re.I,
)
"""What makes one of a line that also tells of talk."""
CLAUSE = 200
"""Letters of a clause at most that is looked at."""
_IN_CLAUSE = re.compile(
    r"\b(?:(?:that|which) (?:is|are|was|were|ha(?:s|ve)(?: been)?)|(?:if|when|whenever|unless|who|whoever|wer|wenn|"
    r"falls|"
    r"sobald)\b[^,.;]*)\s*$",
    re.I,
)
"""What makes the words behind it a condition of the rule."""
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)|<?\bhttps?://\S+")


def settles(words: str) -> bool:
    """Whether a line of an outcome, without its mark, is one: it leaves nothing open, gives no task, tells no talk."""
    words = _LINK.sub("", words)
    if re.search(r"[^\W\d_]{2}", words) is None:
        return False
    aside = _left_open(words) or _FORMAL.search(words) or _REFERS.match(words) or reviewers(words)
    task = _tasks(words) and not _CONSENT.search(words)
    return not aside and not task and not (_TOLD_OF.search(words) and not _AGREED.search(words))


def _left_open(words: str) -> bool:
    """Whether the words leave it open; what a rule says of a case that is open does not."""
    return any(
        not _IN_CLAUSE.search(words, max(0, found.start() - CLAUSE), found.start()) for found in _OPEN.finditer(words)
    )


def _tasks(words: str) -> bool:
    """Whether somebody is given a task; what `Managers will …` is a rule for whoever is one."""
    task = _TASK.match(words)
    return task is not None and not (task["who"] and _many(task["who"].casefold()))


def _many(who: str) -> bool:
    """Whether it is the plural of an English word, and so nobody's name."""
    return who.endswith("s") and who in english() and any(who[:cut] in english() for cut in (-1, -2))
