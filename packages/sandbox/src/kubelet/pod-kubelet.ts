import {
  kinds,
  type Milliseconds,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  parseTime,
  type VolumeAttachment,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { namespacedRef } from '../objects/object-key.ts'
import { isReady, podCondition } from '../objects/pod-state.ts'
import { attachmentName, volumeClaimNames } from '../workloads/volume/pod-volumes.ts'
import { Addresses } from './addresses.ts'
import type { KubeletOptions } from './kubelet-options.ts'
import type { NodeKubelet } from './node-kubelet.ts'
import { podStep } from './pod-lifecycle.ts'

const NODE_INDEX = 'sandbox.kubelet.node'
const byNode = (pod: Pod): string[] => (pod.spec.nodeName ? [pod.spec.nodeName] : [])

/** Simulates what kubelets do for pods: starts pods on the simulated nodes, makes them ready, ends them and removes them. */
export class PodKubelet implements Controller {
  readonly name = 'kubelet.pod'
  readonly concurrency = 16
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #options: KubeletOptions
  readonly #nodes: NodeKubelet
  readonly #pods: Informer<Pod>
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #attachments: Informer<VolumeAttachment>
  readonly #addresses = new Addresses(100)
  readonly #awaitingVolumes = new Set<Key>()

  constructor(context: ClusterContext, options: KubeletOptions, nodes: NodeKubelet) {
    this.#context = context
    this.#options = options
    this.#nodes = nodes
    this.#pods = context.informers.of(kinds.Pod)
    this.#pods.index(NODE_INDEX, byNode)
    this.#claims = context.informers.of(kinds.PersistentVolumeClaim)
    this.#attachments = context.informers.of(kinds.VolumeAttachment)
    this.#pods.onChange(({ before, after }) => {
      if (before !== undefined && before.metadata.uid !== after?.metadata.uid) {
        this.#addresses.release(before.metadata.uid ?? '')
      }
    })
    this.sources = [
      // No kubelet is responsible for a pod without a node.
      source(this.#pods, ({ after }) => (after?.spec.nodeName ? [informerKey(after)] : [])),
      source(this.#attachments, () => this.#awaitingVolumes),
      // If a node recovers, or is created after pods were bound to it, its pods must be reconciled again.
      source(context.informers.of(kinds.Node), ({ before, after }) => {
        const name = after?.metadata.name
        if (name === undefined || (before !== undefined && readiness(before) === readiness(after))) return []
        return this.#pods.by(NODE_INDEX, name).map(informerKey)
      }),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const pod = this.#pods.get(key)
    const nodeName = pod?.spec.nodeName
    if (pod === undefined || !nodeName) {
      this.#awaitingVolumes.delete(key)
      return done()
    }
    // A node has no kubelet before its first report. When the node becomes ready, the pod is reconciled again.
    if (!this.#nodes.serves(nodeName) || !this.#nodes.hasBooted(nodeName)) return done()
    const now = this.#context.clock.now()
    const volumesReady = pod.status?.phase === 'Running' || this.#volumesReady(pod, nodeName)
    if (volumesReady) this.#awaitingVolumes.delete(key)
    else this.#awaitingVolumes.add(key)
    const step = podStep(
      pod,
      {
        now,
        boundAt: this.#boundAt(pod, now),
        podIP: this.#addresses.of(pod.metadata.uid ?? ''),
        hostIP: this.#nodes.addressOf(nodeName),
        volumesReady,
      },
      this.#options,
    )
    try {
      switch (step.kind) {
        case 'wait':
          return Number.isFinite(step.until) ? retryAfter(step.until - now) : done()
        case 'remove':
          await this.#remove(pod)
          return done()
        case 'status': {
          const body = { metadata: { uid: pod.metadata.uid }, status: step.status }
          const patch = { type: 'strategic', body } as const
          await this.#context.client.patch(kinds.Pod, namespacedRef(key), patch, { subresource: 'status' })
          return done()
        }
      }
    } catch (error) {
      if (isNotFound(error)) return done()
      throw error
    }
  }

  async #remove(pod: Pod): Promise<void> {
    const ref = { namespace: pod.metadata.namespace ?? '', name: pod.metadata.name }
    // Other finalizers keep the object, but its containers have stopped, so the pod must not remain ready.
    if ((pod.metadata.finalizers ?? []).length > 0 && isReady(pod)) {
      const conditions = [{ ...podCondition(pod, 'Ready'), type: 'Ready', status: 'False', reason: 'PodFailed' }]
      const body = { metadata: { uid: pod.metadata.uid }, status: { conditions } }
      await this.#context.client.patch(kinds.Pod, ref, { type: 'strategic', body }, { subresource: 'status' })
    }
    const uid = pod.metadata.uid
    await this.#context.client.delete(kinds.Pod, ref, {
      gracePeriodSeconds: 0,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
  }

  #boundAt(pod: Pod, now: Milliseconds): Milliseconds {
    const scheduled = podCondition(pod, 'PodScheduled')
    const bound = scheduled?.status === 'True' ? parseTime(scheduled.lastTransitionTime) : undefined
    return bound ?? parseTime(pod.metadata.creationTimestamp) ?? now
  }

  #volumesReady(pod: Pod, nodeName: string): boolean {
    return volumeClaimNames(pod).every((name) => {
      const claim = this.#claims.get(`${pod.metadata.namespace ?? ''}/${name}`)
      const volumeName = claim?.spec.volumeName
      if (!volumeName || claim?.status?.phase !== 'Bound') return false
      const volume = this.#context.informers.of(kinds.PersistentVolume).get(volumeName)
      if (volume === undefined) return false
      if (volume.spec.csi === undefined) return true
      return this.#attachments.get(attachmentName(volumeName, nodeName))?.status?.attached === true
    })
  }
}

const readiness = (node: Node | undefined): string | undefined =>
  node?.status?.conditions?.find((condition) => condition.type === 'Ready')?.status
