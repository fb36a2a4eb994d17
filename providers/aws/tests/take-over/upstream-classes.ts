import type { EC2NodeClass, EC2NodeClassSpec } from '@kerf/provider-aws/node-class'
import { VECTOR_CA_BUNDLE, vectorSpec } from '@kerf/provider-aws/testing'
import { upstreamNodeClassHash } from './upstream-hash.ts'

export const CLUSTER = 'demo'
export const REGION = 'us-east-1'
/** The IAM role of the nodes. The vectors of the spec use the same role. */
export const ROLE = 'role-1'

const discovery = { 'karpenter.sh/discovery': 'demo' }
const selectors = {
  subnetSelectorTerms: [{ tags: discovery }],
  securityGroupSelectorTerms: [{ tags: discovery }],
} satisfies Partial<EC2NodeClassSpec>
/** The default values of the schema. */
const metadataOptions = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'required',
} as const

type Amis = NonNullable<NonNullable<EC2NodeClass['status']>['amis']>

interface UpstreamClass {
  readonly spec: EC2NodeClassSpec
  readonly hash: string
  readonly amis: Amis
}

const ACCELERATORS = 'karpenter.k8s.aws/instance-accelerator-count'
const GPUS = 'karpenter.k8s.aws/instance-gpu-count'
const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] })
const without = (key: string) => ({ key, operator: 'DoesNotExist' })
const standard = (value: string) => [arch(value), without(GPUS), without(ACCELERATORS)]

const kubelet = {
  evictionHard: { 'memory.available': '5%' },
  maxPods: 40,
  systemReserved: { cpu: '100m', memory: '200Mi' },
}
const al2023: EC2NodeClassSpec = {
  ...selectors,
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  role: ROLE,
  tags: { team: 'web' },
  userData: '#!/bin/bash\necho "hello from the user"\n',
  instanceStorePolicy: 'RAID0',
  metadataOptions,
  blockDeviceMappings: [
    {
      deviceName: '/dev/xvda',
      ebs: { deleteOnTermination: true, encrypted: true, volumeSize: '50Gi', volumeType: 'gp3' },
      rootVolume: true,
    },
  ],
  kubelet,
}
const bottlerocket: EC2NodeClassSpec = {
  ...selectors,
  amiSelectorTerms: [{ alias: 'bottlerocket@1.46.0' }],
  role: ROLE,
  userData: '[settings.host-containers.admin]\nenabled = true\n',
  metadataOptions,
}
const custom: EC2NodeClassSpec = {
  ...selectors,
  ...vectorSpec,
  blockDeviceMappings: [...vectorSpec.blockDeviceMappings],
  amiFamily: 'Custom',
  amiSelectorTerms: [{ id: 'ami-x86' }],
}

export const upstreamClasses: Readonly<Record<string, UpstreamClass>> = {
  al2023: {
    spec: al2023,
    hash: upstreamNodeClassHash({
      spec: al2023,
      family: 'AL2023',
      caBundle: VECTOR_CA_BUNDLE,
      kubelet:
        '{"evictionHard":{"memory.available":"5%"},"maxPods":40,"systemReserved":{"cpu":"100m","memory":"200Mi"}}',
    }),
    amis: [
      { id: 'ami-arm', name: 'amazon-eks-node-al2023-arm64-standard-1.36-v20260101', requirements: standard('arm64') },
      {
        id: 'ami-gpu',
        name: 'amazon-eks-node-al2023-x86_64-nvidia-1.36-v20260101',
        requirements: [arch('amd64'), { key: GPUS, operator: 'Exists' }],
      },
      { id: 'ami-x86', name: 'amazon-eks-node-al2023-x86_64-standard-1.36-v20260101', requirements: standard('amd64') },
    ],
  },
  bottlerocket: {
    spec: bottlerocket,
    hash: upstreamNodeClassHash({ spec: bottlerocket, family: 'Bottlerocket', caBundle: VECTOR_CA_BUNDLE }),
    amis: [
      { id: 'ami-br', name: 'bottlerocket-x86', requirements: standard('amd64') },
      {
        id: 'ami-br',
        name: 'bottlerocket-x86',
        requirements: [arch('amd64'), { key: ACCELERATORS, operator: 'Exists' }],
      },
    ],
  },
  // This node class is the first test vector of the spec, unchanged.
  custom: {
    spec: custom,
    hash: '11148166120438674859',
    amis: [
      { id: 'ami-x86', name: 'amazon-eks-node-al2023-x86_64-standard-1.36-v20260101', requirements: [arch('amd64')] },
    ],
  },
}

/** Returns the name of the instance profile that upstream creates for a node class. */
export const profileName = (className: string): string =>
  `${CLUSTER}_${{ al2023: '4327187431487283452', bottlerocket: '982374982374', custom: '1120938120938' }[className]}`
