"""Terms over the inputs and draws of two runs, what is known of them, and what is to be shown of them."""
