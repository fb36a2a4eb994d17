import { nodePoolPolicyResource } from '../resources/node-pool-policy.ts'
import type { ConformanceCase } from './case.ts'
import { conditionCases } from './condition-cases.ts'
import { accepted, caseTable, long, many, refused } from './table.ts'

const ref = (name: string) => ({ group: 'karpenter.sh', kind: 'NodePool', name })
const team = { matchLabels: { team: 'a' } }

/** Returns the cases about NodePoolPolicies. */
export const nodePoolPolicyCases = (): readonly ConformanceCase[] => {
  const table = caseTable(nodePoolPolicyResource.kind, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'example' },
    spec: { targetRefs: [ref('general')], access: { namespaceSelector: team } },
  })
  table.accepts('a reference', {}, { status: undefined })
  table.accepts('a selector', { 'spec/targetRefs': undefined, 'spec/targetSelector': team })
  table.accepts('a selector of every NodePool', { 'spec/targetRefs': undefined, 'spec/targetSelector': {} })
  table.accepts('64 references', { 'spec/targetRefs': many(64, (index) => ref(`pool-${index}`)) })
  table.refuses('no spec', { spec: undefined }, 'spec')
  table.refuses('no target', { 'spec/targetRefs': undefined }, 'spec')
  table.refuses('references and a selector', { 'spec/targetSelector': team }, 'spec')
  table.refuses('no reference', { 'spec/targetRefs': [] }, 'spec.targetRefs')
  table.refuses('65 references', { 'spec/targetRefs': many(65, (index) => ref(`pool-${index}`)) }, 'spec.targetRefs')
  table.refuses('the same reference twice', { 'spec/targetRefs': [ref('a'), ref('a')] }, 'spec.targetRefs[1]')
  table.refusesEach('spec/targetRefs/0/kind', ['Node', ''], 'spec.targetRefs[0].kind')
  table.refusesEach('spec/targetRefs/0/group', ['apps', ''], 'spec.targetRefs[0].group')
  table.refusesEach('spec/targetRefs/0/name', ['', long(254)], 'spec.targetRefs[0].name')
  table.refuses('no section', { 'spec/access': undefined }, 'spec')
  table.refuses('access without a rule', { 'spec/access': {} }, 'spec.access')
  const selector = 'spec/access/namespaceSelector'
  table.acceptsEach(selector, [
    {},
    { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] },
    { matchExpressions: [{ key: 'example.com/team', operator: 'Exists' }] },
    { matchLabels: { team: '' }, matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['c'] }] },
  ])
  const expression = 'spec.access.namespaceSelector.matchExpressions[0]'
  const refusesExpression = (name: string, requirement: object, field: string): void =>
    table.refuses(name, { [selector]: { matchExpressions: [requirement] } }, field)
  refusesExpression('In without values', { key: 'team', operator: 'In' }, expression)
  refusesExpression('NotIn without values', { key: 'team', operator: 'NotIn', values: [] }, expression)
  refusesExpression('Exists with a value', { key: 'team', operator: 'Exists', values: ['a'] }, expression)
  refusesExpression('an unknown operator', { key: 'team', operator: 'Equals', values: ['a'] }, `${expression}.operator`)
  refusesExpression('a key with a blank', { key: 'a b', operator: 'Exists' }, `${expression}.key`)
  refusesExpression('a value with a blank', { key: 'team', operator: 'In', values: ['a b'] }, `${expression}.values[0]`)
  table.refusesEach(selector, [{ matchLabels: { team: 'a b' } }], 'spec.access.namespaceSelector.matchLabels.team')
  const names = 'spec/access/schedulerNames'
  table.acceptsEach(names, [['default-scheduler'], ['volcano', 'yunikorn']])
  table.accepts('scheduler names only', { [selector]: undefined, [names]: ['volcano'] })
  table.refusesEach(names, [[], many(17, String)], 'spec.access.schedulerNames')
  table.refuses('an empty scheduler name', { [names]: [''] }, 'spec.access.schedulerNames[0]')
  table.refuses('the same scheduler name twice', { [names]: ['a', 'a'] }, 'spec.access.schedulerNames[1]')
  table.update('another target', {}, { 'spec/targetRefs/0/name': 'b' }, accepted({ 'spec.targetRefs.0.name': 'b' }))
  const condition = {
    type: 'Accepted',
    status: 'True',
    reason: 'Accepted',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const target = { name: 'general', conditions: [condition] }
  table.updateStatus('a target', {}, { status: { targets: [target] } }, accepted({ status: { targets: [target] } }))
  table.updateStatus(
    'the same target twice',
    {},
    { status: { targets: [target, target] } },
    refused('status.targets[1]'),
  )
  conditionCases(table, false)
  return table.cases
}
