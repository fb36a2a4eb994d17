import type { Pod } from '@kerf/apis'
import { nodePool, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { operationText, poolOperations } from '../../modes/pool-operation.ts'
import { StateNode } from '../../state/state-node.ts'
import { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { OfferedTypes } from '../candidates/offered-types.ts'
import { type RestingPass, SearchRest } from './search-rest.ts'

const SECOND = 1_000
const one = pod('one')
const asksNow = {
  [poolOperations.consolidate.annotation]: operationText({ until: 60 * SECOND, owner: 'somebody', reason: '' }),
}

const offer = (pool = nodePool('general')): OfferedTypes =>
  new Map([['general', { pool, list: [], byName: new Map() }]])

interface PassOptions extends Partial<Pick<RestingPass, 'asked' | 'types'>> {
  /** The number of nodes that the pool's budget allows Kerf to disrupt. */
  readonly allowed?: number
  /** The number of nodes in the pool. */
  readonly nodes?: number
}

/** Creates a pass over one node, whose searches simulated `pods` pods. */
const pass = (
  pods: number,
  { asked = pods, types = offer(), allowed = 500, nodes = 5_000 }: PassOptions = {},
): RestingPass => {
  const state = new StateNode('sim:///a')
  state.pods = Array.from<Pod>({ length: pods }).fill(one)
  const pool = nodePool('general', { disruption: { budgets: [{ nodes: String(allowed) }] } })
  const counts = new Map([['general', { total: nodes, disrupting: 0 }]])
  const budgets = () => new PoolBudgets('Underutilized', [pool], counts, 0)
  return { types, assessments: [{ state }], asked, budgets }
}

/** Returns for how many whole seconds consolidation rests after this pass. */
const restAfter = (first: RestingPass): number => {
  const rest = new SearchRest()
  rest.begin(first, 0)
  let seconds = 0
  while (!rest.isOver(first, seconds * SECOND)) seconds++
  return seconds
}

test.each([
  ['a pass without simulations is followed by no rest', pass(50_000, { asked: 0 }), 0],
  ['in a small cluster the rest ends before the next pass', pass(10_000), 10],
  ['in a tiny cluster the rest is short, even after many simulations', pass(300, { asked: 250_000 }), 1],
  ['in a large cluster the rest is longer', pass(50_000), 50],
  ['after few simulations the rest is short', pass(50_000, { asked: 4_000 }), 4],
  ['the rest takes at most a minute', pass(200_000), 60],
])('%s', (_what, first, seconds) => {
  expect(restAfter(first)).toBe(seconds)
})

test.each([
  ['one pod in a hundred leaves', pass(49_500)],
  ['the offers change', pass(50_000, { types: new Map() })],
  ['a NodePool changes', pass(50_000, { types: offer(nodePool('general', { metadata: { generation: 2 } })) })],
  ['a user requests consolidation', pass(50_000, { types: offer(nodePool('general', { annotations: asksNow })) })],
])('the rest ends when %s', (_what, now) => {
  const rest = new SearchRest()
  rest.begin(pass(50_000), 0)
  expect(rest.isOver(pass(49_501), SECOND)).toBe(false)
  expect(rest.isOver(now, SECOND)).toBe(true)
})

test.each([
  ['ends when a budget allows a disruption again', { allowed: 0 }, { allowed: 1 }, true],
  ['ends when a budget allows many more disruptions', { allowed: 500 }, { allowed: 551 }, true],
  ['continues when a budget allows a few more disruptions', { allowed: 500 }, { allowed: 550 }, false],
  ['continues when a budget allows fewer disruptions', { allowed: 500 }, { allowed: 1 }, false],
  [
    'continues when a budget allows more because its pool has grown',
    { allowed: 0, nodes: 0 },
    { allowed: 1, nodes: 1 },
    false,
  ],
])('the rest %s', (_what, before, now, isOver) => {
  const rest = new SearchRest()
  rest.begin(pass(50_000, before), 0)
  expect(rest.isOver(pass(50_000, now), SECOND)).toBe(isOver)
})

test('a pass without simulations does not change the rest, and a search that finds something ends it', () => {
  const rest = new SearchRest()
  rest.begin(pass(50_000), 0)
  rest.begin(pass(50_000, { asked: 0 }), 40 * SECOND)
  expect(rest.isOver(pass(50_000), 49 * SECOND)).toBe(false)
  rest.end()
  expect(rest.isOver(pass(50_000), 49 * SECOND)).toBe(true)
})
