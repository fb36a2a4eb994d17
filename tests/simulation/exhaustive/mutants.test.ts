import { expect, test } from 'vitest'
import { placeMutations } from '../workers/place-mutation.ts'
import { pointMutants } from './mutants.ts'
import { pointKinds } from './point.ts'
import { stories } from './stories/index.ts'

test('the text that a deliberate bug replaces occurs exactly once, and the replacement differs from it', () => {
  expect(placeMutations(pointMutants)).toHaveLength(pointMutants.length)
  expect(pointMutants.filter(({ text, replacement }) => text === replacement)).toEqual([])
})

test('each kind of point has a deliberate bug, in an existing story', () => {
  expect(new Set(pointMutants.map(({ kind }) => kind))).toEqual(new Set(pointKinds))
  const names = stories.map(({ name }) => name)
  expect(pointMutants.filter(({ story }) => !names.includes(story))).toEqual([])
})
