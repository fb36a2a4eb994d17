import type { NodeClaim, Quantity } from '@kerf/apis'
import { coveredShares, type InstanceType, type NodeState } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { type CommitmentUse, commitmentUse, plannedCommitments, unusedAmount, usedAmount } from './commitment-use.ts'
import { type CommitmentSpec, commitmentSpecs, readPrepaid } from './prepaid-terms.ts'

// docs/spec/policies.md#commitments

const NOW = Date.parse('2026-11-30T12:00:00Z')

const prepaid = (count: number, more: object = {}, name = 'c'): CommitmentSpec => ({
  name,
  prepaid: { instanceType: 't', count, share: '1', ...more },
})

const node = (name: string, labels: Readonly<Record<string, string>> = {}, more: Partial<NodeState> = {}): NodeState =>
  ({
    name,
    labels: { 'node.kubernetes.io/instance-type': 't', 'karpenter.sh/capacity-type': 'on-demand', ...labels },
    markedForDeletion: false,
    ...more,
  }) as NodeState

const claim = (name: string, key: string, ...values: readonly string[]): NodeClaim =>
  ({ metadata: { name }, spec: { requirements: [{ key, operator: 'In', values }] } }) as unknown as NodeClaim

const used = (specs: readonly CommitmentSpec[], nodes: readonly NodeState[], claims: readonly NodeClaim[] = []) =>
  commitmentUse(readPrepaid(specs, NOW), nodes, claims)

const ONE = 1_000_000_000n
const names = (use: CommitmentUse | undefined) => [...(use?.nodes.keys() ?? [])]

describe('the terms of a commitment', () => {
  test.each([
    ['1', 10, 10],
    ['0.25', 10, 2],
    ['0.29', 100, 29],
    ['0', 10, 0],
    // The API server validates policies, but a policy from a file may be invalid.
    ['50%', 10, 0],
  ])('a share of %s of %i covers %i', (share, count, covers) => {
    expect(readPrepaid([prepaid(count, { share })], NOW)[0]?.covers).toBe(covers)
  })

  test.each([
    [{}, 'Active'],
    [{ start: '2026-11-30T12:00:00Z' }, 'Active'],
    [{ start: '2026-11-30T12:00:01Z' }, 'Pending'],
    [{ end: '2026-11-30T12:00:00Z' }, 'Ended'],
    [{ end: '2026-11-30T12:00:01Z' }, 'Active'],
  ])('with %o it is %s', (times, state) => {
    expect(readPrepaid([prepaid(1, times)], NOW)[0]?.state).toBe(state)
  })

  test('only those of the policy "default" count, and none if that policy is being deleted', () => {
    const policy = { metadata: { name: 'default' }, spec: { commitments: [prepaid(1)] } }
    expect(commitmentSpecs(policy)).toHaveLength(1)
    expect(commitmentSpecs({ ...policy, metadata: { name: 'other' } })).toEqual([])
    expect(
      commitmentSpecs({ ...policy, metadata: { name: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ).toEqual([])
    expect(commitmentSpecs(undefined)).toEqual([])
  })
})

describe('which nodes use a commitment', () => {
  test('on-demand nodes of its type, including nodes that Kerf does not manage', () => {
    const [use] = used(
      [prepaid(9)],
      [
        node('own'),
        node('spot', { 'karpenter.sh/capacity-type': 'spot' }),
        node('reserved', { 'karpenter.sh/capacity-type': 'reserved' }),
        node('large', { 'node.kubernetes.io/instance-type': 'u' }),
        { ...node('foreign'), labels: { 'node.kubernetes.io/instance-type': 't' } },
        node('leaving', {}, { markedForDeletion: true }),
      ],
    )
    expect(names(use)).toEqual(['foreign', 'own'])
  })

  test('nodes of its zone and region', () => {
    const zoned = [
      node('a', { 'topology.kubernetes.io/zone': 'z1' }),
      node('b', { 'topology.kubernetes.io/zone': 'z2' }),
    ]
    expect(names(used([prepaid(9, { zone: 'z2' })], zoned)[0])).toEqual(['b'])
    const far = [node('a', { 'topology.kubernetes.io/region': 'far' }), node('b')]
    expect(names(used([prepaid(9, { region: 'here' })], far)[0])).toEqual(['b'])
  })

  test('the commitment with a zone is used first, and the last one has the excess', () => {
    const zone = 'topology.kubernetes.io/zone'
    const nodes = ['a', 'b', 'c', 'd'].map((name) => node(name, { [zone]: 'z1' }))
    const uses = used([prepaid(1, {}, 'any'), prepaid(2, { zone: 'z1' }, 'zoned')], nodes)
    expect(uses.map((use) => [use.terms.name, names(use)])).toEqual([
      ['zoned', ['a', 'b']],
      ['any', ['c', 'd']],
    ])
    expect(uses.map(usedAmount)).toEqual([2, 1])
    expect(uses.map(unusedAmount)).toEqual([0, 0])
    expect(plannedCommitments(uses).map(({ free }) => free)).toEqual([0n, -ONE])
  })

  test('claims whose instance may be covered count until it is known', () => {
    const uses = used(
      [prepaid(5)],
      [node('n', {}, { nodeClaim: 'n-claim' })],
      [
        claim('may', 'node.kubernetes.io/instance-type', 't', 'u'),
        claim('cannot', 'node.kubernetes.io/instance-type', 'u'),
        claim('spot', 'karpenter.sh/capacity-type', 'spot'),
      ],
    )
    expect([names(uses[0]), uses[0]?.starting]).toEqual([['n'], ONE])
    expect(plannedCommitments(uses)[0]).toMatchObject({
      free: 3n * ONE,
      uses: new Map([['n', { units: ONE, share: 1 }]]),
    })
  })

  test('a commitment that is not active covers nothing', () => {
    const uses = used([prepaid(5, { start: '2027-01-01T00:00:00Z' })], [node('n')])
    expect([names(uses[0]), uses.map(unusedAmount), plannedCommitments(uses)]).toEqual([[], [0], []])
  })
})

/** Instance types of the families m and c with an on-demand price, vCPUs and normalised units. */
const type = (name: string, price: number | undefined, vcpus: number): readonly [string, InstanceType] => [
  name,
  {
    ...{ name, requirements: [], overhead: {}, normalizedUnits: 4 * vcpus },
    capacity: { cpu: (BigInt(vcpus) * ONE) as Quantity },
    offerings: [
      {
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] },
        ],
        price,
        available: true,
      },
    ],
  },
]
const types = new Map([
  type('m.large', 1, 1),
  type('m.xlarge', 2, 2),
  type('m.2xlarge', 4, 4),
  type('c.large', 0.8, 1),
  type('x.large', undefined, 1),
])
const typed = (name: string, instanceType: string) => node(name, { 'node.kubernetes.io/instance-type': instanceType })
const spent = (specs: readonly CommitmentSpec[], nodes: readonly NodeState[], claims: readonly NodeClaim[] = []) =>
  commitmentUse(readPrepaid(specs, NOW), nodes, claims, types)
const parts = (use: CommitmentUse | undefined) =>
  [...(use?.nodes ?? [])].map(([name, { units, share }]) => [name, Number(units) / 1e9, share])

const units = (normalizedUnits: string, more: object = {}): CommitmentSpec => ({
  name: 'units',
  prepaid: { instanceTypes: ['m.*'], normalizedUnits, share: '1', ...more },
})
const savings = (name: string, committedUsdPerHour: string, rates: object, more: object = {}): CommitmentSpec => ({
  name,
  prepaid: { committedUsdPerHour, rates, share: '1', ...more },
})

describe('other units', () => {
  test('normalised units apply to the smallest instances first, and cover a part of the last one', () => {
    const [use] = spent([units('10')], [typed('a', 'm.2xlarge'), typed('b', 'm.large'), typed('c', 'c.large')])
    // The use of the last commitment may exceed it, so the 10 units cover b and a part of a.
    expect(parts(use)).toEqual([
      ['b', 4, 1],
      ['a', 16, 1],
    ])
    expect([use && usedAmount(use), use && unusedAmount(use)]).toEqual([10, 0])
    expect(plannedCommitments([use as CommitmentUse], types)[0]?.free).toBe(-10n * ONE)
    expect([...coveredShares(plannedCommitments([use as CommitmentUse], types))]).toEqual([
      ['b', 1],
      ['a', 0.375],
    ])
  })

  test('vCPUs', () => {
    const [use] = spent(
      [{ name: 'v', prepaid: { vcpus: 10, share: '0.5' } }],
      [typed('a', 'm.2xlarge'), typed('b', 'c.large'), typed('u', 'unknown')],
    )
    expect(parts(use)).toEqual([
      ['a', 4, 1],
      ['b', 1, 1],
    ])
    expect(plannedCommitments([use as CommitmentUse], types)[0]).toMatchObject({ free: 0n })
  })

  test('a savings plan applies first where it saves most, at the rate of the type or the factor', () => {
    const rates = { factor: '0.7', instanceTypes: [{ instanceType: 'c.large', usdPerHour: '0.2' }] }
    const [use] = spent(
      [savings('plan', '1.5', rates)],
      [typed('a', 'm.large'), typed('b', 'c.large'), typed('c', 'm.xlarge'), typed('unpriced', 'x.large')],
    )
    expect(parts(use)).toEqual([
      ['b', 0.2, 1],
      ['a', 0.7, 1],
      ['c', 1.4, 1],
    ])
    expect(plannedCommitments([use as CommitmentUse], types)[0]?.units).toEqual(
      new Map([
        ['m.large', 700_000_000n],
        ['m.xlarge', 1_400_000_000n],
        ['m.2xlarge', 2_800_000_000n],
        ['c.large', 200_000_000n],
      ]),
    )
  })

  test('are used in the order of the bill, and one node may use several', () => {
    const factor = { factor: '0.5' }
    const specs = [
      savings('compute', '5', factor),
      savings('family', '0.5', factor, { instanceTypes: ['m.*'] }),
      units('4'),
      prepaid(1, { instanceType: 'm.xlarge' }, 'instances'),
    ]
    const uses = spent(specs, [
      typed('a', 'm.xlarge'),
      typed('b', 'm.2xlarge'),
      typed('c', 'm.xlarge'),
      typed('d', 'c.large'),
    ])
    expect(uses.map((use) => [use.terms.name, parts(use)])).toEqual([
      ['instances', [['a', 1, 1]]],
      ['units', [['c', 4, 0.5]]],
      // Half of c costs 0.5 at the rates of the plan.
      ['family', [['c', 0.5, 0.5]]],
      [
        'compute',
        [
          ['d', 0.4, 1],
          ['b', 2, 1],
        ],
      ],
    ])
    expect([...coveredShares(plannedCommitments(uses, types)).values()]).toEqual([1, 1, 1, 1])
  })

  test('a claim counts as the type with the highest use', () => {
    const [use] = spent(
      [units('100')],
      [],
      [claim('a', 'node.kubernetes.io/instance-type', 'm.large', 'm.xlarge', 'c.large'), claim('any', 'other', 'x')],
    )
    expect(use?.starting).toBe(24n * ONE)
  })
})
