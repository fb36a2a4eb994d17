import { expect, test } from 'vitest'
import type { GCENodeClassSpec } from './gce-node-class.ts'
import { classImageFamily } from './image-family.ts'

type Terms = GCENodeClassSpec['imageSelectorTerms']
const familyOf = (imageSelectorTerms: Terms, rest: Partial<GCENodeClassSpec> = {}) =>
  classImageFamily({ spec: { imageSelectorTerms, ...rest } })

test('the field takes precedence, then the first alias, then the first family', () => {
  const terms: Terms = [
    { id: 'projects/a/global/images/b' },
    { family: 'Ubuntu2204', version: 'latest' },
    { alias: 'ContainerOptimizedOS@latest' },
  ]
  expect(familyOf(terms, { imageFamily: 'Ubuntu' })).toBe('Ubuntu')
  expect(familyOf(terms)).toBe('ContainerOptimizedOS')
  expect(familyOf(terms.slice(0, 2))).toBe('Ubuntu')
  expect(familyOf([{ alias: 'Ubuntu@v20260416' }])).toBe('Ubuntu')
  expect(familyOf([{ family: 'ContainerOptimizedOS', channel: 'stable' }])).toBe('ContainerOptimizedOS')
})

test('images by id, and a class without spec, are Custom', () => {
  expect(familyOf([{ id: 'projects/a/global/images/b' }])).toBe('Custom')
  expect(classImageFamily({})).toBe('Custom')
})
