import { isScheduled, isTerminal, kinds, labels, type Pod } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  type Gauge,
  type Labels,
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

/** `metrics.pod`: where pods are, and how long they took to get there (`docs/spec/metrics.md#core-metrics`). */
export const podMetrics = (deps: Deps, state: ClusterState): Controller => {
  const { informers, clock, metrics } = deps
  const pods = informers.of(kinds.Pod)
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
  const running = (name: string, help: string): Gauge =>
    metrics.gauge({ name: `karpenter_pods_${name}_time_seconds`, help, labels: ['name', 'namespace'] })
  const gauges = {
    unstarted: running('unstarted', 'How long a pod has existed without being ready.'),
    unbound: running('unbound', 'How long a pod has existed without a node.'),
    provisioningUnbound: running('provisioning_unbound', 'How long a pod for which a place was found has had no node.'),
    provisioningUnstarted: running(
      'provisioning_unstarted',
      'How long a pod for which a place was found has not been ready.',
    ),
    undecided: running(
      'provisioning_scheduling_undecided',
      'How long a pod that was noticed has waited for a decision.',
    ),
  }
  const span = (name: string, help: string) =>
    metrics.histogram({ name: `karpenter_pods_${name}_duration_seconds`, help, buckets: DURATION_BUCKETS })
  const histograms = {
    bound: span('bound', 'From the creation of a pod to its having a node.'),
    provisioningBound: span('provisioning_bound', 'From the finding of a place for a pod to its having a node.'),
    provisioningStartup: span('provisioning_startup', 'From the finding of a place for a pod to its being ready.'),
  }
  const startup = metrics.summary({
    name: 'karpenter_pods_startup_duration_seconds',
    help: 'From the creation of a pod to its being ready.',
    percentiles: SUMMARY_QUANTILES,
  })
  /** Pods first seen without a node, or not ready: only their transitions are observed, not those before our time. */
  const unbound = new Set<string>()
  const unstarted = new Set<string>()
  const states = new Map<string, Labels>()

  const stateLabels = (pod: Pod): Labels => {
    const node = state.byNodeName(pod.spec.nodeName ?? '')
    const of = (key: string): string => node?.labels[key] ?? ''
    return {
      name: pod.metadata.name ?? '',
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

  const writeState = (key: string, next: Labels | undefined): void => {
    const previous = states.get(key)
    if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(next)) podState.remove(previous)
    if (next === undefined) {
      states.delete(key)
      return
    }
    podState.set(1, next)
    states.set(key, next)
  }

  const binding = (pod: Pod, key: string, labelsOfPod: Labels): void => {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '')
    const schedulable = state.timings.schedulableAt(pod)
    const boundAt = transition(pod, 'PodScheduled')
    if (boundAt === undefined && !isScheduled(pod)) {
      unbound.add(key)
      gauges.unbound.set((clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined) gauges.provisioningUnbound.set((clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    gauges.unbound.remove(labelsOfPod)
    gauges.provisioningUnbound.remove(labelsOfPod)
    if (!unbound.delete(key) || boundAt === undefined) return
    histograms.bound.observe((boundAt - created) / 1000)
    if (schedulable !== undefined) histograms.provisioningBound.observe(Math.max(0, boundAt - schedulable) / 1000)
  }

  const starting = (pod: Pod, key: string, labelsOfPod: Labels): void => {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '')
    const schedulable = state.timings.schedulableAt(pod)
    const readyAt = transition(pod, 'Ready')
    if (readyAt === undefined) {
      unstarted.add(key)
      gauges.unstarted.set((clock.now() - created) / 1000, labelsOfPod)
      if (schedulable !== undefined) gauges.provisioningUnstarted.set((clock.now() - schedulable) / 1000, labelsOfPod)
      return
    }
    gauges.unstarted.remove(labelsOfPod)
    gauges.provisioningUnstarted.remove(labelsOfPod)
    if (!unstarted.delete(key)) return
    startup.observe((readyAt - created) / 1000)
    if (schedulable !== undefined) histograms.provisioningStartup.observe(Math.max(0, readyAt - schedulable) / 1000)
  }

  const deciding = (pod: Pod, labelsOfPod: Labels): void => {
    const acknowledged = state.timings.acknowledgedAt(pod)
    if (acknowledged === undefined || state.timings.decidedAt(pod) !== undefined || isScheduled(pod)) {
      gauges.undecided.remove(labelsOfPod)
    } else gauges.undecided.set((clock.now() - acknowledged) / 1000, labelsOfPod)
  }

  const forget = (key: string, labelsOfPod: Labels): void => {
    unbound.delete(key)
    unstarted.delete(key)
    for (const gauge of Object.values(gauges)) gauge.remove(labelsOfPod)
  }

  return {
    name: 'metrics.pod',
    sources: [
      source(pods, ({ before, after }) => {
        const pod = after ?? before
        return pod === undefined ? [] : [podKey(pod)]
      }),
    ],
    concurrency: concurrency(deps.settings, 1, 1),
    reconcile: async (key): Promise<Outcome> => {
      const pod = pods.get(key)
      const slash = key.indexOf('/')
      const labelsOfPod = { name: key.slice(slash + 1), namespace: key.slice(0, slash) }
      writeState(key, pod === undefined ? undefined : stateLabels(pod))
      if (pod === undefined || isTerminal(pod)) {
        forget(key, labelsOfPod)
        return done()
      }
      binding(pod, key, labelsOfPod)
      starting(pod, key, labelsOfPod)
      deciding(pod, labelsOfPod)
      return unbound.has(key) || unstarted.has(key) ? retryAfter(EVERY) : done()
    },
  }
}
