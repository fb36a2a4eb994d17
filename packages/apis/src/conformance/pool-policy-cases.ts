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
  const hours = (changes: object = {}) => ({
    timeZone: 'Europe/Berlin',
    awake: [{ days: ['Mon', 'Fri'], start: '07:00', end: '19:00', ...changes }],
  })
  table.accepts('sleep only', { 'spec/access': undefined, 'spec/sleep': hours() })
  table.accepts('sleep and access', { 'spec/sleep': hours() })
  for (const [start, end] of [
    ['00:00', '24:00'],
    ['22:00', '06:00'],
    ['00:00', '00:01'],
  ])
    table.accepts(`awake from ${start} to ${end}`, { 'spec/sleep': hours({ start, end }) })
  table.refuses('sleep without hours', { 'spec/sleep': { timeZone: 'Etc/UTC', awake: [] } }, 'spec.sleep.awake')
  table.refuses('sleep without a time zone', { 'spec/sleep': { awake: hours().awake } }, 'spec.sleep.timeZone')
  for (const timeZone of ['', 'Europe/ Berlin', '+02:00', long(65)])
    table.refuses(
      `the time zone ${JSON.stringify(timeZone.slice(0, 20))}`,
      { 'spec/sleep': { ...hours(), timeZone } },
      'spec.sleep.timeZone',
    )
  const refusesHours = (name: string, changes: object, field: string): void =>
    table.refuses(`hours: ${name}`, { 'spec/sleep': hours(changes) }, `spec.sleep.awake[0]${field}`)
  refusesHours('no day', { days: [] }, '.days')
  refusesHours('an unknown day', { days: ['Monday'] }, '.days[0]')
  refusesHours('the same day twice', { days: ['Mon', 'Mon'] }, '.days[1]')
  for (const start of ['7:00', '24:00', '07:60', '0700', ''])
    refusesHours(`start ${JSON.stringify(start)}`, { start }, '.start')
  for (const end of ['24:01', '25:00', '7pm']) refusesHours(`end ${JSON.stringify(end)}`, { end }, '.end')
  refusesHours('the start is the end', { start: '07:00', end: '07:00' }, '')
  for (const deadline of ['1m', '90s', '1h30m', '168h'])
    table.accepts(`the deadline ${deadline}`, { 'spec/sleep': { ...hours(), deadline } })
  for (const deadline of ['', '30', '1d', '-1h', '1h 30m', 'Never', `${'9'.repeat(32)}h`])
    table.refuses(
      `the deadline ${JSON.stringify(deadline)}`,
      { 'spec/sleep': { ...hours(), deadline } },
      'spec.sleep.deadline',
    )
  for (const deadline of ['0s', '59s'])
    table.refuses(
      `the deadline ${deadline}, which is too short`,
      { 'spec/sleep': { ...hours(), deadline } },
      'spec.sleep',
    )
  const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  refusesHours('the whole week', { days: week, start: '00:00', end: '24:00' }, '')
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
