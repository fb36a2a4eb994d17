import { type KubeObject, karpenterKinds, kinds, policyKinds, type ResourceKind } from '@kerf/apis'
import { type ApiError, isForbidden, isNotFound, type KubeClient, type ListOptions } from '@kerf/runtime'
import { listAll } from '../cluster/list-all.ts'
import { readerRole } from '../cluster/reader-role.ts'
import { providers } from '../providers.ts'
import { ownDefinitions } from './checks/ctl-003-definitions.ts'
import { autoscalerConfig, PRIORITY_CONFIG } from './cluster-autoscaler.ts'
import { ObjectsByKind } from './objects-by-kind.ts'
import { PRICES_ELSEWHERE, priceConfigMaps } from './price-config-maps.ts'

/** A resource kind to read, with an optional filter for its objects. */
interface Reading {
  readonly kind: ResourceKind
  readonly options?: Pick<ListOptions, 'namespace' | 'fieldSelector'>
  /** The name for the objects in messages about a missing permission to list them. The default is the name of the kind. */
  readonly what?: string
}

const cluster = (group: string, kind: string, plural: string, version = 'v1'): ResourceKind => ({
  group,
  version,
  kind,
  plural,
  namespaced: false,
})

const namespaced = (group: string, kind: string, plural: string): ResourceKind => ({
  ...cluster(group, kind, plural),
  namespaced: true,
})

const webhooks = 'admissionregistration.k8s.io'
const rbac = 'rbac.authorization.k8s.io'
/** The reasons of the events that checks use. Other events are left out, because a cluster has very many of them. */
const eventReasons = [
  'ScaledUpGroup',
  'TriggeredScaleUp',
  'Nominated',
  'NotTriggerScaleUp',
  'ScaleDown',
  'Evicted',
  'DisruptionTerminating',
]

/**
 * The objects that the checks read. ConfigMaps are read in kube-system and in the namespaces of Cluster Autoscaler; in other
 * namespaces, only the ConfigMaps with prices.
 */
const readings: readonly Reading[] = [
  ...[
    karpenterKinds.NodePool,
    karpenterKinds.NodeClaim,
    karpenterKinds.NodeOverlay,
    karpenterKinds.CapacityBuffer,
    policyKinds.ClusterPolicy,
    policyKinds.NodePoolPolicy,
    ...providers.flatMap(({ nodeClasses }) => nodeClasses.map(({ resource }) => resource.kind)),
    kinds.Node,
    kinds.Pod,
    kinds.Service,
    kinds.Deployment,
    kinds.ReplicaSet,
    kinds.StatefulSet,
    kinds.DaemonSet,
    kinds.Job,
    kinds.CronJob,
    kinds.PodDisruptionBudget,
    cluster(webhooks, 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'),
    cluster(webhooks, 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'),
    cluster('flowcontrol.apiserver.k8s.io', 'FlowSchema', 'flowschemas'),
    cluster(rbac, 'ClusterRole', 'clusterroles'),
    cluster(rbac, 'ClusterRoleBinding', 'clusterrolebindings'),
    namespaced(rbac, 'Role', 'roles'),
    namespaced(rbac, 'RoleBinding', 'rolebindings'),
    kinds.PersistentVolume,
    kinds.PersistentVolumeClaim,
    kinds.Lease,
  ].map((kind) => ({ kind })),
  { kind: kinds.ConfigMap, options: { namespace: 'kube-system' } },
  ...priceConfigMaps.map((name) => ({
    kind: kinds.ConfigMap,
    options: { fieldSelector: `metadata.name=${name},metadata.namespace!=kube-system` },
    what: PRICES_ELSEWHERE,
  })),
  ...ownDefinitions.map((name) => ({
    kind: kinds.CustomResourceDefinition,
    options: { fieldSelector: `metadata.name=${name}` },
  })),
  ...eventReasons.map((reason) => ({ kind: kinds.Event, options: { fieldSelector: `reason=${reason}` } })),
]

/** Returns the ClusterRole for a command that reads the objects that the checks use. */
export const auditRole = (name: string): string =>
  readerRole(
    name,
    readings.map(({ kind }) => kind),
  )

/**
 * Lists the objects that the checks use. Leaves out resource kinds that the account is not allowed to list; `unread` has the reasons.
 * Changes nothing.
 * @throws ApiError for any other failure, such as a 401 after the first lists, and if the account is not allowed to list any kind
 */
export const readCluster = async (
  client: KubeClient,
): Promise<{ readonly objects: readonly KubeObject[]; readonly unread: ReadonlyMap<string, string> }> => {
  const objects: KubeObject[] = []
  const unread = new Map<string, string>()
  const refusals: ApiError[] = []
  let hasRead = false
  const read = async ({ kind, options = {}, what = kind.kind }: Reading): Promise<void> => {
    try {
      objects.push(...(await listAll(client, kind, options)))
      hasRead = true
    } catch (error) {
      if (isNotFound(error)) return
      if (!isForbidden(error)) throw error
      refusals.push(error)
      unread.set(what, `you cannot list ${kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`}`)
    }
  }
  for (const reading of readings) await read(reading)
  const { namespaces, statusName } = autoscalerConfig(new ObjectsByKind(objects))
  for (const namespace of namespaces)
    if (namespace !== 'kube-system')
      for (const name of [statusName, PRIORITY_CONFIG])
        await read({ kind: kinds.ConfigMap, options: { namespace, fieldSelector: `metadata.name=${name}` } })
  const [refusal] = refusals
  if (!hasRead && refusal !== undefined) throw refusal
  return { objects, unread }
}
