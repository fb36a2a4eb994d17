import { karpenterKinds, kinds, type Milliseconds, type NodeClaim, type NodePool, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedClaim, PoolOption, ScheduleOptions } from '@kerf/engine'
import {
  type Controller,
  done,
  type Logger,
  longTasksOf,
  mapLimit,
  type Outcome,
  retryAfter,
  sleep,
} from '@kerf/runtime'
import type { Deps, Scheduler } from '../deps.ts'
import { inTurns } from '../in-turns.ts'
import { reportSetAside } from '../isolation/report-set-aside.ts'
import { CLOCK_RETRY } from '../node-claims/clock-hold.ts'
import { nodeClaimOf } from '../node-claims/node-claim-object.ts'
import type { Observations } from '../observation/observations.ts'
import { PodDisruptionBudgets } from '../pods/pod-disruption-budgets.ts'
import { isUntried, podKey } from '../pods/pod-predicates.ts'
import { read } from '../read.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import type { Snapshots } from '../state/snapshot.ts'
import { AwaitedPools } from './awaited-pools.ts'
import { Batcher } from './batcher.ts'
import { ClaimCreator } from './claim-creator.ts'
import { currentPlan } from './current-plan.ts'
import { DecisionLog } from './decision-log.ts'
import { launchablePools, poolOptions } from './launchable-pools.ts'
import { PassRecord } from './pass-record.ts'
import { pendingPods, podsOnDeletingNodes } from './pending-pods.ts'
import { PreferenceHints } from './preference-hints.ts'
import { provisioningOptions } from './provisioning-options.ts'
import { Rehearsal } from './rehearsal.ts'
import { Remedies } from './remedies.ts'
import { SchedulerMetrics } from './scheduler-metrics.ts'
import { shortened } from './shortened.ts'
import { isQueueLong, isQueuePlanned, untriedPods } from './untried-pods.ts'
import { volumeLookup } from './volume-validation.ts'

/** NodeClaims written at a time. */
const PARALLEL_CREATES = 50
const SYNC_RETRY = 1_000
/** How soon pools that a pass waits for are looked at again. */
const POOLS_RETRY = 1_000
const NOTHING: Plan = { claims: [], placements: [], unschedulable: [], hourlyCost: 0, unpricedClaims: 0, steps: 0 }

/** What the provisioner works with besides the dependencies of every controller. */
export interface ProvisionerParts {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly schedule: Scheduler
  readonly observations: Observations
  /** Whether the first decision is tried before it is due. */
  readonly rehearses?: boolean
  /** Capacity that is wanted before pods need it; with the gate CapacityBuffer. */
  readonly buffers?: VirtualPods
}

/** Pods that exist in memory only: they take capacity, and nobody waits for them. */
export interface VirtualPods {
  pods(): readonly Pod[]
  /** The snapshot with the objects that these pods refer to and that exist in memory only. */
  within(snapshot: ClusterSnapshot): ClusterSnapshot
  isVirtual(pod: Pod): boolean
  /**
   * Called in every pass before its claims are created, with an empty plan when no pod waits. Not called when there are
   * pods but no NodePool can launch.
   */
  placed(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void>
}

/**
 * Finds places for pods that have none, and asks for the nodes that are missing (`docs/spec/pending-pods.md`). One
 * pass at a time, and none before every claim of the last one has its instance: capacity that is on its way is known
 * before anybody buys more.
 */
export class Provisioner {
  readonly decisions = new DecisionLog()
  readonly #deps: Deps
  readonly #parts: ProvisionerParts
  readonly #batcher: Batcher
  readonly #creator: ClaimCreator
  readonly #budgets: PodDisruptionBudgets
  readonly #volumes
  readonly #vocabulary
  readonly #metrics: SchedulerMetrics
  readonly #record: PassRecord
  readonly #hints: PreferenceHints
  readonly #awaitedPools: AwaitedPools
  readonly #log: Logger
  /** The pools of the last log line about pools that are waited for. */
  #awaited = ''
  #deciding: Promise<void> | undefined
  /** When the last pod came that kube-scheduler had not tried yet, on the monotonic clock. */
  #cameAt: Milliseconds | undefined
  readonly #rehearsal: Rehearsal | undefined

  constructor(deps: Deps, parts: ProvisionerParts) {
    this.#deps = deps
    this.#parts = parts
    const { batchIdleDuration: idle, batchMaxDuration: max } = deps.settings
    this.#awaitedPools = new AwaitedPools(deps, max)
    this.#batcher = new Batcher(deps.clock, { idle, max }, (triggeredAt) => this.#quietSince(triggeredAt))
    this.#creator = new ClaimCreator(deps, parts.state)
    this.#budgets = new PodDisruptionBudgets(deps.informers, parts.state.isolation)
    this.#volumes = volumeLookup(deps.informers)
    this.#vocabulary = deps.provider.vocabulary
    this.#metrics = new SchedulerMetrics(deps.metrics, deps.clock, 'provisioner')
    const log = deps.log.child('provisioner', { controller: 'provisioner' })
    this.#log = log
    this.#hints = new PreferenceHints(deps.clock, log)
    const { state, snapshots, schedule, buffers, rehearses = false } = parts
    const waiting = (): readonly Pod[] => pendingPods(state, this.#vocabulary, this.#volumes).pods
    this.#rehearsal = rehearses ? new Rehearsal(deps, { snapshots, schedule, waiting }) : undefined
    this.#record = new PassRecord(
      deps,
      { state, decisions: this.decisions, log },
      (pod) => buffers?.isVirtual(pod) ?? false,
    )
  }

  /** Something may need a node: a pod, a terminating node, a buffer; by its uid. */
  trigger(uid: string): void {
    this.#batcher.trigger(uid)
    this.#rehearsal?.windowBegins()
  }

  /** Ends with the pass that runs now, whatever comes of it; nothing while none does. */
  get deciding(): Promise<void> | undefined {
    return this.#deciding
  }

  get creator(): ClaimCreator {
    return this.#creator
  }

  controller(): Controller {
    const { informers } = this.#deps
    return {
      name: 'provisioner',
      // Their changes start no pass; `trigger` does. They are listed so that no pass begins before they are complete.
      sources: [
        read(informers, kinds.Pod),
        read(informers, kinds.Node),
        read(informers, kinds.DaemonSet),
        read(informers, kinds.Namespace),
        read(informers, kinds.PersistentVolumeClaim),
        read(informers, kinds.PersistentVolume),
        read(informers, kinds.StorageClass),
        read(informers, kinds.CSINode),
        read(informers, kinds.PodDisruptionBudget),
        read(informers, karpenterKinds.NodePool),
        read(informers, karpenterKinds.NodeClaim),
      ],
      concurrency: 1,
      subscribe: (enqueue) => {
        const stops = [
          this.#batcher.onRipe(() => enqueue('')),
          this.#parts.state.onAllLaunched(() => enqueue('')),
          this.#parts.state.onSuccession((pod, target) => this.#record.succeeded(pod, target)),
          informers.of(kinds.Pod).onChange(({ before, after }) => {
            if (before === undefined && after !== undefined && isUntried(after)) {
              this.#cameAt = this.#deps.clock.monotonic()
            }
            if (after === undefined && before !== undefined) this.decisions.forget(podKey(before))
          }),
        ]
        if (this.#batcher.isRipe) enqueue('')
        return () => {
          for (const stop of stops) stop()
        }
      },
      reconcile: (_key, signal) => this.#reconcile(signal),
    }
  }

  async #reconcile(signal: AbortSignal): Promise<Outcome> {
    if (!this.#batcher.isRipe) return done()
    if (this.#deps.clock.problem !== undefined) return retryAfter(CLOCK_RETRY)
    if (!(await this.#parts.sync.synced(signal))) return retryAfter(SYNC_RETRY)
    if (this.#waitsForPools()) return retryAfter(POOLS_RETRY)
    this.#batcher.take()
    let outcome: 'done' | 'again' = 'again'
    const deciding = Promise.withResolvers<void>()
    this.#deciding = deciding.promise
    try {
      await this.#pass(signal)
      outcome = 'done'
    } finally {
      // 'again': the pass failed, and the manager repeats it.
      this.#batcher.resume(outcome)
      this.#deciding = undefined
      deciding.resolve()
    }
    return done()
  }

  /** Since when no pod has come. Who is refused in a long queue had come before, and is planned with the others either way. */
  #quietSince(triggeredAt: Milliseconds): Milliseconds {
    const { state } = this.#parts
    const now = this.#deps.clock.now()
    if (this.#cameAt === undefined || !isQueueLong(state, now)) return triggeredAt
    return isQueuePlanned(state, now) ? this.#cameAt : Math.max(triggeredAt, this.#cameAt)
  }

  /** One log line for each set of pools. */
  #waitsForPools(): boolean {
    const names = shortened(this.#awaitedPools.names())
    if (names !== '' && names !== this.#awaited) {
      this.#log.info('waiting for nodepool(s) whose readiness is not known yet', { NodePools: names })
    }
    this.#awaited = names
    return names !== ''
  }

  async #pass(signal: AbortSignal): Promise<void> {
    this.#rehearsal?.end()
    const { clock, random } = this.#deps
    const { state, snapshots, buffers } = this.#parts
    const began = clock.monotonic()
    const { observations } = this.#parts
    const launchable = launchablePools(this.#deps)
    const offered = await poolOptions(this.#deps, launchable, signal)
    const pools = launchable.filter((pool) => !observations.observes(pool))
    const options = offered.filter(({ nodePool }) => !observations.observes(nodePool))
    // All that a plan is made of is read in one turn.
    const { version } = state
    const taken = snapshots.take(options)
    const snapshot = buffers?.within(taken) ?? taken
    const pending = pendingPods(state, this.#vocabulary, this.#volumes)
    this.#record.ignored(pending.ignored)
    if (this.#deps.settings.preferencePolicy === 'Respect') this.#hints.hint(pending.pods)
    const leaving = podsOnDeletingNodes(state, this.#budgets, clock.now())
    const pods = [...pending.pods, ...(buffers?.pods() ?? []), ...leaving]
    const lookups = { vocabulary: this.#vocabulary, volumes: this.#volumes }
    const untried = untriedPods(state, pending.pods, lookups, clock.now())
    if (options.length < offered.length) await this.#observe(pending.pods, offered, signal)
    if (this.#deps.settings.observe) return
    if (pods.length === 0) {
      await buffers?.placed(NOTHING, snapshot, signal)
      this.#metrics.counted({ ignored: pending.ignored.length, unschedulable: 0 })
      return
    }
    if (pools.length === 0) {
      this.#record.withoutPools(pending.pods)
      this.#metrics.counted({ ignored: pending.ignored.length, unschedulable: pods.length })
      return
    }
    this.#record.found(pods, untried)
    const asked = provisioningOptions(this.#deps, pods.length + untried.length)
    const made = await this.#metrics.measure(random.uuid(), pods.length + untried.length, () =>
      this.#plan(snapshot, pods, untried, asked, signal),
    )
    const plan = state.version === version ? made : this.#current(made, snapshot)
    this.#metrics.zones(plan.pendingByZone)
    this.#metrics.passed((clock.monotonic() - began) / 1000)
    const unschedulable = this.#record.planned(plan, snapshot, new Remedies(snapshot, asked))
    this.#metrics.counted({ ignored: pending.ignored.length, unschedulable })
    await buffers?.placed(plan, snapshot, signal)
    await this.#launch(plan.claims, snapshot, signal)
  }

  /** An untried pod never costs another its place: where one is left without, they are left out. Nothing is said of them. */
  async #plan(
    snapshot: ClusterSnapshot,
    pods: readonly Pod[],
    untried: readonly Pod[],
    asked: ScheduleOptions,
    signal: AbortSignal,
  ): Promise<Plan> {
    const plan = await this.#schedule(snapshot, [...pods, ...untried], asked, signal)
    if (untried.length === 0) return plan
    const left = new Set(untried)
    const unschedulable = plan.unschedulable.filter(({ pod }) => !left.has(pod))
    if (unschedulable.length > 0) {
      const without = await this.#schedule(snapshot, pods, provisioningOptions(this.#deps, pods.length), signal)
      if (without.unschedulable.length < unschedulable.length) return without
    }
    return { ...plan, unschedulable }
  }

  /** The plan; objects that it was made without are reported, and left out of the next passes. */
  async #schedule(
    snapshot: ClusterSnapshot,
    pods: readonly Pod[],
    asked: ScheduleOptions,
    signal: AbortSignal,
  ): Promise<Plan> {
    const { clock } = this.#deps
    const plan = await inTurns(this.#parts.schedule(snapshot, pods, asked), {
      run: (step) => longTasksOf(this.#deps).run('provisioner.schedule', step),
      giveWay: () => sleep(clock, 0, signal),
    })
    reportSetAside(this.#parts.state.isolation, plan.setAside)
    return plan
  }

  /** What of a plan holds in the cluster as it is now. The other pods are planned again. */
  #current(made: Plan, snapshot: ClusterSnapshot): Plan {
    const { state, buffers } = this.#parts
    const known = this.#deps.informers.of(kinds.Pod)
    const isVirtual = (pod: Pod): boolean => buffers?.isVirtual(pod) ?? false
    const { plan, again } = currentPlan(made, snapshot, { state, isVirtual, pod: (key) => known.get(key) })
    for (const { metadata } of again) this.trigger(metadata.uid ?? '')
    return plan
  }

  /** Records what pools in observe mode would launch, as if they acted. Where the whole controller observes, placements too. */
  async #observe(waiting: readonly Pod[], options: readonly PoolOption[], signal: AbortSignal): Promise<void> {
    const { observations, snapshots } = this.#parts
    const pods = observations.undecided(waiting)
    if (pods.length === 0) return
    const own = provisioningOptions(this.#deps, pods.length)
    const plan = await this.#schedule(snapshots.take(options), pods, own, signal)
    const pools = new Map(options.map(({ nodePool }) => [nodePool.metadata.name, nodePool]))
    for (const claim of plan.claims) {
      const pool = pools.get(claim.nodePool)
      if (pool !== undefined && observations.observes(pool)) observations.launch(pool, claim)
    }
    if (!this.#deps.settings.observe) return
    for (const { node, pods: placed } of plan.placements) if (placed.length > 0) observations.place(node, placed)
  }

  /** Every claim is tried, whatever becomes of the others. */
  async #launch(claims: readonly PlannedClaim[], snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void> {
    const pools = new Map(snapshot.pools.map(({ nodePool }) => [nodePool.metadata.name, nodePool]))
    const failures: unknown[] = []
    await mapLimit(claims, PARALLEL_CREATES, async (planned) => {
      const pool = pools.get(planned.nodePool)
      if (pool === undefined) return
      try {
        await this.#launchOne(planned, pool, signal)
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
      }
    })
    if (failures.length === 0) return
    const [first] = failures
    const why = first instanceof Error ? first.message : String(first)
    throw new AggregateError(failures, `creating ${failures.length} of ${claims.length} nodeclaims failed: ${why}`)
  }

  async #launchOne(planned: PlannedClaim, pool: NodePool, signal: AbortSignal): Promise<void> {
    const { minValuesRelaxed } = planned
    const make = (name: string): NodeClaim => nodeClaimOf(planned, pool, name)
    const created = await this.#creator.create(pool, 'provisioned', make, { minValuesRelaxed, signal })
    this.#record.launched(planned, created)
  }
}
