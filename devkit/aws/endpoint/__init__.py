"""A local Route53: it answers the official client and refuses what the real service refuses."""
