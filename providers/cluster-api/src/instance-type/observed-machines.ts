import type { Milliseconds, Node } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentNodes } from './machine-facts.ts'
import { type ObservedMachine, observedMachine } from './observed-machine.ts'

/** How long Kerf caches a result. A thousand launching NodeClaims cause a thousand reads per second, but Nodes rarely change. */
const REMEMBERED: Milliseconds = 1_000

interface Seen {
  readonly revision: MachineDeployment['revision']
  readonly observed: ObservedMachine | undefined
}

/** Caches the facts that the Nodes of each MachineDeployment report. Computes them at most once per second for each deployment. */
export class ObservedMachines {
  readonly #management: Pick<ManagementCluster, 'machinesOf' | 'machineSetsOf'>
  readonly #nodeNamed: (name: string) => Node | undefined
  readonly #seen: TtlCache<string, Seen>

  constructor(
    clock: Clock,
    management: Pick<ManagementCluster, 'machinesOf' | 'machineSetsOf'>,
    nodeNamed: (name: string) => Node | undefined,
  ) {
    this.#management = management
    this.#nodeNamed = nodeNamed
    this.#seen = new TtlCache(clock, { ttl: REMEMBERED })
  }

  /**
   * Returns the facts that the MachineDeployment's Nodes report.
   * @throws NotKnownYetError while the management cluster is unknown.
   */
  of(deployment: MachineDeployment): ObservedMachine | undefined {
    const key = textOfName(deployment)
    const { revision } = deployment
    const seen = this.#seen.get(key)
    // Nodes of another revision of the template do not predict the next machine.
    if (seen !== undefined && seen.revision === revision) return seen.observed
    const observed = observedMachine(deploymentNodes(deployment, this.#management, this.#nodeNamed))
    this.#seen.set(key, { revision, observed })
    return observed
  }
}
