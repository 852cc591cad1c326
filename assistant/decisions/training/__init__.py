"""How the weights of the rules extractor were made: recipe.md says from what, fit.py is the sum, kinds.json our own dialogues."""
