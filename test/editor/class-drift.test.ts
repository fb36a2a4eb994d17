import { nodeClassHash as ec2Hash } from '@kerf/provider-aws'
import { nodeClassHash as aksHash } from '@kerf/provider-azure'
import { describe, expect, test } from 'vitest'
import { classChange } from '../../headlamp-plugin/src/model/class-change.ts'

const classOf = (spec: object): object => ({ metadata: { name: 'default' }, spec })

/** What the editor says that an edit does, beside whether the provider's own hash of the class becomes another. */
const effectOf = (group: string, kind: string, before: object, edit: object): string =>
  classChange(classOf(before), classOf({ ...before, ...edit }), group, kind, []).effect

const EC2 = {
  role: 'nodes',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ id: 'subnet-0a' }],
  securityGroupSelectorTerms: [{ id: 'sg-0a' }],
  tags: { team: 'shop' },
  userData: 'a',
  metadataOptions: { httpTokens: 'required' },
} as const

describe('an edit of an EC2NodeClass is drift if the hash becomes another, and only then', () => {
  test.each([
    { tags: { team: 'other' } },
    { userData: 'b' },
    { role: 'others' },
    { detailedMonitoring: true },
    { associatePublicIPAddress: true },
    { instanceStorePolicy: 'RAID0' },
    { metadataOptions: { httpTokens: 'optional' } },
    { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '30Gi' } }] },
    { kubelet: { maxPods: 58 } },
    { context: 'shop' },
    { ipPrefixCount: 2 },
    { amiFamily: 'AL2023' },
    { amiFamily: 'Bottlerocket' },
    { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] },
  ])('%j', (edit) => {
    const inputs = { caBundle: 'a' }
    const isOther = ec2Hash({ spec: { ...EC2, ...edit } as never }, inputs) !== ec2Hash({ spec: EC2 as never }, inputs)
    expect(effectOf('karpenter.k8s.aws', 'EC2NodeClass', EC2, edit)).toBe(isOther ? 'drift' : 'none')
  })

  test.each([
    { subnetSelectorTerms: [{ id: 'subnet-0b' }] },
    { securityGroupSelectorTerms: [{ id: 'sg-0b' }] },
    { amiSelectorTerms: [{ alias: 'al2023@v20260101' }] },
    { capacityReservationSelectorTerms: [{ id: 'cr-0a' }] },
  ])('what selects is not hashed, and may be drift: %j', (edit) => {
    const inputs = { caBundle: 'a' }
    expect(ec2Hash({ spec: { ...EC2, ...edit } as never }, inputs)).toBe(ec2Hash({ spec: EC2 as never }, inputs))
    expect(effectOf('karpenter.k8s.aws', 'EC2NodeClass', EC2, edit)).toBe('may-drift')
  })
})

const AKS = { imageFamily: 'Ubuntu2204', osDiskSizeGB: 128, tags: { team: 'shop' } } as const

describe('an edit of an AKSNodeClass is drift if the hash becomes another, and only then', () => {
  test.each([
    { tags: { team: 'other' } },
    { imageFamily: 'AzureLinux' },
    { osDiskSizeGB: 256 },
    { vnetSubnetID: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n' },
    { fipsMode: 'FIPS' },
    { maxPods: 58 },
    { kubelet: { cpuCFSQuota: false } },
  ])('%j', (edit) => {
    const isOther = aksHash({ spec: { ...AKS, ...edit } as never }) !== aksHash({ spec: AKS as never })
    expect(effectOf('karpenter.azure.com', 'AKSNodeClass', AKS, edit)).toBe(isOther ? 'drift' : 'none')
  })
})
