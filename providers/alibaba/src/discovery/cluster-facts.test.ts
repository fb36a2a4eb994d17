import { expect, test } from 'vitest'
import { clusterNetwork } from './cluster-facts.ts'

const metadata = (Network: string): string => JSON.stringify({ Capabilities: { Network } })

test.each([
  [metadata('terway-eniip'), '24', { plugin: 'terway-eniip' }],
  // In its other modes, Terway has other limits.
  [metadata('terway'), '24', { plugin: 'other' }],
  [metadata('Flannel'), '26', { plugin: 'flannel', podsPerNode: 64 }],
  [metadata('Flannel'), '', { plugin: 'flannel', podsPerNode: 256 }],
  [metadata('Flannel'), undefined, { plugin: 'flannel', podsPerNode: 256 }],
  ['no JSON', '24', { plugin: 'other' }],
  [undefined, undefined, { plugin: 'other' }],
])('%s with the mask %s', (text, mask, network) => {
  expect(clusterNetwork(text, mask)).toEqual(network)
})
