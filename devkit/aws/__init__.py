"""A stand-in for the AWS plugin that knows Route53 only and speaks to loopback only."""
