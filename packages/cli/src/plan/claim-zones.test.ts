import { schedule } from '@kerf/engine'
import { nodePool, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { offlineInstanceTypes } from '../providers.ts'
import { claimZones } from './claim-zones.ts'
import { buildSnapshot } from './load-snapshot.ts'

const types = (await offlineInstanceTypes('kwok')) ?? []
const zonesOf = (zone?: string): readonly (readonly string[])[] => {
  const objects = [
    nodePool('general'),
    pod('a', { spec: zone === undefined ? {} : { nodeSelector: { 'topology.kubernetes.io/zone': zone } } }),
  ]
  const { snapshot, pending, options } = buildSnapshot(
    objects.map((object) => ({ object, file: 'f', line: 1 })),
    () => types,
  )
  return schedule(snapshot, pending, options).claims.map(claimZones(snapshot))
}

test('a claim without zone constraints may use every zone, a claim with a selector only the selected zone', () => {
  expect(zonesOf()).toEqual([['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d']])
  expect(zonesOf('test-zone-b')).toEqual([['test-zone-b']])
})
