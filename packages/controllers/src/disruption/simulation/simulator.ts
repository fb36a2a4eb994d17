import type { Pod } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import {
  type ClusterSnapshot,
  describeReasons,
  type IndexedSnapshot,
  indexApart,
  indexSnapshotInSteps,
  type NodeState,
  type PlannedClaim,
  type PlannedPlacement,
  type ScheduleOptions,
  type SetAside,
  type Steps,
  type UnplacedPod,
} from '@kerf/engine'
import { controllerErrors } from '../../controller-errors.ts'
import { isProvisionable, podKey } from '../../pod/pod-predicates.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** Where all pods would run if some nodes were gone. */
export interface Simulation {
  readonly claims: readonly PlannedClaim[]
  readonly placements: readonly PlannedPlacement[]
  /** Running pods that would have no place, with the reason. Pods that already wait do not count. */
  readonly unplaced: readonly UnplacedPod[]
  /** The simulated nodes, by name. */
  readonly nodes: ReadonlyMap<string, NodeState>
  /** How many pods were simulated: the size of the simulation. */
  readonly pods: number
  /**
   * Whether more claims would be needed than the caller can use. The rest is not computed, and the result must not be used.
   */
  readonly isLeftOff: boolean
}

/** Simulates the deletion of nodes at one moment. */
export interface Simulator {
  /** Reads the cluster for the simulations, if it has not been read yet. Must end before the first simulation. */
  prepare(): Steps<void>
  /** Runs a simulation. If more claims than `mostClaims` are needed, the result is left off. */
  simulate(candidates: readonly Pick<Candidate, 'name' | 'reschedulable'>[], mostClaims?: number): Simulation
}

export interface SimulatorInput {
  readonly snapshot: ClusterSnapshot
  /** Pods without a node, and pods of leaving nodes. */
  readonly waiting: readonly Pod[]
  /** Running pods that may be moved, one list per node. */
  readonly mayLeave: readonly (readonly Pod[])[]
  readonly options: ScheduleOptions
  /** The node name of each list. */
  readonly nodeOf?: ReadonlyMap<readonly Pod[], string>
  /** Called with the objects that were left out of the snapshot. */
  readonly onSetAside?: (setAside: readonly SetAside[]) => void
  /** Returns whether a pod exists in memory only. */
  readonly isVirtual?: (pod: Pod) => boolean
}

/**
 * Returns a simulator with the engine over one indexed snapshot. Objects that cannot be read are left out, and nodes that
 * involve them are not simulated.
 */
export const simulatorOf = (input: SimulatorInput): Simulator => {
  const { snapshot, waiting, mayLeave, options, isVirtual = () => false } = input
  const { nodeOf = new Map(), onSetAside = () => {} } = input
  let index: IndexedSnapshot | undefined
  const unreadable = new Set<string>()
  function* prepare(): Steps<void> {
    if (index !== undefined) return
    try {
      index = yield* indexSnapshotInSteps(snapshot, waiting, mayLeave, options)
    } catch {
      const apart = indexApart(snapshot, waiting, mayLeave, options)
      index = apart.index
      onSetAside(apart.setAside)
      for (const { kind, object } of apart.setAside) if (kind === 'Node') unreadable.add((object as NodeState).name)
      for (const list of apart.unreadable) unreadable.add(nodeOf.get(list) ?? '')
    }
  }
  const nodes = new Map<string, NodeState>(snapshot.nodes.map((node) => [node.name, node]))
  const leaving = new Set<string>()
  for (const node of snapshot.nodes) {
    if (node.markedForDeletion && node.nodeName !== undefined) leaving.add(node.nodeName)
  }
  const doesNotMatter = (pod: Pod): boolean => isVirtual(pod) || isProvisionable(pod)

  return {
    prepare,
    simulate: (candidates, mostClaims = Number.POSITIVE_INFINITY) => {
      if (index === undefined) throw new InvariantError('the cluster has not been read yet')
      const unknown = candidates.find(({ name }) => unreadable.has(name))
      if (unknown !== undefined) throw controllerErrors.NodeUnreadable({ node: unknown.name })
      const plan = index.whatIf(
        candidates.map(({ name }) => name),
        { mostClaims },
      )
      const unplaced: UnplacedPod[] = plan.unschedulable
        .filter(({ pod }) => !doesNotMatter(pod))
        .map(({ pod, reasons }) => ({ pod: podKey(pod), why: describeReasons(reasons), reasons }))
      // A node that is still starting may never become ready. Only pods that must move anyway may be placed on it.
      for (const { node, pods } of plan.placements) {
        const state = nodes.get(node)
        if (state === undefined || state.initialized) continue
        const why = `would schedule against uninitialized nodeclaim/${state.nodeClaim ?? ''}, node/${state.nodeName ?? ''}`
        for (const pod of pods) {
          if (doesNotMatter(pod) || leaving.has(pod.spec.nodeName ?? '')) continue
          unplaced.push({ pod: podKey(pod), why, waitsFor: why })
        }
      }
      const size = candidates.reduce((sum, { reschedulable }) => sum + reschedulable.length, waiting.length)
      const { claims, placements, isLeftOff = false } = plan
      return { claims, placements, unplaced, nodes, pods: size, isLeftOff }
    },
  }
}
