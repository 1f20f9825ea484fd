"""The raid on the warehouse, a battle of `seeker-d100`."""
