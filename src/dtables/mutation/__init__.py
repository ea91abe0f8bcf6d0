"""Which mistakes in a workbook would go unnoticed: its rules are changed one mistake at a time, and tried."""
