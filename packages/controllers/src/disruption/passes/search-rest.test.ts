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
  /** How many nodes the budget of the pool allows, and how many nodes exist. */
  readonly allowed?: number
  readonly nodes?: number
}

/** Creates a pass over one node with this many pods. */
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
  ['nothing was asked', pass(50_000, { asked: 0 }), 0],
  ['a small cluster has an answer before the next pass', pass(10_000), 10],
  ['however much it asked', pass(300, { asked: 250_000 }), 1],
  ['a large one takes its time', pass(50_000), 50],
  ['what few questions take is soon over', pass(50_000, { asked: 4_000 }), 4],
  ['a minute at the most', pass(200_000), 60],
])('%s', (_what, first, seconds) => {
  expect(restAfter(first)).toBe(seconds)
})

test.each([
  ['pods of a hundredth leave', pass(49_500)],
  ['what is offered changes', pass(50_000, { types: new Map() })],
  ['a NodePool changes', pass(50_000, { types: offer(nodePool('general', { metadata: { generation: 2 } })) })],
  ['somebody asks for a consolidation', pass(50_000, { types: offer(nodePool('general', { annotations: asksNow })) })],
])('it ends when %s', (_what, now) => {
  const rest = new SearchRest()
  rest.begin(pass(50_000), 0)
  expect(rest.isOver(pass(49_501), SECOND)).toBe(false)
  expect(rest.isOver(now, SECOND)).toBe(true)
})

test.each([
  ['ends when a budget opens', { allowed: 0 }, { allowed: 1 }, true],
  ['ends when one allows much more', { allowed: 500 }, { allowed: 551 }, true],
  ['goes on when one allows a few more, as it does all the time', { allowed: 500 }, { allowed: 550 }, false],
  ['goes on when one allows less', { allowed: 500 }, { allowed: 1 }, false],
  ['goes on when a pool has grown', { allowed: 0, nodes: 0 }, { allowed: 1, nodes: 1 }, false],
])('it %s', (_what, before, now, isOver) => {
  const rest = new SearchRest()
  rest.begin(pass(50_000, before), 0)
  expect(rest.isOver(pass(50_000, now), SECOND)).toBe(isOver)
})

test('a pass without simulations does not change the rest, and a finding ends it', () => {
  const rest = new SearchRest()
  rest.begin(pass(50_000), 0)
  rest.begin(pass(50_000, { asked: 0 }), 40 * SECOND)
  expect(rest.isOver(pass(50_000), 49 * SECOND)).toBe(false)
  rest.end()
  expect(rest.isOver(pass(50_000), 49 * SECOND)).toBe(true)
})
