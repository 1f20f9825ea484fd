"""What warriors, units and sides may do now, part by part."""
