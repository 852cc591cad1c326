"""The embedded servers of a home: starting, finding and ending them, and everything they hold in one file."""
