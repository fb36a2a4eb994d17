import {
  formatTime,
  groupVersion,
  type KubeObject,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from './settled-node.ts'

/** The name of the NodePool and of its node class. */
export const POOL = 'default'
/** The age of the instances that `plantSettledNodes` needs. */
export const NODE_AGE: Milliseconds = 86_400_000
const AT_ONCE = 20

const nodeClassRef = ({ group, kind }: ResourceKind) => ({ group, kind, name: POOL })

/** Creates a NodePool for the node class `default` of this kind. The NodePool never consolidates. */
export const createIdlePool = async (client: KubeClient, kind: ResourceKind): Promise<void> => {
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata: { name: POOL } },
    spec: {
      template: { spec: { nodeClassRef: nodeClassRef(kind), requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

/** The NodeClaim and the node class for which a fake cloud creates an instance. */
export interface PlantedClaim<T extends KubeObject> {
  readonly claimName: string
  readonly index: number
  readonly nodeClass: T
  /** The time of the launch, as a timestamp of the API. */
  readonly since: string
}

/** An instance of a fake cloud, and what its Node shows. */
export interface PlantedInstance {
  readonly nodeName: string
  readonly providerID: string
  readonly imageID: string
  readonly instanceType: string
  readonly zone: string
  readonly region: string
  /** Labels in addition to those that every cloud sets. */
  readonly labels?: Readonly<Record<string, string>>
  /** Annotations of the NodeClaim in addition to the hashes of its NodePool and node class. */
  readonly claimAnnotations?: Readonly<Record<string, string>>
  readonly resources: { readonly capacity?: object; readonly allocatable?: object } | undefined
}

const hashes = ({ metadata }: KubeObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

const texts = (amounts: object = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, `${amount}`]))

/**
 * Creates day-old nodes of the NodePool: for each, the NodeClaim, Node and instance that Kerf would create. None of them has drifted. The
 * node class must have been resolved. `plant` creates the instance.
 */
export const plantSettledNodes = async <T extends KubeObject>(
  { client, clock, kind }: { readonly client: KubeClient; readonly clock: Clock; readonly kind: ResourceKind<T> },
  count: number,
  plant: (claim: PlantedClaim<T>) => PlantedInstance,
): Promise<void> => {
  const since = formatTime(clock.now() - NODE_AGE)
  const nodeClass = await client.get(kind, { name: POOL })
  const pool: NodePool = await client.get(karpenterKinds.NodePool, { name: POOL })
  const create = async (index: number): Promise<void> => {
    const claimName = `${POOL}-${index}`
    const instance = plant({ claimName, index, nodeClass, since })
    const { nodeName, providerID, imageID, instanceType, zone, region, resources } = instance
    await createSettledNode(client, {
      ...{ pool, claimName, nodeName, providerID, imageID, since },
      labels: {
        [labels.nodePool]: POOL,
        [labels.capacityType]: 'on-demand',
        [labels.instanceType]: instanceType,
        [labels.zone]: zone,
        [labels.region]: region,
        [labels.arch]: 'amd64',
        [labels.os]: 'linux',
        ...instance.labels,
      },
      claimAnnotations: { ...hashes(pool), ...hashes(nodeClass), ...instance.claimAnnotations },
      nodeAnnotations: hashes(pool),
      spec: {
        ...{ nodeClassRef: nodeClassRef(kind), expireAfter: 'Never' },
        requirements: [{ key: labels.instanceType, operator: 'In', values: [instanceType] }],
      },
      ...{ capacity: texts(resources?.capacity), allocatable: texts(resources?.allocatable) },
    })
  }
  const indexes = Array.from({ length: count }, (_, index) => index)
  await mapLimit(indexes, AT_ONCE, create, new AbortController().signal)
}
