import { nodeClaimResource } from '../resources/node-claim.ts'
import { CASE_NAME, type ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { quantityCases } from './quantity-cases.ts'
import { accepted, caseTable, refused, type Table } from './table.ts'
import { templateCases } from './template-cases.ts'

const base = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: CASE_NAME },
  spec: {
    requirements: [],
    nodeClassRef: { group: 'cloud.example.com', kind: 'ExampleNodeClass', name: 'default' },
  },
}

const updateCases = (table: Table): void => {
  const full = {
    'spec/requirements': [{ key: 'a', operator: 'In', values: ['x', 'y'] }],
    'spec/resources': { requests: { cpu: '1' } },
    'spec/taints': [{ key: 'a', effect: 'NoSchedule' }],
  }
  table.update('nothing changes', full, {}, accepted())
  table.update(
    'only metadata changes',
    full,
    { 'metadata/labels': { a: 'b' }, 'metadata/finalizers': [] },
    accepted({ 'metadata.labels.a': 'b' }),
  )
  const changes: Readonly<Record<string, object>> = {
    'a requirement is added': { 'spec/requirements': [] },
    'values change their order': { 'spec/requirements': [{ key: 'a', operator: 'In', values: ['y', 'x'] }] },
    'requests change': { 'spec/resources': { requests: { cpu: '2' } } },
    'requests are written in another way': { 'spec/resources': { requests: { cpu: 1 } } },
    'a taint goes': { 'spec/taints': undefined },
    'a startup taint comes': { 'spec/startupTaints': [{ key: 'a', effect: 'NoSchedule' }] },
    'the node class changes': { 'spec/nodeClassRef/name': 'other' },
    'the expiry changes': { 'spec/expireAfter': 'Never' },
    'the expiry is written in another way': { 'spec/expireAfter': '43200m' },
    'a grace period comes': { 'spec/terminationGracePeriod': '1h' },
  }
  for (const [name, change] of Object.entries(changes)) table.update(name, full, { ...change }, refused('spec'))
  table.update(
    'the default is left out',
    full,
    { 'spec/expireAfter': undefined },
    accepted({ 'spec.expireAfter': '720h' }),
  )
  table.update('an unknown field is added', full, { 'spec/extra': 1 }, accepted({ 'spec.extra': undefined }))
  table.update(
    'the status is not taken by an update',
    {},
    { status: { nodeName: 'a' } },
    accepted({ status: undefined }),
  )
}

const statusCases = (table: Table): void => {
  const status = {
    nodeName: 'node',
    providerID: 'kwok://node',
    imageID: 'ami-1',
    capacity: { cpu: '4', memory: '16Gi' },
    allocatable: { cpu: '3900m' },
    lastPodEventTime: '2024-05-06T07:08:09Z',
  }
  table.updateStatus('all of it', {}, { status }, accepted({ status }))
  for (const name of ['nodeName', 'providerID', 'imageID']) {
    table.updateStatus(`${name} that is a number`, {}, { status: { [name]: 1 } }, refused(`status.${name}`))
  }
  for (const name of ['capacity', 'allocatable']) {
    table.updateStatus(`${name} that is none`, {}, { status: { [name]: { cpu: '1K' } } }, refused(`status.${name}.cpu`))
  }
  table.updateStatus(
    'a pod event at a time that is none',
    {},
    { status: { lastPodEventTime: 'soon' } },
    refused('status.lastPodEventTime'),
  )
  table.updateStatus(
    'a node name goes',
    { status },
    { 'status/nodeName': undefined },
    accepted({ 'status.nodeName': undefined }),
  )
  table.updateStatus('the whole status goes', { status }, { status: undefined }, accepted({ status: undefined }))
  table.updateStatus(
    'the spec is not taken by a status update',
    {},
    { 'spec/expireAfter': 'Never', status },
    accepted({ 'spec.expireAfter': '720h' }),
  )
  conditionCases(table, true)
}

export const nodeClaimCases = (): readonly ConformanceCase[] => {
  const table = caseTable(nodeClaimResource.kind, base)
  table.accepts('the least', {}, { 'spec.expireAfter': '720h' })
  table.refuses('no spec', { spec: undefined }, 'spec')
  table.accepts('a requirement on the pool', {
    'spec/requirements': [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }],
  })
  table.accepts('a status is not taken on creation', { status: { nodeName: 'a' } }, { status: undefined })
  templateCases(table, 'spec')
  quantityCases(table, 'spec/resources/requests')
  updateCases(table)
  statusCases(table)
  return table.cases
}
