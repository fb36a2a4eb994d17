import { groupVersion, type KubeObject, karpenterKinds, kinds, policyKinds, type ResourceKind } from '@kerf/apis'
import { podTemplateKind } from '@kerf/controllers'
import { isForbidden, isNotFound, type KubeClient, shownServer } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { knownProviders } from '../providers.ts'

/** The resource kinds that a plan always needs. Kinds that the cluster does not serve are left out. */
export const READ: readonly ResourceKind[] = [
  kinds.Namespace,
  karpenterKinds.NodePool,
  karpenterKinds.NodeClaim,
  karpenterKinds.NodeOverlay,
  kinds.Node,
  kinds.Pod,
  kinds.PodDisruptionBudget,
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

/** Resource kinds that are read only if devices are planned, because many clusters do not allow users to read them. */
export const READ_FOR_DEVICES: readonly ResourceKind[] = [
  kinds.ResourceSlice,
  kinds.ResourceClaim,
  kinds.ResourceClaimTemplate,
  kinds.DeviceClass,
]

/** Resource kinds that describe the instance types of a pool in more detail. If the user cannot read them, defaults apply. */
export const READ_IF_ALLOWED: readonly ResourceKind[] = knownProviders.flatMap(({ nodeClasses }) =>
  nodeClasses.map(({ resource }) => resource.kind),
)

/** Resource kinds that admission reads for pods that do not exist yet. If the user cannot read them, admission ignores them. */
export const READ_FOR_ADMISSION: readonly ResourceKind[] = [
  { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', namespaced: true },
  kinds.PriorityClass,
]

/** The resource kinds of policies. If the user cannot read them, the plan ignores all policies. */
export const POLICIES: readonly ResourceKind[] = Object.values(policyKinds)

/** The resource kind CapacityBuffer. If the user cannot read CapacityBuffers, they are ignored. */
const BUFFERS: ResourceKind = karpenterKinds.CapacityBuffer
/** The resource kinds that CapacityBuffers refer to. If the user cannot read them, CapacityBuffers are ignored. */
export const READ_FOR_BUFFERS: readonly ResourceKind[] = [podTemplateKind, kinds.Deployment]

/** Resource kinds that are read only if the command needs them. */
export const READ_IF_ASKED: readonly ResourceKind[] = [
  kinds.Deployment,
  kinds.Job,
  kinds.CronJob,
  kinds.ReplicationController,
  kinds.ResourceQuota,
]

const PAGE = 1_000

export interface LiveOptions extends ClusterChoice {
  readonly ignoreDraRequests?: boolean
  /** Further resource kinds to read, for example `apps/v1/Deployment`. */
  readonly alsoRead?: ReadonlySet<string>
}

/** Lists all objects that a plan depends on, page by page. Changes nothing. Error messages contain `origin`. */
export const listCluster = async (
  client: KubeClient,
  origin: string,
  { ignoreDraRequests = true, alsoRead }: Pick<LiveOptions, 'ignoreDraRequests' | 'alsoRead'> = {},
): Promise<readonly Manifest[]> => {
  const manifests: Manifest[] = []
  const asked = READ_IF_ASKED.filter((kind) => alsoRead?.has(`${groupVersion(kind)}/${kind.kind}`) ?? false)
  const optional = [...READ_IF_ALLOWED, ...READ_FOR_ADMISSION, ...POLICIES, BUFFERS]
  const read = async (kind: ResourceKind, isOptional: boolean): Promise<void> => {
    let next: string | undefined
    do {
      const page = await client
        .list(kind, { limit: PAGE, ...(next === undefined ? {} : { continue: next }) })
        .catch((error: unknown) => {
          if (isNotFound(error) || (isOptional && isForbidden(error))) return undefined
          throw error
        })
      for (const item of page?.items ?? []) manifests.push({ object: withKind(kind, item), file: origin, line: 0 })
      next = page?.metadata.continue === '' ? undefined : page?.metadata.continue
    } while (next !== undefined)
  }
  for (const kind of [...READ, ...(ignoreDraRequests ? [] : READ_FOR_DEVICES), ...optional, ...asked])
    await read(kind, optional.includes(kind))
  if (manifests.some(({ object }) => object.kind === BUFFERS.kind))
    for (const kind of READ_FOR_BUFFERS) if (!asked.includes(kind)) await read(kind, true)
  return manifests
}

/** Runs `listCluster` on the cluster of the current kubectl context. */
export const readLiveCluster = async (options: LiveOptions): Promise<readonly Manifest[]> => {
  const { connection, client } = connect(options)
  try {
    return await listCluster(client, shownServer(connection.server), options)
  } finally {
    await client.close()
  }
}

/** Adds the kind and the API version, which the items of a list do not have. */
const withKind = (kind: ResourceKind, item: KubeObject): KubeObject => ({
  ...item,
  apiVersion: groupVersion(kind),
  kind: kind.kind,
})
