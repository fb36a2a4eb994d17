import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { gceNodeClassCases } from '../testing/gce-node-class-cases.ts'
import { randomNodeClassSpec } from '../testing/random-node-class-spec.ts'
import type { GCENodeClassSpec } from './gce-node-class.ts'
import { nodeClassHash } from './hash.ts'

const COS: GCENodeClassSpec['imageSelectorTerms'] = [{ family: 'ContainerOptimizedOS', version: 'latest' }]
type Spec = Partial<GCENodeClassSpec>
const hashOf = (spec: Spec): string => nodeClassHash({ spec: { imageSelectorTerms: COS, ...spec } })

const soft = (period: string): Spec => ({
  kubeletConfiguration: {
    evictionSoft: { 'memory.available': '5%' },
    evictionSoftGracePeriod: { 'memory.available': period },
  },
})
const boot = { boot: true, sizeGiB: 100 } as const
const data = { sizeGiB: 20 } as const

const linesIn = (file: string): readonly string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')

/** Hashes that upstream's Hash() at 417f047b returned, by the name of the case. */
const upstream = linesIn('hash.vectors.tsv').map((line) => line.split('\t'))

describe('the hash of a GCENodeClass', () => {
  test('equals upstream’s for every valid class among the cases', () => {
    const cases = new Map(gceNodeClassCases().map(({ name, object }) => [name, object]))
    const own = upstream.map(([, name = '']) => [nodeClassHash(cases.get(name) ?? {}), name])
    expect(own).toHaveLength(100)
    expect(own).toEqual(upstream)
  })

  test('equals upstream’s for 400 random specs', () => {
    const hashes = linesIn('hash.random.tsv')
    const random = new SeededRandom('gce-node-class')
    const own = hashes.map(() => nodeClassHash({ spec: randomNodeClassSpec(random) }))
    expect(own).toHaveLength(400)
    expect(own).toEqual(hashes)
  })

  const same: readonly (readonly [string, Spec, Spec])[] = [
    ['another version of the same family', {}, { imageSelectorTerms: [{ alias: 'ContainerOptimizedOS@latest' }] }],
    ['a false that is not a pointer', { autoGPUTaint: false }, {}],
    ['an empty text', { serviceAccount: '' }, {}],
    ['a disk with boot false', { disks: [{ ...data, boot: false }] }, { disks: [data] }],
    ['the order of a list', { networkTags: ['a', 'b'] }, { networkTags: ['b', 'a'] }],
    ['two equal items', { networkTags: ['a', 'a', 'b'] }, { networkTags: ['b'] }],
    ['two equal items and none', { disks: [boot, boot] }, { disks: [] }],
    ['the format of a duration', soft('60s'), soft('1m')],
  ]
  test.each(same)('%s: does not change it', (_, spec, other) => {
    expect(hashOf(spec)).toBe(hashOf(other))
  })

  const different: readonly (readonly [string, Spec, Spec])[] = [
    ['another family', { imageSelectorTerms: [{ family: 'Ubuntu2404', version: 'latest' }] }, {}],
    ['an image by id', { imageSelectorTerms: [{ id: 'projects/a/global/images/b' }] }, {}],
    ['a zero behind a pointer', { kubeletConfiguration: { maxPods: 0 } }, { kubeletConfiguration: {} }],
    [
      'a false behind a pointer',
      { shieldedInstanceConfig: { enableSecureBoot: false } },
      { shieldedInstanceConfig: {} },
    ],
    ['an empty object', { kubeletConfiguration: {} }, {}],
    ['an empty list', { networkTags: [] }, {}],
    [
      'the format of a quantity',
      { kubeletConfiguration: { kubeReserved: { memory: '1Gi' } } },
      { kubeletConfiguration: { kubeReserved: { memory: '1024Mi' } } },
    ],
    ['the default of the driver', { gpuDriverVersion: 'default' }, {}],
  ]
  test.each(different)('%s: changes it', (_, spec, other) => {
    expect(hashOf(spec)).not.toBe(hashOf(other))
  })

  test('no spec and a spec without terms are equal', () => {
    expect(nodeClassHash({})).toBe(nodeClassHash({ spec: { imageSelectorTerms: [] } }))
  })

  test('a grace period that is not a duration is hashed as text', () => {
    expect(hashOf(soft('soon'))).not.toBe(hashOf(soft('later')))
  })
})
