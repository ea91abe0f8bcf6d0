"""Decision tables that live in Excel."""
