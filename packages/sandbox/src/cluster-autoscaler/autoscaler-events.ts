import type { KubeObject, Node, Pod } from '@kerf/apis'
import type { EventRecorder, RecordedEvent } from '@kerf/runtime'

/** The ConfigMap with Cluster Autoscaler's status. Cluster-wide events refer to it. */
export const STATUS = { name: 'cluster-autoscaler-status', namespace: 'kube-system' } as const

/** Publishes Cluster Autoscaler's events (`docs/spec/coexistence.md`): on its status ConfigMap, on pods, and on nodes. */
export class AutoscalerEvents {
  readonly #events: EventRecorder

  constructor(events: EventRecorder) {
    this.#events = events
  }

  cluster(type: RecordedEvent['type'], reason: string, message: string): void {
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...STATUS } }
    this.#events.publish({ object, type, reason, message })
  }

  pod(pod: Pod, reason: string, message: string): void {
    this.#events.publish({ object: pod, type: 'Normal', reason, message })
  }

  node(node: Node, reason: string, message: string): void {
    this.#events.publish({ object: node, type: 'Normal', reason, message })
  }
}
