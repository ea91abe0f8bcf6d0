"""What the project measures of itself, beside code written by hand and other engines."""
