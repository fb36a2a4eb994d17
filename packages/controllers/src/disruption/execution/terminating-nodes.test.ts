import { VirtualClock } from '@kerf/runtime'
import { node, nodeClaim, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { countNodes } from '../../state/pool-count.ts'
import { StateNode } from '../../state/state-node.ts'
import { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import { TerminatingNodes } from './terminating-nodes.ts'

const never = new AbortController().signal
const stateNode = (name: string): StateNode => {
  const state = new StateNode(name)
  const labels = { 'karpenter.sh/nodepool': 'p', 'karpenter.sh/initialized': 'true', 'karpenter.sh/registered': 'true' }
  const plain = node(name)
  state.node = {
    ...plain,
    metadata: { ...plain.metadata, labels },
    status: { ...plain.status, conditions: [{ type: 'Ready', status: 'True' }] },
  }
  state.claim = nodeClaim(name)
  return state
}
const taking = (...names: readonly string[]): Command => ({
  method: 'multi-node',
  reason: 'Underutilized',
  consolidationType: 'multi',
  candidates: names.map((providerID) => ({ providerID }) as Candidate),
  replacements: [],
  placements: [],
  savings: 1,
})

const harness = (names: readonly string[]) => {
  const clock = new VirtualClock()
  const nodes = new Map(names.map((name) => [name, stateNode(name)]))
  const terminating = new TerminatingNodes(clock, { byProviderID: (id) => nodes.get(id) })
  const waited = async (): Promise<{ readonly isOver: () => boolean }> => {
    let isOver = false
    void terminating.wait(never).then(() => {
      isOver = true
    })
    await clock.advance(0)
    return { isOver: () => isOver }
  }
  return { clock, nodes, terminating, waited }
}

describe('terminating nodes', () => {
  test('are not awaited if no command was started', async () => {
    const { waited } = harness(['a'])
    expect((await waited()).isOver()).toBe(true)
  })

  test('are awaited until the last one is gone or its instance is terminating', async () => {
    const { clock, nodes, terminating, waited } = harness(['a', 'b'])
    terminating.begin([taking('a'), taking('b')])
    expect([...terminating.nodes]).toEqual(['a', 'b'])
    const wait = await waited()
    nodes.delete('a')
    await clock.advance(1_000)
    expect(wait.isOver()).toBe(false)
    const gone = {
      type: 'InstanceTerminating',
      status: 'True',
      reason: 'x',
      message: '',
      lastTransitionTime: '',
    } as const
    const left = nodes.get('b')
    if (left !== undefined) left.claim = { ...nodeClaim('b'), status: { conditions: [gone] } }
    await clock.advance(1_000)
    expect(wait.isOver()).toBe(true)
    expect(terminating.nodes.size).toBe(0)
  })

  test('are awaited for at most ten seconds, and afterwards do not count as gone', async () => {
    const { clock, terminating, waited } = harness(['slow'])
    terminating.begin([taking('slow')])
    const wait = await waited()
    await clock.advance(9_000)
    expect(wait.isOver()).toBe(false)
    await clock.advance(2_000)
    expect(wait.isOver()).toBe(true)
    expect(terminating.nodes.size).toBe(0)
  })

  test('do not include a new node whose instance has the provider ID of a node that is gone', () => {
    const { nodes, terminating } = harness(['a', 'b'])
    terminating.begin([taking('a', 'b')])
    nodes.set('a', stateNode('a'))
    expect([...terminating.nodes]).toEqual(['b'])
  })

  test('can be left out of budgets, which then count neither them nor their disruption', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => stateNode(`n${index}`))
    for (const each of nodes.slice(0, 2)) each.marked = true
    const base = nodePool('p')
    const pool = {
      ...base,
      spec: { ...base.spec, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] } },
    } as const
    const left = (gone?: ReadonlySet<string>): number =>
      new PoolBudgets('Underutilized', [pool], countNodes(nodes, gone), 0).left('p')
    expect(left()).toBe(0)
    expect(left(new Set(['n0']))).toBe(1)
    expect(left(new Set(['n0', 'n1']))).toBe(2)
    // The budget allows 10 % of 8 nodes, rounded up to one.
    expect(left(new Set(nodes.slice(0, 12).map(({ providerID }) => providerID)))).toBe(1)
  })
})
