"""fleet places Kubernetes workloads on many clusters, as one reviewed Pulumi stack."""
