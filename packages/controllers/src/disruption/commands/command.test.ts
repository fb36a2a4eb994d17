import { labels } from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import { nodeClassRef, nodePool, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { candidate, consolidation } from '../../testing/candidate.ts'
import { commandOutline, logFields, type Replacement } from './command.ts'

const planned = (...instanceTypes: readonly string[]): Replacement => {
  const claim: PlannedClaim = {
    ...{ nodePool: 'general', pods: [], requirements: [], instanceTypes, requests: {}, labels: {}, annotations: {} },
    ...{ cheapest: { instanceType: 'm1', zone: 'a', capacityType: 'spot', price: 1 }, minValuesRelaxed: false },
    ...{ spec: { requirements: [], nodeClassRef }, reasons: [] },
  }
  return { kind: 'planned', claim, pool: nodePool('general') }
}

const one = candidate('a', {
  labels: { [labels.instanceType]: 'm8', [labels.capacityType]: 'on-demand' },
  reschedulable: [pod('x'), pod('y')],
})
const two = candidate('b', { reschedulable: [pod('z')] })

test('each pool of a command is listed once', () => {
  const other = candidate('c', { poolName: 'other' })
  expect(commandOutline(consolidation([one, two, other]))).toEqual({
    nodes: ['node-a', 'node-b', 'node-c'],
    pools: ['general', 'other'],
    replacements: 0,
    savings: 0.125,
  })
})

// `docs/spec/events.md#logs`
test('the log line about a command has the same fields as upstream', () => {
  const command = consolidation([one, two], { replacements: [planned('m1', 'm2')] })
  expect(logFields(command, 'id')).toEqual({
    'command-id': 'id',
    command: 'Underutilized/id: replace: nodepools=[general]: [node-a, node-b] -> [1 replacement] (savings: $0.13)',
    reason: 'underutilized',
    decision: 'replace',
    'disrupted-node-count': 2,
    'replacement-node-count': 1,
    'pod-count': 3,
    'disrupted-nodes': [
      { Node: { name: 'node-a' }, NodeClaim: { name: 'a' }, 'instance-type': 'm8', 'capacity-type': 'on-demand' },
      { Node: { name: 'node-b' }, NodeClaim: { name: 'b' }, 'instance-type': undefined, 'capacity-type': undefined },
    ],
    'replacement-nodes': [{ 'capacity-type': 'spot', 'instance-types': 'm1, m2' }],
  })
})

test.each([
  [5, 'm0, m1, m2, m3, m4'],
  [6, 'm0, m1, m2, m3, m4 and 1 other(s)'],
  [9, 'm0, m1, m2, m3, m4 and 4 other(s)'],
])('with %i instance types, the log line names five and gives the number of the others', (count, expected) => {
  const types = Array.from({ length: count }, (_, index) => `m${index}`)
  const fields = logFields(consolidation([one], { replacements: [planned(...types)] }), 'id')
  expect(fields['replacement-nodes']).toEqual([{ 'capacity-type': 'spot', 'instance-types': expected }])
})

test('the log line about a replacement for a static pool names the pool', () => {
  const replacements: readonly Replacement[] = [{ kind: 'template', pool: nodePool('fixed') }]
  expect(logFields(consolidation([one], { replacements }), 'id')['replacement-nodes']).toEqual([
    { NodePool: { name: 'fixed' } },
  ])
})
