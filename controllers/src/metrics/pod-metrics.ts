import { isScheduled, isTerminal, kinds, labels, type Pod } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  type Gauge,
  type Labels,
  type Metrics,
  type Milliseconds,
  type Outcome,
  retryAfter,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { SUMMARY_QUANTILES } from '../metric-buckets.ts'
import { podKey } from '../pods/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'

const EVERY: Milliseconds = 30_000

const transition = (pod: Pod, type: string): Milliseconds | undefined => {
  const condition = pod.status?.conditions?.find((one) => one.type === type && one.status === 'True')
  return condition?.lastTransitionTime === undefined ? undefined : Date.parse(condition.lastTransitionTime)
}

const ownerPath = (pod: Pod): string => {
  const owner = pod.metadata.ownerReferences?.[0]
  if (owner === undefined) return ''
  const namespace = pod.metadata.namespace ?? 'default'
  return `/apis/${owner.apiVersion}/namespaces/${namespace}/${owner.kind.toLowerCase()}s/${owner.name}`
}

/** The series of pods, under upstream's names. */
const instruments = (metrics: Metrics) => {
  const seconds = (name: string, help: string): Gauge =>
    metrics.gauge({ name: `karpenter_pods_${name}_time_seconds`, help, labels: ['name', 'namespace'] })
  const duration = (name: string, help: string) =>
    metrics.histogram({ name: `karpenter_pods_${name}_duration_seconds`, help, buckets: DURATION_BUCKETS })
  const podState = metrics.gauge({
    name: 'karpenter_pods_state',
    help: 'Always 1; the labels tell where a pod is and how it does.',
    labels: [
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
    ],
  })
  const gauges = {
    unstarted: seconds('unstarted', 'How long a pod has existed without being ready.'),
    unbound: seconds('unbound', 'How long a pod has existed without a node.'),
    provisioningUnbound: seconds('provisioning_unbound', 'How long a pod for which a place was found has had no node.'),
    provisioningUnstarted: seconds(
      'provisioning_unstarted',
      'How long a pod for which a place was found has not been ready.',
    ),
    undecided: seconds(
      'provisioning_scheduling_undecided',
      'How long a pod that was noticed has waited for a decision.',
    ),
  }
  const histograms = {
    bound: duration('bound', 'From the creation of a pod to its having a node.'),
    provisioningBound: duration('provisioning_bound', 'From the finding of a place for a pod to its having a node.'),
    provisioningStartup: duration('provisioning_startup', 'From the finding of a place for a pod to its being ready.'),
  }
  const startup = metrics.summary({
    name: 'karpenter_pods_startup_duration_seconds',
    help: 'From the creation of a pod to its being ready.',
    percentiles: SUMMARY_QUANTILES,
  })
  return { podState, gauges, histograms, startup }
}

/** `metrics.pod`: where pods are, and how long they took to get there (`docs/spec/metrics.md#core-metrics`). */
export class PodMetrics {
  /** Pods first seen without a node, or not ready: only their transitions are observed, not those before our time. */
  readonly #unbound = new Set<string>()
  readonly #unstarted = new Set<string>()
  readonly #states = new Map<string, Labels>()
  readonly #pods
  readonly #deps: Deps
  readonly #state: ClusterState
  readonly #podState
  readonly #gauges
  readonly #clock
  readonly #histograms
  readonly #startup

  constructor(deps: Deps, state: ClusterState) {
    const { informers, clock, metrics } = deps
    this.#pods = informers.of(kinds.Pod)
    const { podState, gauges, histograms, startup } = instruments(metrics)
    this.#deps = deps
    this.#state = state
    this.#podState = podState
    this.#gauges = gauges
    this.#clock = clock
    this.#histograms = histograms
    this.#startup = startup
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

  #stateLabels(pod: Pod): Labels {
    const node = this.#state.byNodeName(pod.spec.nodeName ?? '')
    const of = (key: string): string => node?.labels[key] ?? ''
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

  #writeState(key: string, next: Labels | undefined): void {
    const previous = this.#states.get(key)
    if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(next)) this.#podState.remove(previous)
    if (next === undefined) {
      this.#states.delete(key)
      return
    }
    this.#podState.set(1, next)
    this.#states.set(key, next)
  }

  #binding(pod: Pod, key: string, labelsOfPod: Labels): void {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '')
    const schedulable = this.#state.timings.schedulableAt(pod)
    const boundAt = transition(pod, 'PodScheduled')
    if (boundAt === undefined && !isScheduled(pod)) {
      this.#unbound.add(key)
      this.#gauges.unbound.set((this.#clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined)
        this.#gauges.provisioningUnbound.set((this.#clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    this.#gauges.unbound.remove(labelsOfPod)
    this.#gauges.provisioningUnbound.remove(labelsOfPod)
    if (!this.#unbound.delete(key) || boundAt === undefined) return
    this.#histograms.bound.observe((boundAt - created) / 1000)
    if (schedulable !== undefined) this.#histograms.provisioningBound.observe(Math.max(0, boundAt - schedulable) / 1000)
  }

  #starting(pod: Pod, key: string, labelsOfPod: Labels): void {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '')
    const schedulable = this.#state.timings.schedulableAt(pod)
    const readyAt = transition(pod, 'Ready')
    if (readyAt === undefined) {
      this.#unstarted.add(key)
      this.#gauges.unstarted.set((this.#clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined)
        this.#gauges.provisioningUnstarted.set((this.#clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    this.#gauges.unstarted.remove(labelsOfPod)
    this.#gauges.provisioningUnstarted.remove(labelsOfPod)
    if (!this.#unstarted.delete(key)) return
    this.#startup.observe((readyAt - created) / 1000)
    if (schedulable !== undefined)
      this.#histograms.provisioningStartup.observe(Math.max(0, readyAt - schedulable) / 1000)
  }

  #deciding(pod: Pod, labelsOfPod: Labels): void {
    const acknowledged = this.#state.timings.acknowledgedAt(pod)
    if (acknowledged === undefined || this.#state.timings.decidedAt(pod) !== undefined || isScheduled(pod)) {
      this.#gauges.undecided.remove(labelsOfPod)
    } else this.#gauges.undecided.set((this.#clock.now() - acknowledged) / 1000, labelsOfPod)
  }

  #forget(key: string, labelsOfPod: Labels): void {
    this.#unbound.delete(key)
    this.#unstarted.delete(key)
    for (const gauge of Object.values(this.#gauges)) gauge.remove(labelsOfPod)
  }
}
