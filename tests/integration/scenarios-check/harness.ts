import type {
  CSINode,
  DaemonSet,
  KubeObject,
  Namespace,
  Node,
  NodeClaim,
  NodePool,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  Taint,
} from '@kerf/apis'
import { type Amounts, parseAmounts } from './amounts.ts'
import type { CatalogueEntry } from './documents.ts'
import { buildInstanceTypes, type InstanceTypeRow, type NodeOverlay } from './instance-types.ts'
import type { Labels } from './label-sets.ts'

/** A node, or a launching NodeClaim, before the plan. */
export interface NodeBefore {
  readonly name: string
  readonly labels: Labels
  readonly taints: readonly Taint[]
  readonly capacity: Amounts
  readonly allocatable: Amounts
  readonly pods: readonly Pod[]
  readonly pool: string | undefined
  /** How many more volumes of each CSI driver can be attached. If absent, there is no limit. */
  readonly volumeLimits: Readonly<Record<string, number>>
}

/** The cluster of a scenario, with all objects whose constraints a plan can break. */
export interface Harness {
  readonly pending: ReadonlyMap<string, Pod>
  readonly standing: ReadonlyMap<string, NodeBefore>
  readonly pools: ReadonlyMap<string, NodePool>
  readonly typesOf: (pool: NodePool) => ReadonlyMap<string, InstanceTypeRow>
  readonly daemons: readonly Pod[]
  readonly namespaces: ReadonlyMap<string, Labels>
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>
  readonly volumes: ReadonlyMap<string, PersistentVolume>
  readonly classes: ReadonlyMap<string, StorageClass>
}

export const podName = ({ metadata }: Pod): string => `${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`

const isEnded = ({ status, metadata }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed' || metadata.deletionTimestamp !== undefined

const isPending = ({ spec, status }: Pod): boolean =>
  spec.nodeName === undefined &&
  (status?.conditions ?? []).some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable')

/** Taints that a node has only while it starts. */
const temporary = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'karpenter.sh/unregistered',
])

const nodeStanding = (
  node: Node | undefined,
  claim: NodeClaim | undefined,
  pods: readonly Pod[],
  csi: CSINode | undefined,
): NodeBefore => {
  const isReady =
    node !== undefined && (claim === undefined || node.metadata.labels?.['karpenter.sh/initialized'] === 'true')
  const source = node ?? claim
  const name = source?.metadata.name ?? ''
  const startup = claim?.spec.startupTaints ?? []
  const taints = (node === undefined ? claim?.spec.taints : node.spec.taints) ?? []
  const status = isReady || claim === undefined ? node?.status : { ...claim.status, ...node?.status }
  const labels = { ...claim?.metadata.labels, ...source?.metadata.labels }
  return {
    name,
    labels: { ...labels, 'kubernetes.io/hostname': labels['kubernetes.io/hostname'] ?? name },
    taints: isReady
      ? taints
      : taints.filter(
          ({ key, effect }) =>
            !temporary.has(key) && !startup.some((other) => other.key === key && other.effect === effect),
        ),
    capacity: parseAmounts(status?.capacity),
    allocatable: parseAmounts(status?.allocatable),
    pods,
    pool: labels['karpenter.sh/nodepool'],
    volumeLimits: Object.fromEntries(
      (csi?.spec.drivers ?? []).flatMap(({ name: driver, allocatable }) =>
        allocatable?.count === undefined ? [] : [[driver, allocatable.count]],
      ),
    ),
  }
}

const daemonPod = ({ metadata, spec }: DaemonSet): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...spec.template.metadata, name: metadata.name ?? '', namespace: metadata.namespace ?? 'default' },
  spec: spec.template.spec,
})

/** Builds the cluster from the manifests and the catalogue. */
export const createHarness = (objects: readonly KubeObject[], entries: readonly CatalogueEntry[]): Harness => {
  const of = <T extends KubeObject>(kind: string): readonly T[] =>
    objects.filter((object) => object.kind === kind) as unknown as readonly T[]
  const pods = of<Pod>('Pod')
  const nodes = of<Node>('Node')
  const claims = of<NodeClaim>('NodeClaim')
  const csi = new Map(of<CSINode>('CSINode').map((each) => [each.metadata.name, each]))
  const onNode = (name: string | undefined): readonly Pod[] =>
    pods.filter((pod) => pod.spec.nodeName === name && !isEnded(pod))
  const standing = nodes.map((node) => {
    const claim = claims.find(
      ({ status }) => status?.providerID !== undefined && status.providerID === node.spec.providerID,
    )
    return nodeStanding(node, claim, onNode(node.metadata.name), csi.get(node.metadata.name))
  })
  const inFlight = claims
    .filter(({ status }) => !nodes.some(({ spec }) => spec.providerID === status?.providerID))
    .map((claim) => nodeStanding(undefined, claim, [], undefined))
  const byName = <T extends KubeObject>(list: readonly T[]) =>
    new Map(list.map((each) => [each.metadata.name ?? '', each]))
  const overlays = of<NodeOverlay>('NodeOverlay')
  const types = new Map<NodePool, ReadonlyMap<string, InstanceTypeRow>>()
  return {
    pending: new Map(pods.filter(isPending).map((pod) => [podName(pod), pod])),
    standing: new Map([...standing, ...inFlight].map((each) => [each.name, each])),
    pools: byName(of<NodePool>('NodePool')),
    typesOf: (pool) => {
      const known = types.get(pool)
      if (known !== undefined) return known
      const labels = { ...pool.spec.template.metadata?.labels, 'karpenter.sh/nodepool': pool.metadata.name ?? '' }
      const made = new Map(buildInstanceTypes(entries, overlays, labels).map((type) => [type.name, type]))
      types.set(pool, made)
      return made
    },
    daemons: of<DaemonSet>('DaemonSet').map(daemonPod),
    namespaces: new Map(
      of<Namespace>('Namespace').map(({ metadata }) => [
        metadata.name ?? '',
        { 'kubernetes.io/metadata.name': metadata.name ?? '', ...metadata.labels },
      ]),
    ),
    claims: new Map(
      of<PersistentVolumeClaim>('PersistentVolumeClaim').map((each) => [
        `${each.metadata.namespace ?? 'default'}/${each.metadata.name ?? ''}`,
        each,
      ]),
    ),
    volumes: byName(of<PersistentVolume>('PersistentVolume')),
    classes: byName(of<StorageClass>('StorageClass')),
  }
}
