import type { KubeObject, NodePool } from '@kerf/apis'

/** The names of the node class, zones and instance types of a cloud. */
export interface CloudNames {
  readonly nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']
  readonly zones: readonly [string, string]
  /** Two instance types that are not the smallest. */
  readonly types: readonly [string, string]
}

const simulated: CloudNames = {
  nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
  zones: ['test-zone-a', 'test-zone-b'],
  types: ['c-4x-amd64-linux', 'm-4x-amd64-linux'],
}

const cloudNames = {
  kwok: simulated,
  simulated,
  aws: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    zones: ['us-east-1a', 'us-east-1b'],
    types: ['c5.large', 'm5.xlarge'],
  },
  azure: {
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    zones: ['southcentralus-1', 'southcentralus-2'],
    types: ['Standard_E4d_v5', 'Standard_F16s_v2'],
  },
  example: {
    nodeClassRef: { group: 'example.kerf.sh', kind: 'ExampleNodeClass', name: 'default' },
    zones: ['example-1a', 'example-1b'],
    types: ['s-4', 's-8'],
  },
  'cluster-api': {
    nodeClassRef: { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass', name: 'default' },
    zones: ['zone-a', 'zone-b'],
    types: ['large', 'huge'],
  },
} as const satisfies Readonly<Record<string, CloudNames>>

/** The clouds of the simulation. */
export type CloudName = keyof typeof cloudNames

/** The clouds that a seed draws. Other clouds must be named, because more clouds in the draw would change the run of every seed. */
const DRAWN: readonly CloudName[] = ['simulated', 'kwok', 'aws']

export const CLOUDS = Object.keys(cloudNames).toSorted() as readonly CloudName[]

export const isDrawn = (cloud: CloudName): boolean => DRAWN.includes(cloud)

export const cloudNamesOf = (cloud: CloudName): CloudNames => cloudNames[cloud]

/** Returns the NodePool with the node class of a cloud. */
export const poolOn = (cloud: CloudName, pool: NodePool): NodePool => ({
  ...pool,
  spec: {
    ...pool.spec,
    template: {
      ...pool.spec.template,
      spec: { ...pool.spec.template.spec, nodeClassRef: cloudNamesOf(cloud).nodeClassRef },
    },
  },
})

/** Does the same for any object, and changes only NodePools. */
export const objectOn = (cloud: CloudName, object: KubeObject): KubeObject =>
  object.kind === 'NodePool' ? poolOn(cloud, object as NodePool) : object
