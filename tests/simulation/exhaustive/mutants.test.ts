import { expect, test } from 'vitest'
import { placeMutations } from '../workers/place-mutation.ts'
import { pointMutants } from './mutants.ts'
import { pointKinds } from './point.ts'
import { stories } from './stories/index.ts'

test('the text that a deliberate bug changes occurs once, and is changed', () => {
  expect(placeMutations(pointMutants)).toHaveLength(pointMutants.length)
  expect(pointMutants.filter(({ text, replacement }) => text === replacement)).toEqual([])
})

test('each kind of point has a deliberate bug, in a story that exists', () => {
  expect(new Set(pointMutants.map(({ kind }) => kind))).toEqual(new Set(pointKinds))
  const names = stories.map(({ name }) => name)
  expect(pointMutants.filter(({ story }) => !names.includes(story))).toEqual([])
})
