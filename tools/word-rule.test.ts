import { expect, test } from 'vitest'
import { messageKeyProblems, wordProblems } from './word-rule.ts'

const ownWords = [{ below: 'providers/acme/', words: ['machine'] }]
const problems = (path: string, text = '') => wordProblems([{ path, text }], ownWords)

test('exported names, file names and flags must not use a private word', () => {
  expect(problems('packages/engine/src/pods/pod-wishes.ts')).toEqual([
    'packages/engine/src/pods/pod-wishes.ts the file name pod-wishes: "wishes" is not a word of the field, use preferences',
  ])
  expect(problems('packages/engine/src/a.ts', '\nexport interface PodWishes {')).toEqual([
    'packages/engine/src/a.ts:2 the export PodWishes: "wishes" is not a word of the field, use preferences',
  ])
  expect(problems('packages/cli/src/a/verb.ts', ".option('-m, --machine <name>', '')")).toEqual([
    'packages/cli/src/a/verb.ts:1 the flag --machine: "machine" is not a word of the field, use instance, node',
  ])
})

test('private words are allowed in prose, in names inside a file, and as parts of other words', () => {
  expect(
    problems('packages/engine/src/a.ts', '// the wishes of a pod\nconst wishes = 1\nexport const roomy = wishes'),
  ).toEqual([])
  expect(problems('packages/runtime/src/errors.ts', 'export const errorCatalogue = 1')).toEqual([])
})

test('only the provider for Cluster API may call instances machines, as Cluster API does', () => {
  expect(problems('providers/acme/src/objects/machine.ts', 'export interface MachineSet {')).toEqual([])
  expect(problems('providers/acme/src/a.ts', 'export const wishes = 1')).toHaveLength(1)
  expect(problems('providers/umbra/src/machine.ts', 'export interface MachineSet {')).toHaveLength(2)
})

test('keys of messages must not use a private word, however deeply they are nested', () => {
  expect(messageKeyProblems('en.json', { pods: { waiting: 'a', chanceOfRain: 'b' } })).toEqual([
    'en.json the message key chanceOfRain: "chance" is not a word of the field, use randomness',
  ])
})
