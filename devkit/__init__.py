"""The real engine, clusters and DNS on one laptop, for the demo, the tests and CI."""
