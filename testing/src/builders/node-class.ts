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

/** How NodePools and NodeClaims name the KWOKNodeClass `default`. */
export const nodeClassRef = {
  group: karpenterKinds.KWOKNodeClass.group,
  kind: karpenterKinds.KWOKNodeClass.kind,
  name: 'default',
} as const

export interface NodeClassOptions<Spec, Status> extends MetadataOptions {
  readonly spec?: Readonly<Partial<Spec>> | undefined
  readonly status?: Readonly<Status> | undefined
}

/** A KWOKNodeClass whose nodes appear at once. */
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

/** An EC2NodeClass for which the fake AWS has a role, an image, subnets and security groups: those of the cluster `demo`. */
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

/** A ClusterAPINodeClass of all MachineDeployments with the member label. */
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

/** An AKSNodeClass of defaults. */
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
