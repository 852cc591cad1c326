"""What a person sees and what their clicks mean, the same for every surface."""
