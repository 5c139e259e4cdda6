"""What two files have to do with each other, before anything is measured on them."""
