import { countNodes, StateNode } from '@kerf/controllers/cluster-view'
import { describe, expect, test } from 'vitest'
import { allowancePeriods, budgetRows, netAllowances } from './budgets.ts'
import { poolCounts } from './cluster-snapshot.ts'

const pool = (budgets: unknown) => ({ metadata: { name: 'general' }, spec: { disruption: { budgets } } })
/** This is a Saturday. */
const NOW = Date.parse('2026-11-21T10:30:00Z')
const time = (text: string): number => Date.parse(text)
const FREEZE = { nodes: '0', schedule: '0 9 * * 1-5', duration: '8h' }

describe('one budget', () => {
  test('is a freeze with a start and an end if it allows no node', () => {
    expect(budgetRows(pool([FREEZE]), NOW)).toMatchObject([
      { isFreeze: true, state: 'inactive', from: time('2026-11-23T09:00:00Z'), until: time('2026-11-23T17:00:00Z') },
    ])
    expect(budgetRows(pool([FREEZE]), time('2026-11-23T12:00:00Z'))).toMatchObject([
      { isFreeze: true, state: 'active', from: undefined, until: time('2026-11-23T17:00:00Z') },
    ])
    expect(budgetRows(pool([{ nodes: '0%' }, { nodes: '10%' }]), NOW)).toMatchObject([
      { isFreeze: true, state: 'always' },
      { isFreeze: false, state: 'always' },
    ])
  })

  test('is 10% by default; with an empty list there is no budget', () => {
    expect(budgetRows({ spec: {} }, NOW)).toMatchObject([{ nodes: '10%', state: 'always' }])
    expect(budgetRows(pool([]), NOW)).toEqual([])
  })

  test.each([
    { nodes: 'half' },
    { nodes: '1', schedule: '* * *', duration: '1h' },
    { nodes: '1', schedule: '0 9 * * *' },
    { nodes: '1', schedule: '0 9 * * *', duration: 'soon' },
  ])('is invalid if it cannot be read: %o', (budget) => {
    const [row] = budgetRows(pool([budget]), NOW)
    expect(row?.state).toBe('invalid')
    expect(row?.problem).not.toBe('')
    expect(netAllowances(pool([budget]), { total: 4, disrupting: 0 }, NOW)).toMatchObject([{ left: 0 }])
  })
})

describe('the combined budgets of a pool', () => {
  test('allow the lowest applicable number for each reason, minus the nodes that are being disrupted', () => {
    const budgets = [{ nodes: '50%' }, { nodes: '3', reasons: ['Drifted'] }, FREEZE]
    expect(netAllowances(pool(budgets), { total: 10, disrupting: 2 }, NOW)).toEqual([
      { reasons: ['Underutilized', 'Empty'], allowed: 5, disrupting: 2, left: 3, opensAt: undefined, error: undefined },
      { reasons: ['Drifted'], allowed: 3, disrupting: 2, left: 1, opensAt: undefined, error: undefined },
    ])
  })

  test('allow nothing during a freeze, until it ends', () => {
    const [net] = netAllowances(pool([FREEZE]), { total: 10, disrupting: 0 }, time('2026-11-23T12:00:00Z'))
    expect(net).toMatchObject({ allowed: 0, left: 0, opensAt: time('2026-11-23T17:00:00Z') })
  })

  test('that end their freezes at different times have a row for each time', () => {
    const freezes = [
      { ...FREEZE, reasons: ['Drifted'] },
      { ...FREEZE, reasons: ['Empty'], duration: '10h' },
      { nodes: '0', reasons: ['Underutilized'] },
    ]
    expect(netAllowances(pool(freezes), { total: 10, disrupting: 0 }, time('2026-11-23T12:00:00Z'))).toMatchObject([
      { reasons: ['Underutilized'], allowed: 0, opensAt: undefined },
      { reasons: ['Empty'], allowed: 0, opensAt: time('2026-11-23T19:00:00Z') },
      { reasons: ['Drifted'], allowed: 0, opensAt: time('2026-11-23T17:00:00Z') },
    ])
  })

  test('allow any number while no budget applies', () => {
    const net = netAllowances(pool([FREEZE]), { total: 10, disrupting: 1 }, NOW)
    expect(net).toMatchObject([{ allowed: undefined, left: undefined, disrupting: 1 }])
  })
})

describe('the nodes that budgets count', () => {
  const labels = { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/registered': 'true' }
  const pair = (name: string, isInitialized: boolean, isReady: boolean, claimMetadata: object = {}) => ({
    node: {
      metadata: { name, labels: { ...labels, ...(isInitialized ? { 'karpenter.sh/initialized': 'true' } : {}) } },
      spec: { providerID: name },
      status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
    },
    claim: {
      metadata: { name, labels, ...claimMetadata },
      spec: {},
      status: { providerID: name, nodeName: name, conditions: [] },
    },
  })
  const pairs = [
    pair('ready', true, true),
    pair('registered-only', false, true),
    pair('not-ready', true, false),
    pair('leaving', true, true, { deletionTimestamp: '2026-11-21T10:00:00Z' }),
  ]

  test('are the initialized nodes, as in the controller; nodes that are NotReady or being removed use up the budget', () => {
    const counts = poolCounts(
      pairs.map(({ node }) => node),
      pairs.map(({ claim }) => claim),
    )
    expect(counts.get('general')).toEqual({ total: 3, disrupting: 2 })
    const states = pairs.map(({ node, claim }) => {
      const state = new StateNode(node.metadata.name)
      state.node = node as never
      state.claim = claim as never
      return state
    })
    expect(counts).toEqual(countNodes(states))
  })

  test('follow each change of a Node or a NodeClaim', () => {
    const [{ node, claim }] = pairs as [(typeof pairs)[0]]
    const other = pair('ready', true, false)
    expect(poolCounts([node], [claim]).get('general')).toEqual({ total: 1, disrupting: 0 })
    expect(poolCounts([other.node], [claim]).get('general')).toEqual({ total: 1, disrupting: 1 })
    const leaving = { ...claim, metadata: { ...claim.metadata, deletionTimestamp: '2026-11-21T10:00:00Z' } }
    expect(poolCounts([node], [leaving]).get('general')).toEqual({ total: 1, disrupting: 1 })
    expect(poolCounts([node], []).size).toBe(0)
    expect(poolCounts([node], [claim]).get('general')).toEqual({ total: 1, disrupting: 0 })
  })
})

describe('the allowance of a pool over a day', () => {
  test('has one period for each allowed number', () => {
    const monday = time('2026-11-23T00:00:00Z')
    const periods = allowancePeriods(pool([{ nodes: '10%' }, FREEZE]), 20, monday, monday + 86_400_000)
    expect(periods).toEqual([
      { from: monday, until: time('2026-11-23T09:00:00Z'), allowed: 2 },
      { from: time('2026-11-23T09:00:00Z'), until: time('2026-11-23T17:00:00Z'), allowed: 0 },
      { from: time('2026-11-23T17:00:00Z'), until: monday + 86_400_000, allowed: 2 },
    ])
    expect(allowancePeriods(pool([]), 20, monday, monday + 1)).toEqual([
      { from: monday, until: monday + 1, allowed: undefined },
    ])
  })
})
