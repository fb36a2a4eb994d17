import type { Milliseconds, Node } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { nodesOf } from './machine-facts.ts'
import { type ObservedMachine, observedMachine } from './observed-machine.ts'

/** A thousand NodeClaims that launch ask a thousand times a second; Nodes show something new once in their life. */
const REMEMBERED: Milliseconds = 1_000

interface Seen {
  readonly revision: MachineDeployment['revision']
  readonly observed: ObservedMachine | undefined
}

/** What the Nodes of each MachineDeployment show. They are looked through once a second at most, however often they are asked for. */
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

  /** @throws NotKnownYetError while the management cluster is not known. */
  of(deployment: MachineDeployment): ObservedMachine | undefined {
    const key = textOfName(deployment)
    const { revision } = deployment
    const seen = this.#seen.get(key)
    // Machines of another revision show nothing of the next one.
    if (seen !== undefined && seen.revision === revision) return seen.observed
    const observed = observedMachine(nodesOf(deployment, this.#management, this.#nodeNamed))
    this.#seen.set(key, { revision, observed })
    return observed
  }
}
