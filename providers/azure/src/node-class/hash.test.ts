import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { randomNodeClassSpec } from '../testing/random-node-class-spec.ts'
import type { AKSNodeClassSpec } from './aks-node-class.ts'
import { nodeClassHash } from './hash.ts'

describe('the hash of an AKSNodeClass', () => {
  test('equals upstream’s for 1,000 random specs', () => {
    // Results of upstream's Hash() at 352646f, one line per spec, for the node class read from JSON.
    const hashes = readFileSync(new URL('hash.vectors.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const random = new SeededRandom('aks-node-class')
    const own = hashes.map(() => nodeClassHash({ spec: randomNodeClassSpec(random) }))
    expect(own).toHaveLength(1000)
    expect(own).toEqual(hashes)
  })

  test('no spec and an empty spec are equal', () => {
    expect(nodeClassHash({})).toBe(nodeClassHash({ spec: {} }))
  })

  const same: readonly (readonly [string, AKSNodeClassSpec, AKSNodeClassSpec])[] = [
    ['tags', { tags: { team: 'a' } }, {}],
    ['a quota period of zero', { kubelet: { cpuCFSQuotaPeriod: '0s' } }, { kubelet: {} }],
    [
      'the order of a list',
      { kubelet: { allowedUnsafeSysctls: ['a', 'b'] } },
      { kubelet: { allowedUnsafeSysctls: ['b', 'a'] } },
    ],
    ['how a duration is written', { kubelet: { cpuCFSQuotaPeriod: '60s' } }, { kubelet: { cpuCFSQuotaPeriod: '1m' } }],
  ]
  test.each(same)('%s: does not change the hash', (_, spec, other) => {
    expect(nodeClassHash({ spec })).toBe(nodeClassHash({ spec: other }))
  })

  test.each([
    ['a false that is there', { security: { encryptionAtHost: false } }, { security: {} }],
    ['an empty object', { security: {} }, {}],
    ['an empty list', { kubelet: { allowedUnsafeSysctls: [] } }, { kubelet: {} }],
    [
      'how a size is written',
      { kubelet: { containerLogMaxSize: '1Gi' } },
      { kubelet: { containerLogMaxSize: '1024Mi' } },
    ],
  ])('%s: changes the hash', (_, spec, other) => {
    expect(nodeClassHash({ spec })).not.toBe(nodeClassHash({ spec: other }))
  })
})
