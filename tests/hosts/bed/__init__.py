"""The parts of the hosts tool; ../README.md says what it is for."""
