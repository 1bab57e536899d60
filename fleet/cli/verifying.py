"""How `fleet verify` compares the plan with what is there."""

from fleet.cli.asking import Verifying
from fleet.cli.console import say
from fleet.cli.inputs import prepare, run
from fleet.cli.options import Form, Inputs
from fleet.cli.reaching import accesses_of
from fleet.cli.show import show
from fleet.explain.changes import endpoint_changes, has_changes, workload_changes
from fleet.explain.document import as_json
from fleet.explain.verified import verified_blocks, verified_document
from fleet.model.plan import Outcome
from fleet.model.verified import Aspect, Verified
from fleet.probe.names import resolver_of
from fleet.probe.verify import Asking
from fleet.probe.verify import verify as look_until


def run_verify(inputs: Inputs, how: Verifying, output: Form) -> bool:
    """Whether everything agreed in time."""
    outcome = run(inputs)
    clusters, states = outcome.snapshot.clusters, outcome.snapshot.states
    accesses, _ = accesses_of(clusters, states, prepare(inputs).root, how.kubeconfigs)
    resolver = resolver_of(how.server) if outcome.plan.endpoints else None
    asking = Asking(outcome.plan, {each.cluster: each for each in accesses}, resolver, how.asks)
    found = [*_carried_out(outcome), *look_until(asking, how.timeout)]
    asked = how.server or "the system's resolver"
    if output is Form.JSON:
        say(as_json(verified_document(found, asked)))
    else:
        show(verified_blocks(found, asked), output)
    return all(each.agrees for each in found)


def _carried_out(outcome: Outcome) -> list[Verified]:
    """Whether an update would still change something; without --prior nobody knows."""
    if not outcome.prior.known:
        return []
    left = [each.workload for each in outcome.plan.workloads if workload_changes(outcome, each)]
    left += [each.dns_name for each in outcome.plan.endpoints if endpoint_changes(outcome, each)]
    seen = f"an update would still change {', '.join(left)}" if left else "carried out"
    agrees = not has_changes(outcome)
    return [Verified(Aspect.PLAN, "what the files want", "-", "carried out", seen, agrees=agrees)]
