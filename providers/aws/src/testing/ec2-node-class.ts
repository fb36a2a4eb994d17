import { groupVersion } from '@kerf/apis'
import { type NodeClassOptions, objectMetadata } from '@kerf/testing'
import {
  type EC2NodeClass,
  type EC2NodeClassSpec,
  type EC2NodeClassStatus,
  ec2NodeClassKind,
} from '../node-class/ec2-node-class.ts'

const discovery = { 'karpenter.sh/discovery': 'demo' }

/** Returns an EC2NodeClass that selects the role, image, subnets and security groups of the cluster `demo` in the fake AWS. */
export const ec2NodeClass = (
  name: string,
  options: NodeClassOptions<EC2NodeClassSpec, EC2NodeClassStatus> = {},
): EC2NodeClass => ({
  apiVersion: groupVersion(ec2NodeClassKind),
  kind: 'EC2NodeClass',
  metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: {
    role: 'KarpenterNodeRole-demo',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: discovery }],
    securityGroupSelectorTerms: [{ tags: discovery }],
    ...options.spec,
  },
  ...(options.status === undefined ? {} : { status: options.status }),
})
