import { isActive, kinds, type Milliseconds, type Node, type Pod, type Taint } from '@kerf/apis'
import { type Informer, isNotFound } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import type { AutoscalerEvents } from './autoscaler-events.ts'
import { isDaemonPod, isMirrorPod } from './drain-rules.ts'
import type { AutoscalerOptions } from './options.ts'
import type { UnneededNode } from './scale-down.ts'
import type { ScaledGroup } from './scaled-group.ts'

const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler'
const CANDIDATE = 'DeletionCandidateOfClusterAutoscaler'
const EVICTION_RETRY: Milliseconds = 10_000

export interface Deletion {
  readonly group: ScaledGroup
  readonly isDrain: boolean
}

/** Removes nodes: taints, drains and terminates them. Also maintains the taint on unneeded nodes that are not being removed yet. */
export class NodeDeletions {
  readonly #context: ClusterContext
  readonly #options: AutoscalerOptions
  readonly #events: AutoscalerEvents
  readonly #nodes: Informer<Node>
  readonly #pods: Informer<Pod>
  readonly #inProgress = new Map<string, Deletion>()

  constructor(context: ClusterContext, options: AutoscalerOptions, events: AutoscalerEvents) {
    this.#context = context
    this.#options = options
    this.#events = events
    this.#nodes = context.informers.of(kinds.Node)
    this.#pods = context.informers.of(kinds.Pod)
  }

  get inProgress(): readonly Deletion[] {
    return [...this.#inProgress.values()]
  }

  has(name: string): boolean {
    return this.#inProgress.has(name)
  }

  of(group: ScaledGroup): number {
    return this.inProgress.filter((each) => each.group === group).length
  }

  async begin({ node, group, moving }: UnneededNode, now: Milliseconds): Promise<void> {
    const { name } = node.metadata
    const isDrain = moving.length > 0
    this.#inProgress.set(name, { group, isDrain })
    await this.#taint(name, TO_BE_DELETED, 'NoSchedule', now, this.#options.cordonBeforeTerminating)
    if (isDrain) this.#events.node(node, 'ScaleDown', 'marked the node as toBeDeleted/unschedulable')
    else this.#events.cluster('Normal', 'ScaleDownEmpty', `Scale-down: removing empty node "${name}"`)
    if (isDrain)
      this.#events.cluster(
        'Normal',
        'ScaleDown',
        `Scale-down: removing node ${name}, pods to reschedule: ${moving.length}`,
      )
    const end = now + this.#options.maxGracefulTermination
    const act = (): Promise<void> =>
      isDrain ? this.#drain(name, group, moving, end) : this.#finishDeletion(name, group)
    this.#context.clock.timer(this.#options.deleteDelay, () => {
      act().catch(() => this.#inProgress.delete(name))
    })
  }

  /** Evicts pods and retries until the node is drained. Gives up after the time limit and removes the taint. */
  async #drain(name: string, group: ScaledGroup, pods: readonly Pod[], end: Milliseconds): Promise<void> {
    const { client, clock } = this.#context
    const refused: Pod[] = []
    for (const pod of pods) {
      const ref = { name: pod.metadata.name, namespace: pod.metadata.namespace ?? 'default' }
      await client.evict(ref).then(
        () => this.#events.pod(pod, 'ScaleDown', 'deleting pod for node scale down'),
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
      this.#inProgress.delete(name)
      return
    }
    clock.timer(refused.length > 0 ? EVICTION_RETRY : 1_000, () => {
      this.#drain(name, group, refused, end).catch(() => this.#inProgress.delete(name))
    })
  }

  async #finishDeletion(name: string, group: ScaledGroup): Promise<void> {
    await group.shrink(name)
    this.#inProgress.delete(name)
  }

  /** Adds and removes unneeded-node taints so that exactly the currently unneeded nodes have one. */
  async markUnneeded(candidates: readonly Node[], unneeded: readonly UnneededNode[], now: Milliseconds): Promise<void> {
    const names = new Set(unneeded.map(({ node }) => node.metadata.name))
    for (const node of candidates) {
      const { name } = node.metadata
      if (this.#inProgress.has(name)) continue
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

  /** Removes the deletion taint from nodes that an earlier process was about to remove. */
  async cleanUp(isOwn: (node: Node) => boolean): Promise<void> {
    for (const node of [...this.#nodes.values()])
      if (isOwn(node) && node.spec?.taints?.some(({ key }) => key === TO_BE_DELETED) === true)
        await this.#untaint(node.metadata.name)
  }
}
