import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  apiVersionOf,
  type ClusterAPINodeClass,
  type ClusterAPINodeClassSpec,
  type ClusterAPINodeClassStatus,
  type EC2NodeClass,
  type EC2NodeClassSpec,
  type EC2NodeClassStatus,
  type KWOKNodeClass,
  type KWOKNodeClassSpec,
  type KWOKNodeClassStatus,
  karpenterKinds,
} from '@kerf/apis'
import { type MetadataOptions, metadataOf } from './metadata.ts'

/** The reference of NodePools and NodeClaims to the KWOKNodeClass `default`. */
export const nodeClassRef = {
  group: karpenterKinds.KWOKNodeClass.group,
  kind: karpenterKinds.KWOKNodeClass.kind,
  name: 'default',
} as const

export interface NodeClassOptions<Spec, Status> extends MetadataOptions {
  readonly spec?: Readonly<Partial<Spec>> | undefined
  readonly status?: Readonly<Status> | undefined
}

/** Returns a KWOKNodeClass whose nodes appear immediately. */
export const kwokNodeClass = (
  name: string,
  options: NodeClassOptions<KWOKNodeClassSpec, KWOKNodeClassStatus> = {},
): KWOKNodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.KWOKNodeClass),
  kind: 'KWOKNodeClass',
  metadata: metadataOf(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: { ...options.spec },
  ...(options.status === undefined ? {} : { status: options.status }),
})

const discovery = { 'karpenter.sh/discovery': 'demo' }

/** Returns an EC2NodeClass that selects the role, image, subnets and security groups of the cluster `demo` in the fake AWS. */
export const ec2NodeClass = (
  name: string,
  options: NodeClassOptions<EC2NodeClassSpec, EC2NodeClassStatus> = {},
): EC2NodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.EC2NodeClass),
  kind: 'EC2NodeClass',
  metadata: metadataOf(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: {
    role: 'KarpenterNodeRole-demo',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: discovery }],
    securityGroupSelectorTerms: [{ tags: discovery }],
    ...options.spec,
  },
  ...(options.status === undefined ? {} : { status: options.status }),
})

/** Returns a ClusterAPINodeClass that selects all MachineDeployments with the member label. */
export const clusterApiNodeClass = (
  name: string,
  options: NodeClassOptions<ClusterAPINodeClassSpec, ClusterAPINodeClassStatus> = {},
): ClusterAPINodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.ClusterAPINodeClass),
  kind: 'ClusterAPINodeClass',
  metadata: metadataOf(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  ...(options.spec === undefined ? {} : { spec: options.spec }),
  ...(options.status === undefined ? {} : { status: options.status }),
})

/** Returns an AKSNodeClass with default values. */
export const aksNodeClass = (
  name: string,
  options: NodeClassOptions<AKSNodeClassSpec, AKSNodeClassStatus> = {},
): AKSNodeClass => ({
  apiVersion: apiVersionOf(karpenterKinds.AKSNodeClass),
  kind: 'AKSNodeClass',
  metadata: metadataOf(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: { ...options.spec },
  ...(options.status === undefined ? {} : { status: options.status }),
})
