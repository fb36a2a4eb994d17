import { apiVersionOf, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findConnection, HttpKubeClient, isNotFound, SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import type { Manifest } from '../manifests/read-manifests.ts'

/** What a decision reads of a cluster. Kinds that the cluster does not serve are left out. */
const READ: readonly ResourceKind[] = [
  kinds.Namespace,
  karpenterKinds.NodePool,
  karpenterKinds.NodeClaim,
  karpenterKinds.NodeOverlay,
  kinds.Node,
  kinds.Pod,
  kinds.DaemonSet,
  kinds.ReplicaSet,
  kinds.StatefulSet,
  kinds.Service,
  kinds.PersistentVolumeClaim,
  kinds.PersistentVolume,
  kinds.StorageClass,
  kinds.CSINode,
  kinds.RuntimeClass,
]

/** Read only where devices are to be found: on many clusters nobody may. */
const READ_FOR_DEVICES: readonly ResourceKind[] = [
  kinds.ResourceSlice,
  kinds.ResourceClaim,
  kinds.ResourceClaimTemplate,
  kinds.DeviceClass,
]

const PAGE = 1_000

export interface LiveOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly kubeconfig?: string
  readonly context?: string
  readonly ignoreDraRequests?: boolean
}

/** Lists everything a plan depends on, in pages. Only reads. */
export const readLiveCluster = async (options: LiveOptions): Promise<readonly Manifest[]> => {
  const clock = new SystemClock()
  const connection = findConnection({ clock, ...options })
  const client = new HttpKubeClient({
    connection,
    clock,
    random: new SystemRandom(),
    logger: silentLogger,
    env: options.env,
  })
  try {
    const manifests: Manifest[] = []
    for (const kind of options.ignoreDraRequests === false ? [...READ, ...READ_FOR_DEVICES] : READ) {
      let next: string | undefined
      do {
        const page = await client
          .list(kind, { limit: PAGE, ...(next === undefined ? {} : { continue: next }) })
          .catch((error: unknown) => {
            if (isNotFound(error)) return undefined
            throw error
          })
        for (const item of page?.items ?? [])
          manifests.push({ object: withKind(kind, item), file: connection.server, line: 0 })
        next = page?.metadata.continue === '' ? undefined : page?.metadata.continue
      } while (next !== undefined)
    }
    return manifests
  } finally {
    await client.close()
  }
}

/** Items of a list do not say what they are. */
const withKind = (kind: ResourceKind, item: KubeObject): KubeObject => ({
  ...item,
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
})
