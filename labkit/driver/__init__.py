"""The labs over real HTTP: servers in processes of their own, named requests, recordings; 12 teaches it."""
