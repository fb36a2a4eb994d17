import { karpenterKinds, kinds, type Milliseconds, type NodeClaim, type NodePool, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedClaim, PoolOption, ScheduleOptions } from '@kerf/engine'
import {
  type Controller,
  done,
  type Logger,
  mapLimit,
  type Outcome,
  retryAfter,
  sharedLongTasks,
  sleep,
} from '@kerf/runtime'
import type { Deps, Scheduler } from '../deps.ts'
import type { Observations } from '../modes/observe/observations.ts'
import { CLOCK_RETRY } from '../nodeclaim/clock-hold.ts'
import { toNodeClaim } from '../nodeclaim/node-claim-object.ts'
import { PodDisruptionBudgets } from '../pod/pod-disruption-budgets.ts'
import { isUntried, podKey } from '../pod/pod-predicates.ts'
import { readOnlySource } from '../read-only-source.ts'
import { runInSteps } from '../run-in-steps.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import { reportSetAside } from '../state/isolation/report-set-aside.ts'
import type { Snapshots } from '../state/snapshot.ts'
import { AwaitedPools } from './awaited-pools.ts'
import { Batcher } from './batcher.ts'
import { ClaimCreator } from './claim-creator.ts'
import { currentPlan } from './current-plan.ts'
import { DecisionLog } from './decision-log.ts'
import type { ExpectedPods } from './expected-pods/expected-pods.ts'
import { quietWindow } from './expected-pods/quiet-window.ts'
import type { ReservedPods } from './in-memory-pods.ts'
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

/** How many NodeClaims are created in parallel. */
const PARALLEL_CREATES = 50
const SYNC_RETRY = 1_000
/** How often a pass that waits for pools checks them again. */
const POOLS_RETRY = 1_000
const NOTHING: Plan = { claims: [], placements: [], unschedulable: [], hourlyCost: 0, unpricedClaims: 0, steps: 0 }

/** The dependencies of every controller, and those that only the provisioner has. */
export interface ProvisionerDeps extends Deps {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly schedule: Scheduler
  readonly observations: Observations
  /** Whether the provisioner computes and discards a decision before its first real one, so that V8 compiles the code in advance. */
  readonly rehearses?: boolean
  /** Pods that reserve capacity for future pods. Present with the feature gate CapacityBuffer. */
  readonly buffers?: ReservedPods
  /** The pods that owners have not created yet. Present with `PLAN_EXPECTED_PODS=on`. */
  readonly expected?: ExpectedPods
}

/**
 * Finds nodes for pending pods, and launches the missing nodes (`docs/spec/pending-pods.md`). Passes run one at a time. A pass starts only
 * after every claim of the previous pass has an instance, so that each plan includes the nodes that are still starting.
 */
export class Provisioner {
  readonly decisions = new DecisionLog()
  readonly #deps: ProvisionerDeps
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
  /** The names of the awaited pools in the latest log line. */
  #awaited = ''
  #deciding: Promise<void> | undefined
  /** The monotonic time when the last new pod appeared that kube-scheduler had not tried at that time. */
  #cameAt: Milliseconds | undefined
  readonly #rehearsal: Rehearsal | undefined

  constructor(deps: ProvisionerDeps) {
    this.#deps = deps
    const { batchIdleDuration: idle, batchMaxDuration: max } = deps.settings
    this.#awaitedPools = new AwaitedPools(deps, max)
    const { expected } = deps
    const window = expected === undefined ? { idle: () => idle, max } : quietWindow(deps.settings, deps.state, expected)
    this.#batcher = new Batcher(deps.clock, window, (triggeredAt) => this.#quietSince(triggeredAt))
    this.#creator = new ClaimCreator(deps, deps.state)
    this.#budgets = new PodDisruptionBudgets(deps.informers, deps.state.isolation)
    this.#volumes = volumeLookup(deps.informers)
    this.#vocabulary = deps.provider.vocabulary
    this.#metrics = new SchedulerMetrics(deps.metrics, deps.clock, 'provisioner')
    const log = deps.log.child('provisioner', { controller: 'provisioner' })
    this.#log = log
    this.#hints = new PreferenceHints(deps.clock, log)
    const { state, snapshots, schedule, rehearses = false } = deps
    const waiting = (): readonly Pod[] => pendingPods(state, this.#vocabulary, this.#volumes).pods
    this.#rehearsal = rehearses ? new Rehearsal({ ...deps, snapshots, schedule, waiting }) : undefined
    this.#record = new PassRecord(deps, { state, decisions: this.decisions, log }, (pod) => this.#isVirtual(pod))
  }

  /** Records that a pod, a terminating node or a buffer with this UID may need a node. */
  trigger(uid: string): void {
    this.#batcher.trigger(uid)
    this.#rehearsal?.windowBegins()
  }

  /** A promise that resolves when the current pass ends, with or without an error. Undefined if no pass is running. */
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
      // Only `trigger` starts a pass. These sources start none, but they delay the first pass until the informers have listed the objects.
      sources: [
        readOnlySource(informers, kinds.Pod),
        readOnlySource(informers, kinds.Node),
        readOnlySource(informers, kinds.DaemonSet),
        readOnlySource(informers, kinds.Namespace),
        readOnlySource(informers, kinds.PersistentVolumeClaim),
        readOnlySource(informers, kinds.PersistentVolume),
        readOnlySource(informers, kinds.StorageClass),
        readOnlySource(informers, kinds.CSINode),
        readOnlySource(informers, kinds.PodDisruptionBudget),
        readOnlySource(informers, karpenterKinds.NodePool),
        readOnlySource(informers, karpenterKinds.NodeClaim),
      ],
      concurrency: 1,
      subscribe: (enqueue) => {
        const stops = [
          this.#batcher.onRipe(() => enqueue('')),
          this.#deps.state.onAllLaunched(() => enqueue('')),
          this.#deps.state.onSuccession((pod, target) => this.#record.succeeded(pod, target)),
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
    if (!(await this.#deps.sync.synced(signal))) return retryAfter(SYNC_RETRY)
    if (this.#waitsForPools()) return retryAfter(POOLS_RETRY)
    this.#batcher.take()
    let outcome: 'done' | 'again' = 'again'
    const deciding = Promise.withResolvers<void>()
    this.#deciding = deciding.promise
    try {
      await this.#pass(signal)
      outcome = 'done'
    } finally {
      // `again` means that the pass failed. The controller manager then repeats it.
      this.#batcher.resume(outcome)
      this.#deciding = undefined
      deciding.resolve()
    }
    return done()
  }

  /**
   * Returns the start of the window's idle time. New pods that kube-scheduler has not tried yet extend the window. Pods that kube-scheduler
   * refuses from a long queue do not extend it: they arrived earlier, and the same pass plans them in any case.
   */
  #quietSince(triggeredAt: Milliseconds): Milliseconds {
    const { state } = this.#deps
    const now = this.#deps.clock.now()
    if (this.#cameAt === undefined || !isQueueLong(state, now)) return triggeredAt
    return isQueuePlanned(state, now) ? this.#cameAt : Math.max(triggeredAt, this.#cameAt)
  }

  /** Returns whether the pass must wait for pools. Logs a line when the set of these pools changes. */
  #waitsForPools(): boolean {
    const names = shortened(this.#awaitedPools.names())
    if (names !== '' && names !== this.#awaited) {
      this.#log.info('waiting for nodepool(s) whose readiness is unknown', { NodePools: names })
    }
    this.#awaited = names
    return names !== ''
  }

  async #pass(signal: AbortSignal): Promise<void> {
    this.#rehearsal?.end()
    const { clock, random } = this.#deps
    const { state, snapshots, buffers, expected } = this.#deps
    const began = clock.monotonic()
    const { observations } = this.#deps
    const launchable = launchablePools(this.#deps)
    const offered = await poolOptions(this.#deps, launchable, signal)
    await this.#deps.state.loadPolicies(signal)
    const pools = launchable.filter((pool) => !observations.observes(pool))
    const options = offered.filter(({ nodePool }) => !observations.observes(nodePool))
    // Reads all inputs of the plan without yielding to other work, so that they are consistent.
    const { version } = state
    const taken = snapshots.take(options)
    const expectedPods = expected?.pods() ?? []
    const withBuffers = buffers?.within(taken) ?? taken
    const snapshot = expected?.within(withBuffers) ?? withBuffers
    const pending = pendingPods(state, this.#vocabulary, this.#volumes)
    this.#record.ignored(pending.ignored)
    if (this.#deps.settings.preferencePolicy === 'Respect') this.#hints.hint(pending.pods)
    const leaving = podsOnDeletingNodes(state, this.#budgets, clock.now())
    const pods = [...pending.pods, ...(buffers?.pods() ?? []), ...leaving]
    const lookups = { vocabulary: this.#vocabulary, volumes: this.#volumes }
    const ahead =
      expected === undefined ? {} : { isPlannedAhead: (pod: Pod): boolean => expected.ownerUid(pod) !== undefined }
    const untried = untriedPods(state, pending.pods, { ...lookups, ...ahead }, clock.now())
    // Untried and expected pods must not take capacity from pods that kube-scheduler has refused.
    const later = [...untried, ...expectedPods]
    if (options.length < offered.length) await this.#observe(pending.pods, offered, signal)
    if (this.#deps.settings.observe) return
    if (pods.length === 0 && expectedPods.length === 0) {
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
    const asked = provisioningOptions(this.#deps, pods.length + later.length)
    const made = await this.#metrics.measure(random.uuid(), pods.length + later.length, () =>
      this.#plan(snapshot, pods, later, asked, signal),
    )
    const current = state.version === version ? made : this.#current(made, snapshot)
    const plan = expected?.limited(current, snapshot) ?? current
    this.#metrics.zones(plan.pendingByZone)
    this.#metrics.passed((clock.monotonic() - began) / 1000)
    const unschedulable = this.#record.planned(plan, snapshot, new Remedies(snapshot, asked))
    this.#metrics.counted({ ignored: pending.ignored.length, unschedulable })
    await buffers?.placed(plan, snapshot, signal)
    expected?.placed(plan, snapshot)
    await this.#launch(plan.claims, snapshot, signal)
  }

  /**
   * Returns a plan in which the pods of `later` take no capacity from other pods. If they would make another pod unschedulable, the plan
   * does not include them. Pods of `later` that remain unschedulable are not reported.
   */
  async #plan(
    snapshot: ClusterSnapshot,
    pods: readonly Pod[],
    later: readonly Pod[],
    asked: ScheduleOptions,
    signal: AbortSignal,
  ): Promise<Plan> {
    const plan = await this.#schedule(snapshot, [...pods, ...later], asked, signal)
    if (later.length === 0) return plan
    const left = new Set(later)
    const unschedulable = plan.unschedulable.filter(({ pod }) => !left.has(pod))
    if (unschedulable.length > 0) {
      const without = await this.#schedule(snapshot, pods, provisioningOptions(this.#deps, pods.length), signal)
      if (without.unschedulable.length < unschedulable.length) return without
    }
    return { ...plan, unschedulable }
  }

  /** Runs the scheduler. Reports objects that the scheduler could not use. The next passes exclude them. */
  async #schedule(
    snapshot: ClusterSnapshot,
    pods: readonly Pod[],
    asked: ScheduleOptions,
    signal: AbortSignal,
  ): Promise<Plan> {
    const { clock } = this.#deps
    const plan = await runInSteps(this.#deps.schedule(snapshot, pods, asked), {
      run: (step) => sharedLongTasks(this.#deps).run('provisioner.schedule', step),
      giveWay: () => sleep(clock, 0, signal),
    })
    reportSetAside(this.#deps.state.isolation, plan.setAside)
    return plan
  }

  #isVirtual(pod: Pod): boolean {
    const { buffers, expected } = this.#deps
    return buffers?.isVirtual(pod) === true || expected?.isVirtual(pod) === true
  }

  /** Returns the part of a plan that is still valid in the current cluster. Triggers another pass for the pods that need it. */
  #current(made: Plan, snapshot: ClusterSnapshot): Plan {
    const { state } = this.#deps
    const known = this.#deps.informers.of(kinds.Pod)
    const isVirtual = (pod: Pod): boolean => this.#isVirtual(pod)
    const { plan, again } = currentPlan(made, snapshot, { state, isVirtual, pod: (key) => known.get(key) })
    for (const { metadata } of again) this.trigger(metadata.uid ?? '')
    return plan
  }

  /**
   * Records what Kerf would launch for pools in observe mode. If the whole controller is in observe mode, also records where pods would be
   * placed.
   */
  async #observe(waiting: readonly Pod[], options: readonly PoolOption[], signal: AbortSignal): Promise<void> {
    const { observations, snapshots } = this.#deps
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

  /** Creates all claims of a plan. If the creation of one claim fails, the others are still created. */
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
    const { expected } = this.#deps
    const named = expected?.withOwners(planned) ?? planned
    const make = (name: string): NodeClaim => toNodeClaim(named, pool, name)
    const created = await this.#creator.create(pool, 'provisioned', make, { minValuesRelaxed, signal })
    this.#record.launched(planned, created)
    expected?.launched(planned, created.metadata.name)
  }
}
