import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pointMutants } from './mutants.ts'
import { pointKinds } from './point.ts'
import { stories } from './stories/index.ts'

const sourceOf = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8')

test('the text that a deliberate bug changes occurs once, and is changed', () => {
  const misplaced = pointMutants.filter(({ file, text }) => sourceOf(file).split(text).length !== 2)
  expect(misplaced.map(({ name, file }) => `${name} (${file})`)).toEqual([])
  expect(pointMutants.filter(({ text, replacement }) => text === replacement)).toEqual([])
})

test('each kind of point has a deliberate bug, in a story that exists', () => {
  expect(new Set(pointMutants.map(({ kind }) => kind))).toEqual(new Set(pointKinds))
  const names = stories.map(({ name }) => name)
  expect(pointMutants.filter(({ story }) => !names.includes(story))).toEqual([])
})
