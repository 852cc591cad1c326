"""Text as it is written: pages to sections and units, what changes meant, search words, spans, owners. No I/O."""
