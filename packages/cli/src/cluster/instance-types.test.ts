import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceTypeToJson } from '@kerf/engine'
import { afterAll, expect, test } from 'vitest'
import { knownProviders } from '../providers.ts'
import { openTypes } from './instance-types.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const writeDocument = (name: string, document: unknown): string => {
  const file = join(directory, name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

/** The providers whose instance types differ by region. */
const regional = knownProviders.filter(({ instanceTypes }) => instanceTypes?.regions !== undefined)

test('by default the instance types are those of the KWOK provider', async () => {
  const { types, regionNote, priceNote } = await openTypes({})
  expect(types.length).toBe(144)
  expect([regionNote, priceNote]).toEqual([undefined, undefined])
})

test('a region is refused for a provider without regions', async () => {
  await expect(openTypes({ region: 'eu-west-1' })).rejects.toThrow(
    '--region is for providers with regions, and kwok has none',
  )
})

test.each(regional)('an unknown region of $name is refused, with the remedy', async ({ name, instanceTypes }) => {
  const { fileCommand, names = [] } = instanceTypes?.regions ?? {}
  const file = fileCommand === undefined ? '' : `write the instance types of ${name} to a file, with ${fileCommand} `
  await expect(openTypes({ instanceTypes: name, region: 'nowhere-9' })).rejects.toThrow(
    `--region nowhere-9: the instance types of nowhere-9 do not come with Kerf; ${file}`,
  )
  await expect(openTypes({ instanceTypes: name, region: 'nowhere-9' })).rejects.toThrow(
    `choose one of ${names.join(', ')}`,
  )
})

test('a file may contain the response of a running controller, which lists types by NodePool', async () => {
  const [first, second] = (await openTypes({})).types
  if (first === undefined || second === undefined) throw new Error('there are types')
  const lists = [[instanceTypeToJson(first)], [instanceTypeToJson(second)]]
  const file = writeDocument('answer.json', { lists, pools: { a: 0, b: 1 }, wellKnownLabels: [] })
  const { types, byPool } = await openTypes({ instanceTypes: file })
  expect(types.map(({ name }) => name).sort()).toEqual([first.name, second.name].sort())
  expect(byPool?.get('b')?.[0]?.capacity).toEqual(second.capacity)
  await expect(openTypes({ instanceTypes: file, region: 'eu-west-1' })).rejects.toThrow('are used unchanged')
  const wrong = writeDocument('wrong.json', { lists, pools: { a: 7 } })
  await expect(openTypes({ instanceTypes: wrong })).rejects.toThrow('pools.a has no list')
})

test('a file may have the format of the KWOK provider; other files are refused with the reason', async () => {
  const entry = {
    name: 'own',
    architecture: 'amd64',
    operatingSystems: ['linux'],
    resources: { cpu: '2', memory: '4Gi' },
    offerings: [
      {
        Price: 0.1,
        Available: true,
        Requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z'] },
        ],
      },
    ],
  }
  expect(
    (await openTypes({ instanceTypes: writeDocument('own.json', [entry]) })).types.map(({ name }) => name),
  ).toEqual(['own'])
  await expect(openTypes({ instanceTypes: writeDocument('object.json', { kind: 'Other' }) })).rejects.toThrow(
    'expected a list',
  )
  await expect(openTypes({ instanceTypes: join(directory, 'missing.json') })).rejects.toThrow('cannot be read')
})
