"""Certificates, witnesses and results as people read them; nothing here checks them."""
