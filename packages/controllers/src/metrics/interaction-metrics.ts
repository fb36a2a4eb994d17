import { isScheduled, isTerminal, kinds, labels, type Milliseconds, type Node, type Pod, parseTime } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { type Controller, defineMetrics, done, type Outcome, retryAfter, source } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import type { OtherAutoscalers } from '../modes/coexistence/other-autoscalers.ts'
import { podKey } from '../pod/pod-predicates.ts'
import type { ClusterState } from '../state/cluster-state.ts'

/** The values of the metric label for the owner of the pod's node: a NodePool of Kerf, a node group of another autoscaler, or neither. */
const OWNER = { ours: 'nodepool', group: 'node-group', nobody: 'none' } as const
type Owner = (typeof OWNER)[keyof typeof OWNER]

/** The taints that Cluster Autoscaler puts on nodes that it is about to remove. */
const SCALE_DOWN_TAINTS: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
])
const DISRUPTED = 'karpenter.sh/disrupted'
const EVERY: Milliseconds = 30_000
/** The resolution of timestamps in Kubernetes objects. */
const SECOND: Milliseconds = 1_000

export const interactionMetrics = defineMetrics({
  bound: {
    name: 'kerf_interaction_pods_bound_duration_seconds',
    type: 'histogram',
    help: 'From the creation of a pod until it was bound, by what launched its node: nodepool, node-group (another autoscaler), none.',
    labels: ['owner'],
    buckets: DURATION_BUCKETS,
  },
  servedByBoth: {
    name: 'kerf_interaction_pods_served_by_both_total',
    type: 'counter',
    help: 'Pods that Kerf had planned for a node and that were bound to a node that another autoscaler launched later.',
  },
  wantedByBoth: {
    name: 'kerf_interaction_nodes_wanted_by_both',
    type: 'gauge',
    help: 'Nodes on which two autoscalers act: nodes of NodePools with taints of Cluster Autoscaler, and nodes of its groups that Kerf or Karpenter disrupts.',
  },
})

/**
 * Measures how two autoscalers in one cluster affect each other (controller `metrics.interaction`,
 * `docs/spec/coexistence.md#interactions`).
 */
export class InteractionMetrics {
  readonly #deps: Deps
  readonly #state: ClusterState
  readonly #others: OtherAutoscalers
  readonly #metrics
  readonly #pods
  readonly #nodes
  /** Pods that had no node when this process first saw them. Excludes pods that were already bound. */
  readonly #unbound = new Set<string>()

  constructor(deps: Deps, state: ClusterState, others: OtherAutoscalers) {
    this.#deps = deps
    this.#state = state
    this.#others = others
    this.#metrics = interactionMetrics.register(deps.metrics)
    this.#pods = deps.informers.of(kinds.Pod)
    this.#nodes = deps.informers.of(kinds.Node)
  }

  controllers(): readonly Controller[] {
    return [
      {
        name: 'metrics.interaction',
        sources: [
          source(this.#pods, ({ before, after }) => {
            const pod = after ?? before
            return pod === undefined ? [] : [podKey(pod)]
          }),
        ],
        concurrency: concurrency(this.#deps.settings, 1, 1),
        reconcile: (key) => this.#reconcile(key),
      },
      {
        name: 'metrics.interaction.nodes',
        sources: [],
        concurrency: 1,
        singleton: true,
        reconcile: () => {
          const wanted = [...this.#nodes.values()].filter((node) =>
            this.#state.isolation.guard('Node', 'metrics', node, () => this.#isWantedByBoth(node), false),
          )
          this.#metrics.wantedByBoth.set(wanted.length)
          return Promise.resolve(retryAfter(EVERY))
        },
      },
    ]
  }

  async #reconcile(key: string): Promise<Outcome> {
    const pod = this.#pods.get(key)
    if (pod === undefined || isTerminal(pod)) this.#unbound.delete(key)
    else if (!isScheduled(pod)) this.#unbound.add(key)
    else if (this.#unbound.has(key)) {
      const node = this.#nodes.get(pod.spec.nodeName ?? '')
      // The Node informer may lag behind the Pod informer.
      if (node === undefined) return retryAfter(SECOND)
      this.#unbound.delete(key)
      this.#bound(pod, node)
    }
    return done()
  }

  #bound(pod: Pod, node: Node): void {
    const owner = this.#ownerOf(node)
    const created = parseTime(pod.metadata.creationTimestamp)
    const condition = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    const boundAt = parseTime(condition?.lastTransitionTime) ?? this.#deps.clock.now()
    if (created !== undefined) this.#metrics.bound.observe(Math.max(0, boundAt - created) / SECOND, { owner })
    const decided = this.#state.timings.schedulableAt(pod)
    const launched = parseTime(node.metadata.creationTimestamp)
    // Kerf may have planned the pod for an existing node. Therefore only a node that was launched after the decision counts.
    if (owner === OWNER.group && decided !== undefined && launched !== undefined && launched + SECOND > decided)
      this.#metrics.servedByBoth.inc()
  }

  #ownerOf(node: Node): Owner {
    if (node.metadata.labels?.[labels.nodePool] !== undefined) return OWNER.ours
    return this.#others.groupOf(node) === undefined ? OWNER.nobody : OWNER.group
  }

  #isWantedByBoth(node: Node): boolean {
    const keys = (node.spec.taints ?? []).map(({ key }) => key)
    return this.#ownerOf(node) === OWNER.ours
      ? keys.some((key) => SCALE_DOWN_TAINTS.has(key))
      : keys.includes(DISRUPTED)
  }
}
