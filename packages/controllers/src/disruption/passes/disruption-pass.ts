import type { Milliseconds, Pod, UsdPerHour } from '@kerf/apis'
import {
  type Blocker,
  type Commitment,
  type DisruptionReason,
  type MoveBlocker,
  nodePrice,
  type PoolTotals,
  type Steps,
} from '@kerf/engine'
import { sharedLongTasks } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import { runInSteps } from '../../run-in-steps.ts'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import {
  type Assessment,
  type AssessmentDeps,
  candidateFor,
  type DisruptionClass,
  nodeDisruption,
  type PodBlocker,
  podBlockers,
} from '../candidates/assessment.ts'
import { type Candidate, poolConsolidationPolicy } from '../candidates/candidate.ts'
import { type OfferedTypes, offeredType } from '../candidates/offered-types.ts'
import { nodesWorthKeeping } from '../candidates/worth-keeping.ts'
import type { Command } from '../commands/command.ts'
import { giveWay, NODES_PER_TURN } from '../giving-way.ts'
import { planConsolidation } from '../simulation/consolidation.ts'
import type { Simulation } from '../simulation/simulator.ts'
import type { MoveMemory } from '../undone-moves/move-memory.ts'
import type { SharedPools } from '../undone-moves/shared-pools.ts'
import type { PassCache } from './pass-cache.ts'
import type { PassFindings, SingleNodeResult } from './pass-findings.ts'
import type { MadeSimulator, PassSimulators } from './pass-simulators.ts'

/** The number of simulated pods after which a search yields to other work. Simulating that many pods takes a few milliseconds. */
const PODS_PER_STEP = 400

/** The inputs of a pass. */
export interface PassSources {
  readonly deps: MirrorDeps
  readonly state: ClusterState
  readonly types: OfferedTypes
  readonly cache: PassCache
  readonly assessment: AssessmentDeps
  readonly budgets: (reason: DisruptionReason) => PoolBudgets
  readonly sharedPools: () => ReadonlyMap<string, SharedPools>
  readonly simulators: Pick<PassSimulators, 'prepare' | 'make'>
  readonly findings: PassFindings
  readonly memory?: MoveMemory
  /**
   * Returns a promise that resolves when the current pass of the provisioner ends, or undefined if no pass is running. Simulations wait for
   * it.
   */
  readonly provisioning?: () => Promise<void> | undefined
}

/** The cluster at the start of a pass, as all disruption methods of the pass see it. Expensive results are computed on first use. */
export class DisruptionPass {
  readonly now: Milliseconds
  /** A version in the form of a time. It changes whenever a change of the cluster could make another consolidation possible. */
  readonly consolidationState: Milliseconds
  readonly types: OfferedTypes
  readonly assessments: readonly Assessment[]
  /** Whether a spot node may be replaced by a spot node. */
  readonly spotToSpot: boolean
  /** A cost that every node adds to the price of its instance. The prices of candidates include it. */
  readonly nodeOverheadCost: UsdPerHour
  /** The commitments that cover nodes at the start of the pass. */
  readonly commitments: readonly Commitment[] | undefined
  /** Blockers that disruption methods found in this pass and that are not part of `findings`. */
  readonly obstacles = new Map<Candidate, Blocker>()
  readonly findings: PassFindings
  readonly #sources: PassSources
  readonly #simulators = new Map<boolean, MadeSimulator | undefined>()
  readonly #undoneUntil = new Map<SharedPools, Milliseconds | undefined>()
  #totals: ReadonlyMap<string, PoolTotals> | undefined
  #shared: ReadonlyMap<string, SharedPools> | undefined
  #worthKeeping: ReadonlySet<Candidate> | undefined
  #podsSincePause = 0
  #asked = 0

  constructor(sources: PassSources) {
    const { deps, state, types, cache, assessment, findings } = sources
    this.#sources = sources
    this.types = types
    this.now = deps.clock.now()
    this.spotToSpot = deps.settings.featureGates.SpotToSpotConsolidation
    this.nodeOverheadCost = deps.settings.nodeOverheadCost
    this.commitments = state.commitments.current()
    this.consolidationState = state.consolidationState()
    this.assessments = Array.from(state.nodes(), (node) => cache.assessment(node, types, assessment, this.now))
    this.findings = findings
  }

  /** The number of pods simulated so far, as a measure of the work that this pass has done. */
  get asked(): number {
    return this.#asked
  }

  /** Returns what currently blocks the eviction of these pods. */
  podBlockers(pods: readonly Pod[]): readonly PodBlocker[] {
    return podBlockers(pods, this.#sources.assessment.budgets, this.now)
  }

  candidates(method: DisruptionClass): readonly Candidate[] {
    return this.assessments.flatMap((assessment) => candidateFor(assessment, method) ?? [])
  }

  /** Returns the remaining budgets of each pool for this reason. Recomputes them on each call. */
  budgets(reason: DisruptionReason): PoolBudgets {
    return this.#sources.budgets(reason)
  }

  /** The earliest time at which Kerf may try one of the undone moves again. */
  get waitsEnd(): Milliseconds {
    return this.#sources.memory?.nextEnd(this.now) ?? Number.POSITIVE_INFINITY
  }

  /** Whether any pool has a budget with a schedule. */
  get hasWindows(): boolean {
    return [...this.budgets('Empty').byPool.values()].some(({ pool }) =>
      pool.spec.disruption?.budgets?.some(({ schedule }) => schedule !== undefined),
    )
  }

  /** The totals for scoring moves, keyed by pool. Contains the Balanced pools that have a candidate. */
  get totals(): ReadonlyMap<string, PoolTotals> {
    this.#totals ??= this.#sumTotals()
    return this.#totals
  }

  /** Returns the candidates that should be disrupted last. Computed once per pass. */
  async worthKeeping(signal: AbortSignal): Promise<ReadonlySet<Candidate>> {
    this.#worthKeeping ??= await this.inSteps(nodesWorthKeeping(this.assessments), signal)
    return this.#worthKeeping
  }

  /**
   * Returns whether any pool can launch nodes. If none can, simulations are not possible. Pass the same `consolidation` here and to
   * `simulate`, so that both use the same snapshot.
   */
  async canSimulate(consolidation: boolean, signal: AbortSignal): Promise<boolean> {
    for (const steps = this.#prepare(consolidation); this.#goOn(steps); ) await this.#giveWay(signal)
    return this.#simulator(consolidation) !== undefined
  }

  /**
   * Returns where all pods would run if these nodes were gone. With `consolidation`, running pods are not placed on nodes whose
   * consolidateAfter has not passed yet. The simulation stops as soon as it needs more than `mostClaims` claims.
   */
  async simulate(
    candidates: readonly Pick<Candidate, 'name' | 'reschedulable'>[],
    consolidation: boolean,
    signal: AbortSignal,
    mostClaims?: number,
  ): Promise<Simulation> {
    for (const steps = this.#prepare(consolidation); this.#goOn(steps); ) await this.#giveWay(signal)
    const made = this.#simulator(consolidation)
    if (made === undefined) throw controllerErrors.NoNodePools({})
    for (const steps = made.simulator.prepare(); this.#goOn(steps); ) await this.#giveWay(signal)
    if (this.#podsSincePause >= PODS_PER_STEP) await this.#giveWay(signal)
    const simulation = this.#task('disruption.simulation', () => made.simulator.simulate(candidates, mostClaims))
    this.#podsSincePause += simulation.pods + 1
    this.#asked += simulation.pods
    return simulation
  }

  /** Returns the command that consolidates only this node, or the blocker. Simulates each node at most once per pass. */
  async consolidateSingleNode(candidate: Candidate, signal: AbortSignal): Promise<Command | Blocker> {
    const known = this.findings.singleNode.get(candidate)
    if (known !== undefined) return known.found
    const simulation = await this.simulate([candidate], true, signal)
    const found = planConsolidation([candidate], simulation, this, 'single')
    const [claim, ...more] = simulation.claims
    const needsOneNode = claim !== undefined && more.length === 0 && simulation.unplaced.length === 0
    this.findings.singleNode.set(candidate, {
      found,
      ...(needsOneNode ? { launch: { nodePool: claim.nodePool, pods: claim.pods } } : {}),
    })
    return found
  }

  /** Returns the result of the simulation of this node alone, or undefined if it has not run. */
  knownSingleNode(candidate: Candidate): SingleNodeResult | undefined {
    return this.findings.singleNode.get(candidate)
  }

  /** Returns a blocker for the consolidation of these nodes if earlier moves in the same pools did not save anything in the end. */
  undoneBefore(candidates: readonly Pick<Candidate, 'poolName'>[]): MoveBlocker | undefined {
    const { memory } = this.#sources
    if (memory === undefined || memory.isEmpty) return undefined
    this.#shared ??= this.#sources.sharedPools()
    for (const { poolName } of candidates) {
      const shared = this.#shared.get(poolName)
      if (shared === undefined) continue
      if (!this.#undoneUntil.has(shared)) {
        this.#undoneUntil.set(shared, memory.waitsUntil(shared, this.types, this.now))
      }
      const until = this.#undoneUntil.get(shared)
      if (until !== undefined) return { code: 'moves.undone', pools: shared.pools, until }
    }
    return undefined
  }

  /** Yields to other work if the cluster is large. */
  async rest(signal: AbortSignal): Promise<void> {
    if (this.assessments.length > NODES_PER_TURN) await this.#giveWay(signal)
  }

  /** Runs a long computation, yields to other work between its steps, and returns its result. */
  async inSteps<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
    return await runInSteps(steps, {
      run: (step) => this.#task('disruption.step', step),
      giveWay: () => this.#giveWay(signal),
    })
  }

  /** Runs one step of a computation. Returns whether more steps remain. */
  #goOn(steps: Steps<void>): boolean {
    return this.#task('disruption.step', () => steps.next()).done !== true
  }

  #task<Result>(name: string, work: () => Result): Result {
    return sharedLongTasks(this.#sources.deps).run(name, work)
  }

  async #giveWay(signal: AbortSignal): Promise<void> {
    this.#podsSincePause = 0
    const { deps, provisioning } = this.#sources
    await giveWay(deps.clock, provisioning, signal)
  }

  /** Prepares the inputs of `#simulator` in steps, so that `#simulator` itself is fast. */
  *#prepare(consolidation: boolean): Steps<void> {
    if (!this.#simulators.has(consolidation)) yield* this.#sources.simulators.prepare(this)
  }

  #simulator(consolidation: boolean): MadeSimulator | undefined {
    if (!this.#simulators.has(consolidation)) {
      const { simulators } = this.#sources
      const made = this.#task('disruption.snapshot', () => simulators.make(this, consolidation))
      if (made?.isSettling === true) this.findings.isSettling = true
      this.#simulators.set(consolidation, made)
    }
    return this.#simulators.get(consolidation)
  }

  #sumTotals(): ReadonlyMap<string, PoolTotals> {
    const totals = new Map<string, { price: number; disruption: number }>()
    for (const { poolName, pool } of this.candidates('graceful')) {
      if (poolConsolidationPolicy(pool) === 'Balanced') totals.set(poolName, { price: 0, disruption: 0 })
    }
    if (totals.size === 0) return totals
    for (const { state, candidate } of this.assessments) {
      const pool = state.nodePool ?? ''
      const total = totals.get(pool)
      if (total === undefined) continue
      const type = offeredType(this.types, pool, state.labels)
      total.price += candidate?.price ?? (nodePrice(type, state.labels) ?? 0) + this.nodeOverheadCost
      total.disruption += candidate?.disruption ?? nodeDisruption(state)
    }
    return totals
  }
}
