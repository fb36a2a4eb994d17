import { expect, test } from 'vitest'
import { forecast, type Known, type Next } from './forecast.ts'
import { driftBlockers } from './object-blockers.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const HOUR = 3_600_000
const BORN = Date.parse('2026-11-23T00:00:00Z')

const condition = (type: string, status: string, reason: string = type, message = '') => ({
  ...{ type, status, reason, message },
  lastTransitionTime: '2026-11-23T09:00:00Z',
})
const ready = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => condition(type, 'True'))

const claim = (name: string, conditions: readonly object[], metadata: object = {}, spec: object = {}) => ({
  metadata: {
    name,
    labels: { 'karpenter.sh/nodepool': 'general' },
    creationTimestamp: '2026-11-23T00:00:00Z',
    ...metadata,
  },
  spec,
  status: { conditions },
})
const next = (more: Partial<Known>): readonly Next[] =>
  forecast({ pools: [], claims: [], counts: new Map(), report: undefined, ...more }, NOW)

test('lists a failed launch as failed, and a stuck claim with its phase and its start', () => {
  const stuck = [...ready, condition('Drained', 'False', 'Draining', 'pdb default/web blocks')]
  const rows = next({
    claims: [
      claim('a', []),
      claim('b', [condition('Launched', 'False', 'InsufficientCapacityError', 'no capacity in z1')]),
      claim('c', stuck, { deletionTimestamp: '2026-11-23T08:45:00Z' }),
      claim('d', ready),
    ],
  })
  expect(rows).toEqual([
    { kind: 'launching', subjects: ['a'], pool: 'general', since: BORN, detail: 'Launching' },
    { kind: 'launch-failed', subjects: ['b'], pool: 'general', since: BORN, detail: 'Launched: no capacity in z1' },
    {
      kind: 'terminating',
      subjects: ['c'],
      pool: 'general',
      since: NOW - 195 * 60_000,
      detail: 'pdb default/web blocks',
    },
  ])
})

test('drifted nodes that their pods keep have their own line, with what keeps them', () => {
  const drifted = (name: string, spec: object = {}) => ({
    ...claim(name, [], {}, spec),
    status: { nodeName: name, conditions: [...ready, condition('Drifted', 'True', 'NodePoolDrifted')] },
  })
  const pod = (nodeName: string, annotations: object = {}) => ({
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: { nodeName },
  })
  const guard = { 'karpenter.sh/do-not-disrupt': 'true' }
  const blockersOf = driftBlockers({
    nodes: [],
    pods: [pod('a'), pod('kept', guard), pod('kept', guard), pod('also', guard), pod('ended', guard)],
    budgets: [],
  })
  const claims = [
    ...['a', 'kept', 'also'].map((name) => drifted(name)),
    drifted('ended', { terminationGracePeriod: '1h' }),
  ]
  const blocker = { code: 'pod.do-not-disrupt', pod: 'shop/web' }
  const kept = { kind: 'drifted', subjects: ['kept', 'also'], isNamed: true, blocker }
  // The line names only one of the three pods that block the nodes.
  expect(next({ claims, blockersOf })).toMatchObject([
    { kind: 'drifted', subjects: ['a', 'ended'] },
    { ...kept, others: 2 },
  ])
  // For each node, Kerf reports one blocking pod, by its UID. The objects show how many pods block the node.
  const reported = (nodeClaim: string) => ({
    ...{ nodeClaim, nodePool: 'general', reason: 'Drifted' },
    blocker: { code: 'pod.do-not-disrupt', pod: 'uid' },
  })
  expect(next({ claims, blockersOf, report: { awaited: [reported('kept'), reported('also')] } })).toEqual([
    {
      ...{ kind: 'drifted', subjects: ['kept', 'also'], pool: 'general', detail: 'NodePoolDrifted' },
      ...{ blocker: { code: 'pod.do-not-disrupt', pod: 'uid' }, others: 2 },
    },
  ])
})

const freeze = {
  metadata: { name: 'general' },
  spec: { disruption: { budgets: [{ nodes: '0', schedule: '0 9 * * *', duration: '8h' }, { nodes: '10%' }] } },
}
const counts = new Map([['general', { total: 30, disrupting: 0 }]])

test('lists drifted nodes for the time when budgets allow their replacement; similar nodes share one line', () => {
  const drifted = (name: string) => claim(name, [...ready, condition('Drifted', 'True', 'NodePoolDrifted')])
  const first = next({ pools: [freeze], claims: [drifted('a'), drifted('b')], counts }).find(
    ({ kind }) => kind === 'drifted',
  )
  expect(first).toMatchObject({
    kind: 'drifted',
    subjects: ['a', 'b'],
    at: Date.parse('2026-11-23T17:00:00Z'),
    detail: 'NodePoolDrifted',
    blocker: { code: 'budget.exhausted', allowed: 0 },
  })
  expect(next({ claims: [drifted('a')] })).toEqual([
    { kind: 'drifted', subjects: ['a'], pool: 'general', detail: 'NodePoolDrifted' },
  ])
})

test('says how many of several nodes may go at once, if the budgets do not allow all of them', () => {
  const pool = (nodes: string, name = 'general') => ({
    metadata: { name },
    spec: { disruption: { budgets: [{ nodes, reasons: ['Drifted'] }, { nodes: '100%' }] } },
  })
  const drifted = ['a', 'b', 'c'].map((name) =>
    claim(name, [...ready, condition('Drifted', 'True', 'NodePoolDrifted')]),
  )
  const awaited = (reason: string, nodeClaim: string) => ({ reason, nodeClaim, nodePool: 'general' })
  const report = { awaited: ['a', 'b', 'c'].flatMap((name) => [awaited('Drifted', name), awaited('Empty', name)]) }
  const all = (nodes: string, more: Partial<Known>) =>
    next({ pools: [pool(nodes)], claims: drifted, counts, ...more }).map(({ kind, atOnce }) => [kind, atOnce])
  expect(all('2', {})).toEqual([['drifted', 2]])
  expect(all('3', {})).toEqual([['drifted', undefined]])
  expect(all('2', { report })).toEqual([
    ['drifted', 2],
    ['empty', undefined],
  ])
  expect(next({ pools: [pool('2')], claims: drifted })).not.toHaveProperty('0.atOnce')
})

test('uses Kerf’s own report of what is disrupted, what is waiting, and the savings', () => {
  const pool = { nodePool: 'p' }
  const later = { code: 'node.not-consolidatable', until: NOW + HOUR }
  const report = {
    started: [{ reason: 'Underutilized', nodeClaims: ['x', 'y'], text: 'replace: [x, y]', savings: 0.25 }],
    awaited: [
      { ...pool, nodeClaim: 'e', reason: 'Empty', savings: 0.5 },
      { ...pool, nodeClaim: 'f', reason: 'Empty', savings: 0.25 },
      { ...pool, nodeClaim: 'd', reason: 'Drifted', blocker: { code: 'pdb.blocks' } },
      { ...pool, nodeClaim: 'c', reason: 'Underutilized', blocker: later },
      { ...pool, nodeClaim: 'z', reason: 'OfTomorrow' },
    ],
  }
  const drifted = claim('d', [...ready, condition('Drifted', 'True')])
  expect(next({ claims: [drifted], report })).toEqual([
    { kind: 'empty', subjects: ['e', 'f'], pool: 'p', detail: '', saves: 0.75 },
    { kind: 'disrupted', subjects: ['x', 'y'], pool: '', detail: 'replace: [x, y]', saves: 0.25 },
    { kind: 'consolidated', subjects: ['c'], pool: 'p', detail: '', at: NOW + HOUR, blocker: later },
    { kind: 'drifted', subjects: ['d'], pool: 'p', detail: 'Drifted', blocker: { code: 'pdb.blocks' }, others: 0 },
  ])
})

test('lists nodes that no expected pod used, at the time from which Kerf deletes them', () => {
  const unused = ['a', 'b'].map((nodeClaim) => ({ nodeClaim, nodePool: 'p', at: NOW + 10_000 }))
  const report = { started: [], awaited: [], unused }
  expect(next({ report })).toEqual([{ kind: 'unused', subjects: ['a', 'b'], pool: 'p', detail: '', at: NOW + 10_000 }])
})

test('lists an expiry within a day at its time, and omits later ones', () => {
  const expiring = (name: string, expireAfter: string) => claim(name, ready, {}, { expireAfter })
  expect(next({ claims: [expiring('later', '720h'), expiring('never', 'Never'), expiring('soon', '13h')] })).toEqual([
    { kind: 'expires', subjects: ['soon'], pool: 'general', at: NOW + HOUR, detail: '' },
  ])
})

test('lists the start and the end of a freeze after the actions in progress', () => {
  const rows = next({ pools: [freeze], claims: [claim('a', [])], counts })
  expect(rows.map(({ kind, at, detail, until }) => [kind, at, detail, until])).toEqual([
    ['launching', undefined, 'Launching', undefined],
    ['disruption-resumes', NOW + 5 * HOUR, '3', NOW + 21 * HOUR],
    ['disruption-stops', NOW + 21 * HOUR, '0', undefined],
  ])
  // A pool without nodes does not count as frozen, although 10% of 0 nodes is 0.
  expect(next({ pools: [freeze] }).map(({ kind }) => kind)).toEqual(['disruption-resumes', 'disruption-stops'])
})
