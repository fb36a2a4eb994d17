import { CASE_NAME, type ConformanceCase, caseTable, conditionCases, many, refused } from '@kerf/apis/conformance'
import { bizflyNodeClassResource } from '../node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'

/** Fields that contain lists of words, each with a valid value. */
const WORDS = {
  osType: 'flatcar',
  nodeCategories: 'dedicated',
  cpuVendors: 'AMD4',
  diskTypes: 'HDD',
  networkPlans: 'free_bandwidth',
} as const

/** Returns cases that the CRD of BizflyCloudNodeClass accepts or rejects. The verdicts equal those of Bizfly's own provider (622fe21). */
export const bizflyNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(bizflyNodeClassResource.kind, {
    ...bizflyNodeClassDescriptor.example,
    ...{ metadata: { name: CASE_NAME }, spec: { template: 'Ubuntu 24.04 LTS' } },
  })
  table.accepts('the least', {}, { 'spec.rootDiskSize': 40, 'spec.metadataOptions': undefined, status: undefined })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.acceptsEach('spec/template', [''])
  table.refusesEach('spec/template', [undefined, 1], 'spec.template')
  for (const [field, value] of Object.entries(WORDS)) {
    table.acceptsEach(`spec/${field}`, [[], [value], [value, value]])
    table.refuses(`${field}: another word`, { [`spec/${field}`]: ['other'] }, `spec.${field}[0]`)
    table.refuses(`${field}: a text`, { [`spec/${field}`]: value }, `spec.${field}`)
  }
  for (const field of ['zones', 'sshKeys', 'vpcNetworkIds', 'tags'])
    table.acceptsEach(`spec/${field}`, [[], [''], ['a', 'a']])
  table.acceptsEach('spec/rootDiskSize', [20, 1000])
  table.refusesEach('spec/rootDiskSize', [0, 19, 1001, 40.5, '40'], 'spec.rootDiskSize')
  table.acceptsEach('spec/securityGroups', [[], many(10, () => ({ securityGroupID: '' }))])
  table.refuses(
    '11 groups',
    { 'spec/securityGroups': many(11, () => ({ securityGroupID: 'a' })) },
    'spec.securityGroups',
  )
  table.refuses('a group without an ID', { 'spec/securityGroups': [{}] }, 'spec.securityGroups[0].securityGroupID')
  table.acceptsEach('spec/placementStrategy', [{}, { spread: {} }, { spread: { zones: ['HN1'] } }])
  table.refuses('options without a type', { 'spec/metadataOptions': {} }, 'spec.metadataOptions.type')
  table.update('a bad edit', {}, { 'spec/rootDiskSize': 1 }, refused('spec.rootDiskSize'))
  conditionCases(table, false, 'atomic')
  return table.cases
}
