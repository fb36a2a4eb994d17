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

/** What each provider's upstream hashes is known from its documentation alone: certain is only what it leaves out. */
describe('an edit of a class whose hash is not known here may be drift, unless its provider leaves the field out', () => {
  const kinds = [
    [
      'GCENodeClass.karpenter.k8s.gcp',
      {
        imageSelectorTerms: [{ alias: 'ContainerOptimizedOS@latest' }],
        disks: [{ category: 'pd-balanced', boot: true }],
      },
      {
        imageSelectorTerms: [{ alias: 'Ubuntu@latest' }],
        serviceAccount: 'nodes@shop.iam.gserviceaccount.com',
        disks: [{ category: 'pd-ssd', boot: true }],
        labels: { team: 'shop' },
        networkTags: ['shop'],
        gpuDriverVersion: 'latest',
      },
      [],
    ],
    [
      'ECSNodeClass.karpenter.k8s.alibabacloud',
      { vSwitchSelectorTerms: [{ id: 'vsw-a' }], imageSelectorTerms: [{ alias: 'ContainerOS' }] },
      {
        vSwitchSelectorTerms: [{ id: 'vsw-b' }],
        vSwitchSelectionPolicy: 'balanced',
        imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3' }],
        systemDisk: { performanceLevel: 'PL1' },
        tags: { team: 'shop' },
        userData: 'b',
      },
      [],
    ],
    [
      'OciNodeClass.karpenter.k8s.oracle',
      { imageFamily: 'OracleOKELinux', kubelet: { maxPods: 31 } },
      {
        imageFamily: 'Ubuntu2204',
        kubelet: { maxPods: 62 },
        bootConfig: { bootVolumeSizeInGBs: 100 },
        securityGroupSelector: [{ name: 'nodes' }],
        freeFormTags: { team: 'shop' },
      },
      ['kubelet'],
    ],
    [
      'ProxmoxNodeClass.karpenter.proxmox.sinextra.dev',
      { instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'ubuntu' }, tags: ['shop'] },
      {
        instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'debian' },
        tags: ['other'],
        metadataOptions: { type: 'cdrom' },
        bootDevice: { size: '50G' },
        resourcePool: 'shop',
      },
      ['tags', 'metadataOptions'],
    ],
    [
      'BizflyCloudNodeClass.karpenter.bizflycloud.com',
      { region: 'HN', template: 'worker', rootDiskSize: 40 },
      { template: 'other', rootDiskSize: 60, nodeCategories: ['premium'], tags: ['team=shop'], sshKeyName: 'ops' },
      [],
    ],
    ['NodeClass.eks.amazonaws.com', { role: 'nodes' }, { role: 'others', tags: { team: 'shop' } }, []],
    ['HouseNodeClass.nodes.example.org', { size: 1 }, { size: 2 }, []],
  ] as const

  const edits = kinds.flatMap(([name, spec, changes, leftOut]) =>
    Object.entries(changes).map(([field, value]) => ({
      name,
      field,
      spec,
      edit: { [field]: value },
      expected: (leftOut as readonly string[]).includes(field) ? 'none' : 'may-drift',
    })),
  )

  test('at least 25 edits', () => expect(edits.length).toBeGreaterThanOrEqual(25))

  test.each(edits)('$name: $field', ({ name, spec, edit, expected }) => {
    const [kind = '', ...group] = name.split('.')
    expect(effectOf(group.join('.'), kind, spec, edit)).toBe(expected)
  })
})

describe('a class without a hash', () => {
  test.each([
    ['karpenter.kwok.sh', 'KWOKNodeClass', { any: 1 }, 'none'],
    ['karpenter.cluster.x-k8s.io', 'ClusterAPINodeClass', { any: 1 }, 'none'],
    // A claim whose MachineDeployment is not selected any more is of a type that nobody offers.
    ['karpenter.cluster.x-k8s.io', 'ClusterAPINodeClass', { scalableResourceSelector: {} }, 'may-drift'],
  ])('%s/%s: %j', (group, kind, edit, effect) => {
    expect(effectOf(group, kind, {}, edit)).toBe(effect)
  })
})
