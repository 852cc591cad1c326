"""The names of months in the languages most minutes are in."""

MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan januar jänner janvier enero|february feb februar février febrero|march mar märz mars marzo|"
        "april apr avril abril|may mai mayo|june jun juni juin junio|july jul juli juillet julio|"
        "august aug août agosto|september sept sep septembre septiembre|october oct oktober okt octobre octubre|"
        "november nov novembre noviembre|december dec dezember dez décembre diciembre".split("|"),
        1,
    )
    for name in names.split()
}
"""Each name, whole or short, in lower case, to its number from 1."""

NAMES = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
"""A pattern for the beginning of a word; it needs `re.I`."""
MONTH = rf"{NAMES}\b\.?"
"""The same for a whole word, with the dot behind a short one."""
