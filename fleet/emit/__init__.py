"""DeliveryPlan -> resources of the stack, in an order that never takes a living side away early.

The order is the program's own (it awaits what it registered, looks at the clusters, and only then
registers the next step), not edges between resources: an update that is cut anywhere, or a switch
back, can leave no state whose dependencies contradict each other.
"""
