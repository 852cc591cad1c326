"""Sentences that tell by themselves that something was settled: `The board agreed to …`, `Motion carried 5–2.`"""

import re

_BODY = (
    r"(?:we|(?:the )?(?:board|committee|team|group|meeting|council|members|trustees|directors|management|leads?|chair|"
    r"assembly|partners|shareholders|plenary|working group|steering group)(?: members)?|all|everyone|everybody|both|"
    r"those present)"
)
_BODIES = (
    r"(?:wir|(?:der|die|das) (?:\w*vorstand|\w*team|\w*runde|\w*versammlung|\w*ausschuss|\w*rat|\w*gremium|\w*gruppe|"
    r"\w*leitung|geschäftsführung|mitglieder|anwesenden))"
)
REPORTED = re.compile(
    rf"(?:^|[.;!]\s+|\n\s*)\W*(?:(?:so|then|finally|eventually|therefore|hence|in the end|at the end|as a result|"
    r"after [^,.;]{0,24}(?:discussion|debate|exchange)|(?:good|okay|ok|great|fine|alright|all right)"
    r"(?:, (?:then|so))?),? )?(?:"
    rf"{_BODY} (?:have |has |had )?(?:all |both |also |then |unanimously |finally |now )*(?:decided|agreed|resolved|"
    r"voted)(?: unanimously)? (?:that|to|on|in favou?r|against)\b|"
    rf"{_BODY} (?:has |have )?(?:unanimously )?(?:approved|adopted|ratified|elected|appointed)\b|"
    r"(?:it|this) (?:was|has been|is|were) (?:then |also |unanimously |finally |hereby )*(?:decided|agreed|resolved|"
    r"voted)(?: unanimously)?,? (?:that|to|on)\b|"
    r"(?:that|it)(?:['’]s| is) (?:decided|agreed|settled)(?= ?[:–—-])|"
    r"(?-i:(?:BE IT |THEREFORE )*(?:FURTHER )?RESOLVED|AGREED|DECIDED|APPROVED|Resolved)\b,?"
    r"(?= (?:that|to|unanimously)|[:–—-])|"
    rf"{_BODIES} (?:(?:hat|haben) .{{0,120}}(?:beschlossen|entschieden|vereinbart|geeinigt|genehmigt)|beschließt|"
    r"beschließen|beschliesst|beschloss|beschlossen|entscheidet|entscheiden|entschied|entschieden)\b|"
    r"es (?:wurde|wird|ist) (?:\w+ ){0,2}(?:beschlossen|entschieden|vereinbart)\b|"
    r"(?:il (?:a été|est) (?:\w+ )?(?:décidé|convenu|arrêté)|(?:nous avons|on a|(?:le|la|l['’])\s?(?:comité|"
    r"conseil|équipe|assemblée|bureau|direction|réunion|groupe|commission) a|"
    r"les (?:élus|membres|associés|participants|présents) ont) (?:\w+ )?"
    r"(?:décidé|adopté|approuvé|convenu|voté))\b|"
    r"se (?:ha )?(?:acordó|acuerda|acordado|decidió|decide|decidido|resolvió|resuelve|aprobó|aprueba|aprobado)\b|"
    r"(?:hemos|(?:el|la) (?:comité|consejo|equipo|junta|asamblea|dirección|grupo|comisión)(?: ha)?) "
    r"(?:acord|decid|aprob|resolv|resuel)\w+)",
    re.I,
)
"""How a sentence tells an outcome: `We decided that …`, `Motion carried 5–2.`"""
_VOTED = re.compile(
    r"\b(?:motion|resolution|proposal|amendment|vote|all in favou?r)\b[^\n]{0,300}"
    r"\b(?:carried|passed|approved|adopted)\b|"
    r"\b(?:carried|passed|approved|adopted) (?:unanimously|\d+\s?[-–:]\s?\d+|by \d+|nem\.? con)\b|"
    r"(?:^|[.!]\s+)consensus (?:that|to|on)\b|\bcarried (?:unanimously|by)\b|"
    r"\b(?:approved|adopted|passed) unanimously\b|"
    r"\beinstimmig (?:angenommen|beschlossen|genehmigt)\b|"
    r"\badopté[es]* à l['’]unanimité\b|\baprobad[oa]s? por unanimidad\b",
    re.I,
)
"""How a vote is told behind what was voted on."""
_OF_OLD = re.compile(
    r"\b(?:last|previous|earlier|back in|years? ago|already|once|before|never|should|could|would|might|if|when|until)\b"
    r"[^.;]{0,30}$|\b(?:last|previous) (?:year|month|week|time|meeting|quarter)\b|\bago\b",
    re.I,
)
"""What was settled another time, or may be."""


def reported(words: str) -> bool:
    """Whether a sentence tells that it was settled there and then, or that a vote was for it."""
    return bool(telling(words)) or _VOTED.search(words) is not None


def telling(words: str) -> str:
    """The sentence that tells what was settled, '' where none does or it tells of another time."""
    for told in REPORTED.finditer(words):
        sentence = _sentence(words, told.end())
        if not _OF_OLD.search(sentence) and not sentence.endswith("?"):
            return sentence
    return ""


def _sentence(text: str, at: int) -> str:
    """The sentence in which a place stands."""
    start = max(text.rfind(mark, 0, max(0, at - 1)) for mark in (". ", "\n", "; ", "! ", "? ")) + 1
    found = re.match(r".*?(?:[.;!?](?=\s|$)|\n|$)", text[start:].lstrip(" .;!?\n"), re.S)
    return found[0].strip() if found else ""
