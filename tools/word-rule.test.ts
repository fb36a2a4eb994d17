import { expect, test } from 'vitest'
import { messageKeyProblems, wordProblems } from './word-rule.ts'

const ownWords = [{ below: 'providers/acme/', words: ['machine'] }]
const problems = (path: string, text = '') => wordProblems([{ path, text }], ownWords)

test('exported names, file names and flags may not use a private word', () => {
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

test('prose, names inside a file, and parts of other words are free', () => {
  expect(
    problems('packages/engine/src/a.ts', '// the wishes of a pod\nconst wishes = 1\nexport const roomy = wishes'),
  ).toEqual([])
  expect(problems('packages/runtime/src/errors.ts', 'export const errorCatalogue = 1')).toEqual([])
})

test('Cluster API calls its instances machines, and only its provider may', () => {
  expect(problems('providers/acme/src/objects/machine.ts', 'export interface MachineSet {')).toEqual([])
  expect(problems('providers/acme/src/a.ts', 'export const wishes = 1')).toHaveLength(1)
  expect(problems('providers/umbra/src/machine.ts', 'export interface MachineSet {')).toHaveLength(2)
})

test('keys of messages may not use a private word, however deep they are', () => {
  expect(messageKeyProblems('en.json', { pods: { waiting: 'a', chanceOfRain: 'b' } })).toEqual([
    'en.json the message key chanceOfRain: "chance" is not a word of the field, use randomness',
  ])
})
