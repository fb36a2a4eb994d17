import { condition, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { countClaims, hasInstance } from './claim-counts.ts'

const deletionTimestamp = '2026-01-01T00:00:00Z'
const claims = [
  nodeClaim('asked'),
  nodeClaim('never-launched', { deletionTimestamp }),
  nodeClaim('launched', { providerID: 'a' }),
  nodeClaim('promised', { capacity: { cpu: '1' } }),
  nodeClaim('registered', { providerID: 'b', conditions: [condition('Registered')] }),
  nodeClaim('draining', { providerID: 'c', conditions: [condition('Registered')], deletionTimestamp }),
]

test('claims are counted by progress, and draining claims also count as launched', () => {
  expect(countClaims(claims)).toEqual({ claims: 6, launched: 4, nodes: 2, draining: 1 })
  expect(claims.filter(hasInstance).map(({ metadata }) => metadata.name)).toEqual([
    'launched',
    'promised',
    'registered',
    'draining',
  ])
})
