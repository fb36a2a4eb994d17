import { parseResources } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type TrialResult, type TypeRefusal, tryTypes } from './launch-trial.ts'
import { likeliestTypes } from './trial-types.ts'

const type = (name: string, price = 1, more: { readonly available?: boolean; readonly arch?: string } = {}) => ({
  name,
  requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: [more.arch ?? 'amd64'] }],
  offerings: [{ requirements: [], price, available: more.available ?? true }],
  capacity: parseResources({ cpu: '1' }),
  overhead: {},
})
const names = (types: readonly InstanceType[]) => types.map(({ name }) => name)

describe('the types for a trial launch', () => {
  const pool = (arch: string) =>
    nodePool(arch, { requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }] })
  const choice = { pools: [], isUsual: () => false, isPlain: () => true }

  test('are the cheapest of each family, then the second cheapest of each; unavailable types come last', () => {
    const types = [
      type('a.2', 2),
      type('a.1', 1),
      type('b.1', 3),
      type('b.2', 4),
      type('c.1', 0.1, { available: false }),
    ]
    expect(names(likeliestTypes(types, choice))).toEqual(['a.1', 'b.1', 'c.1', 'a.2', 'b.2'])
    const same = [type('y', 1), type('x', 1)]
    expect(names(likeliestTypes(same, choice))).toEqual(['x', 'y'])
  })

  test('are types that a pool allows, otherwise common types, otherwise any types', () => {
    const types = [type('a', 1), type('b', 2, { arch: 'arm64' }), type('c', 3)]
    const isUsual = ({ name }: InstanceType): boolean => name === 'c'
    expect(names(likeliestTypes(types, { ...choice, isUsual, pools: [pool('arm64')] }))).toEqual(['b'])
    expect(names(likeliestTypes(types, { ...choice, isUsual, pools: [pool('s390x')] }))).toEqual(['c'])
    expect(names(likeliestTypes(types, { ...choice, pools: [pool('s390x')] }))).toEqual(['a', 'b', 'c'])
  })

  test('must match the labels in a pool’s template', () => {
    const labelled = nodePool('labelled', { templateMetadata: { labels: { 'kubernetes.io/arch': 'arm64' } } })
    const types = [type('a', 1), type('b', 2, { arch: 'arm64' })]
    expect(names(likeliestTypes(types, { ...choice, pools: [labelled] }))).toEqual(['b'])
  })

  test('include types that few accounts may launch only if there are no others', () => {
    const isPlain = ({ name }: InstanceType): boolean => !name.startsWith('gpu')
    expect(names(likeliestTypes([type('gpu', 1), type('b', 2)], { ...choice, isPlain }))).toEqual(['b'])
    expect(names(likeliestTypes([type('gpu', 1)], { ...choice, isPlain }))).toEqual(['gpu'])
  })
})

describe('a trial', () => {
  const all = Array.from({ length: 7 }, (_, index) => type(`t${index}`))
  const passed: TrialResult = { kind: 'passed' }
  const refusal = (name: string): TypeRefusal => ({
    kind: 'refused-type',
    why: `no ${name}`,
    result: (tried) => ({
      ...{ kind: 'refused', reason: 'NoSuchType', isKept: false },
      message: `${name}, of ${tried.join(' ')}`,
    }),
  })
  const harness = (outcomeOf: (name: string) => TrialResult | TypeRefusal) => {
    const tried: string[] = []
    const run = async ({ name }: InstanceType) => {
      tried.push(name)
      return outcomeOf(name)
    }
    return { tried, run }
  }

  test('ends with the first type for which the cloud gives a result', async () => {
    const { tried, run } = harness((name) => (name === 't2' ? passed : refusal(name)))
    const refused = new Map<string, string>()
    expect(await tryTypes(all, refused, run)).toEqual(passed)
    expect([tried, [...refused]]).toEqual([
      ['t0', 't1', 't2'],
      [
        ['t0', 'no t0'],
        ['t1', 'no t1'],
      ],
    ])
    // The next trial skips the refused instance types.
    tried.length = 0
    await tryTypes(all, refused, run)
    expect(tried).toEqual(['t2'])
  })

  test('tries at most five types, the next five in the next trial, and all types again if all were refused', async () => {
    const { tried, run } = harness(refusal)
    const refused = new Map<string, string>()
    expect(await tryTypes(all, refused, run)).toMatchObject({ kind: 'refused', message: 't4, of t0 t1 t2 t3 t4' })
    expect(await tryTypes(all, refused, run)).toMatchObject({ kind: 'refused', message: 't6, of t5 t6' })
    await tryTypes(all, refused, run)
    expect(tried).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't0', 't1', 't2', 't3', 't4'])
  })

  test('without types there is no result', async () => {
    expect(await tryTypes([], new Map(), harness(refusal).run)).toEqual({ kind: 'again' })
  })
})
