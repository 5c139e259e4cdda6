"""The web app: the same requests, sessions and documents as the command line, as pages on this machine.

Pages are plain HTTP and forms. Nothing is computed here: a page reads and writes the files of a project (a
request, a schema, documents), and long work is a command of unmask's in a process of its own, which the
command line could have started as well.
"""
