import { isTerminal, isTerminating, kinds, type Milliseconds, type Node, type Pod, type ResourceKind } from '@kerf/apis'
import { ANNOTATION } from '../kubelet/kubelet-options.ts'
import type { NodeKubelet } from '../kubelet/node-kubelet.ts'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { same } from '../objects/same.ts'

const readyStatus = (node: Node): string | undefined =>
  node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status

/** Returns whether only the periodic status update changed the node. Such a change does not count as activity. */
const isHeartbeat = (before: Node | undefined, after: Node | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  readyStatus(before) === readyStatus(after) &&
  same(before.metadata.labels, after.metadata.labels) &&
  same(before.metadata.finalizers, after.metadata.finalizers) &&
  before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
  same(before.spec, after.spec)

/** Detects when a cluster has settled: nothing has changed for a while and no work is in progress. */
export class Activity {
  readonly #context: ClusterContext
  readonly #kubelet: NodeKubelet | undefined
  #last: Milliseconds

  constructor(context: ClusterContext, kubelet: NodeKubelet | undefined) {
    this.#context = context
    this.#kubelet = kubelet
    this.#last = context.clock.monotonic()
    const note = (): void => {
      this.#last = context.clock.monotonic()
    }
    const { informers } = context
    const watched: readonly ResourceKind[] = [
      kinds.Pod,
      kinds.Deployment,
      kinds.ReplicaSet,
      kinds.StatefulSet,
      kinds.DaemonSet,
      kinds.Job,
      kinds.PersistentVolumeClaim,
      kinds.PersistentVolume,
      kinds.VolumeAttachment,
      kinds.PodDisruptionBudget,
      kinds.Namespace,
    ]
    for (const kind of watched) informers.of(kind).onChange(note)
    informers.of(kinds.Node).onChange(({ before, after }) => {
      if (!isHeartbeat(before, after)) note()
    })
  }

  /** Also counts changes of this resource kind, such as a custom resource, as activity. */
  watch(kind: ResourceKind): void {
    this.#context.informers.of(kind).onChange(() => {
      this.#last = this.#context.clock.monotonic()
    })
  }

  /** Returns whether nothing has changed for `quiet` and no pod or node is in transition. */
  hasRestedFor(quiet: Milliseconds): boolean {
    if (this.#context.clock.monotonic() - this.#last < quiet) return false
    const { informers } = this.#context
    for (const node of informers.of(kinds.Node).values()) if (this.#isBooting(node)) return false
    for (const pod of informers.of(kinds.Pod).values()) if (this.#isUnderWay(pod)) return false
    return true
  }

  #isBooting(node: Node): boolean {
    const played = this.#kubelet?.serves(node.metadata.name) ?? false
    return played && readyStatus(node) === undefined && node.metadata.annotations?.[ANNOTATION.bootAfter] !== 'never'
  }

  #isUnderWay(pod: Pod): boolean {
    const nodeName = pod.spec.nodeName
    if (!nodeName || isTerminal(pod) || !(this.#kubelet?.serves(nodeName) ?? false)) return false
    if (isTerminating(pod)) return (pod.metadata.finalizers ?? []).length === 0
    return pod.status?.phase !== 'Running' && pod.metadata.annotations?.[ANNOTATION.startAfter] !== 'never'
  }
}
