import { isConditionTrue, karpenterKinds, kinds, type NodeClaim, type NodePool, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedClaim, PlannedPlacement, ScheduleOptions } from '@kerf/engine'
import { type Controller, done, type Logger, mapLimit, type Outcome, retryAfter } from '@kerf/runtime'
import type { Deps, Scheduler } from '../deps.ts'
import { read } from '../read.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import { DisruptionBudgets } from '../state/disruption-budgets.ts'
import { podKey } from '../state/pod-predicates.ts'
import type { Snapshots } from '../state/snapshot.ts'
import { vocabularyOf } from '../validation/label-vocabulary.ts'
import { Batcher } from './batcher.ts'
import { ClaimCreator } from './claim-creator.ts'
import { DecisionLog } from './decision-log.ts'
import { describeReasons } from './describe-reasons.ts'
import { failedScheduling, noCompatibleInstanceTypes, nominated } from './events.ts'
import { launchablePools, poolOptions, withoutPools } from './launchable-pools.ts'
import { nodeClaimOf } from './node-claim-object.ts'
import { type IgnoredPod, pendingPods, podsOnDeletingNodes } from './pending-pods.ts'
import { SchedulerMetrics } from './scheduler-metrics.ts'
import { volumeLookup } from './volume-validation.ts'

/** NodeClaims written at a time. */
const PARALLEL_CREATES = 50
/** How many names a log line lists. */
const NAMED = 5
const SYNC_RETRY = 1_000
const NOTHING: Plan = { claims: [], placements: [], unschedulable: [], hourlyCost: 0, steps: 0 }

/** What the provisioner works with besides the dependencies of every controller. */
export interface ProvisionerParts {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly schedule: Scheduler
  /** Capacity that is wanted before pods need it; with the gate CapacityBuffer. */
  readonly buffers?: VirtualPods
}

/** Pods that exist in memory only: they take room, and nobody waits for them. */
export interface VirtualPods {
  pods(): readonly Pod[]
  isVirtual(pod: Pod): boolean
  /** Called after every pass that placed virtual pods. */
  placed(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void>
}

/**
 * Finds places for pods that have none, and asks for the nodes that are missing (`spec/scheduling.md` 1.2 to 1.7). One
 * pass at a time, and none before every claim of the last one has its instance: capacity that is on its way is known
 * before anybody buys more.
 */
export class Provisioner {
  readonly decisions = new DecisionLog()
  readonly #deps: Deps
  readonly #parts: ProvisionerParts
  readonly #batcher: Batcher
  readonly #creator: ClaimCreator
  readonly #budgets: DisruptionBudgets
  readonly #volumes
  readonly #vocabulary
  readonly #metrics: SchedulerMetrics
  readonly #log: Logger

  constructor(deps: Deps, parts: ProvisionerParts) {
    this.#deps = deps
    this.#parts = parts
    const { batchIdleDuration: idle, batchMaxDuration: max } = deps.settings
    this.#batcher = new Batcher(deps.clock, { idle, max })
    this.#creator = new ClaimCreator(deps, parts.state)
    this.#budgets = new DisruptionBudgets(deps.informers)
    this.#volumes = volumeLookup(deps.informers)
    this.#vocabulary = vocabularyOf(deps.provider)
    this.#metrics = new SchedulerMetrics(deps.metrics, deps.clock, 'provisioner')
    this.#log = deps.log.child('provisioner', { controller: 'provisioner' })
  }

  /** Something may need a node: a pod, a node that goes, a buffer; by its uid. */
  trigger(uid: string): void {
    this.#batcher.trigger(uid)
  }

  get creator(): ClaimCreator {
    return this.#creator
  }

  controller(): Controller {
    const { informers } = this.#deps
    return {
      name: 'provisioner',
      // Read, not listened to: the pass must not begin before they are complete.
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
          informers.of(kinds.Pod).onChange(({ before, after }) => {
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
    if (!(await this.#parts.sync.synced(signal))) return retryAfter(SYNC_RETRY)
    this.#batcher.take()
    let outcome: 'done' | 'again' = 'again'
    try {
      await this.#pass(signal)
      outcome = 'done'
    } finally {
      this.#batcher.resume(outcome)
    }
    return done()
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps
    const { state, snapshots, buffers } = this.#parts
    const began = clock.monotonic()
    const pools = launchablePools(this.#deps)
    const options = await poolOptions(this.#deps, pools, signal)
    const snapshot = snapshots.take(options)
    const pending = pendingPods(state, this.#vocabulary, this.#volumes)
    this.#ignore(pending.ignored)
    const leaving = podsOnDeletingNodes(state, this.#budgets, clock.now())
    const pods = [...pending.pods, ...(buffers?.pods() ?? []), ...leaving]
    if (pods.length === 0) {
      await buffers?.placed(NOTHING, snapshot, signal)
      this.#metrics.counted({ ignored: pending.ignored.length, unschedulable: 0 })
      return
    }
    if (pools.length === 0) {
      this.#refuseWithoutPools(pending.pods)
      this.#metrics.counted({ ignored: pending.ignored.length, unschedulable: pods.length })
      return
    }
    this.#log.info('found provisionable pod(s)', { Pods: named(pods), pods: pods.length })
    const plan = this.#metrics.measure(random.uuid(), pods.length, () =>
      this.#parts.schedule(snapshot, pods, this.#options()),
    )
    this.#metrics.passed((clock.monotonic() - began) / 1000)
    this.#record(plan, snapshot, pending.ignored.length)
    await buffers?.placed(plan, snapshot, signal)
    await this.#launch(plan.claims, snapshot, signal)
  }

  #options(): ScheduleOptions {
    const { settings, provider } = this.#deps
    return {
      preferencePolicy: settings.preferencePolicy,
      minValuesPolicy: settings.minValuesPolicy,
      reservedMode: 'Strict',
      reservedCapacity: settings.featureGates.ReservedCapacity,
      ignoreDraRequests: settings.ignoreDraRequests,
      wellKnownLabels: provider.wellKnownLabels,
      ...(settings.defaultSpreadConstraints.length === 0
        ? {}
        : { defaultSpreadConstraints: settings.defaultSpreadConstraints }),
    }
  }

  #ignore(ignored: readonly IgnoredPod[]): void {
    const now = this.#deps.clock.now()
    for (const { pod, problems } of ignored) {
      this.#parts.state.timings.markUnschedulable(pod, now)
      if (problems.length === 0) continue
      const reasons = [
        { code: 'pod.invalid' as const, subject: `pod/${podKey(pod)}`, detail: { problems: [...problems] } },
      ]
      this.#deps.events.publish(failedScheduling(pod, `ignoring pod, ${problems.join('; ')}`))
      if (this.decisions.refused(now, podKey(pod), reasons)) {
        this.#log.error('ignoring pod', { Pod: refOf(pod), error: problems.join('; ') })
      }
    }
  }

  #refuseWithoutPools(pods: readonly Pod[]): void {
    const now = this.#deps.clock.now()
    const why = withoutPools(this.#deps)
    const reasons = [{ code: 'nodepool.none' as const, subject: 'cluster', detail: {} }]
    for (const pod of pods) {
      this.#parts.state.timings.markUnschedulable(pod, now)
      this.#deps.events.publish(failedScheduling(pod, why))
      if (this.decisions.refused(now, podKey(pod), reasons)) {
        this.#log.error('could not schedule pod', { Pod: refOf(pod), error: why })
      }
    }
  }

  #record(plan: Plan, snapshot: ClusterSnapshot, ignored: number): void {
    const now = this.#deps.clock.now()
    const { timings } = this.#parts.state
    let unschedulable = 0
    for (const { pod, reasons } of plan.unschedulable) {
      // Another pass gets to it as soon as the reservations of this one are known.
      if (reasons[0]?.code === 'reservation.exhausted') continue
      unschedulable++
      if (this.#isVirtual(pod)) continue
      timings.markUnschedulable(pod, now)
      const why = describeReasons(reasons)
      this.#deps.events.publish(failedScheduling(pod, why))
      if (!this.decisions.refused(now, podKey(pod), reasons)) continue
      if (reasons[0]?.code === 'pod.device-claim')
        this.#log.info('skipping pod with DRA requirements', { Pod: refOf(pod) })
      else this.#log.error('could not schedule pod', { Pod: refOf(pod), error: why })
    }
    this.#metrics.counted({ ignored, unschedulable })
    this.#tellEmptyPools(plan, snapshot)
    for (const { nodePool, pods } of plan.claims) {
      const healthy = this.#isHealthy(nodePool)
      for (const pod of pods) if (!this.#isVirtual(pod)) timings.markSchedulable(pod, now, healthy)
    }
    const byName = new Map(snapshot.nodes.map((node) => [node.name, node]))
    for (const placement of plan.placements) this.#place(placement, byName)
    this.#summarise(plan)
  }

  /** Pools whose requirements leave nothing that can be bought learn it themselves, not only the pods that they refuse. */
  #tellEmptyPools(plan: Plan, snapshot: ClusterSnapshot): void {
    const empty = new Map<string, boolean>()
    for (const { reasons } of plan.unschedulable) {
      for (const { code, subject, detail } of reasons) {
        const isForMinValues = code === 'min-values.unmet' && detail['types'] === 'all its'
        if (code === 'nodepool.catalogue-empty' || isForMinValues) empty.set(subject, isForMinValues)
      }
    }
    for (const { nodePool } of snapshot.pools) {
      const isForMinValues = empty.get(`nodepool/${nodePool.metadata.name}`)
      if (isForMinValues === undefined) continue
      this.#deps.events.publish(noCompatibleInstanceTypes(nodePool, isForMinValues))
    }
  }

  #place(placement: PlannedPlacement, byName: ReadonlyMap<string, ClusterSnapshot['nodes'][number]>): void {
    const node = byName.get(placement.node)
    const pods = placement.pods.filter((pod) => !this.#isVirtual(pod))
    if (node === undefined || pods.length === 0) return
    const { state } = this.#parts
    const now = this.#deps.clock.now()
    const healthy = node.nodePool !== undefined && this.#isHealthy(node.nodePool)
    if (node.providerID !== undefined) state.nominate(node.providerID)
    const target = {
      ...(node.nodeName === undefined ? {} : { node: node.nodeName }),
      ...(node.nodeClaim === undefined ? {} : { nodeClaim: node.nodeClaim }),
    }
    for (const pod of pods) {
      state.timings.markSchedulable(pod, now, healthy)
      if (node.nodeClaim !== undefined) state.timings.assign(pod, node.nodeClaim)
      this.#deps.events.publish(nominated(pod, target))
    }
    this.decisions.placed(now, placement.node, pods.map(podKey))
  }

  #summarise(plan: Plan): void {
    const inClaims = plan.claims.reduce((sum, claim) => sum + claim.pods.length, 0)
    if (plan.claims.length > 0) {
      this.#log.info('computed new nodeclaim(s) to fit pod(s)', { nodeclaims: plan.claims.length, pods: inClaims })
    }
    const placed = plan.placements.filter(({ pods }) => pods.length > 0)
    if (placed.length > 0) {
      const pods = placed.reduce((sum, placement) => sum + placement.pods.length, 0)
      this.#log.info('computed unready node(s) will fit pod(s)', { nodes: placed.length, pods })
    }
  }

  /** Every claim is tried, whatever becomes of the others. */
  async #launch(claims: readonly PlannedClaim[], snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void> {
    const pools = new Map(snapshot.pools.map(({ nodePool }) => [nodePool.metadata.name ?? '', nodePool]))
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
    const name = created.metadata.name ?? ''
    const pods = planned.pods.filter((pod) => !this.#isVirtual(pod))
    for (const pod of pods) {
      this.#parts.state.timings.assign(pod, name)
      this.#deps.events.publish(nominated(pod, { nodeClaim: name }))
    }
    this.decisions.launched(this.#deps.clock.now(), name, planned, pods.map(podKey))
    this.#log.info('created nodeclaim', {
      NodePool: { name: planned.nodePool },
      NodeClaim: { name },
      requests: created.spec.resources?.requests,
      'instance-types': shortened(planned.instanceTypes),
    })
  }

  #isVirtual(pod: Pod): boolean {
    return this.#parts.buffers?.isVirtual(pod) ?? false
  }

  #isHealthy(pool: string): boolean {
    const found = this.#deps.informers.of(karpenterKinds.NodePool).get(pool)
    return found !== undefined && isConditionTrue(found, 'NodeRegistrationHealthy')
  }
}

const refOf = (pod: Pod) => ({ namespace: pod.metadata.namespace, name: pod.metadata.name })

const shortened = (names: readonly string[]): string => {
  const more = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

const named = (pods: readonly Pod[]): string => shortened(pods.map(podKey))
