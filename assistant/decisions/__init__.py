"""What was settled: from what people said, to the commit that carried it out."""
