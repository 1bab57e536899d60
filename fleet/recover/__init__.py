"""What an update that was cut leaves behind, and what is to be done about it.

Pure: the exported state and what the clusters and Route53 said go in, steps and an edited state
come out. Who asks, reads and carries out are the doors.
"""
