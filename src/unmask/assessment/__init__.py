"""One request, one session, one table: what is asked, what is opened for it, and what comes out."""
