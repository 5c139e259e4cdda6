"""What a file is: its schema, its records, how it is read, paired and proposed a schema for."""
