"""Google Drive: a folder's documents, with every revision of them that Google kept."""
