import type { Node, NodePool } from '@kerf/apis'
import { disruptionReasons } from '@kerf/engine'
import { condition, node, nodeClaim, nodePool, readyNodeLabels } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { countNodes } from '../../state/pool-count.ts'
import { StateNode } from '../../state/state-node.ts'
import { PoolBudgets } from './pool-budgets.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

interface Traits {
  readonly isInitialized?: boolean
  readonly isReady?: boolean
  readonly isManaged?: boolean
  readonly isDeleting?: boolean
  readonly isMarked?: boolean
  readonly isTerminating?: boolean
}

let names = 0
/** Creates a node of the pool, Ready and initialized by default. */
const machine = (traits: Traits = {}): StateNode => {
  const { isInitialized = true, isReady = true, isManaged = true } = traits
  const name = `n${names++}`
  const bare = node(name, { pool: 'general', providerID: name, ...(isInitialized ? { labels: readyNodeLabels } : {}) })
  const made: Node = {
    ...bare,
    status: { ...bare.status, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }
  const state = new StateNode(name)
  state.node = made
  if (isManaged) {
    state.claim = nodeClaim(name, {
      pool: 'general',
      providerID: name,
      conditions: traits.isTerminating === true ? [condition('InstanceTerminating')] : [],
      ...(traits.isDeleting === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    })
  }
  state.marked = traits.isMarked ?? false
  return state
}
const machines = (count: number, traits: Traits = {}): readonly StateNode[] =>
  Array.from({ length: count }, () => machine(traits))
const poolWithBudget = (nodes: string): NodePool => nodePool('general', { disruption: { budgets: [{ nodes }] } })

/** Returns, for each reason, the remaining budget and the values of the gauges. */
const budgetsOf = (nodes: string, states: readonly StateNode[]) =>
  disruptionReasons.map((reason) => {
    const budgets = new PoolBudgets(reason, [poolWithBudget(nodes)], countNodes(states), NOW)
    const { allowance, disrupting } = budgets.byPool.get('general') ?? {}
    return { left: budgets.left('general'), allowed: allowance?.allowed, disrupting }
  })
const each = <T>(one: T): readonly T[] => disruptionReasons.map(() => one)

// `docs/spec/disruption.md#budgets`
describe('how many nodes of a pool may be disrupted', () => {
  test('unmanaged and uninitialized nodes, and nodes whose instance is terminating, do not count', () => {
    const others = [
      machine({ isManaged: false }),
      machine({ isInitialized: false }),
      machine({ isInitialized: false, isReady: false }),
      machine({ isTerminating: true }),
    ]
    expect(budgetsOf('100%', [...machines(10), ...others])).toEqual(each({ left: 10, allowed: 10, disrupting: 0 }))
  })

  test('if all nodes are being disrupted, the remaining budget is zero and not negative', () => {
    expect(budgetsOf('10%', machines(10, { isDeleting: true }))).toEqual(each({ left: 0, allowed: 1, disrupting: 10 }))
  })

  test.each([
    ['one deleted and one marked node', [machine({ isDeleting: true }), machine({ isMarked: true })]],
    ['two nodes that are not ready', machines(2, { isReady: false })],
    [
      'two marked nodes, one of which is also not ready,',
      [machine({ isMarked: true, isReady: false }), machine({ isMarked: true })],
    ],
  ])('%s leave eight of ten, for every reason', (_name, going) => {
    expect(budgetsOf('100%', [...machines(8), ...going])).toEqual(each({ left: 8, allowed: 10, disrupting: 2 }))
  })

  test('each taken node reduces the budget, and the blocker says why no more nodes may be disrupted', () => {
    const budgets = new PoolBudgets('Empty', [poolWithBudget('2')], countNodes(machines(10)), NOW)
    expect(budgets.blocker('general')).toBeUndefined()
    expect([budgets.take('general'), budgets.take('general'), budgets.take('general')]).toEqual([true, true, false])
    expect(budgets.blocker('general')).toMatchObject({
      code: 'budget.exhausted',
      allowed: 2,
      disrupting: 0,
      budgets: [0],
    })
    expect(budgets.take('unknown')).toBe(false)
  })

  test('in a pool without nodes, the number of nodes being disrupted is zero', () => {
    const { byPool } = new PoolBudgets('Empty', [poolWithBudget('2')], countNodes([]), NOW)
    expect(byPool.get('general')).toMatchObject({ total: 0, disrupting: 0 })
  })

  test('nodes that are expected to be gone soon do not count', () => {
    const states = machines(10, { isMarked: true })
    const gone = new Set(states.slice(0, 4).map(({ providerID }) => providerID))
    expect(countNodes(states, gone).get('general')).toEqual({ total: 6, disrupting: 6 })
  })
})
