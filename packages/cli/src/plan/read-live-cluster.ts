import { groupVersion, karpenterKinds, kinds, policyKinds, type ResourceKind } from '@kerf/apis'
import { podTemplateKind } from '@kerf/controllers'
import { isForbidden, isNotFound, type KubeClient, shownServer } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'
import { listAll } from '../cluster/list-all.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { knownProviders } from '../providers.ts'

/** The resource kinds that a plan always needs. Kinds that the cluster does not serve are left out. */
const READ: readonly ResourceKind[] = [
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
const READ_FOR_DEVICES: readonly ResourceKind[] = [
  kinds.ResourceSlice,
  kinds.ResourceClaim,
  kinds.ResourceClaimTemplate,
  kinds.DeviceClass,
]

/** Resource kinds that describe the instance types of a pool in more detail. If the user cannot read them, defaults apply. */
const NODE_CLASSES: readonly ResourceKind[] = knownProviders.flatMap(({ nodeClasses }) =>
  nodeClasses.map(({ resource }) => resource.kind),
)

/** Resource kinds that admission reads for pods that do not exist yet. If the user cannot read them, admission ignores them. */
const READ_FOR_ADMISSION: readonly ResourceKind[] = [
  { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', namespaced: true },
  kinds.PriorityClass,
]

/**
 * The resource kinds of policies. If the user cannot read them, the plan ignores all policies, and a note says so. The status of the
 * ClusterPolicy contains the prices and the commitments that Kerf read from a ConfigMap, so no command reads the ConfigMap.
 */
const POLICIES: readonly ResourceKind[] = Object.values(policyKinds)

/** Resource kinds that a plan leaves out if the user is not allowed to read them. */
const READ_IF_ALLOWED: readonly ResourceKind[] = [...NODE_CLASSES, ...READ_FOR_ADMISSION, ...POLICIES]

/** The resource kinds that describe a cluster to every command that plans or computes prices. */
export const clusterKinds: readonly ResourceKind[] = [...READ, ...READ_IF_ALLOWED]

/** The resource kinds that decide which instance types a NodePool offers, and what they cost. */
export const priceKinds: readonly ResourceKind[] = [
  karpenterKinds.NodePool,
  karpenterKinds.NodeOverlay,
  ...NODE_CLASSES,
  ...POLICIES,
]

/** The resource kind CapacityBuffer. If the user cannot read CapacityBuffers, they are ignored. */
const BUFFERS: ResourceKind = karpenterKinds.CapacityBuffer
/** The resource kinds that CapacityBuffers refer to. If the user cannot read them, CapacityBuffers are ignored. */
const READ_FOR_BUFFERS: readonly ResourceKind[] = [podTemplateKind, kinds.Deployment]

/** Resource kinds that are read only if the command needs them. */
const READ_IF_ASKED: readonly ResourceKind[] = [
  kinds.Deployment,
  kinds.Job,
  kinds.CronJob,
  kinds.ReplicationController,
  kinds.ResourceQuota,
]

/** Every resource kind that `listCluster` can read. */
export const plannedKinds: readonly ResourceKind[] = [
  ...clusterKinds,
  ...READ_FOR_DEVICES,
  BUFFERS,
  ...READ_FOR_BUFFERS,
  ...READ_IF_ASKED,
]

/** What to read from a cluster. */
interface Reading {
  readonly ignoreDraRequests?: boolean
  /** Further resource kinds to read, for example `apps/v1/Deployment`. */
  readonly alsoRead?: ReadonlySet<string>
  /** Called for each resource kind that is left out because the user is not allowed to list it. */
  readonly onForbidden?: (kind: ResourceKind) => void
}

/** Lists all objects that a plan depends on, page by page. Changes nothing. Error messages contain `origin`. */
export const listCluster = async (
  client: KubeClient,
  origin: string,
  { ignoreDraRequests = true, alsoRead, onForbidden = () => {} }: Reading = {},
): Promise<readonly Manifest[]> => {
  const manifests: Manifest[] = []
  const asked = READ_IF_ASKED.filter((kind) => alsoRead?.has(`${groupVersion(kind)}/${kind.kind}`) ?? false)
  const read = async (kind: ResourceKind, isOptional: boolean): Promise<void> => {
    const objects = await listAll(client, kind).catch((error: unknown) => {
      if (isNotFound(error)) return []
      if (!isOptional || !isForbidden(error)) throw error
      onForbidden(kind)
      return []
    })
    for (const object of objects) manifests.push({ object, file: origin, line: 0 })
  }
  for (const kind of [...clusterKinds, ...(ignoreDraRequests ? [] : READ_FOR_DEVICES), BUFFERS, ...asked])
    await read(kind, kind === BUFFERS || READ_IF_ALLOWED.includes(kind))
  if (manifests.some(({ object }) => object.kind === BUFFERS.kind))
    for (const kind of READ_FOR_BUFFERS) if (!asked.includes(kind)) await read(kind, true)
  return manifests
}

/** Runs `listCluster` on the cluster of the current kubectl context. */
export const readLiveCluster = async (options: ClusterChoice & Reading): Promise<readonly Manifest[]> => {
  const { connection, client } = connect(options)
  try {
    return await listCluster(client, shownServer(connection.server), options)
  } finally {
    await client.close()
  }
}
