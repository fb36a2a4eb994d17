import { awsLabels } from '@kerf/apis'
import { parseSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { UsageError } from '../cli-error.ts'
import { runSettings } from '../run/run-settings.ts'
import { openInstanceTypes, priceNote } from './instance-types.ts'

test('without a choice the instance types are those of the KWOK provider; aws gives those of EC2', async () => {
  expect((await openInstanceTypes({})).length).toBe(144)
  expect(await openInstanceTypes({ instanceTypes: 'kwok' })).toEqual(await openInstanceTypes({}))
  const types = await openInstanceTypes({ instanceTypes: 'aws' })
  expect(types.map(({ name }) => name)).toContain('m7g.2xlarge')
  expect(types[0]?.requirements.map(({ key }) => key)).toContain(awsLabels.category)
})

test('--catalogue NAME is what --instance-types NAME is', async () => {
  expect(await openInstanceTypes({ catalogue: 'aws' })).toEqual(await openInstanceTypes({ instanceTypes: 'aws' }))
})

test('only estimated prices need a note', () => {
  expect(priceNote({})).toBeUndefined()
  expect(priceNote({ instanceTypes: 'mine.json' })).toBeUndefined()
  expect(priceNote({ instanceTypes: 'aws' })).toMatch(/spot is an estimate/)
  expect(priceNote({ catalogue: 'aws' })).toMatch(/spot is an estimate/)
})

test('what is no name is a file; both flags are a contradiction', async () => {
  const read: string[] = []
  const readFile = async (file: string) => {
    read.push(file)
    return []
  }
  expect(await openInstanceTypes({ instanceTypes: 'mine.json' }, readFile)).toEqual([])
  expect(read).toEqual(['mine.json'])
  await expect(openInstanceTypes({ catalogue: 'kwok', instanceTypes: 'mine.json' }, readFile)).rejects.toThrow(
    UsageError,
  )
})

test.each([
  [{}, 'kwok'],
  [{ KWOK_CATALOGUE: 'aws' }, 'aws'],
])('kerf run with %j takes the instance types of %s', (env, expected) => {
  expect(parseSettings(runSettings, env, {}).settings.catalogue).toBe(expected)
})
