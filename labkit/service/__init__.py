"""The labs' HTTP face: who asks and what is asked is settled before anything runs; 11 teaches it."""
