import type { PodSpec } from '@kerf/apis'
import { expect, test } from 'vitest'
import { movedPlaces, type PlaceContext, withPlaces } from './moved-places.ts'

const GROUP = 'acme.io/node-group'
const CAPACITY = 'acme.io/capacity'
const context: PlaceContext = {
  groupNamed: (key, value) => (key === GROUP && value !== 'gone' ? value : undefined),
  groupLabels: new Set([GROUP]),
  capacityLabels: new Map([[CAPACITY, { SPOT: 'spot', ON_DEMAND: 'on-demand' }]]),
  poolByGroup: new Map([['web', 'pool-web']]),
}

const moved = (key: string, operator: string, ...values: readonly string[]) => {
  const expression = { key, operator, ...(values.length === 0 ? {} : { values }) }
  const preferred = [{ weight: 1, preference: { matchExpressions: [expression] } }]
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred }
  const spec = { containers: [], affinity: { nodeAffinity } } as unknown as PodSpec
  const after = withPlaces(spec, movedPlaces('a', spec, context)).affinity?.nodeAffinity
  return after?.preferredDuringSchedulingIgnoredDuringExecution?.[0]?.preference.matchExpressions?.[0]
}

test.each([
  [CAPACITY, 'NotIn', 'SPOT', { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] }],
  [CAPACITY, 'In', 'ON_DEMAND', { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
  [GROUP, 'NotIn', 'web', { key: 'node-group', operator: 'NotIn', values: ['pool-web'] }],
])('a preference for %s %s %s is rewritten to labels of NodePools', (key, operator, value, after) =>
  expect(moved(key, operator, value)).toEqual(after),
)

test.each([
  [CAPACITY, 'DoesNotExist'],
  [GROUP, 'DoesNotExist'],
  [CAPACITY, 'In', 'OTHER'],
  [GROUP, 'Gt', 'web'],
  [GROUP, 'In', 'gone'],
])('%s %s is left unchanged', (key, operator, ...values) =>
  expect(moved(key, operator, ...values)).toEqual({ key, operator, ...(values.length === 0 ? {} : { values }) }),
)
