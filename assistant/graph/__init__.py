"""The versioned graph: the only place with Cypher, and the embedded servers it lives on."""
