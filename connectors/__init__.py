"""Where the product's knowledge comes from: one file or folder a source. They know the model, text and errors only."""
