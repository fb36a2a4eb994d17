import { styleFor } from '@kerf/provider-kit/terminal'
import { expect, test } from 'vitest'
import type { PlanDocument } from './plan-document.ts'
import { planReport } from './plan-report.ts'

const empty: PlanDocument = { nodeClaims: [], existingNodes: [], unschedulable: [], hourlyCost: 0 }
const claim = (zones: readonly string[]): PlanDocument['nodeClaims'][number] => ({
  nodePool: 'general',
  pods: ['default/a'],
  instanceTypes: ['m5.large'],
  cheapest: { instanceType: 'm5.large', zone: 'zone-a', capacityType: 'spot', price: 0.1 },
  zones,
  requests: { cpu: '250m', memory: '64Mi' },
})
const print = (document: Partial<PlanDocument>): string =>
  planReport({ ...empty, ...document }, { wide: false, width: 160 }, styleFor({}, {}))

test('shows the zone of a claim, or the number of possible zones', () => {
  expect(print({ nodeClaims: [claim(['zone-a'])] })).toMatch(/ zone-a +spot /)
  expect(print({ nodeClaims: [claim(['zone-a', 'zone-b', 'zone-c'])] })).toMatch(/ any of 3 +spot /)
})

test('the summary omits counts of 0, and uses the singular for 1', () => {
  expect(print({ nodeClaims: [claim([])], hourlyCost: 0.1 })).toContain('for 1 new node with 1 pod.\n')
  const existingNodes = [{ name: 'n', pods: ['default/b'] }]
  expect(print({ existingNodes })).toContain('No new node is needed; 1 pod fits on existing nodes.\n')
  const unschedulable = [{ pod: 'default/c', reason: 'why', reasons: [] }]
  expect(print({ unschedulable })).toBe('Nothing is launched.\n\n1 pod cannot be scheduled\n  default/c\n    why\n')
})
