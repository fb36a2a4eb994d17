import type { Pod } from '@kerf/apis'
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
import { isProvisionable, podKey } from '../../pods/pod-predicates.ts'
import type { Candidate } from '../candidates/candidate.ts'

/** Where everything would be if some nodes were gone. */
export interface Simulation {
  readonly claims: readonly PlannedClaim[]
  readonly placements: readonly PlannedPlacement[]
  /** Pods that run now and would not then, with why. Those that wait already do not count. */
  readonly unplaced: readonly UnplacedPod[]
  /** The nodes that the question was about, by name. */
  readonly nodes: ReadonlyMap<string, NodeState>
  /** How many pods were asked about: the size of the question. */
  readonly pods: number
  /** More claims would be needed than whoever asked has a use for: the rest is not worked out, and the answer says nothing. */
  readonly isLeftOff: boolean
}

/** Answers "and if these nodes were gone?" about one moment. */
export interface Simulator {
  /** Reads the cluster for the questions, if that was not done yet. Must have ended before the first of them. */
  prepare(): Steps<void>
  /** With more claims than `mostClaims` the answer is left off. */
  simulate(candidates: readonly Pick<Candidate, 'name' | 'reschedulable'>[], mostClaims?: number): Simulation
}

export interface SimulatorInput {
  readonly snapshot: ClusterSnapshot
  /** Pods without a node, and those of nodes that are going away. */
  readonly waiting: readonly Pod[]
  /** Pods that run and may be moved, in a list for each node. */
  readonly mayLeave: readonly (readonly Pod[])[]
  readonly options: ScheduleOptions
  /** The names of the nodes that the lists are of. */
  readonly nodeOf?: ReadonlyMap<readonly Pod[], string>
  /** Called with the objects that the snapshot was read without. */
  readonly onSetAside?: (setAside: readonly SetAside[]) => void
  /** Pods that nobody waits for. */
  readonly isVirtual?: (pod: Pod) => boolean
}

/** The engine's answers over one indexed snapshot. What cannot be read is left out, and nodes that it is a part of are not simulated. */
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
      if (index === undefined) throw new Error('asked before the cluster was read')
      const unknown = candidates.find(({ name }) => unreadable.has(name))
      if (unknown !== undefined) throw new Error(`node ${unknown.name}, or a pod on it, cannot be read`)
      const plan = index.whatIf(
        candidates.map(({ name }) => name),
        { mostClaims },
      )
      const unplaced: UnplacedPod[] = plan.unschedulable
        .filter(({ pod }) => !doesNotMatter(pod))
        .map(({ pod, reasons }) => ({ pod: podKey(pod), why: describeReasons(reasons), reasons }))
      // A node that is still coming up may never come: only pods that have to go in any case may count on it.
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
