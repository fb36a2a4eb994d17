import {
  type DaemonSet,
  isActive,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  type PodDisruptionBudget,
  type Taint,
  timeOf,
  tryParseDuration,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isNotFound,
  type Key,
  type Outcome,
  type RecordedEvent,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { matchesNodeAffinity } from '../objects/node-affinity.ts'
import { podCondition } from '../objects/pod-state.ts'
import { SCHEDULING_EFFECTS, untolerated } from '../objects/taints.ts'
import { unlessGone } from '../objects/unless-gone.ts'
import { podFromTemplate } from '../workloads/pod-from-template.ts'
import { isDaemonPod, isMirrorPod } from './drain-rules.ts'
import { chooseOption } from './expander.ts'
import type { AutoscalerOptions } from './options.ts'
import { Packing } from './packing.ts'
import { ScaleDownPlanner, type UnneededNode } from './scale-down.ts'
import { scaleUpOptions, type TemplateNode } from './scale-up.ts'
import type { ScaledGroup } from './scaled-group.ts'
import { statusText } from './status-text.ts'

const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler'
const CANDIDATE = 'DeletionCandidateOfClusterAutoscaler'
const POD_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay'
const NOT_MINE = 'k8s.io/cluster-autoscaler-enabled'
const STATUS = { name: 'cluster-autoscaler-status', namespace: 'kube-system' } as const
/** Pods younger than this are waited for: more may come. */
const VERY_NEW: Milliseconds = 2_000
/** How long an unready node may take before it counts as unready. */
const STARTUP: Milliseconds = 15 * 60_000
const EVICTION_RETRY: Milliseconds = 10_000

const NOT_READY = 'node.kubernetes.io/not-ready'

/** A node with the taint of one that is not ready counts as not ready, whatever its condition says. */
const isReadyNode = ({ spec, status }: Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true &&
  spec?.taints?.some(({ key }) => key === NOT_READY) !== true

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

interface Deletion {
  readonly group: ScaledGroup
  readonly isDrain: boolean
}

/** A pod that is not there yet, as its DaemonSet would make it. */
const daemonPod = (daemonSet: DaemonSet): Pod => {
  const { name, namespace = 'default' } = daemonSet.metadata
  const made = podFromTemplate(daemonSet.spec.template, { kind: kinds.DaemonSet, object: daemonSet }, { name })
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...made.metadata, name, namespace }, spec: made.spec }
}

/**
 * Cluster Autoscaler on the sandbox: one loop each scan interval, at once when a pod becomes unschedulable, and again right after a loop
 * that did something. It acts through the API as the real one does, so that the other controllers see the same.
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
  readonly #deletions = new Map<string, Deletion>()
  #hasCleaned = false
  #isRunning = true
  #lastScaleUp: Milliseconds = Number.NEGATIVE_INFINITY
  #lastDelete: Milliseconds = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(context: ClusterContext, groups: readonly ScaledGroup[], options: AutoscalerOptions) {
    this.#context = context
    this.#groups = groups
    this.#options = options
    this.#planner = new ScaleDownPlanner(options)
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

  /** Ends it in order, as scaling its Deployment to zero does: the status goes, taints stay. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await unlessGone(this.#context.client.delete(kinds.ConfigMap, STATUS))
  }

  /** Starts it again: it remembers nothing. */
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

  /** One loop; how long to wait for the next. */
  async #loop(): Promise<Milliseconds> {
    const { scanInterval, scaleDownEnabled } = this.#options
    const now = this.#context.clock.now()
    if (!this.#hasCleaned) await this.#cleanUp()
    const nodes = [...this.#nodes.values()]
    const health = this.#healthOf(nodes, now)
    if (!health.isHealthy) {
      this.#planner.forget()
      this.#tell('Warning', 'ClusterUnhealthy', 'Cluster is unhealthy')
      await this.#writeStatus(health, now)
      return scanInterval
    }
    const { packing, upcoming } = this.#snapshot(nodes)
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
    return now - (timeOf(pod.metadata.creationTimestamp) ?? now)
  }

  #delayOf({ metadata }: Pod): Milliseconds {
    const own = tryParseDuration(metadata.annotations?.[POD_DELAY] ?? '')
    return Math.max(this.#options.newPodScaleUpDelay, own ?? 0)
  }

  #deletionsOf(group: ScaledGroup): number {
    return [...this.#deletions.values()].filter((each) => each.group === group).length
  }

  #groupOf(node: Node): ScaledGroup | undefined {
    return this.#groups.find((group) => group.isOwn(node))
  }

  #healthOf(nodes: readonly Node[], now: Milliseconds) {
    const counted = nodes.filter(
      ({ metadata }) => metadata.annotations?.[NOT_MINE] !== 'false' && !this.#deletions.has(metadata.name),
    )
    const ready = counted.filter(isReadyNode).length
    const unready = counted.filter(
      (node) => !isReadyNode(node) && now - (timeOf(node.metadata.creationTimestamp) ?? now) > STARTUP,
    ).length
    const { okUnready, maxUnready } = this.#options
    const isHealthy = unready <= okUnready || unready * 100 <= maxUnready * counted.length
    return { ready, unready, isHealthy }
  }

  /** The cluster as it will be when the instances that were ordered are there. */
  #snapshot(nodes: readonly Node[]): { readonly packing: Packing; readonly upcoming: ReadonlySet<string> } {
    const packing = new Packing()
    const upcoming = new Set<string>()
    const byNode = new Map<string, Pod[]>()
    for (const pod of this.#pods.values()) {
      if (!isActive(pod) || (pod.spec.priority ?? 0) < this.#options.priorityCutoff) continue
      const name = pod.spec.nodeName ?? pod.status?.nominatedNodeName
      if (name === undefined || name === '') continue
      byNode.set(name, [...(byNode.get(name) ?? []), pod])
    }
    const started = new Map<ScaledGroup, number>()
    for (const node of nodes) {
      const { name } = node.metadata
      const group = this.#groupOf(node)
      if (group !== undefined && !this.#deletions.has(name)) {
        if (!isReadyNode(node)) {
          upcoming.add(name)
          continue
        }
        started.set(group, (started.get(group) ?? 0) + 1)
      }
      packing.add(node, byNode.get(name) ?? [])
    }
    for (const group of this.#groups) {
      const deleting = [...this.#deletions.values()].filter((each) => each.group === group).length
      const missing = group.size - (started.get(group) ?? 0) - deleting
      const template = this.#templateOf(group)
      for (let index = 0; index < missing; index++) {
        const name = `upcoming ${group.name} ${index}`
        packing.add(template.node(name), template.daemonPods)
        upcoming.add(name)
      }
    }
    return { packing, upcoming }
  }

  #templateOf({ template }: ScaledGroup): TemplateNode {
    const node = (name: string): Node => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...template.labels, 'kubernetes.io/hostname': name } },
      spec: { taints: [...template.taints] },
      status: { capacity: template.capacity, allocatable: template.allocatable },
    })
    const empty = node('template')
    const daemonPods = [...this.#daemonSets.values()]
      .map(daemonPod)
      .filter(
        (pod) =>
          matchesNodeAffinity(pod.spec, empty) &&
          untolerated(empty.spec?.taints, pod.spec.tolerations, SCHEDULING_EFFECTS) === undefined,
      )
    return { node, daemonPods: [...(template.pods ?? []), ...daemonPods] }
  }

  /** Unschedulable pods that fit nowhere, not even on what is coming. Those that fit are placed. */
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
      this.#tell('Warning', 'MaxNodesTotalReached', `Max total nodes in cluster reached: ${maxNodesTotal}`)
      for (const pod of pods)
        this.#tellPod(pod, 'NotTriggerScaleUp', "pod didn't trigger scale-up: max total nodes in cluster reached")
      return false
    }
    const { options, refused } = scaleUpOptions(packing, this.#groups, (group) => this.#templateOf(group), pods)
    const chosen = chooseOption(options, this.#options, this.#context.random)
    if (chosen === undefined) {
      for (const [pod, reasons] of refused) {
        const text = Array.from(reasons, ([reason, count]) => `${count} ${reason}`).join(', ')
        this.#tellPod(pod, 'NotTriggerScaleUp', `pod didn't trigger scale-up: ${text}`)
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
    this.#tell(
      'Normal',
      'ScaledUpGroup',
      `Scale-up: setting group ${group.name} size to ${size} instead of ${before} (max: ${group.max})`,
    )
    await group.grow(count)
    for (const pod of chosen.pods)
      this.#tellPod(
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
      if (group !== undefined && group.size - this.#deletionsOf(group) <= group.min) return []
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
      const inProgress = [...this.#deletions.values()]
      const byGroup = new Map<ScaledGroup, number>()
      for (const { group } of inProgress) byGroup.set(group, (byGroup.get(group) ?? 0) + 1)
      const drained = inProgress.filter(({ isDrain }) => isDrain).length
      const { empty, drain } = this.#planner.removable(now, { empty: inProgress.length - drained, drained, byGroup })
      for (const unneeded of [...empty, ...drain]) {
        started = true
        await this.#beginDeletion(unneeded, now)
      }
    }
    await this.#softTaints(
      nodes.filter((node) => this.#groupOf(node) !== undefined && !upcoming.has(node.metadata.name)),
      now,
    )
    return started
  }

  async #beginDeletion({ node, group, moving }: UnneededNode, now: Milliseconds): Promise<void> {
    const { name } = node.metadata
    const isDrain = moving.length > 0
    this.#deletions.set(name, { group, isDrain })
    await this.#taint(name, TO_BE_DELETED, 'NoSchedule', now, this.#options.cordonBeforeTerminating)
    if (isDrain) this.#tellNode(node, 'ScaleDown', 'marked the node as toBeDeleted/unschedulable')
    else this.#tell('Normal', 'ScaleDownEmpty', `Scale-down: removing empty node "${name}"`)
    if (isDrain)
      this.#tell('Normal', 'ScaleDown', `Scale-down: removing node ${name}, pods to reschedule: ${moving.length}`)
    const end = now + this.#options.maxGracefulTermination
    const act = (): Promise<void> =>
      isDrain ? this.#drain(name, group, moving, end) : this.#finishDeletion(name, group)
    this.#context.clock.timer(this.#options.deleteDelay, () => {
      act().catch(() => this.#deletions.delete(name))
    })
  }

  /** Evicts and asks again until the node is drained; gives up and opens the node again when the time is over. */
  async #drain(name: string, group: ScaledGroup, pods: readonly Pod[], end: Milliseconds): Promise<void> {
    const { client, clock } = this.#context
    const refused: Pod[] = []
    for (const pod of pods) {
      const ref = { name: pod.metadata.name, namespace: pod.metadata.namespace ?? 'default' }
      await client.evict(ref).then(
        () => this.#tellPod(pod, 'ScaleDown', 'deleting pod for node scale down'),
        (error: unknown) => {
          if (!isNotFound(error)) refused.push(pod)
        },
      )
    }
    const left = [...this.#pods.values()].filter(
      (pod) => pod.spec.nodeName === name && isActive(pod) && !isDaemonPod(pod) && !isMirrorPod(pod),
    )
    if (left.length === 0) {
      await this.#finishDeletion(name, group)
      return
    }
    if (clock.now() >= end) {
      await this.#untaint(name)
      this.#deletions.delete(name)
      return
    }
    clock.timer(refused.length > 0 ? EVICTION_RETRY : 1_000, () => {
      this.#drain(name, group, refused, end).catch(() => this.#deletions.delete(name))
    })
  }

  async #finishDeletion(name: string, group: ScaledGroup): Promise<void> {
    await group.shrink(name)
    this.#deletions.delete(name)
  }

  /** The taint of unneeded nodes follows what is unneeded now. */
  async #softTaints(candidates: readonly Node[], now: Milliseconds): Promise<void> {
    const names = new Set(this.#planner.unneeded.map(({ node }) => node.metadata.name))
    for (const node of candidates) {
      const { name } = node.metadata
      if (this.#deletions.has(name)) continue
      const has = node.spec?.taints?.some(({ key }) => key === CANDIDATE) ?? false
      if (names.has(name) && !has) await this.#taint(name, CANDIDATE, 'PreferNoSchedule', now, false)
      if (!names.has(name) && has) await this.#untaint(name, CANDIDATE)
    }
  }

  async #taint(name: string, key: string, effect: Taint['effect'], now: Milliseconds, cordon: boolean): Promise<void> {
    const node = this.#nodes.get(name)
    const others = (node?.spec?.taints ?? []).filter((taint) => taint.key !== key)
    const taints = [...others, { key, value: String(Math.floor(now / 1000)), effect }]
    await this.#patchNode(name, { spec: { taints, ...(cordon ? { unschedulable: true } : {}) } })
  }

  async #untaint(name: string, key?: string): Promise<void> {
    const taints = (this.#nodes.get(name)?.spec?.taints ?? []).filter((taint) =>
      key === undefined ? taint.key !== TO_BE_DELETED && taint.key !== CANDIDATE : taint.key !== key,
    )
    await this.#patchNode(name, { spec: { taints, ...(key === undefined ? { unschedulable: null } : {}) } })
  }

  async #patchNode(name: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#context.client.patch(kinds.Node, { name }, { type: 'merge', body }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }

  /** What a process before this one left: nodes that it was about to remove are open again. */
  async #cleanUp(): Promise<void> {
    this.#hasCleaned = true
    for (const node of [...this.#nodes.values()])
      if (this.#groupOf(node) !== undefined && node.spec?.taints?.some(({ key }) => key === TO_BE_DELETED) === true)
        await this.#untaint(node.metadata.name)
  }

  async #writeStatus(
    health: { readonly ready: number; readonly unready: number; readonly isHealthy: boolean },
    now: Milliseconds,
  ): Promise<void> {
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

  #tell(type: RecordedEvent['type'], reason: string, message: string): void {
    this.#publish({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...STATUS } }, type, reason, message)
  }

  #tellPod(pod: Pod, reason: string, message: string): void {
    this.#publish(pod, 'Normal', reason, message)
  }

  #tellNode(node: Node, reason: string, message: string): void {
    this.#publish(node, 'Normal', reason, message)
  }

  #publish(object: RecordedEvent['object'], type: RecordedEvent['type'], reason: string, message: string): void {
    this.#count++
    this.#context.events.publish({ object, type, reason, message })
  }

  /** How many events it has published. */
  get published(): number {
    return this.#count
  }
}
