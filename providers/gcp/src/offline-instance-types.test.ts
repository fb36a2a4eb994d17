import { labels } from '@kerf/apis'
import { singleValue } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { offlineInstanceTypes } from './offline-instance-types.ts'

test('without a region, the types are those of us-central1', async () => {
  const types = await offlineInstanceTypes.load()
  const regions = new Set(types.map(({ requirements }) => singleValue(requirements, labels.region)))
  expect(regions).toEqual(new Set(['us-central1']))
})
