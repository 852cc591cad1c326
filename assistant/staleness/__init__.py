"""Which answers a change touched, whether they still stand, and answering anew."""
