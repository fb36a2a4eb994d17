import {
  accepted,
  CASE_NAME,
  type ConformanceCase,
  caseTable,
  conditionCases,
  long,
  many,
  refused,
  type Table,
} from '@kerf/apis/conformance'
import { diskCategories } from '../node-class/disk-fields.ts'
import { ecsNodeClassResource } from '../node-class/ecs-node-class.ts'

const mixed = { id: 'vsw-1', tags: { a: 'b' } }

const termCases = (table: Table): void => {
  for (const [field, prefix] of [
    ['vSwitchSelectorTerms', 'vsw'],
    ['securityGroupSelectorTerms', 'sg'],
  ] as const) {
    const at = `spec/${field}`
    const path = `spec.${field}`
    table.acceptsEach(at, [
      [{ id: `${prefix}-1` }],
      // Patterns are not anchored.
      [{ id: `x${prefix}-1` }],
      [{ id: `${prefix}-1!` }],
      [{ tags: { a: '' } }],
      // This term selects everything. The status controller reports it.
      [{ tags: {} }],
      many(30, (index) => ({ id: `${prefix}-${index}` })),
    ])
    table.accepts(`${field}: a mixed term next to a good one`, {
      [at]: [{ id: `${prefix}-1`, tags: { a: 'b' } }, { id: `${prefix}-2` }],
    })
    table.refusesEach(at, [undefined, 1, [], [{}], [{ id: `${prefix}-1`, tags: { a: 'b' } }]], path)
    table.refuses(`${field}: 31 terms`, { [at]: many(31, () => ({ id: `${prefix}-1` })) }, path)
    table.refuses(`${field}: another id`, { [at]: [{ id: 'other-1' }] }, `${path}[0].id`)
    table.refuses(`${field}: a tag without a key`, { [at]: [{ tags: { '': 'a' } }] }, `${path}[0].tags`)
    const tags = Object.fromEntries(many(21, (index) => [`k${index}`, '']))
    table.refuses(`${field}: 21 tags`, { [at]: [{ tags }] }, `${path}[0].tags`)
  }
  table.acceptsEach('spec/securityGroupSelectorTerms', [[{ name: 'nodes' }]])
  table.refusesEach(
    'spec/securityGroupSelectorTerms',
    [[{ name: 'nodes', id: 'sg-1' }], [{ name: 'nodes', tags: { a: 'b' } }]],
    'spec.securityGroupSelectorTerms',
  )
  table.accepts('two different mixed terms of groups', {
    'spec/securityGroupSelectorTerms': [
      { name: 'nodes', tags: { a: 'b' } },
      { ...mixed, id: 'sg-1' },
    ],
  })
}

const imageCases = (table: Table): void => {
  const at = 'spec/imageSelectorTerms'
  table.acceptsEach(at, [
    [{ alias: 'AlibabaCloudLinux3' }],
    [{ alias: 'ContainerOS' }],
    // Karpenter's CRD rejects the version.
    [{ alias: 'AlibabaCloudLinux3@latest' }],
    [{ id: '' }],
    [{ id: 'm-1' }, { id: 'm-2' }],
  ])
  for (const alias of ['', 'Other', 'alibabacloudlinux3', 'ContainerOS@1', 'ContainerOS@', long(31)])
    table.refuses(`the alias ${JSON.stringify(alias)}`, { [at]: [{ alias }] }, 'spec.imageSelectorTerms[0].alias')
  table.refusesEach(
    at,
    [undefined, [], [{}], [{ alias: 'ContainerOS', id: 'm-1' }], [{ alias: 'ContainerOS' }, { id: 'm-1' }]],
    'spec.imageSelectorTerms',
  )
  table.refuses('31 images', { [at]: many(31, () => ({ id: 'm-1' })) }, 'spec.imageSelectorTerms')
}

const diskCases = (table: Table): void => {
  table.accepts(
    'the default system disk',
    { 'spec/systemDisk': {} },
    { 'spec.systemDisk': { categories: diskCategories, performanceLevel: 'PL0' } },
  )
  table.accepts('no system disk', {}, { 'spec.systemDisk': undefined })
  const at = 'spec/systemDisk/volumeSize'
  const sizes = ['1Gi', '59000Gi', '1G', '64000G', '1Ti', '18Ti', '58Ti', '1T', '64T', '100G']
  table.acceptsEach(at, sizes)
  table.refusesEach(
    at,
    ['', '0Gi', '59001Gi', '64001G', 'Ti', 'T', '59Ti', '65T', '100', 100, '1.5Ti', '20 Gi', '1Mi'],
    'spec.systemDisk.volumeSize',
  )
  table.acceptsEach('spec/systemDisk/size', [20, 100_000])
  table.refusesEach('spec/systemDisk/size', [19, '20', 20.5], 'spec.systemDisk.size')
  table.acceptsEach('spec/systemDisk/performanceLevel', ['PL0', 'PL3'])
  table.refusesEach('spec/systemDisk/performanceLevel', ['', 'PL4'], 'spec.systemDisk.performanceLevel')
  table.acceptsEach('spec/systemDisk/categories', [[], ['anything'], ['cloud_essd', 'cloud_essd']])
  table.accepts('a data disk', { 'spec/dataDisks': [{}] }, { 'spec.dataDisks.0.volumeSize': '20Gi' })
  table.acceptsEach('spec/dataDisks', [[], [{ device: '/dev/xvdb', volumeSize: '1Ti' }], many(17, () => ({}))])
  table.refuses('a data disk of no size', { 'spec/dataDisks': [{ volumeSize: 'T' }] }, 'spec.dataDisks[0].volumeSize')
  table.acceptsEach('spec/dataDiskCategories', [[], ['cloud_essd'], ['anything']])
  table.accepts('formatDataDisk is false', {}, { 'spec.formatDataDisk': false })
}

const kubeletCases = (table: Table): void => {
  const at = 'spec/kubeletConfiguration'
  const path = 'spec.kubeletConfiguration'
  table.acceptsEach(at, [
    {},
    { maxPods: 0, podsPerCore: 0 },
    { systemReserved: { cpu: 'abc', memory: '', 'ephemeral-storage': '1Gi', pid: '10' } },
    { evictionHard: { 'memory.available': '-1' } },
    { evictionSoft: { 'nodefs.available': '5%' }, evictionSoftGracePeriod: { 'nodefs.available': 'later' } },
    { evictionSoft: {} },
    { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 0 },
    { imageGCHighThresholdPercent: 0 },
    { evictionMaxPodGracePeriod: -1, cpuCFSQuota: false, clusterDNS: [''] },
  ])
  table.refusesEach(`${at}/maxPods`, [-1, '10'], `${path}.maxPods`)
  table.refusesEach(`${at}/podsPerCore`, [-1], `${path}.podsPerCore`)
  for (const field of ['systemReserved', 'kubeReserved'])
    table.refusesEach(`${at}/${field}`, [{ cpu: '-1' }, { disk: '1' }], `${path}.${field}`)
  for (const field of ['evictionHard', 'evictionSoft', 'evictionSoftGracePeriod'])
    table.refuses(
      `${field} with another signal`,
      { [at]: { evictionSoft: { other: '1' }, evictionSoftGracePeriod: { other: '1' }, [field]: { other: '1' } } },
      ...[...new Set(['evictionSoft', 'evictionSoftGracePeriod', field])].map((each) => `${path}.${each}`),
    )
  table.refusesEach(
    at,
    [
      { evictionSoft: { 'pid.available': '1' } },
      { evictionSoftGracePeriod: { 'pid.available': '1m' } },
      { evictionSoft: { 'pid.available': '1' }, evictionSoftGracePeriod: { 'memory.available': '1m' } },
      { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 },
    ],
    path,
  )
  table.refusesEach(`${at}/imageGCHighThresholdPercent`, [-1, 101], `${path}.imageGCHighThresholdPercent`)
}

const otherCases = (table: Table): void => {
  table.accepts(
    'the least',
    {},
    {
      'spec.vSwitchSelectionPolicy': 'cheapest',
      'spec.passwordInherit': false,
      'spec.kubeletConfiguration': undefined,
      status: undefined,
    },
  )
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.acceptsEach('spec/vSwitchSelectionPolicy', ['balanced', 'cheapest'])
  table.refusesEach('spec/vSwitchSelectionPolicy', ['', 'random'], 'spec.vSwitchSelectionPolicy')
  table.acceptsEach('spec/tags', [
    {},
    { 'ecs:ecs-cluster-id': 'c' },
    { 'karpenter.sh/nodepool2': 'a' },
    { [long(500)]: '' },
  ])
  table.refusesEach(
    'spec/tags',
    [
      { '': 'a' },
      { 'ecs:ecs-cluster-name': 'a' },
      { 'kubernetes.io/cluster': 'a' },
      { 'kubernetes.io/cluster-x': 'a' },
      { 'karpenter.sh/nodepool': 'a' },
      { 'karpenter.sh/nodeclaim': 'a' },
      { 'karpenter.k8s.alibabacloud/ecsnodeclass': 'a' },
    ],
    'spec.tags',
  )
  table.acceptsEach('spec/resourceGroupId', ['rg-1', 'xrg-1!'])
  table.refusesEach('spec/resourceGroupId', ['', 'rg-', 'RG-1'], 'spec.resourceGroupId')
  table.acceptsEach(
    'spec/password',
    ['12345678', '~!@#$%^&*()_+-=[]{}|\\:;"\'<>,.?/', long(30)].map((each) => each.slice(0, 30)),
  )
  table.refusesEach('spec/password', ['', '1234567', 'with blank', 'back`quote', long(31)], 'spec.password')
  table.acceptsEach('spec/keyPairName', ['ab', 'a._:-1', long(128)])
  table.refusesEach('spec/keyPairName', ['', 'a', '1a', 'a b', long(129)], 'spec.keyPairName')
  table.acceptsEach('spec/userData', ['', '#!/bin/bash'])
  const both = (password: string) => ({ 'spec/passwordInherit': true, 'spec/password': password })
  table.refuses('a password that is inherited too', both('12345678'), 'spec')
  table.accepts('an inherited password', { 'spec/passwordInherit': true })
  table.accepts('a password that is not inherited', { 'spec/passwordInherit': false, 'spec/password': '12345678' })
  table.accepts('an unknown field is dropped', { 'spec/instanceName': 'a' }, { 'spec.instanceName': undefined })
}

const statusCases = (table: Table): void => {
  const image = { id: 'm-1', requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] }
  const status = (fields: object) => ({ status: fields })
  table.updateStatus(
    'the resources of a class',
    {},
    status({
      vSwitches: [{ id: 'vsw-1', zoneID: 'cn-hangzhou-b' }],
      securityGroups: [{ id: 'sg-1' }],
      images: [image],
    }),
    accepted({ 'status.images': [image], 'status.vSwitches.0.zoneID': 'cn-hangzhou-b' }),
  )
  const without = (name: string, fields: object, field: string) =>
    table.updateStatus(name, {}, status(fields), refused(field))
  without('a vSwitch without zone', { vSwitches: [{ id: 'vsw-1' }] }, 'status.vSwitches[0].zoneID')
  without('a group without id', { securityGroups: [{ name: 'a' }] }, 'status.securityGroups[0].id')
  without('an image without requirements', { images: [{ id: 'm-1' }] }, 'status.images[0].requirements')
  without(
    'a requirement without operator',
    { images: [{ id: 'm-1', requirements: [{ key: 'a' }] }] },
    'status.images[0].requirements[0].operator',
  )
}

/**
 * Returns specs that the CRD of ECSNodeClass must accept or reject. The expected results equal those of
 * cloudpilot-ai/karpenter-provider-alibabacloud cb536aff, except for `@latest`, sizes such as 18Ti, and the units Ti and T without a number
 * (`providers/alibaba/docs/spec/alibaba.md#spec`).
 */
export const ecsNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(ecsNodeClassResource.kind, {
    apiVersion: 'karpenter.k8s.alibabacloud/v1alpha1',
    kind: 'ECSNodeClass',
    metadata: { name: CASE_NAME },
    spec: {
      vSwitchSelectorTerms: [{ id: 'vsw-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      imageSelectorTerms: [{ alias: 'ContainerOS' }],
    },
  })
  otherCases(table)
  termCases(table)
  imageCases(table)
  diskCases(table)
  kubeletCases(table)
  statusCases(table)
  table.update('a bad edit', {}, { 'spec/keyPairName': '1' }, refused('spec.keyPairName'))
  conditionCases(table, false, 'atomic')
  return table.cases
}
