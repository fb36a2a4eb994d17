import {
  accepted,
  CASE_NAME,
  type ConformanceCase,
  caseTable,
  conditionCases,
  long,
  refused,
  type Table,
} from '@kerf/apis/conformance'
import { clusterApiNodeClassResource } from '../node-class/cluster-api-node-class.ts'

const SELECTOR = 'spec/scalableResourceSelector'
const FIELD = 'spec.scalableResourceSelector'

const READY = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2024-01-01T01:01:01Z',
}

/** Adds cases about fields that are dropped before the object is stored, as with upstream's CRD. */
const prunedCases = (table: Table): void => {
  table.accepts('a spec that is null is left out', { spec: null }, { spec: undefined })
  table.accepts('a selector that is null is left out', { [SELECTOR]: null }, { spec: {} })
  table.accepts(
    'a field of the selector that is not known is dropped',
    { [SELECTOR]: { matchNames: ['a'] } },
    { [FIELD]: {} },
  )
  table.accepts(
    'a label that is null is left out',
    { [SELECTOR]: { matchLabels: { a: null } } },
    { [FIELD]: { matchLabels: {} } },
  )
  table.accepts(
    'values that are null, and a field of an expression that is not known, are left out',
    { [SELECTOR]: { matchExpressions: [{ key: 'a', operator: 'Exists', values: null, minValues: 3 }] } },
    { [FIELD]: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
  )
  table.accepts('a status given on creation is not taken', { status: { conditions: [READY] } }, { status: undefined })
  table.updateStatus(
    'a field of the status that is not known is dropped',
    {},
    { status: { conditions: [READY], machineDeployments: ['default/small'] } },
    accepted({ status: { conditions: [READY] } }),
  )
  table.updateStatus('the spec stays', {}, { [SELECTOR]: {}, status: {} }, accepted({ spec: {} }))
}

/**
 * Returns cases that the CRD of kubernetes-sigs/karpenter-provider-cluster-api 2e0fec7 accepts and refuses. Each case was also run against
 * that CRD on a real API server, with the same result.
 */
export const clusterApiNodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(clusterApiNodeClassResource.kind, {
    apiVersion: 'karpenter.cluster.x-k8s.io/v1alpha1',
    kind: 'ClusterAPINodeClass',
    metadata: { name: CASE_NAME },
    spec: {},
  })
  table.accepts('the least', {}, { spec: {}, status: undefined })
  table.accepts('no spec', { spec: undefined }, { spec: undefined })
  table.refusesEach('spec', ['', [], 1, true], 'spec')
  table.accepts('a field that is not known is dropped', { 'spec/template': 'a' }, { 'spec.template': undefined })
  table.accepts('an empty selector is kept', { [SELECTOR]: {} }, { [FIELD]: {} })
  table.refusesEach(SELECTOR, ['a=b', ['a'], 1], FIELD)

  // The content of texts is not validated.
  table.acceptsEach(`${SELECTOR}/matchLabels`, [
    {},
    { 'node.cluster.x-k8s.io/karpenter-member': '' },
    { a: 'b', 'c.d/e': 'f' },
    { 'not a key': 'not a value' },
    { a: long(64) },
  ])
  table.refuses('a label that is a number', { [`${SELECTOR}/matchLabels`]: { a: 1 } }, `${FIELD}.matchLabels.a`)
  table.refusesEach(`${SELECTOR}/matchLabels`, [[], 'a'], `${FIELD}.matchLabels`)

  const expressions = (...items: readonly unknown[]): Record<string, unknown> => ({
    [`${SELECTOR}/matchExpressions`]: items,
  })
  table.accepts('no expressions', expressions())
  for (const operator of ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Like', ''])
    table.accepts(`operator ${JSON.stringify(operator)}`, expressions({ key: 'a', operator }))
  table.accepts('values with Exists', expressions({ key: 'a', operator: 'Exists', values: ['b'] }))
  table.accepts('a value twice', expressions({ key: 'a', operator: 'In', values: ['b', 'b'] }))
  table.accepts('a key twice', expressions({ key: 'a', operator: 'Exists' }, { key: 'a', operator: 'Exists' }))
  table.accepts('an empty key', expressions({ key: '', operator: 'Exists' }))
  const item = `${FIELD}.matchExpressions[0]`
  table.refuses('an expression without key', expressions({ operator: 'Exists' }), `${item}.key`)
  table.refuses('an expression without operator', expressions({ key: 'a' }), `${item}.operator`)
  table.refuses('an operator that is a number', expressions({ key: 'a', operator: 1 }), `${item}.operator`)
  table.refuses('values that are a text', expressions({ key: 'a', operator: 'In', values: 'b' }), `${item}.values`)
  table.refuses('a value that is a number', expressions({ key: 'a', operator: 'In', values: [1] }), `${item}.values[0]`)
  table.refuses('an expression that is a text', expressions('a'), item)

  table.update(
    'the selector changes',
    { [SELECTOR]: { matchLabels: { a: 'b' } } },
    { [SELECTOR]: { matchLabels: { c: 'd' } } },
    accepted({ [`${FIELD}.matchLabels`]: { c: 'd' } }),
  )
  table.update('the spec goes', { [SELECTOR]: {} }, { spec: undefined }, accepted({ spec: undefined }))
  table.update('the selector becomes a list', { [SELECTOR]: {} }, { [SELECTOR]: [] }, refused(FIELD))
  prunedCases(table)
  conditionCases(table, false, 'atomic')
  return table.cases
}
