"""diffprivlib: what is modelled of it is in its modules."""
