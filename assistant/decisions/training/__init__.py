"""How the weights of the rules extractor were made: recipe.md from what, fit.py how, kinds.json our dialogues."""
