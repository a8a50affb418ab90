"""Certificates as what people and other tools read; nothing here checks them."""
