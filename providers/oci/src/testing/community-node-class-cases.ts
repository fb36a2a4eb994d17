import {
  CASE_NAME,
  type ConformanceCase,
  caseTable,
  conditionCases,
  long,
  many,
  type Table,
} from '@kerf/apis/conformance'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import { communityNodeClassResource } from '../node-class/community-node-class.ts'

const IMAGE = 'ocid1.image.oc1.phx.aaaa'

const selectorCases = (table: Table): void => {
  table.acceptsEach('spec/imageSelector', [
    [{ id: IMAGE }],
    [{ name: '' }],
    [{ name: 'a', compartmentId: '' }, { id: `x${IMAGE}` }, { id: 'ocid1ximage.0' }],
  ])
  table.refusesEach('spec/imageSelector', [[], [{}], [{ name: 'a' }, { id: IMAGE, name: 'a' }]], 'spec.imageSelector')
  table.refuses(
    'an image with another OCID',
    { 'spec/imageSelector': [{ id: 'ocid1.vcn.a' }] },
    'spec.imageSelector[0].id',
  )
  for (const field of ['subnetSelector', 'securityGroupSelector']) {
    table.acceptsEach(`spec/${field}`, [
      [{ id: '' }],
      [{ name: 'a' }, { name: 'a' }],
      [{ id: 'a', name: 'a' }, { id: 'a' }],
      many(30, () => ({ name: 'a' })),
    ])
    table.refusesEach(
      `spec/${field}`,
      [[], [{}], [{ id: 'a', name: 'a' }], many(31, () => ({ name: 'a' })), undefined],
      `spec.${field}`,
    )
  }
}

const volumeCases = (table: Table): void => {
  table.acceptsEach('spec/bootConfig/bootVolumeSizeInGBs', [-1, 0, 32_769])
  table.refusesEach(
    'spec/bootConfig/bootVolumeSizeInGBs',
    [undefined, '50', 1.5],
    'spec.bootConfig.bootVolumeSizeInGBs',
  )
  table.refusesEach('spec/bootConfig', [undefined], 'spec.bootConfig')
  table.acceptsEach('spec/blockDevices', [
    [],
    [0, 10, 20].map((vpusPerGB) => ({ sizeInGBs: 50, vpusPerGB })),
    [{ sizeInGBs: 32_768, vpusPerGB: 0 }],
  ])
  for (const [field, values] of [
    ['sizeInGBs', [49, 32_769, undefined]],
    ['vpusPerGB', [5, 30, undefined]],
  ] as const)
    for (const value of values)
      table.refuses(
        `a block volume with ${field} ${value}`,
        { 'spec/blockDevices': [{ sizeInGBs: 50, vpusPerGB: 10, [field]: value }] },
        `spec.blockDevices[0].${field}`,
      )
  table.acceptsEach('spec/launchOptions', [{}, { firmware: 'BIOS', bootVolumeType: 'IDE', networkType: 'E1000' }])
  for (const field of ['bootVolumeType', 'remoteDataVolumeType', 'firmware', 'networkType'])
    table.refusesEach(`spec/launchOptions/${field}`, ['', 'OTHER'], `spec.launchOptions.${field}`)
}

const tagCases = (table: Table): void => {
  table.acceptsEach('spec/definedTags', [{}, { ns: {} }, { [long(100)]: { '': long(256) } }])
  table.refusesEach(
    'spec/definedTags',
    [{ '': {} }, { 'a.b': {} }, { 'a b': {} }, { [long(101)]: {} }],
    'spec.definedTags',
  )
  for (const [name, tags] of [
    ['a dot', { 'a.b': '' }],
    ['a space', { 'a b': '' }],
    ['a key of 101 characters', { [long(101)]: '' }],
    ['a value of 257 characters', { a: long(257) }],
  ] as const)
    table.refuses(`a defined tag with ${name}`, { 'spec/definedTags': { ns: tags } }, 'spec.definedTags[ns]')
  table.acceptsEach('spec/freeFormTags', [{}, { a: long(300) }])
  table.refusesEach(
    'spec/freeFormTags',
    [{ 'a b': '' }, { 'a.b': '' }, { [long(101)]: '' }, Object.fromEntries(many(11, (index) => [`a${index}`, '']))],
    'spec.freeFormTags',
  )
  table.acceptsEach('spec/tags', [{ team: 'a', 'karpenter.sh/other': '' }])
  table.refusesEach(
    'spec/tags',
    [
      { '': 'a' },
      { 'kubernetes.io/cluster/a': '' },
      { 'karpenter.sh/nodepool': '' },
      { 'karpenter.sh/managed-by': '' },
    ],
    'spec.tags',
  )
}

const kubeletCases = (table: Table): void => {
  const signal = 'memory.available'
  table.acceptsEach('spec/kubelet', [
    { maxPods: 0, podsPerCore: 0, clusterDNS: [], cpuCFSQuota: false },
    { kubeReserved: { cpu: '+100m', pid: '10' }, evictionHard: { [signal]: '', 'pid.available': '100%' } },
    { evictionSoft: { [signal]: '5%' }, evictionSoftGracePeriod: { [signal]: 'soon' } },
    { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 0 },
  ])
  table.refusesEach('spec/kubelet/maxPods', [-1, 1.5], 'spec.kubelet.maxPods')
  table.refusesEach('spec/kubelet/kubeReserved', [{ disk: '1' }, { cpu: '-1' }], 'spec.kubelet.kubeReserved')
  table.refuses(
    'a reservation that is no quantity',
    { 'spec/kubelet/kubeReserved': { cpu: 'a' } },
    'spec.kubelet.kubeReserved.cpu',
  )
  table.refuses('an unknown signal', { 'spec/kubelet/evictionHard': { disk: '1' } }, 'spec.kubelet.evictionHard')
  table.refuses(
    'a threshold above 100%',
    { 'spec/kubelet/evictionHard': { [signal]: '101%' } },
    `spec.kubelet.evictionHard.${signal}`,
  )
  for (const fields of [
    { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 1 },
    { evictionSoft: { [signal]: '5%' } },
    { evictionSoft: { [signal]: '5%' }, evictionSoftGracePeriod: {} },
    { evictionSoftGracePeriod: { [signal]: '1m' } },
  ])
    table.refuses(`the kubelet ${JSON.stringify(fields)}`, { 'spec/kubelet': fields }, 'spec.kubelet')
}

/** Returns cases that the CRD of OciNodeClass accepts or rejects. The verdicts equal those of zoom/karpenter-oci (ff0a12c). */
export const communityNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(communityNodeClassResource.kind, {
    ...communityNodeClassDescriptor.example,
    metadata: { name: CASE_NAME },
  })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.acceptsEach('spec/imageFamily', ['Ubuntu2204', 'Custom', '', 'other'])
  table.refusesEach('spec/imageFamily', [undefined, 1], 'spec.imageFamily')
  table.acceptsEach('spec/vcnId', [''])
  table.refusesEach('spec/vcnId', [undefined], 'spec.vcnId')
  table.acceptsEach('spec/agentList', [[], ['Bastion', 'Bastion']])
  selectorCases(table)
  volumeCases(table)
  tagCases(table)
  kubeletCases(table)
  conditionCases(table, false, 'atomic')
  return table.cases
}
