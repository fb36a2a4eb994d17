import { expect, test } from 'vitest'
import { awsTags, clusterTag } from '../labels.ts'
import { missingOwnerTags } from './ownership.ts'

const tags: Readonly<Record<string, string>> = {
  [clusterTag('kerf')]: 'owned',
  [awsTags.clusterName]: 'kerf',
  [awsTags.nodePool]: 'default',
  [awsTags.nodeClass]: 'default',
}

test('an instance with all ownership tags lacks none of them', () => {
  expect(missingOwnerTags(tags, 'kerf')).toEqual([])
})

test.each(Object.keys(tags))('the tag %s is required', (key) => {
  const { [key]: _, ...others } = tags
  expect(missingOwnerTags(others, 'kerf')).toEqual([key])
})

test('another cluster’s tag does not count', () => {
  expect(missingOwnerTags(tags, 'other')).toEqual([clusterTag('other')])
})
