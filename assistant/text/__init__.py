"""Text as it is written: pages to sections and units, what a change meant, search words, spans, owners. Pure: no I/O."""
