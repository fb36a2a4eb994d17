import { describe, expect, test } from 'vitest'
import { claimPhases, medians, waitingSince } from './lifecycle.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const claim = (steps: Readonly<Record<string, number>>, deleted?: number, created = 10) => ({
  metadata: {
    name: 'c',
    creationTimestamp: at(created),
    ...(deleted === undefined ? {} : { deletionTimestamp: at(deleted) }),
  },
  status: {
    conditions: Object.entries(steps).map(([type, second]) => ({
      type,
      status: 'True',
      reason: type,
      lastTransitionTime: at(second),
    })),
  },
})
const pod = (created: number, owner?: string) => ({
  metadata: {
    creationTimestamp: at(created),
    ...(owner === undefined ? {} : { ownerReferences: [{ kind: owner }] }),
  },
})
const seconds = (phases: ReturnType<typeof claimPhases>) =>
  phases.map(({ name, from, to }) => [name, to === undefined ? 'lasts' : (to - from) / 1000])

const up = { Launched: 13, Registered: 40, Initialized: 55 }

describe('the phases of a claim', () => {
  test('from its first pod to a ready node', () => {
    // Neither the DaemonSet's pod nor the pod that was created later caused the launch.
    const pods = [pod(4), pod(2), pod(1, 'DaemonSet'), pod(30)]
    expect(seconds(claimPhases(claim(up), pods))).toEqual([
      ['waiting', 8],
      ['launching', 3],
      ['registering', 27],
      ['initializing', 15],
    ])
    expect(waitingSince(claim(up), [pod(30), pod(1, 'Node')])).toBeUndefined()
  })

  test.each([
    [{}, undefined, [['launching', 'lasts']]],
    [
      { Launched: 13 },
      undefined,
      [
        ['launching', 3],
        ['registering', 'lasts'],
      ],
    ],
    [
      { Launched: 13 },
      20,
      [
        ['launching', 3],
        ['registering', 7],
        ['terminating', 'lasts'],
      ],
    ],
    [
      up,
      100,
      [
        ['launching', 3],
        ['registering', 27],
        ['initializing', 15],
        ['draining', 'lasts'],
      ],
    ],
    [
      { ...up, Drained: 130 },
      100,
      [
        ['launching', 3],
        ['registering', 27],
        ['initializing', 15],
        ['draining', 30],
        ['terminating', 'lasts'],
      ],
    ],
    // After a restart, the controller wrote these steps out of order.
    [
      { Launched: 13, Registered: 12, Initialized: 5 },
      undefined,
      [
        ['launching', 3],
        ['registering', 0],
        ['initializing', 0],
      ],
    ],
  ])('with %o, deleted at %s, is %o', (steps, deleted, expected) => {
    expect(seconds(claimPhases(claim(steps as Record<string, number>, deleted)))).toEqual(expected)
  })

  test.each([
    undefined,
    null,
    7,
    {},
    { metadata: { creationTimestamp: 'soon' } },
    { metadata: { creationTimestamp: at(1) }, status: 'x' },
  ])('of %o have a result, and nothing is thrown', (odd) => expect(Array.isArray(claimPhases(odd, [odd]))).toBe(true))
})

test('the median covers finished phases, for the claims that have them', () => {
  const found = medians([
    claim({ Launched: 12 }),
    claim({ Launched: 14, Registered: 20 }),
    claim({ Launched: 30 }),
    claim({}),
  ])
  expect([...found]).toEqual([
    ['launching', { milliseconds: 4_000, count: 3 }],
    ['registering', { milliseconds: 6_000, count: 1 }],
  ])
  expect(medians([claim({ Launched: 12 }), claim({ Launched: 14 })]).get('launching')?.milliseconds).toBe(3_000)
})
