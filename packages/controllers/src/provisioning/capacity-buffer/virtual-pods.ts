import {
  annotations,
  type CapacityBuffer,
  type Container,
  type Pod,
  type PodTemplateSpec,
  type Volume,
} from '@kerf/apis'
import { ifReadable } from '../../state/isolation/if-readable.ts'

const LOWEST_PRIORITY = -2_147_483_648

/** Returns whether the volume uses a claim. `keptVolumes` handles such volumes. */
const isProvisioned = (volume: Volume): boolean =>
  volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined

const withoutMounts = (containers: readonly Container[], volumes: ReadonlySet<string>): readonly Container[] =>
  containers.map((container) => {
    const { volumeMounts } = container as Container & { readonly volumeMounts?: readonly { readonly name: string }[] }
    if (volumeMounts === undefined) return container
    return { ...container, volumeMounts: volumeMounts.filter(({ name }) => !volumes.has(name)) }
  })

/** Returns the pod for one replica of a buffer, without an index and without the volumes that use a claim. */
export const bufferPodShape = (buffer: CapacityBuffer, template: PodTemplateSpec): Pod => {
  const { nodeName: _, volumes = [], initContainers, ...spec } = template.spec
  const dropped = new Set(volumes.filter(isProvisioned).map(({ name }) => name))
  const { name = '', namespace = 'default' } = buffer.metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `capacity-buffer-${name}`,
      namespace,
      ...(template.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
      annotations: {
        ...template.metadata?.annotations,
        [annotations.bufferFakePod]: 'true',
        [annotations.bufferName]: name,
        [annotations.bufferNamespace]: namespace,
      },
      ...(buffer.metadata.creationTimestamp === undefined
        ? {}
        : { creationTimestamp: buffer.metadata.creationTimestamp }),
    },
    spec: {
      ...spec,
      priority: LOWEST_PRIORITY,
      containers: withoutMounts(spec.containers, dropped),
      ...(initContainers === undefined ? {} : { initContainers: withoutMounts(initContainers, dropped) }),
      volumes: volumes.filter(({ name: volume }) => !dropped.has(volume)),
    },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  }
}

/** Returns the replicas of a buffer as pods that exist only in memory (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`). */
export const virtualPods = (buffer: CapacityBuffer, shape: Pod, count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) =>
    Object.freeze({
      ...shape,
      metadata: {
        ...shape.metadata,
        name: `${shape.metadata.name}-${index + 1}`,
        uid: `${buffer.metadata.uid ?? ''}-${index + 1}`,
      },
    }),
  )

/** Returns the key (`namespace/name`) of the buffer that a virtual pod belongs to, or undefined for a real pod. */
export const bufferNameFromPod = (pod: Pod): string | undefined => {
  const name = pod.metadata.annotations?.[annotations.bufferName]
  const namespace = pod.metadata.annotations?.[annotations.bufferNamespace]
  return name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`
}

/** Returns whether the pod is a replica of a buffer. A pod that cannot be read counts as a real pod. */
export const isVirtualPod = (pod: Pod): boolean =>
  ifReadable(() => pod.metadata.annotations?.[annotations.bufferFakePod]) === 'true'
