"""Drawings of the book's figures: each makes its picture from plain columns and nothing else."""
