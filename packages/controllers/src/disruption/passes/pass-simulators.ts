import type { LabelVocabulary, Milliseconds, Pod } from '@kerf/apis'
import type { Steps } from '@kerf/engine'
import { silentLogger } from '@kerf/runtime'
import { isObserving } from '../../modes/observe/observations.ts'
import type { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import type { VirtualPods } from '../../provisioning/in-memory-pods.ts'
import { launchablePools } from '../../provisioning/launchable-pools.ts'
import { pendingPods, podsOnDeletingNodes } from '../../provisioning/pending-pods.ts'
import { simulationOptions } from '../../provisioning/provisioning-options.ts'
import type { VolumeLookup } from '../../provisioning/volume-validation.ts'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import { reportSetAside } from '../../state/isolation/report-set-aside.ts'
import type { Snapshots } from '../../state/snapshot.ts'
import type { Assessment } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { OfferedTypes } from '../candidates/offered-types.ts'
import { NODES_PER_TURN } from '../giving-way.ts'
import { createSimulator, type Simulator } from '../simulation/simulator.ts'

export interface SimulatorDeps extends MirrorDeps {
  readonly state: ClusterState
  readonly snapshots: Snapshots
  readonly budgets: PodDisruptionBudgets
  readonly volumes: VolumeLookup
  readonly vocabulary: LabelVocabulary
  readonly buffers?: VirtualPods
}

/** The part of a pass that simulators read. */
export interface SimulatedPass {
  readonly now: Milliseconds
  readonly types: OfferedTypes
  readonly assessments: readonly Assessment[]
}

/** A simulator, and whether its snapshot contains a node whose consolidateAfter has not passed yet. */
export interface MadeSimulator {
  readonly simulator: Simulator
  readonly isSettling: boolean
}

/** Creates the simulators of passes. */
export class PassSimulators {
  readonly #deps: SimulatorDeps
  /** The movable pods of each candidate object. */
  readonly #movable = new WeakMap<Candidate, readonly Pod[]>()

  constructor(deps: SimulatorDeps) {
    this.#deps = deps
  }

  /** Prepares the inputs of `make` for every candidate in steps, so that `make` itself is fast. */
  *prepare({ now, assessments }: Pick<SimulatedPass, 'now' | 'assessments'>): Steps<void> {
    let fresh = 0
    for (const { candidate } of assessments) {
      if (candidate === undefined || candidate.state.isMarkedForDeletion || this.#movable.has(candidate)) continue
      this.#movablePods(candidate, now)
      if (++fresh % NODES_PER_TURN === 0) yield
    }
  }

  /**
   * Creates a simulator, or returns undefined if no pool can launch nodes. With `consolidation`, running pods are not placed on nodes whose
   * consolidateAfter has not passed yet.
   */
  make({ now, types, assessments }: SimulatedPass, consolidation: boolean): MadeSimulator | undefined {
    const deps = this.#deps
    const { state, snapshots, budgets, volumes, vocabulary, buffers } = deps
    const known = launchablePools({ ...deps, log: silentLogger }).flatMap((nodePool) => {
      const found = types.get(nodePool.metadata.name)
      return found === undefined ? [] : [{ nodePool, instanceTypes: found.list }]
    })
    if (known.length === 0) return undefined
    // A NodePool in observe mode launches no replacements. If the whole controller is in observe mode, it decides as if every pool could
    // launch nodes.
    const launchable = known.filter(({ nodePool }) => deps.settings.observe || !isObserving(nodePool))
    const pending = pendingPods(state, vocabulary, volumes).pods
    const nodeOf = new Map<readonly Pod[], string>()
    const mayLeave = assessments.flatMap(({ candidate }) => {
      if (candidate === undefined || candidate.state.isMarkedForDeletion) return []
      const pods = this.#movablePods(candidate, now)
      nodeOf.set(pods, candidate.name)
      return [pods]
    })
    const taken = snapshots.take(launchable, { consolidation, disruption: true })
    const snapshot = buffers?.within(taken) ?? taken
    const simulator = createSimulator({
      snapshot,
      waiting: [...pending, ...(buffers?.pods() ?? []), ...podsOnDeletingNodes(state, budgets, now)],
      ...{ mayLeave, nodeOf },
      onSetAside: (setAside) => reportSetAside(state.isolation, setAside),
      options: simulationOptions(deps, consolidation),
      ...(buffers === undefined ? {} : { isVirtual: (pod) => buffers.isVirtual(pod) }),
    })
    return { simulator, isSettling: snapshot.nodes.some(({ underConsolidateAfter }) => underConsolidateAfter === true) }
  }

  #movablePods(candidate: Candidate, now: Milliseconds): readonly Pod[] {
    let pods = this.#movable.get(candidate)
    if (pods === undefined) {
      pods = candidate.reschedulable.filter((pod) => this.#deps.budgets.isCurrentlyReschedulable(pod, now))
      this.#movable.set(candidate, pods)
    }
    return pods
  }
}
