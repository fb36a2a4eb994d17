import { karpenterKinds, kinds, type LabelVocabulary, labels as labelKeys, type Pod } from '@kerf/apis'
import {
  type Blocker,
  type DisruptionReason,
  type MoveBlocker,
  nodePrice,
  type PoolTotals,
  type ScheduleOptions,
} from '@kerf/engine'
import { type Milliseconds, silentLogger, sleep } from '@kerf/runtime'
import { isManagedPool } from '../../node-claims/ownership.ts'
import { PodDisruptionBudgets } from '../../pods/pod-disruption-budgets.ts'
import { launchablePools } from '../../provisioning/launchable-pools.ts'
import { pendingPods, podsOnDeletingNodes } from '../../provisioning/pending-pods.ts'
import type { VirtualPods } from '../../provisioning/provisioner.ts'
import { type VolumeLookup, volumeLookup } from '../../provisioning/volume-validation.ts'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import type { Snapshots } from '../../state/snapshot.ts'
import { vocabularyOf } from '../../validation/label-vocabulary.ts'
import { countNodes, PoolBudgets, type PoolCount } from '../budgets/pool-budgets.ts'
import {
  type Assessment,
  candidateFor,
  type DisruptionClass,
  nodeDisruption,
  type PodBlocker,
  podBlockers,
} from '../candidates/assessment.ts'
import { type Candidate, policyOf } from '../candidates/candidate.ts'
import { isSameOffer, type OfferedTypes, offeredTypes, typeNamed } from '../candidates/offered-types.ts'
import { nodesWorthKeeping } from '../candidates/worth-keeping.ts'
import type { Command } from '../commands/command.ts'
import { consolidationOf } from '../simulation/consolidation.ts'
import { type Simulation, type Simulator, simulatorOf } from '../simulation/simulator.ts'
import type { MoveMemory } from '../undone-moves/move-memory.ts'
import { type SharedPools, sharedPools } from '../undone-moves/shared-pools.ts'
import { Assessments } from './assessments.ts'
import { endOfProtections, type PassInput } from './idle-passes.ts'
import { ReadVersion } from './read-version.ts'

/** How many pods may be asked about before others get a turn: a few milliseconds of work. */
const PODS_PER_TURN = 2_000

export interface PassParts {
  readonly deps: MirrorDeps
  readonly state: ClusterState
  readonly snapshots: Snapshots
  readonly isQueued: (providerID: string) => boolean
  /** Of the moves that were begun; who only looks in has none. */
  readonly memory?: MoveMemory
  /** Capacity that is wanted before pods need it; with the gate CapacityBuffer. */
  readonly buffers?: VirtualPods
}

/** Takes rounds: looks at the cluster as it is at one moment, for all methods to decide on. */
export class DisruptionPasses {
  readonly #parts: PassParts
  readonly #budgets: PodDisruptionBudgets
  readonly #volumes: VolumeLookup
  readonly #vocabulary: LabelVocabulary
  readonly #assessments: Assessments
  readonly #counts: PoolCounts
  readonly #version: ReadVersion
  readonly #leaving = new WeakMap<Candidate, readonly Pod[]>()
  #last: (Pick<DisruptionPass, 'assessments' | 'answers'> & { readonly seen: PassInput }) | undefined
  #types: OfferedTypes = new Map()

  constructor(parts: PassParts) {
    const { deps, state, isQueued } = parts
    this.#parts = parts
    this.#budgets = new PodDisruptionBudgets(deps.informers)
    this.#volumes = volumeLookup(deps.informers)
    this.#vocabulary = vocabularyOf(deps.provider)
    this.#assessments = new Assessments({ state, budgets: this.#budgets, isQueued })
    this.#counts = countsOf(state)
    this.#version = new ReadVersion(deps, state)
  }

  /** Fresh counts of what each pool's budgets leave for this reason, or will leave when these nodes are gone. */
  budgets(reason: DisruptionReason, gone?: ReadonlySet<string>): PoolBudgets {
    return budgetsNow(this.#parts, this.#counts, reason, gone)
  }

  /** How pools share workloads now, and at what price. */
  sharedPools(types: OfferedTypes): ReadonlyMap<string, SharedPools> {
    return sharedNow(this.#parts, types)
  }

  /** What a round would read now. `types` is the same object until a pool, or what it is offered, changes. */
  async seen(signal: AbortSignal): Promise<PassInput> {
    const types = await offeredTypes(this.#parts.deps, signal)
    if (!isSameOffer(this.#types, types)) this.#types = types
    return { version: this.#version.now, types: this.#types }
  }

  /** A look at the cluster. It goes on with what the last one worked out if nothing has changed since. */
  async take(signal: AbortSignal): Promise<DisruptionPass> {
    const seen = await this.seen(signal)
    const { types } = seen
    const input = {
      types,
      assessments: this.#assessments,
      counts: this.#counts,
      leaving: this.#leaving,
      budgets: this.#budgets,
      volumes: this.#volumes,
      vocabulary: this.#vocabulary,
    }
    const round = new DisruptionPass(this.#parts, input, this.#answersFor(seen))
    // Not the round itself, which is large.
    this.#last = { seen, assessments: round.assessments, answers: round.answers }
    return round
  }

  /** Those of the last round where neither a change of the cluster nor time can have made them wrong. */
  #answersFor({ version, types }: PassInput): PassFindings | undefined {
    const last = this.#last
    if (last === undefined || last.seen.version !== version || last.seen.types !== types) return undefined
    return last.answers.isSettling || Number.isFinite(endOfProtections(last)) ? undefined : last.answers
  }
}

type PoolCounts = () => ReadonlyMap<string, PoolCount>

/** Counts the nodes of the pools anew when there was a change. */
const countsOf = (state: ClusterState): PoolCounts => {
  let version = -1
  let counts: ReadonlyMap<string, PoolCount> = new Map()
  return () => {
    if (version !== state.version) counts = countNodes(state.nodes())
    version = state.version
    return counts
  }
}

const budgetsNow = (
  { deps, state }: PassParts,
  counts: PoolCounts,
  reason: DisruptionReason,
  gone?: ReadonlySet<string>,
): PoolBudgets => {
  const pools = [...deps.informers.of(karpenterKinds.NodePool).values()].filter((pool) =>
    isManagedPool(deps.provider, pool),
  )
  const found = gone === undefined ? counts() : countNodes(state.nodes(), gone)
  return new PoolBudgets(reason, pools, found, deps.clock.now())
}

const sharedNow = ({ deps, state }: PassParts, types: OfferedTypes): ReadonlyMap<string, SharedPools> =>
  sharedPools({ nodes: state.nodes(), pods: deps.informers.of(kinds.Pod).values(), types })

interface RoundInput {
  readonly types: OfferedTypes
  readonly assessments: Assessments
  readonly counts: PoolCounts
  readonly leaving: WeakMap<Candidate, readonly Pod[]>
  readonly budgets: PodDisruptionBudgets
  readonly volumes: VolumeLookup
  readonly vocabulary: LabelVocabulary
}

/** What came of asking about a node by itself. */
export interface SingleNodeResult {
  readonly found: Command | Blocker
  /** The one new node that it would take, cheaper or not, and the pods that fit nowhere else. */
  readonly launch?: { readonly nodePool: string; readonly pods: readonly Pod[] }
}

/** What was found out about nodes going alone. Candidates are the same objects from round to round if nothing changes. */
export interface PassFindings {
  readonly singleNode: Map<Candidate, SingleNodeResult>
  /** Some node is inside its consolidateAfter. */
  isSettling: boolean
}

/** The cluster at one moment, and the questions that methods ask about it. What is costly is worked out when asked for. */
export class DisruptionPass {
  readonly now: Milliseconds
  /** Changes whenever something does that could make another consolidation possible. */
  readonly consolidationState: Milliseconds
  readonly types: OfferedTypes
  readonly assessments: readonly Assessment[]
  readonly #parts: PassParts
  readonly #input: RoundInput
  /** Whether a spot node may be replaced by a spot node. */
  readonly spotToSpot: boolean
  /** What kept drifted nodes when drift asked about them in this round. */
  readonly driftObstacles = new Map<Candidate, Blocker>()
  readonly answers: PassFindings
  readonly #simulators = new Map<boolean, Simulator | undefined>()
  #totals: ReadonlyMap<string, PoolTotals> | undefined
  #shared: ReadonlyMap<string, SharedPools> | undefined
  readonly #rests = new Map<SharedPools, Milliseconds | undefined>()
  #keepers: ReadonlySet<Candidate> | undefined
  #podsThisTurn = 0

  constructor(
    parts: PassParts,
    input: RoundInput,
    answers: PassFindings = { singleNode: new Map(), isSettling: false },
  ) {
    const { state, deps } = parts
    this.#parts = parts
    this.#input = input
    this.types = input.types
    this.now = deps.clock.now()
    this.spotToSpot = deps.settings.featureGates.SpotToSpotConsolidation
    this.consolidationState = state.consolidationState()
    this.assessments = Array.from(state.nodes(), (node) => input.assessments.of(node, input.types, this.now))
    this.answers = answers
  }

  /** What keeps these pods where they are at this moment. */
  podBlockers(pods: readonly Pod[]): readonly PodBlocker[] {
    return podBlockers(pods, this.#input.budgets, this.now)
  }

  candidates(method: DisruptionClass): readonly Candidate[] {
    return this.assessments.flatMap((assessment) => candidateFor(assessment, method) ?? [])
  }

  /** Fresh counts of what each pool's budgets leave for this reason. */
  budgets(reason: DisruptionReason): PoolBudgets {
    return budgetsNow(this.#parts, this.#input.counts, reason)
  }

  /** When next time alone lets moves go that wait because earlier ones were undone. */
  get waitsEnd(): Milliseconds {
    return this.#parts.memory?.nextEnd(this.now) ?? Number.POSITIVE_INFINITY
  }

  /** Whether budgets of some pool hold at certain times only. */
  get hasWindows(): boolean {
    return [...this.budgets('Empty').byPool.values()].some(({ pool }) =>
      pool.spec.disruption?.budgets?.some(({ schedule }) => schedule !== undefined),
    )
  }

  /** What scoring measures moves against, for each pool that has a candidate. */
  get totals(): ReadonlyMap<string, PoolTotals> {
    this.#totals ??= this.#sumTotals()
    return this.#totals
  }

  /** Candidates that had better stay while others can go. */
  get keepers(): ReadonlySet<Candidate> {
    this.#keepers ??= nodesWorthKeeping(this.assessments)
    return this.#keepers
  }

  #sumTotals(): ReadonlyMap<string, PoolTotals> {
    const totals = new Map<string, { price: number; disruption: number }>()
    for (const { poolName, pool } of this.candidates('graceful')) {
      if (policyOf(pool) === 'Balanced') totals.set(poolName, { price: 0, disruption: 0 })
    }
    if (totals.size === 0) return totals
    for (const { state, candidate } of this.assessments) {
      const total = totals.get(state.nodePool ?? '')
      if (total === undefined) continue
      const { labels } = state
      total.price += candidate?.price ?? nodePrice(typeNamed(this.types, state.nodePool ?? '', typeOf(labels)), labels)
      total.disruption += candidate?.disruption ?? nodeDisruption(state)
    }
    return totals
  }

  /** Whether there is a pool to launch from: without one, no pod's next place can be promised. */
  get canSimulate(): boolean {
    return this.#simulator(false) !== undefined
  }

  /**
   * Where everything would be without these nodes. `consolidation`: nodes that are inside their consolidateAfter take no
   * more running pods.
   */
  async simulate(
    candidates: readonly Pick<Candidate, 'name' | 'reschedulable'>[],
    consolidation: boolean,
    signal: AbortSignal,
  ): Promise<Simulation> {
    const simulator = this.#simulator(consolidation)
    if (simulator === undefined) throw new Error('no nodepools found')
    if (this.#podsThisTurn >= PODS_PER_TURN) {
      this.#podsThisTurn = 0
      await sleep(this.#parts.deps.clock, 0, signal)
    }
    const simulation = simulator.simulate(candidates)
    this.#podsThisTurn += simulation.pods + 1
    return simulation
  }

  /** What consolidating this node by itself would come to, or why nothing; asked once in a round. */
  async consolidateAlone(candidate: Candidate, signal: AbortSignal): Promise<Command | Blocker> {
    const known = this.answers.singleNode.get(candidate)
    if (known !== undefined) return known.found
    const simulation = await this.simulate([candidate], true, signal)
    const found = consolidationOf([candidate], simulation, this, 'single-node')
    const [claim, ...more] = simulation.claims
    const isOne = claim !== undefined && more.length === 0 && simulation.unplaced.length === 0
    this.answers.singleNode.set(candidate, {
      found,
      ...(isOne ? { launch: { nodePool: claim.nodePool, pods: claim.pods } } : {}),
    })
    return found
  }

  /** What was answered about consolidating this node by itself, if it was asked in this round. */
  knownAlone(candidate: Candidate): SingleNodeResult | undefined {
    return this.answers.singleNode.get(candidate)
  }

  /** What keeps a consolidation of these nodes: earlier ones among the same pools were undone. */
  undoneBefore(candidates: readonly Pick<Candidate, 'poolName'>[]): MoveBlocker | undefined {
    const { memory } = this.#parts
    if (memory === undefined || memory.isEmpty) return undefined
    this.#shared ??= sharedNow(this.#parts, this.types)
    for (const { poolName } of candidates) {
      const shared = this.#shared.get(poolName)
      if (shared === undefined) continue
      if (!this.#rests.has(shared)) this.#rests.set(shared, memory.restUntil(shared, this.types, this.now))
      const until = this.#rests.get(shared)
      if (until !== undefined) return { code: 'moves.undone', pools: shared.pools, until }
    }
    return undefined
  }

  #simulator(consolidation: boolean): Simulator | undefined {
    if (!this.#simulators.has(consolidation)) this.#simulators.set(consolidation, this.#makeSimulator(consolidation))
    return this.#simulators.get(consolidation)
  }

  /** Pods of a candidate that may be moved, kept for as long as the candidate is. */
  #mayLeave(candidate: Candidate): readonly Pod[] {
    const { budgets, leaving } = this.#input
    let pods = leaving.get(candidate)
    if (pods === undefined) {
      pods = candidate.reschedulable.filter((pod) => budgets.isCurrentlyReschedulable(pod, this.now))
      leaving.set(candidate, pods)
    }
    return pods
  }

  #makeSimulator(consolidation: boolean): Simulator | undefined {
    const { deps, state, snapshots, buffers } = this.#parts
    const { budgets, volumes, vocabulary } = this.#input
    const launchable = launchablePools({ ...deps, log: silentLogger }).flatMap((nodePool) => {
      const found = this.types.get(nodePool.metadata.name ?? '')
      return found === undefined ? [] : [{ nodePool, instanceTypes: found.list }]
    })
    if (launchable.length === 0) return undefined
    const pending = pendingPods(state, vocabulary, volumes).pods
    const mayLeave = this.assessments.flatMap(({ candidate }) =>
      candidate === undefined || candidate.state.isMarkedForDeletion ? [] : this.#mayLeave(candidate),
    )
    const snapshot = snapshots.take(launchable, { consolidation })
    if (snapshot.nodes.some(({ underConsolidateAfter }) => underConsolidateAfter === true))
      this.answers.isSettling = true
    return simulatorOf({
      snapshot,
      waiting: [...pending, ...(buffers?.pods() ?? []), ...podsOnDeletingNodes(state, budgets, this.now)],
      mayLeave,
      options: simulationOptions(deps, consolidation),
      ...(buffers === undefined ? {} : { isVirtual: (pod) => buffers.isVirtual(pod) }),
    })
  }
}

const typeOf = (labels: Readonly<Record<string, string>>): string => labels[labelKeys.instanceType] ?? ''

/** As the provisioner schedules, but free to fall back from reservations. */
const simulationOptions = ({ settings, provider }: MirrorDeps, consolidation: boolean): ScheduleOptions => ({
  preferencePolicy: settings.preferencePolicy,
  minValuesPolicy: settings.minValuesPolicy,
  reservedMode: 'Fallback',
  reservedCapacity: settings.featureGates.ReservedCapacity,
  ignoreDraRequests: settings.ignoreDraRequests,
  wellKnownLabels: provider.wellKnownLabels,
  ...(provider.reservationIdLabel === undefined ? {} : { reservationIdLabel: provider.reservationIdLabel }),
  planBudget: 0,
  ...(consolidation ? { consolidation } : {}),
  ...(settings.defaultSpreadConstraints.length === 0
    ? {}
    : { defaultSpreadConstraints: settings.defaultSpreadConstraints }),
})
