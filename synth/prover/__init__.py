"""The search for a coupling proof, and the certificate it writes.  Nothing here is believed."""
