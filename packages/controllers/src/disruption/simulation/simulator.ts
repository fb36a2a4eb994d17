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
  /** Running pods that would fit nowhere, with the reasons. Does not include pods that are already pending. */
  readonly unplaced: readonly UnplacedPod[]
  /** The simulated nodes, by name. */
  readonly nodes: ReadonlyMap<string, NodeState>
  /** The number of pods that were simulated. */
  readonly pods: number
  /**
   * Whether the simulation stopped early because it needed more claims than the caller allowed. In that case, the result is incomplete and
   * must not be used.
   */
  readonly isLeftOff: boolean
}

/** Simulates the deletion of nodes. All its simulations use the same snapshot. */
export interface Simulator {
  /** Reads the cluster, unless it has already been read. All steps must have run before the first simulation. */
  prepare(): Steps<void>
  /** Simulates the deletion of the candidates. Stops and sets `isLeftOff` if more than `mostClaims` claims are needed. */
  simulate(candidates: readonly Pick<Candidate, 'name' | 'reschedulable'>[], mostClaims?: number): Simulation
}

export interface SimulatorInput {
  readonly snapshot: ClusterSnapshot
  /** Pods without a node, and pods on nodes that are being removed. */
  readonly waiting: readonly Pod[]
  /** Running pods that may be moved, in one list per node. */
  readonly mayLeave: readonly (readonly Pod[])[]
  readonly options: ScheduleOptions
  /** The node name for each list in `mayLeave`. */
  readonly nodeOf?: ReadonlyMap<readonly Pod[], string>
  /** Called with the objects that the snapshot omits because they cannot be read. */
  readonly onSetAside?: (setAside: readonly SetAside[]) => void
  /** Returns whether a pod exists only in Kerf's memory. */
  readonly isVirtual?: (pod: Pod) => boolean
}

/**
 * Returns a simulator that runs the engine on one indexed snapshot. It omits objects that cannot be read, and throws if a node to simulate
 * depends on them.
 */
export const createSimulator = (input: SimulatorInput): Simulator => {
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
      // A node that is still starting may never become ready. Therefore only pods that must move in any case may be placed on it.
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
