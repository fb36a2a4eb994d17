import { type NodePool, type Pod, parseResources } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, Offering, RequirementSpec } from '@kerf/engine'

const CREATED = '2026-01-01T00:00:00Z'

export const inList = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
export const absent = (key: string): RequirementSpec => ({ key, operator: 'DoesNotExist' })

export const offering = (capacityType: string, zone: string, price: number): Offering => ({
  requirements: [inList('karpenter.sh/capacity-type', capacityType), inList('topology.kubernetes.io/zone', zone)],
  price,
  available: true,
})

export interface TypeShape {
  readonly name: string
  readonly cpu: number
  readonly memoryGi: number
  readonly pods: number
  readonly zones: readonly string[]
  readonly offerings: readonly Offering[]
  readonly extra?: readonly RequirementSpec[]
  readonly operatingSystems?: readonly string[]
}

/** Returns an instance type with every well-known label and the overhead of upstream's fakes: 100m cpu and 10Mi memory. */
export const instanceType = (shape: TypeShape): InstanceType => ({
  name: shape.name,
  requirements: [
    inList('node.kubernetes.io/instance-type', shape.name),
    inList('kubernetes.io/arch', 'amd64'),
    inList('kubernetes.io/os', ...(shape.operatingSystems ?? ['linux'])),
    inList('topology.kubernetes.io/zone', ...shape.zones),
    inList('karpenter.sh/capacity-type', 'on-demand', 'spot'),
    absent('topology.kubernetes.io/region'),
    absent('node.kubernetes.io/windows-build'),
    ...(shape.extra ?? []),
  ],
  offerings: shape.offerings,
  capacity: parseResources({ cpu: String(shape.cpu), memory: `${shape.memoryGi}Gi`, pods: String(shape.pods) }),
  overhead: { kubeReserved: parseResources({ cpu: '100m', memory: '10Mi' }) },
})

export const nodePool = (
  name: string,
  spec: {
    readonly requirements?: readonly RequirementSpec[]
    readonly labels?: Readonly<Record<string, string>>
    readonly limits?: Readonly<Record<string, string>>
  } = {},
): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name, uid: `pool-${name}` },
  spec: {
    template: {
      metadata: { labels: { ...spec.labels } },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [...(spec.requirements ?? [])].map(({ key, operator, values }) => ({
          key,
          operator,
          ...(values === undefined ? {} : { values: [...values] }),
        })),
        expireAfter: '720h',
      },
    },
    disruption: {
      consolidateAfter: '0s',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [{ nodes: '10%' }],
    },
    ...(spec.limits === undefined ? {} : { limits: { ...spec.limits } }),
  },
})

/** Returns a stable, unique UID. As with real UIDs, sorting by UID does not give the order of creation. */
const uidOf = (index: number): string => {
  const mixed = Math.imul(index + 1, 2_654_435_761) >>> 0
  return `${mixed.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}

export const pod = (
  index: number,
  labels: Readonly<Record<string, string>>,
  requests: { readonly cpu: string; readonly memory: string },
  spec: Partial<Pod['spec']> = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${index}`, namespace: 'default', uid: uidOf(index), creationTimestamp: CREATED, labels },
  spec: { containers: [{ name: 'app', resources: { requests } }], ...spec },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
})

export const cluster = (pools: ClusterSnapshot['pools'], nodes: ClusterSnapshot['nodes'] = []): ClusterSnapshot => ({
  pools,
  nodes,
  daemonPods: [],
  namespaces: [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default' } },
    },
  ],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
})
