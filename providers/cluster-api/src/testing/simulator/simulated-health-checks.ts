import { type Milliseconds, type Node, parseTime } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Machine } from '../../objects/machine.ts'
import type { MachineHealthCheckOnWire, SimulatedKinds } from './definitions.ts'
import { ignoringMissing } from './machine-nodes.ts'
import { conditionsInStatus, type SimulatedCondition } from './simulated-conditions.ts'
import { simulatedVersion } from './simulated-sets.ts'
import type { SimulatedState } from './simulated-state.ts'

/** Cluster API's default. */
const NODE_STARTUP_SECONDS = 600

/**
 * Simulates the MachineHealthCheck controller. It decides which Machines are unhealthy, and the MachineSet's controller deletes them, as
 * observed on real controllers.
 */
export class SimulatedHealthChecks {
  readonly #client: KubeClient
  readonly #kinds: SimulatedKinds

  constructor(client: KubeClient, kinds: SimulatedKinds) {
    this.#client = client
    this.#kinds = kinds
  }

  async look(state: SimulatedState, nodes: ReadonlyMap<string, Node>, now: Milliseconds): Promise<void> {
    for (const check of state.healthChecks) {
      for (const { machine, object } of state.machines) {
        if (machine.isDeleting || !selects(check, machine) || state.isPaused(object, machine.clusterName)) continue
        const isHealthy = isWell(check, machine, nodes, now)
        const verdict: SimulatedCondition = isHealthy
          ? { type: 'HealthCheckSucceeded', status: 'True', reason: 'HealthCheckSucceeded' }
          : { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode' }
        const owner: SimulatedCondition = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' }
        const conditions = isHealthy ? [verdict] : [verdict, owner]
        const said = machine.conditions.find(({ type }) => type === verdict.type)
        if (said?.status === verdict.status) continue
        const { namespace, name } = machine
        const body = { status: conditionsInStatus(simulatedVersion(this.#kinds), machine.conditions, conditions, now) }
        const options = { subresource: 'status' }
        await ignoringMissing(
          this.#client.patch(this.#kinds.Machine, { namespace, name }, { type: 'merge', body }, options),
        )
      }
    }
  }
}

const selects = ({ metadata, spec }: MachineHealthCheckOnWire, machine: Machine): boolean =>
  metadata.namespace === machine.namespace &&
  Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => machine.labels[key] === value)

const isWell = (
  { spec }: MachineHealthCheckOnWire,
  machine: Machine,
  nodes: ReadonlyMap<string, Node>,
  now: Milliseconds,
): boolean => {
  const startup = (spec.checks?.nodeStartupTimeoutSeconds ?? NODE_STARTUP_SECONDS) * 1_000
  if (machine.nodeName === undefined) return now < (machine.createdAt ?? now) + startup
  const node = nodes.get(machine.nodeName)
  if (node === undefined) return false
  return !(spec.checks?.unhealthyNodeConditions ?? []).some(({ type, status, timeoutSeconds }) => {
    const found = node.status?.conditions?.find((condition) => condition.type === type)
    const since = parseTime(found?.lastTransitionTime) ?? now
    return found?.status === status && now >= since + timeoutSeconds * 1_000
  })
}
