import { vectorSpec } from '@kerf/provider-aws/testing'
import { expect, test } from 'vitest'
import { upstreamNodeClassHash, upstreamNodePoolHash } from './upstream-hash.ts'

const mapping = vectorSpec.blockDeviceMappings[0]

test.each<[string, object, string]>([
  ['nothing', {}, '11148166120438674859'],
  ['user data', { userData: 'userdata-test-2' }, '11774429238106843388'],
  ['a tag more', { tags: { ...vectorSpec.tags, 'keyTag-test-3': 'valueTag-test-3' } }, '9327338697296909506'],
  ['context', { context: 'context-2' }, '2279761750428738028'],
  ['monitoring', { detailedMonitoring: true }, '1936848126751988570'],
  ['instance store', { instanceStorePolicy: 'RAID0' }, '16697988646989909967'],
  [
    'the root volume',
    { blockDeviceMappings: [{ ...mapping, rootVolume: true }, vectorSpec.blockDeviceMappings[1]] },
    '8875796205856543692',
  ],
  ['tokens', { metadataOptions: { ...vectorSpec.metadataOptions, httpTokens: 'required' } }, '1346719102507290084'],
])('node classes: %s', (_, change, expected) => {
  const spec = { ...vectorSpec, ...change }
  expect(upstreamNodeClassHash({ spec, family: 'Custom', caBundle: 'test-ca-bundle' })).toBe(expected)
})

const nodeClassRef = { kind: 'KWOKNodeClass', name: 'default', group: 'karpenter.kwok.sh' }
const gpu = [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }]

test.each<[string, Partial<Parameters<typeof upstreamNodePoolHash>[0]>, string]>([
  ['base', {}, '12745407319442031341'],
  ['label', { labels: { team: 'a' } }, '10172464548043488983'],
  ['two labels', { labels: { team: 'a', env: 'prod' } }, '17411878721874582034'],
  ['taint', { taints: gpu }, '1861720833323781758'],
  ['startup taint', { startupTaints: gpu }, '17846811830399163832'],
])('pools: %s', (_, change, expected) => {
  expect(upstreamNodePoolHash({ nodeClassRef, expireAfterHours: 720, ...change })).toBe(expected)
})

test('pools that never expire', () => {
  expect(upstreamNodePoolHash({ nodeClassRef })).toBe('7428780003907761376')
})
