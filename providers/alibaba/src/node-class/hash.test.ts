import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { randomNodeClassSpec } from '../testing/random-node-class-spec.ts'
import type { ECSNodeClassSpec } from './ecs-node-class.ts'
import { nodeClassHash } from './hash.ts'

const terms = {
  vSwitchSelectorTerms: [{ id: 'vsw-1' }],
  securityGroupSelectorTerms: [{ id: 'sg-1' }],
  imageSelectorTerms: [{ alias: 'ContainerOS' }],
} as const satisfies ECSNodeClassSpec

type Fields = Partial<ECSNodeClassSpec>
const hash = (fields: Fields): string => nodeClassHash({ spec: { ...terms, ...fields } })

describe('the hash of an ECSNodeClass', () => {
  test('an absent spec and a spec with only terms have the same hash', () => {
    expect(nodeClassHash({})).toBe(hash({}))
  })

  const same: readonly (readonly [string, Fields, Fields])[] = [
    ['a vSwitch', { vSwitchSelectorTerms: [{ id: 'vsw-2' }] }, {}],
    ['a security group', { securityGroupSelectorTerms: [{ name: 'other' }] }, {}],
    ['an image', { imageSelectorTerms: [{ id: 'm-1' }] }, {}],
    ['a plain zero', { passwordInherit: false, formatDataDisk: false, password: '', resourceGroupId: '' }, {}],
    ['how a size is written', { systemDisk: { volumeSize: '1Ti' } }, { systemDisk: { volumeSize: '1024Gi' } }],
    [
      'how a duration is written',
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': '60s' } } },
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': '1m' } } },
    ],
    [
      'the order of a list',
      { dataDiskCategories: ['cloud', 'cloud_ssd'] },
      { dataDiskCategories: ['cloud_ssd', 'cloud'] },
    ],
    ['the copy of the deprecated size', { systemDisk: { size: 40 } }, { systemDisk: { size: 40, volumeSize: '40Gi' } }],
  ]
  test.each(same)('%s: does not change the hash', (_, one, other) => {
    expect(hash(one)).toBe(hash(other))
  })

  const different: readonly (readonly [string, Fields, Fields])[] = [
    ['the policy', { vSwitchSelectionPolicy: 'cheapest' }, {}],
    ['a zero behind a pointer', { kubeletConfiguration: { maxPods: 0 } }, { kubeletConfiguration: {} }],
    ['an empty object', { systemDisk: {} }, {}],
    ['an empty list', { dataDisks: [] }, {}],
    ['an empty map', { tags: {} }, {}],
    ['empty user data', { userData: '' }, {}],
    ['a default category', { systemDisk: { categories: ['cloud'] } }, { systemDisk: {} }],
    ['a device', { dataDisks: [{ device: '/dev/xvdb' }] }, { dataDisks: [{ device: '/dev/xvdc' }] }],
    ['a key pair', { keyPairName: 'ab' }, { keyPairName: 'ac' }],
    ['a tag', { tags: { a: 'b' } }, { tags: { a: 'c' } }],
    [
      'a grace period',
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': '1m' } } },
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': '2m' } } },
    ],
    [
      'another text that is not a grace period',
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': 'soon' } } },
      { kubeletConfiguration: { evictionSoftGracePeriod: { 'pid.available': 'later' } } },
    ],
  ]
  test.each(different)('%s: changes the hash', (_, one, other) => {
    expect(hash(one)).not.toBe(hash(other))
  })
})

/**
 * The hashes that cloudpilot-ai/karpenter-provider-alibabacloud cb536aff computes, one per line. If a spec had only the deprecated field
 * `size`, it was hashed after upstream's controller had copied the value to `volumeSize`.
 */
test('500 random specs have the same hashes as upstream', () => {
  const recorded = readFileSync(new URL('upstream-hashes.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const random = new SeededRandom('hashes')
  const own = Array.from({ length: 500 }, () => nodeClassHash({ spec: randomNodeClassSpec(random) }))
  expect(own).toEqual(recorded)
})
