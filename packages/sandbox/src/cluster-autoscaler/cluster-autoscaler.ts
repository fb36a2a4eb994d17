import {
  type DaemonSet,
  isActive,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  type PodDisruptionBudget,
  parseTime,
  tryParseDuration,
} from '@kerf/apis'
import { type Controller, done, type Informer, type Key, type Outcome, retryAfter, type Source } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { podCondition } from '../objects/pod-state.ts'
import { unlessGone } from '../objects/unless-gone.ts'
import { AutoscalerEvents, STATUS } from './autoscaler-events.ts'
import { type ClusterHealth, clusterHealth, isReadyNode } from './cluster-health.ts'
import { takeSnapshot, templateNode } from './cluster-snapshot.ts'
import { chooseOption } from './expander.ts'
import { NodeDeletions } from './node-deletions.ts'
import type { AutoscalerOptions } from './options.ts'
import type { Packing } from './packing.ts'
import { ScaleDownPlanner } from './scale-down.ts'
import { scaleUpOptions } from './scale-up.ts'
import type { ScaledGroup } from './scaled-group.ts'
import { statusText } from './status-text.ts'

const POD_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay'

/** Pods younger than this wait for a later loop, because more pods may be created in the meantime. */
const VERY_NEW: Milliseconds = 2_000

const isUnschedulable = (pod: Pod): boolean => {
  const scheduled = podCondition(pod, 'PodScheduled')
  return (
    (pod.spec.nodeName ?? '') === '' &&
    pod.metadata.deletionTimestamp === undefined &&
    isActive(pod) &&
    scheduled?.status === 'False' &&
    scheduled.reason === 'Unschedulable'
  )
}

/**
 * A model of Cluster Autoscaler. Runs one loop per scan interval. Also runs a loop immediately if a pod becomes unschedulable, and right
 * after a loop that changed something. Like the real one, it acts through the API, so that other controllers see the same objects.
 */
export class ClusterAutoscaler implements Controller {
  readonly name = 'cluster-autoscaler'
  readonly concurrency = 1
  readonly singleton = true
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #options: AutoscalerOptions
  readonly #groups: readonly ScaledGroup[]
  readonly #nodes: Informer<Node>
  readonly #pods: Informer<Pod>
  readonly #budgets: Informer<PodDisruptionBudget>
  readonly #daemonSets: Informer<DaemonSet>
  readonly #planner: ScaleDownPlanner
  readonly #events: AutoscalerEvents
  readonly #deletions: NodeDeletions
  #hasCleaned = false
  #isRunning = true
  #lastScaleUp: Milliseconds = Number.NEGATIVE_INFINITY
  #lastDelete: Milliseconds = Number.NEGATIVE_INFINITY

  constructor(context: ClusterContext, groups: readonly ScaledGroup[], options: AutoscalerOptions) {
    this.#context = context
    this.#groups = groups
    this.#options = options
    this.#planner = new ScaleDownPlanner(options)
    this.#events = new AutoscalerEvents(context.events)
    this.#deletions = new NodeDeletions(context, options, this.#events)
    this.#nodes = context.informers.of(kinds.Node)
    this.#pods = context.informers.of(kinds.Pod)
    this.#budgets = context.informers.of(kinds.PodDisruptionBudget)
    this.#daemonSets = context.informers.of(kinds.DaemonSet)
    const onPod: Source<Pod> = {
      informer: this.#pods,
      keysOf: ({ before, after }) =>
        after !== undefined && isUnschedulable(after) && (before === undefined || !isUnschedulable(before)) ? [''] : [],
    }
    this.sources = [onPod as Source]
  }

  /** Shuts down in an orderly way, as after its Deployment was scaled to zero: deletes the status and keeps the taints. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await unlessGone(this.#context.client.delete(kinds.ConfigMap, STATUS))
  }

  /** Starts the autoscaler again, without any state from before it stopped. */
  start(): void {
    this.#isRunning = true
    this.#hasCleaned = false
    this.#planner.forget()
    this.#lastScaleUp = Number.NEGATIVE_INFINITY
    this.#lastDelete = Number.NEGATIVE_INFINITY
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  async reconcile(_key: Key): Promise<Outcome> {
    if (!this.#isRunning) return retryAfter(this.#options.scanInterval)
    const next = await this.#loop()
    return this.#isRunning ? retryAfter(next) : done()
  }

  /** Runs one loop. Returns how long to wait before the next one. */
  async #loop(): Promise<Milliseconds> {
    const { scanInterval, scaleDownEnabled } = this.#options
    const now = this.#context.clock.now()
    if (!this.#hasCleaned) {
      this.#hasCleaned = true
      await this.#deletions.cleanUp((node) => this.#groupOf(node) !== undefined)
    }
    const nodes = [...this.#nodes.values()]
    const health = clusterHealth(nodes, (name) => this.#deletions.has(name), this.#options, now)
    if (!health.isHealthy) {
      this.#planner.forget()
      this.#events.cluster('Warning', 'ClusterUnhealthy', 'Cluster is unhealthy')
      await this.#writeStatus(health, now)
      return scanInterval
    }
    const { packing, upcoming } = takeSnapshot({
      nodes,
      pods: this.#pods.values(),
      groups: this.#groups,
      deletions: this.#deletions,
      priorityCutoff: this.#options.priorityCutoff,
      templateFor: (group) => templateNode(group, this.#daemonSets.values()),
    })
    const waiting = this.#waitingPods(packing)
    const old = waiting.filter((pod) => this.#age(pod, now) >= this.#delayOf(pod))
    const youngest = Math.min(...old.map((pod) => this.#age(pod, now)))
    const oldest = Math.max(...old.map((pod) => this.#age(pod, now)))
    const mustWait = old.length > 0 && oldest < VERY_NEW
    let grew = false
    if (old.length > 0 && !mustWait) grew = await this.#scaleUp(packing, old, nodes, now)
    if (grew) this.#lastScaleUp = now
    let shrank = false
    if (scaleDownEnabled) shrank = await this.#scaleDown(packing, nodes, upcoming, { now, isForbidden: mustWait })
    if (shrank) this.#lastDelete = now
    await this.#writeStatus(health, now)
    if (mustWait) return Math.max(1, VERY_NEW - (Number.isFinite(youngest) ? oldest : 0))
    return grew || shrank ? 100 : scanInterval
  }

  #age(pod: Pod, now: Milliseconds): Milliseconds {
    return now - (parseTime(pod.metadata.creationTimestamp) ?? now)
  }

  #delayOf({ metadata }: Pod): Milliseconds {
    const own = tryParseDuration(metadata.annotations?.[POD_DELAY] ?? '')
    return Math.max(this.#options.newPodScaleUpDelay, own ?? 0)
  }

  #groupOf(node: Node): ScaledGroup | undefined {
    return this.#groups.find((group) => group.isOwn(node))
  }

  /** Places the unschedulable pods that fit on existing or upcoming nodes. Returns the unschedulable pods that do not fit. */
  #waitingPods(packing: Packing): readonly Pod[] {
    const pending = [...this.#pods.values()].filter(
      (pod) =>
        isUnschedulable(pod) &&
        (pod.spec.priority ?? 0) >= this.#options.priorityCutoff &&
        (pod.status?.nominatedNodeName ?? '') === '',
    )
    const ordered = pending.toSorted((a, b) => (b.spec.priority ?? 0) - (a.spec.priority ?? 0))
    return ordered.filter((pod) => packing.placeOnAny(pod, () => true) === undefined)
  }

  async #scaleUp(packing: Packing, pods: readonly Pod[], nodes: readonly Node[], _now: Milliseconds): Promise<boolean> {
    const { maxNodesTotal } = this.#options
    const ready = nodes.filter(isReadyNode).length
    if (maxNodesTotal > 0 && ready >= maxNodesTotal) {
      this.#events.cluster('Warning', 'MaxNodesTotalReached', `Max total nodes in cluster reached: ${maxNodesTotal}`)
      for (const pod of pods)
        this.#events.pod(pod, 'NotTriggerScaleUp', "pod didn't trigger scale-up: max total nodes in cluster reached")
      return false
    }
    const { options, refused } = scaleUpOptions(
      packing,
      this.#groups,
      (group) => templateNode(group, this.#daemonSets.values()),
      pods,
    )
    const chosen = chooseOption(options, this.#options, this.#context.random)
    if (chosen === undefined) {
      for (const [pod, reasons] of refused) {
        const text = Array.from(reasons, ([reason, count]) => `${count} ${reason}`).join(', ')
        this.#events.pod(pod, 'NotTriggerScaleUp', `pod didn't trigger scale-up: ${text}`)
      }
      return false
    }
    const { group } = chosen
    const before = group.size
    const upcoming =
      this.#groups.reduce((sum, each) => sum + each.size, 0) -
      nodes.filter((node) => this.#groupOf(node) !== undefined).length
    const left = maxNodesTotal > 0 ? maxNodesTotal - nodes.length - Math.max(0, upcoming) : Number.POSITIVE_INFINITY
    const count = Math.min(chosen.nodes, group.max - before, left)
    if (count <= 0) return false
    const size = before + count
    this.#events.cluster(
      'Normal',
      'ScaledUpGroup',
      `Scale-up: setting group ${group.name} size to ${size} instead of ${before} (max: ${group.max})`,
    )
    await group.grow(count)
    this.#events.cluster(
      'Normal',
      'ScaledUpGroup',
      `Scale-up: group ${group.name} size set to ${size} instead of ${before} (max: ${group.max})`,
    )
    for (const pod of chosen.pods)
      this.#events.pod(
        pod,
        'TriggeredScaleUp',
        `pod triggered scale-up: [{${group.name} ${before}->${size} (max: ${group.max})}]`,
      )
    return true
  }

  async #scaleDown(
    packing: Packing,
    nodes: readonly Node[],
    upcoming: ReadonlySet<string>,
    { now, isForbidden }: { readonly now: Milliseconds; readonly isForbidden: boolean },
  ): Promise<boolean> {
    const { delayAfterAdd, delayAfterDelete } = this.#options
    const candidates = nodes.flatMap((node) => {
      const group = this.#groupOf(node)
      if (group !== undefined && group.size - this.#deletions.of(group) <= group.min) return []
      return group === undefined || upcoming.has(node.metadata.name) || this.#deletions.has(node.metadata.name)
        ? []
        : [{ node, group }]
    })
    const destinations = new Set(
      nodes.map(({ metadata }) => metadata.name).filter((name) => !upcoming.has(name) && !this.#deletions.has(name)),
    )
    this.#planner.update(packing, { candidates, destinations, budgets: [...this.#budgets.values()], now })
    const isCooling =
      isForbidden || now < this.#lastScaleUp + delayAfterAdd || now < this.#lastDelete + delayAfterDelete
    let started = false
    if (!isCooling) {
      const { inProgress } = this.#deletions
      const byGroup = new Map<ScaledGroup, number>()
      for (const { group } of inProgress) byGroup.set(group, (byGroup.get(group) ?? 0) + 1)
      const drained = inProgress.filter(({ isDrain }) => isDrain).length
      const { empty, drain } = this.#planner.removable(now, { empty: inProgress.length - drained, drained, byGroup })
      for (const unneeded of [...empty, ...drain]) {
        started = true
        await this.#deletions.begin(unneeded, now)
      }
    }
    await this.#deletions.markUnneeded(
      nodes.filter((node) => this.#groupOf(node) !== undefined && !upcoming.has(node.metadata.name)),
      this.#planner.unneeded,
      now,
    )
    return started
  }

  async #writeStatus(health: ClusterHealth, now: Milliseconds): Promise<void> {
    const unneeded = this.#planner.unneeded
    const text = statusText({
      ...health,
      now,
      candidates: unneeded.length,
      groups: this.#groups.map((group) => {
        const own = [...this.#nodes.values()].filter((node) => group.isOwn(node))
        const ready = own.filter(isReadyNode).length
        return {
          group,
          ready,
          notStarted: own.length - ready,
          candidates: unneeded.filter((each) => each.group === group).length,
          isGrowing: group.size > own.length,
        }
      }),
    })
    const configMap: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...STATUS },
      ...{ data: { status: text } },
    }
    await this.#context.client.patch(
      kinds.ConfigMap,
      STATUS,
      { type: 'apply', body: configMap, force: true },
      { fieldManager: 'cluster-autoscaler' },
    )
  }
}
