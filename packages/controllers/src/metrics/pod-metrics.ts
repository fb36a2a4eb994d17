import { isScheduled, isTerminal, kinds, labels, type Milliseconds, ownValue, type Pod, parseTime } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import {
  type Controller,
  defineMetrics,
  done,
  type LabelValues,
  type MetricDefinition,
  type Outcome,
  retryAfter,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { SUMMARY_QUANTILES } from '../metric-buckets.ts'
import { podKey } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'

const EVERY: Milliseconds = 30_000

const transition = (pod: Pod, type: string): Milliseconds | undefined => {
  const condition = pod.status?.conditions?.find((one) => one.type === type && one.status === 'True')
  return parseTime(condition?.lastTransitionTime)
}

const ownerPath = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.[0]
  if (owner === undefined) return ''
  const namespace = pod.metadata.namespace ?? 'default'
  return `/apis/${owner.apiVersion}/namespaces/${namespace}/${owner.kind.toLowerCase()}s/${owner.name}`
}

const podLabels = ['name', 'namespace'] as const
type PodLabels = LabelValues<(typeof podLabels)[number]>

/** Metrics of the time that pods have spent in their current state. */
const podGauges = defineMetrics({
  unstarted: {
    name: 'karpenter_pods_unstarted_time_seconds',
    type: 'gauge',
    help: 'How long a pod has existed without being ready.',
    labels: podLabels,
  },
  unbound: {
    name: 'karpenter_pods_unbound_time_seconds',
    type: 'gauge',
    help: 'How long a pod has existed without being bound to a node.',
    labels: podLabels,
  },
  provisioningUnbound: {
    name: 'karpenter_pods_provisioning_unbound_time_seconds',
    type: 'gauge',
    help: 'How long a pod has not been bound since Kerf decided on its node.',
    labels: podLabels,
  },
  provisioningUnstarted: {
    name: 'karpenter_pods_provisioning_unstarted_time_seconds',
    type: 'gauge',
    help: 'How long a pod has not been ready since Kerf decided on its node.',
    labels: podLabels,
  },
  undecided: {
    name: 'karpenter_pods_provisioning_scheduling_undecided_time_seconds',
    type: 'gauge',
    help: 'How long a pending pod has waited for a decision of Kerf.',
    labels: podLabels,
  },
})

/** Metrics of the time that pods took to reach a state. */
const podDurations = defineMetrics({
  bound: {
    name: 'karpenter_pods_bound_duration_seconds',
    type: 'histogram',
    help: 'From the creation of a pod until it was bound to a node.',
    buckets: DURATION_BUCKETS,
  },
  provisioningBound: {
    name: 'karpenter_pods_provisioning_bound_duration_seconds',
    type: 'histogram',
    help: 'From the decision on the node of a pod until the pod was bound.',
    buckets: DURATION_BUCKETS,
  },
  provisioningStartup: {
    name: 'karpenter_pods_provisioning_startup_duration_seconds',
    type: 'histogram',
    help: 'From the decision on the node of a pod until the pod was ready.',
    buckets: DURATION_BUCKETS,
  },
  startup: {
    name: 'karpenter_pods_startup_duration_seconds',
    type: 'summary',
    help: 'From the creation of a pod until it was ready.',
    percentiles: SUMMARY_QUANTILES,
  },
})

const stateLabels = [
  'name',
  'namespace',
  'owner',
  'node',
  'scheduled',
  'nodepool',
  'zone',
  'arch',
  'capacity_type',
  'instance_type',
  'phase',
  'ready',
  'managed',
] as const

type StateLabels = LabelValues<(typeof stateLabels)[number]>

const podStates = defineMetrics({
  state: {
    name: 'karpenter_pods_state',
    type: 'gauge',
    help: 'Always 1; the labels describe the pod and its node.',
    labels: stateLabels,
  },
})

/** The pod metrics, with the names of upstream. */
export const podMetrics: readonly MetricDefinition[] = [podGauges, podDurations, podStates].flatMap(
  ({ definitions }) => definitions,
)

/** Reports the state of pods and the time that they took to reach it (controller `metrics.pod`, `docs/spec/metrics.md#core-metrics`). */
export class PodMetrics {
  /**
   * Pods that had no node (`#unbound`) or were not ready (`#unstarted`) when this process first saw them. Durations are observed only for
   * these pods, because for other pods it is unknown when they were bound or became ready.
   */
  readonly #unbound = new Set<string>()
  readonly #unstarted = new Set<string>()
  readonly #states = new Map<string, StateLabels>()
  readonly #pods
  readonly #deps: Deps
  readonly #state: ClusterState
  readonly #podState
  readonly #gauges
  readonly #clock
  readonly #durations

  constructor(deps: Deps, state: ClusterState) {
    const { informers, clock, metrics } = deps
    this.#pods = informers.of(kinds.Pod)
    this.#deps = deps
    this.#state = state
    this.#podState = podStates.register(metrics).state
    this.#gauges = podGauges.register(metrics)
    this.#clock = clock
    this.#durations = podDurations.register(metrics)
  }

  controller(): Controller {
    return {
      name: 'metrics.pod',
      sources: [
        source(this.#pods, ({ before, after }) => {
          const pod = after ?? before
          return pod === undefined ? [] : [podKey(pod)]
        }),
      ],
      concurrency: concurrency(this.#deps.settings, 1, 1),
      reconcile: (key) => this.#reconcile(key),
    }
  }

  async #reconcile(key: string): Promise<Outcome> {
    const pod = this.#pods.get(key)
    const slash = key.indexOf('/')
    const labelsOfPod = { name: key.slice(slash + 1), namespace: key.slice(0, slash) }
    this.#writeState(key, pod === undefined ? undefined : this.#stateLabels(pod))
    if (pod === undefined || isTerminal(pod)) {
      this.#forget(key, labelsOfPod)
      return done()
    }
    this.#binding(pod, key, labelsOfPod)
    this.#starting(pod, key, labelsOfPod)
    this.#deciding(pod, labelsOfPod)
    return this.#unbound.has(key) || this.#unstarted.has(key) ? retryAfter(EVERY) : done()
  }

  #stateLabels(pod: Pod): StateLabels {
    const node = this.#state.byNodeName(pod.spec.nodeName ?? '')
    const of = (key: string): string => ownValue(node?.labels, key) ?? ''
    return {
      name: pod.metadata.name,
      namespace: pod.metadata.namespace ?? '',
      owner: ownerPath(pod),
      node: pod.spec.nodeName ?? '',
      scheduled: String(isScheduled(pod)),
      nodepool: of(labels.nodePool),
      zone: of(labels.zone),
      arch: of(labels.arch),
      capacity_type: of(labels.capacityType),
      instance_type: of(labels.instanceType),
      phase: pod.status?.phase ?? '',
      ready: String(transition(pod, 'Ready') !== undefined),
      managed: String(node?.isManaged ?? false),
    }
  }

  #writeState(key: string, next: StateLabels | undefined): void {
    const previous = this.#states.get(key)
    if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(next)) this.#podState.remove(previous)
    if (next === undefined) {
      this.#states.delete(key)
      return
    }
    this.#podState.set(1, next)
    this.#states.set(key, next)
  }

  #binding(pod: Pod, key: string, labelsOfPod: PodLabels): void {
    const created = parseTime(pod.metadata.creationTimestamp)
    const schedulable = this.#state.timings.schedulableAt(pod)
    const boundAt = transition(pod, 'PodScheduled')
    if (boundAt === undefined && !isScheduled(pod)) {
      this.#unbound.add(key)
      if (created !== undefined) this.#gauges.unbound.set((this.#clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined)
        this.#gauges.provisioningUnbound.set((this.#clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    this.#gauges.unbound.remove(labelsOfPod)
    this.#gauges.provisioningUnbound.remove(labelsOfPod)
    if (!this.#unbound.delete(key) || boundAt === undefined) return
    if (created !== undefined) this.#durations.bound.observe((boundAt - created) / 1000)
    if (schedulable !== undefined) this.#durations.provisioningBound.observe(Math.max(0, boundAt - schedulable) / 1000)
  }

  #starting(pod: Pod, key: string, labelsOfPod: PodLabels): void {
    const created = parseTime(pod.metadata.creationTimestamp)
    const schedulable = this.#state.timings.schedulableAt(pod)
    const readyAt = transition(pod, 'Ready')
    if (readyAt === undefined) {
      this.#unstarted.add(key)
      if (created !== undefined) this.#gauges.unstarted.set((this.#clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined)
        this.#gauges.provisioningUnstarted.set((this.#clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    this.#gauges.unstarted.remove(labelsOfPod)
    this.#gauges.provisioningUnstarted.remove(labelsOfPod)
    if (!this.#unstarted.delete(key)) return
    if (created !== undefined) this.#durations.startup.observe((readyAt - created) / 1000)
    if (schedulable !== undefined)
      this.#durations.provisioningStartup.observe(Math.max(0, readyAt - schedulable) / 1000)
  }

  #deciding(pod: Pod, labelsOfPod: PodLabels): void {
    const acknowledged = this.#state.timings.acknowledgedAt(pod)
    if (acknowledged === undefined || this.#state.timings.decidedAt(pod) !== undefined || isScheduled(pod)) {
      this.#gauges.undecided.remove(labelsOfPod)
    } else this.#gauges.undecided.set((this.#clock.now() - acknowledged) / 1000, labelsOfPod)
  }

  #forget(key: string, labelsOfPod: PodLabels): void {
    this.#unbound.delete(key)
    this.#unstarted.delete(key)
    for (const gauge of Object.values(this.#gauges)) gauge.remove(labelsOfPod)
  }
}
