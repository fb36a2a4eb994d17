import { describe, expect, test } from 'vitest'
import { pendingPods } from './pending-pods.ts'
import { ceilingRows, commitmentRows, podsAtCeiling, policyRows } from './policies.ts'
import type { ReportedRefusal } from './reported.ts'
import { randomFrom } from './testing/random-cluster.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)
const SECTIONS = ['access', 'sleep', 'a-later-section']
const STATES = ['Accepted', 'Conflicted', 'Invalid', 'unread'] as const

interface PlannedTarget {
  readonly pool: string
  readonly state: (typeof STATES)[number]
  /** Whether the target has a condition that describes the effect of the policy. */
  readonly isEnforced: boolean
}

interface PlannedPolicy {
  readonly name: string
  readonly sections: readonly string[]
  readonly targets: readonly PlannedTarget[]
}

interface PlannedCeiling {
  readonly name: string
  readonly most: number
  readonly used: number
}

interface PlannedCommitment {
  readonly name: string
  readonly most: number
  readonly used: number
  /** The unit in the status. Absent for instances. */
  readonly unit: string | undefined
  readonly state: string | undefined
}

const UNITS = [undefined, 'normalizedUnits', 'vcpus', 'usdPerHour'] as const
const COMMITMENT_STATES = ['Active', 'Pending', 'Ended', 'ALaterState'] as const

/**
 * Returns the data from which the policies and pods of a cluster are made. The test computes the expected rows from these data and not from
 * the objects.
 */
const randomPlan = (seed: number) => {
  const next = randomFrom(seed)
  const upTo = (most: number): number => Math.floor(next() * (most + 1))
  const ceilings: readonly PlannedCeiling[] = ['nodes', 'cpu', 'usdPerHour']
    .filter(() => next() < 0.7)
    .map((name) => ({ name, most: upTo(9), used: upTo(9) }))
  const policies: readonly PlannedPolicy[] = Array.from({ length: upTo(3) }, (_, index) => ({
    name: `policy-${index}`,
    sections: SECTIONS.filter(() => next() < 0.6),
    targets: Array.from({ length: 1 + upTo(2) }, (_target, place) => ({
      pool: `pool-${place}`,
      state: STATES[upTo(3)] ?? 'unread',
      isEnforced: next() < 0.5,
    })),
  }))
  const pods = Array.from({ length: upTo(8) }, (_, index) => ({ name: `pod-${index}`, by: upTo(3) }))
  const [hasClusterPolicy, isOther] = [next() < 0.8, next() < 0.3]
  const commitments: readonly PlannedCommitment[] = Array.from({ length: upTo(3) }, (_, index) => {
    const most = upTo(9)
    return {
      name: `commitment-${index}`,
      most,
      used: upTo(most),
      unit: UNITS[upTo(3)],
      state: COMMITMENT_STATES[upTo(3)],
    }
  })
  return { ceilings, commitments, policies, pods, hasClusterPolicy, isOther }
}

const condition = (type: string, status: string, reason: string, message = '') => ({ type, status, reason, message })

const objectsFrom = ({ ceilings, commitments, policies, hasClusterPolicy, isOther }: ReturnType<typeof randomPlan>) => [
  ...(hasClusterPolicy
    ? [
        {
          kind: 'ClusterPolicy',
          metadata: { name: 'default' },
          spec: { ceilings: {}, ...(isOther ? { priceBook: {} } : {}) },
          status: {
            conditions: [condition('Accepted', 'True', 'Accepted')],
            ceilings: ceilings.map(({ name, most, used }) => ({
              name,
              ceiling: String(most),
              used: String(used),
              headroom: String(most - used),
            })),
            commitments: commitments.map(({ name, most, used, unit, state }) => ({
              ...{ name, state, covers: String(most), used: String(used), unused: String(most - used) },
              ...(unit === undefined ? {} : { unit }),
            })),
          },
        },
      ]
    : []),
  ...policies.map(({ name, sections, targets }) => ({
    kind: 'NodePoolPolicy',
    metadata: { name },
    spec: {
      targetRefs: targets.map(({ pool }) => ({ group: 'karpenter.sh', kind: 'NodePool', name: pool })),
      ...Object.fromEntries(sections.map((section) => [section, {}])),
    },
    status: {
      targets: targets
        .filter(({ state }) => state !== 'unread')
        .map(({ pool, state, isEnforced }) => ({
          name: pool,
          conditions: [
            condition('Accepted', state === 'Accepted' ? 'True' : 'False', state),
            ...(isEnforced ? [condition('Enforced', 'False', 'NoTaint', 'a taint is missing')] : []),
          ],
        })),
    },
  })),
]

describe.each(SEEDS)('cluster %d', (seed) => {
  const plan = randomPlan(seed)
  const objects = objectsFrom(plan)

  test('each section of each policy has a row for each NodePool, with its state and what it does', () => {
    const rows = policyRows(objects)
    const found = rows.map(({ kind, policy, section, pool, accepted, now }) =>
      [kind, policy, section, pool ?? '*', accepted?.reason ?? 'unread', now.join()].join(' '),
    )
    const ofPools = plan.policies.flatMap(({ name, sections, targets }) =>
      sections.flatMap((section) =>
        targets.map(({ pool, state, isEnforced }) => {
          const does = isEnforced && state !== 'unread' ? 'Enforced: False (NoTaint), a taint is missing' : ''
          return `NodePoolPolicy ${name} ${section} ${pool} ${state} ${does}`
        }),
      ),
    )
    const ofCluster = ['ceilings', ...(plan.isOther ? ['priceBook'] : [])]
      .filter(() => plan.hasClusterPolicy)
      .map((section) => `ClusterPolicy default ${section} * Accepted `)
    expect(found.toSorted()).toEqual([...ofPools, ...ofCluster].sort())
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const pools = rows.map(({ pool }) => pool ?? '~')
    expect(pools).toEqual(pools.toSorted())
  })

  test('each ceiling is open, reached or exceeded', () => {
    const expected = plan.hasClusterPolicy ? plan.ceilings : []
    expect(ceilingRows(objects).map(({ name, state }) => [name, state])).toEqual(
      expected.map(({ name, most, used }) => [name, used < most ? 'open' : used === most ? 'reached' : 'exceeded']),
    )
  })

  test('each commitment has a row with its use', () => {
    const expected = plan.hasClusterPolicy ? plan.commitments : []
    expect(commitmentRows(objects)).toEqual(
      expected.map(({ name, most, used, unit = 'instances', state }) => ({
        ...{ name, unit, covers: `${most}`, used: `${used}`, unused: `${most - used}` },
        state: state === 'ALaterState' ? '' : state,
      })),
    )
  })

  test('the pods that a ceiling keeps pending are listed, by the reasons of the controller or by its Events', () => {
    const pods = plan.pods.map(({ name }) => ({ metadata: { name, namespace: 'shop', uid: name }, spec: {} }))
    const refusal = (code: string): ReportedRefusal => ({
      ...{ message: code, at: 1 },
      refusals: [{ code, nodePool: 'a', reason: { code, subject: '' } as never }],
    })
    const reported = new Map(
      plan.pods.flatMap(({ name, by }) =>
        by === 0 ? [[name, refusal('ceiling')] as const] : by === 1 ? [[name, refusal('nodepool.limit')] as const] : [],
      ),
    )
    const events = new Map(
      plan.pods.flatMap(({ name, by }) =>
        by === 2
          ? [
              [
                `shop/${name}`,
                {
                  ...{ type: 'Warning', reason: 'FailedScheduling', from: 'karpenter', time: 1 },
                  message: 'nodepool/a: a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left)',
                } as never,
              ] as const,
            ]
          : [],
      ),
    )
    expect(
      podsAtCeiling(pendingPods(pods, events, reported))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(plan.pods.filter(({ by }) => by === 0 || by === 2).map(({ name }) => name))
  })
})
