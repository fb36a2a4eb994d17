import { describe, expect, test } from 'vitest'
import { RegistrationOutcomes } from './registration-outcomes.ts'

const S = true
const F = false

describe('the last four outcomes of a pool', () => {
  test.each([
    [[], 'unknown'],
    [[S], 'healthy'],
    [[F], 'healthy'],
    [[F, F], 'unhealthy'],
    [[F, F, S], 'unhealthy'],
    [[F, S, F], 'unhealthy'],
    [[S, S, S, F], 'healthy'],
    [[F, F, S, S], 'unhealthy'],
    [[F, F, S, S, S], 'healthy'],
    [[F, F, S, S, S, S], 'healthy'],
  ] as const)('after %j the pool is %s', (outcomes, expected) => {
    const ring = new RegistrationOutcomes()
    for (const succeeded of outcomes) ring.record('pool', succeeded)
    expect(ring.status('pool')).toBe(expected)
  })

  test('are stored separately for each pool', () => {
    const ring = new RegistrationOutcomes()
    for (const _ of [1, 2]) ring.record('bad', F)
    ring.record('good', S)
    expect([ring.status('bad'), ring.status('good'), ring.status('new')]).toEqual(['unhealthy', 'healthy', 'unknown'])
  })

  test('are not changed by a request for the next status', () => {
    const ring = new RegistrationOutcomes()
    ring.record('pool', F)
    expect(ring.statusAfter('pool', F)).toBe('unhealthy')
    expect(ring.statusAfter('pool', F)).toBe('unhealthy')
    expect(ring.status('pool')).toBe('healthy')
  })

  test('are replaced by `seed`, and dropped by `reset`', () => {
    const ring = new RegistrationOutcomes()
    for (const _ of [1, 2, 3]) ring.record('pool', F)
    ring.seed('pool', 'healthy')
    expect(ring.status('pool')).toBe('healthy')
    ring.seed('pool', 'unhealthy')
    expect(ring.status('pool')).toBe('unhealthy')
    ring.reset('pool')
    expect(ring.status('pool')).toBe('unknown')
  })
})
