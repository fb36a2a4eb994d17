import { karpenterKinds, type Milliseconds } from '@kerf/apis'
import { type Clock, type Controller, done, type InformerFactory, type Logger, retryAfter, source } from '@kerf/runtime'
import { chosenDeployment } from '../machines/claim-annotations.ts'
import { toDeploymentState } from '../machines/deployment-state.ts'
import { isGoing } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import type { ManagementCluster, NamespacedName } from '../management/management-cluster.ts'
import { namespacedName, textOfName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations } from '../names.ts'
import type { DeploymentScaler } from '../replicas/deployment-scaler.ts'

export interface MachineCare {
  readonly management: ManagementCluster
  readonly scaler: DeploymentScaler
  /** The informers of the cluster that contains the NodeClaims. */
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly log: Logger
}

export interface UnheldMachinesOptions extends MachineCare {
  readonly name: string
  /** The reason for the deletion of these Machines, for the log. */
  readonly reason: string
  /** Returns the Machines to delete, based on the informers. `DeploymentScaler` reads each Machine again before it deletes it. */
  readonly find: (state: DeploymentState) => readonly MachineView[]
  /** Returns true if the MachineDeployment's replicas must be updated even if no Machine is deleted. */
  readonly settles: (state: DeploymentState) => boolean
}

/**
 * How long a Machine must be in this state before Kerf deletes it. In the meantime, a pending create may take it, and lagging informers
 * catch up.
 */
const PATIENCE: Milliseconds = 60_000
/** The minimum time between two checks of a MachineDeployment, because each check reads all of its Machines. */
const PAUSE: Milliseconds = 1_000
/** The time between two checks of a MachineDeployment while Kerf deletes Machines. */
const INTERVAL: Milliseconds = 5_000
/** The time between two checks of an idle MachineDeployment, in case an event was missed. */
const IDLE: Milliseconds = 300_000

/**
 * Deletes Machines that no NodeClaim holds. Checks only MachineDeployments of our own Cluster that Kerf has scaled. Does nothing
 * while the management cluster's state is unknown. Keys are deployments, as `namespace/name`.
 */
export const unheldMachines = (options: UnheldMachinesOptions): Controller => {
  const { management, scaler, informers, clock, log } = options
  const claims = informers.of(karpenterKinds.NodeClaim)
  const since = new Map<string, Milliseconds>()
  /** The time at which each MachineDeployment was last checked. */
  const looked = new Map<string, Milliseconds>()

  /** Returns the Machines that have been in this state for long enough, or are already being deleted. */
  const due = (key: string, found: readonly MachineView[]): readonly MachineView[] => {
    const now = clock.monotonic()
    const present = new Set(found.map(({ uid }) => `${key} ${uid}`))
    for (const known of since.keys()) if (known.startsWith(`${key} `) && !present.has(known)) since.delete(known)
    return found.filter((machine) => {
      const mark = `${key} ${machine.uid}`
      const first = since.get(mark) ?? now
      since.set(mark, first)
      return isGoing(machine) || now - first >= PATIENCE
    })
  }

  return {
    name: options.name,
    concurrency: 1,
    backoff: { base: 1_000, max: 60_000 },
    sources: [
      source(claims, ({ before, after }) =>
        [before, after].flatMap((claim) => {
          const chosen = claim && chosenDeployment(claim)
          return chosen === undefined ? [] : [textOfName(chosen)]
        }),
      ),
    ],
    subscribe: (enqueue) =>
      management.onChange((change) => {
        const deployment = deploymentOf(management, change)
        if (deployment !== undefined) enqueue(textOfName(deployment))
      }),
    reconcile: async (key, signal) => {
      const rest = (looked.get(key) ?? Number.NEGATIVE_INFINITY) + PAUSE - clock.monotonic()
      if (rest > 0) return retryAfter(rest)
      const name = namespacedName(key)
      const deployment = name && management.deployment(name)
      if (name === undefined || deployment === undefined) {
        looked.delete(key)
        return done()
      }
      const { ownCluster } = management
      const isOwn = deployment.namespace === ownCluster.namespace && deployment.clusterName === ownCluster.name
      if (!isOwn || deployment.annotations[clusterApiAnnotations.replicasWanted] === undefined) return done()
      if (deployment.isPaused || deployment.isDeleting) return retryAfter(IDLE)
      looked.set(key, clock.monotonic())
      const [sets, machines] = [management.machineSetsOf(name), management.machinesOf(name)]
      const state = toDeploymentState({ deployment, sets, machines }, [...claims.values()], clock.now())
      const found = options.find(state)
      const [machine] = due(key, found)
      if (machine !== undefined) {
        const outcome = await scaler.ask(name, { kind: 'remove', machine: machine.name }, signal)
        const fields = { MachineDeployment: name, Machine: { name: machine.name }, reason: options.reason }
        if (outcome.kind === 'going' && !machine.deleting) log.info('machine is being removed', fields)
        if (outcome.kind === 'refused') log.error('machine cannot be removed', { ...fields, why: outcome.reason })
      } else if (options.settles(state)) await scaler.ask(name, { kind: 'settle' }, signal)
      return retryAfter(found.length > 0 || options.settles(state) ? INTERVAL : IDLE)
    },
  }
}

type Change = Parameters<Parameters<ManagementCluster['onChange']>[0]>[0]

/** Returns the MachineDeployment that a change affects, or undefined if it is unknown. */
const deploymentOf = (management: ManagementCluster, change: Change): NamespacedName | undefined => {
  switch (change.kind) {
    case 'deployment':
      return change.name
    case 'machine': {
      const { namespace } = change.name
      const name = remembered(() => management.machine(change.name)?.deploymentName)
      return name === undefined ? undefined : { namespace, name }
    }
    case 'set':
    case 'cluster':
    case 'problems':
      return undefined
  }
}

const remembered = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
