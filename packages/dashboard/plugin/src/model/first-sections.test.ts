import { expect, test } from 'vitest'
import { withFirstSections } from './first-sections.ts'

test('the plugin’s first sections come between the title and the host’s sections, and the others keep their order', () => {
  const plain = 'a section without an id'
  const sections = [
    { id: 'BACK_LINK' },
    { id: 'MAIN_HEADER' },
    { id: 'METADATA' },
    { id: 'headlamp.node-conditions' },
    plain,
    { id: 'kerf.first.kept' },
    { id: 'kerf.timeline' },
    { id: 'kerf.first.pods' },
    { id: 'EVENTS' },
    null,
  ]
  expect(withFirstSections(sections)).toEqual([
    { id: 'BACK_LINK' },
    { id: 'MAIN_HEADER' },
    { id: 'kerf.first.kept' },
    { id: 'kerf.first.pods' },
    { id: 'METADATA' },
    { id: 'headlamp.node-conditions' },
    plain,
    { id: 'kerf.timeline' },
    { id: 'EVENTS' },
    null,
  ])
  const without = [{ id: 'BACK_LINK' }, { id: 'METADATA' }, { id: 'EVENTS' }]
  expect(withFirstSections(without)).toEqual(without)
})
