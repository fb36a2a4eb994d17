import { awsLabels } from '@kerf/apis'
import { parseSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { UsageError } from '../cli-error.ts'
import { runSettings } from '../run/run-settings.ts'
import { openCatalogue, priceNote } from './machine-catalogue.ts'

test('without a choice the machines are those of the KWOK provider; aws gives those of EC2', async () => {
  expect((await openCatalogue({})).length).toBe(144)
  expect(await openCatalogue({ catalogue: 'kwok' })).toEqual(await openCatalogue({}))
  const types = await openCatalogue({ catalogue: 'aws' })
  expect(types.map(({ name }) => name)).toContain('m7g.2xlarge')
  expect(types[0]?.requirements.map(({ key }) => key)).toContain(awsLabels.category)
})

test('only estimated prices need a note', () => {
  expect(priceNote({})).toBeUndefined()
  expect(priceNote({ catalogue: 'aws' })).toMatch(/spot is an estimate/)
})

test('a file goes to whoever reads files; a name besides is a contradiction', async () => {
  const read: string[] = []
  const readFile = async (file: string) => {
    read.push(file)
    return []
  }
  expect(await openCatalogue({ instanceTypes: 'mine.json' }, readFile)).toEqual([])
  expect(read).toEqual(['mine.json'])
  await expect(openCatalogue({ catalogue: 'kwok', instanceTypes: 'mine.json' }, readFile)).rejects.toThrow(UsageError)
})

test.each([
  [{}, 'kwok'],
  [{ KWOK_CATALOGUE: 'aws' }, 'aws'],
])('kerf run with %j has the catalogue %s', (env, expected) => {
  expect(parseSettings(runSettings, env, {}).settings.catalogue).toBe(expected)
})
