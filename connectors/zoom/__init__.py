"""Zoom: what its recordings' downloads hold."""
