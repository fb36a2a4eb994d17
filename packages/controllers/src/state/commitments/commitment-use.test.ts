import type { NodeClaim } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { commitmentUse, plannedCommitments, unusedInstances, usedInstances } from './commitment-use.ts'
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

describe('the terms of a commitment', () => {
  test.each([
    ['1', 10, 10],
    ['0.25', 10, 2],
    ['0.29', 100, 29],
    ['0', 10, 0],
    // The API server validates policies, but a policy in a file may be invalid.
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

  test('only those of the policy "default" count, and of none that is being deleted', () => {
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
  test('on-demand nodes of its type, also those of others', () => {
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
    expect(use?.nodes).toEqual(['foreign', 'own'])
  })

  test('nodes of its zone and region', () => {
    const zoned = [
      node('a', { 'topology.kubernetes.io/zone': 'z1' }),
      node('b', { 'topology.kubernetes.io/zone': 'z2' }),
    ]
    expect(used([prepaid(9, { zone: 'z2' })], zoned)[0]?.nodes).toEqual(['b'])
    const far = [node('a', { 'topology.kubernetes.io/region': 'far' }), node('b')]
    expect(used([prepaid(9, { region: 'here' })], far)[0]?.nodes).toEqual(['b'])
  })

  test('the commitment with a zone is used first, and excess goes to the last', () => {
    const zone = 'topology.kubernetes.io/zone'
    const nodes = ['a', 'b', 'c', 'd'].map((name) => node(name, { [zone]: 'z1' }))
    const uses = used([prepaid(1, {}, 'any'), prepaid(2, { zone: 'z1' }, 'zoned')], nodes)
    expect(uses.map(({ terms, nodes: own }) => [terms.name, own])).toEqual([
      ['zoned', ['a', 'b']],
      ['any', ['c', 'd']],
    ])
    expect(uses.map(usedInstances)).toEqual([2, 1])
    expect(uses.map(unusedInstances)).toEqual([0, 0])
    expect(plannedCommitments(uses).map(({ free }) => free)).toEqual([0n, -1_000_000_000n])
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
    expect([uses[0]?.nodes, uses[0]?.starting]).toEqual([['n'], 1])
    expect(plannedCommitments(uses)[0]).toMatchObject({ free: 3_000_000_000n, uses: new Map([['n', 1_000_000_000n]]) })
  })

  test('a commitment that is not active covers nothing', () => {
    const uses = used([prepaid(5, { start: '2027-01-01T00:00:00Z' })], [node('n')])
    expect([uses[0]?.nodes, uses.map(unusedInstances), plannedCommitments(uses)]).toEqual([[], [0], []])
  })
})
