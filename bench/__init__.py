"""How fast fleet is: programs to run by hand or by `make bench`, never part of the tests."""
