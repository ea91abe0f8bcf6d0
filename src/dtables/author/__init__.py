"""What an author does with a workbook besides running it: begin one, watch it, compare it, mark it."""
