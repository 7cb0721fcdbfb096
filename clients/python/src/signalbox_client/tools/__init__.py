"""Calls and answers of every tool, one module per domain. Written by `npm run gen`."""
