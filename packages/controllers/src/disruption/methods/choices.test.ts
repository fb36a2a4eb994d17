import { labels } from '@kerf/apis'
import type { InstanceType, PlannedClaim, RequirementSpec } from '@kerf/engine'
import { PrometheusMetrics } from '@kerf/runtime'
import { nodeClassRef, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { candidate, consolidation } from '../../testing/candidate.ts'
import { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type OfferedTypes, typeNamed } from '../candidates/offered-types.ts'
import type { Command } from '../commands/command.ts'
import { DisruptionEvents } from '../commands/disruption-events.ts'
import { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { TargetNodes } from '../target/target-nodes.ts'
import { emptiness } from './emptiness.ts'
import type { DisruptionMethod } from './method.ts'
import { multiNode } from './multi-node.ts'
import { singleNode } from './single-node.ts'
import { staticDrift } from './static-drift.ts'

const never = new AbortController().signal
const none = {} as DisruptionPass
const isIn = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })

/** Creates budgets that allow this many disruptions in each pool. */
const budgets = (slots: Readonly<Record<string, number>>): PoolBudgets => {
  const names = Object.keys(slots)
  const pools = names.map((name) => nodePool(name, { disruption: { budgets: [{ nodes: String(slots[name]) }] } }))
  return new PoolBudgets('Empty', pools, new Map(names.map((name) => [name, { total: 100, disrupting: 0 }])), 0)
}

/** Returns the commands that the disruption method finds for these candidates. */
const search = async (
  method: DisruptionMethod,
  candidates: readonly Candidate[],
  pass: DisruptionPass,
  budgets: PoolBudgets,
  state = manualState().state,
): Promise<readonly Command[]> => {
  const events = new DisruptionEvents({ publish: () => {} })
  const tools = {
    state,
    events,
    metrics: new DisruptionMetrics(new PrometheusMetrics()),
    targets: { together: new TargetNodes(), alone: new TargetNodes() },
  }
  return (await method.search({ candidates, pass, budgets }, tools, never)) ?? []
}
const names = (commands: readonly Command[]) =>
  commands.map(({ candidates }) => candidates.map(({ providerID }) => providerID))

interface Fake {
  /** The number of pods in each simulation. */
  readonly pods?: number
  /** Nodes whose simulation fails if other nodes are disrupted together with them. Each of them can be disrupted on its own. */
  readonly stuck?: readonly string[]
  /** The new node that is needed if several nodes are disrupted, and the offerings of its instance type. */
  readonly claim?: PlannedClaim
  readonly types?: OfferedTypes
}

/**
 * Creates a pass in which every single node can be deleted without a replacement, which saves the node's price. `questions` records which
 * nodes were simulated together.
 */
const fakePass = ({ pods = 1, stuck = [], claim, types = new Map() }: Fake = {}) => {
  const questions: (readonly string[])[] = []
  const alone: string[] = []
  const part = {
    ...{ now: 0, consolidationState: 1, types, findings: {}, waitsEnd: Number.POSITIVE_INFINITY },
    ...{ canSimulate: () => true, spotToSpot: false, worthKeeping: async () => new Set(), totals: new Map() },
    rest: async () => {},
    undoneBefore: () => undefined,
    knownSingleNode: () => undefined,
    consolidateSingleNode: async (one: Candidate): Promise<Command> => {
      alone.push(one.providerID)
      return consolidation([one], { savings: one.price })
    },
    simulate: async (members: readonly Candidate[]) => {
      const ids = members.map(({ providerID }) => providerID)
      questions.push(ids)
      const unplaced = ids.some((id) => stuck.includes(id)) ? [{ pod: 'default/x', why: 'full', waitsFor: 'room' }] : []
      return { claims: claim === undefined ? [] : [claim], placements: [], unplaced, nodes: new Map(), pods }
    },
  }
  return { pass: part as unknown as DisruptionPass, questions, alone }
}

describe('emptiness', () => {
  test('takes the nodes with the highest savings first, as far as budgets allow, and saves the sum of their prices', async () => {
    const [a, b, c] = [candidate('a', { price: 1 }), candidate('b', { price: 2 }), candidate('c', { price: 3 })]
    const { pass } = fakePass()
    const commands = await search(emptiness, [a, b, c], pass, budgets({ general: 2 }))
    expect(names(commands)).toEqual([['c', 'b']])
    expect(commands).toMatchObject([{ method: 'emptiness', reason: 'Empty', consolidationType: 'empty', savings: 5 }])
  })
})

describe('one node', () => {
  test('the choice among nodes with equal savings per disruption is always the same', async () => {
    const { pass } = fakePass()
    const all = [candidate('b', { price: 2, disruption: 2 }), candidate('a'), candidate('c', { poolName: 'other' })]
    const found = await search(singleNode, all, pass, budgets({ general: 9, other: 9 }))
    expect(names(found)).toEqual([['a']])
  })
})

describe('several nodes', () => {
  const pair = [candidate('a', { price: 5 }), candidate('b', { price: 4 })]

  test('are disrupted together if all their pods fit elsewhere', async () => {
    const { pass } = fakePass()
    const found = await search(multiNode, pair, pass, budgets({ general: 9 }))
    expect(names(found)).toEqual([['a', 'b']])
    expect(found).toMatchObject([{ method: 'multi-node', consolidationType: 'multi', savings: 9 }])
  })

  test('nodes whose budget is used up are not simulated', async () => {
    const { pass, questions, alone } = fakePass()
    const closed = candidate('closed', { price: 9, poolName: 'closed' })
    const all = [closed, ...pair.slice(1)]
    expect(await search(multiNode, all, pass, budgets({ general: 9, closed: 0 }))).toEqual([])
    expect([questions, alone]).toEqual([[], []])
  })

  const type: InstanceType = {
    ...{ name: 'small', capacity: {}, overhead: {}, requirements: [isIn(labels.instanceType, 'small')] },
    offerings: [
      { requirements: [isIn(labels.capacityType, 'on-demand'), isIn(labels.zone, 'a')], price: 0.1, available: true },
    ],
  }
  const claim: PlannedClaim = {
    ...{ nodePool: 'general', pods: [], instanceTypes: ['small'], requests: {}, labels: {}, annotations: {} },
    ...{ requirements: [isIn(labels.capacityType, 'on-demand')], spec: { requirements: [], nodeClassRef } },
    ...{ cheapest: { instanceType: 'small', zone: 'a', capacityType: 'on-demand', price: 0.1 } },
    ...{ minValuesRelaxed: false, reasons: [] },
  }
  const types: OfferedTypes = new Map([
    ['general', { pool: nodePool('general'), list: [type], byName: new Map([['small', type]]) }],
  ])

  test.each([
    ['no single node saves more', 1, [['b', 'c']]],
    ['nothing is replaced if one node alone saves far more', 20, []],
  ])('are replaced by one new node: %s', async (_name, price, expected) => {
    const { pass } = fakePass({ stuck: ['a'], claim, types })
    const all = [candidate('a', { price }), candidate('b', { price: 2 }), candidate('c', { price: 2 })]
    const found = await search(multiNode, all, pass, budgets({ general: 9 }))
    expect(names(found)).toEqual(expected)
  })

  test.each([
    [62_498, 5],
    [62_499, 4],
  ])('a search simulates about 250,000 pods: with %i pods in each simulation, %i simulations', async (pods, count) => {
    const many = Array.from({ length: 4 }, (_, index) => candidate(`n${index}`))
    const { pass, questions } = fakePass({ pods, stuck: many.map(({ providerID }) => providerID) })
    await search(multiNode, many, pass, budgets({ general: 9 }))
    expect(questions).toHaveLength(count)
  })
})

describe('drifted nodes of static pools', () => {
  test('are replaced in the order of their names, each by its own command, as far as budgets and the node limit allow', async () => {
    const { state } = manualState()
    const pool = nodePool('fixed', { replicas: 3, limits: { nodes: '5' } })
    for (const name of ['c', 'a', 'b']) state.claims.put('fixed', name, false)
    const all = ['c', 'a', 'b'].map((name) => candidate(name, { poolName: 'fixed', pool }))
    const found = await search(staticDrift, all, none, budgets({ fixed: 3 }), state)
    expect(names(found)).toEqual([['a'], ['b']])
    for (const { replacements, savings, placements } of found) {
      expect({ replacements, savings, placements }).toEqual({
        replacements: [{ kind: 'template', pool }],
        savings: 0,
        placements: [],
      })
    }
  })
})

test('no instance type is found in a pool without instance types', () => {
  const type: InstanceType = { name: 't', requirements: [], offerings: [], capacity: {}, overhead: {} }
  const types = new Map([['a', { pool: nodePool('a'), list: [type], byName: new Map([['t', type]]) }]])
  expect([typeNamed(types, 'a', 't'), typeNamed(types, 'a', 'u'), typeNamed(types, 'b', 't')]).toEqual([
    type,
    undefined,
    undefined,
  ])
})
