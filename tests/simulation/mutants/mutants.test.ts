import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { placeMutations } from '../workers/place-mutation.ts'
import { allMutants as mutants } from './all-mutants.ts'

test('each deliberate bug has a unique name, and the text that it replaces occurs exactly once', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  expect(placeMutations(mutants)).toHaveLength(mutants.length)
})

test('the replacement of each deliberate bug differs from the original text', () => {
  expect(mutants.filter(({ text, replacement }) => text === replacement)).toEqual([])
})

test('the invariant that must catch a deliberate bug exists', () => {
  const folder = new URL('../invariants/', import.meta.url)
  const names = readdirSync(folder).flatMap((file) => {
    const [, name] = /^ +name: '([a-z-]+)',$/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
    return name === undefined ? [] : [name]
  })
  expect(names.length).toBeGreaterThan(20)
  expect(mutants.filter(({ caughtBy }) => caughtBy !== undefined && !names.includes(caughtBy))).toEqual([])
})
