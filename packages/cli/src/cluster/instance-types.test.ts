import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instanceTypeToJson } from '@kerf/engine'
import { accountFile } from '@kerf/provider-aws'
import { awsLabels } from '@kerf/provider-aws/node-class'
import { nodePool } from '@kerf/testing'
import { afterAll, expect, test } from 'vitest'
import { openTypes } from './instance-types.ts'
import { foreignPricesNote, priceMarkOf } from './opened-types.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const fileOf = (name: string, document: unknown): string => {
  const file = join(directory, name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

const inZones = (...values: readonly string[]) =>
  nodePool('web', { requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [...values] }] })

test('by default the instance types are those of the KWOK provider; aws has those of EC2', async () => {
  const { types, regionNote, priceNote } = await openTypes({})
  expect(types.length).toBe(144)
  expect([regionNote, priceNote]).toEqual([undefined, undefined])
  const ec2 = await openTypes({ instanceTypes: 'aws' })
  expect(ec2.types.map(({ name }) => name)).toContain('m7g.2xlarge')
  expect(ec2.types[0]?.requirements.map(({ key }) => key)).toContain(awsLabels.category)
  expect(ec2.priceNote).toMatch(/spot is an estimate/)
})

test('the region is the one of the objects, with a note; only its prices need no mark', async () => {
  const usual = await openTypes({ instanceTypes: 'aws' })
  expect(usual.regionNote).toBe('region us-east-1, because nothing names one; see --region')
  expect(priceMarkOf(usual)).toBe('')
  expect(foreignPricesNote(usual)).toBeUndefined()
  const ireland = await openTypes({ instanceTypes: 'aws' }, [inZones('eu-west-1a')])
  expect(ireland.regionNote).toBe('region eu-west-1, as NodePool web has it')
  expect(ireland.offer?.region.region).toBe('eu-west-1')
  expect(priceMarkOf(ireland)).toBe('~')
  expect(foreignPricesNote(ireland)).toBe(
    '~ prices of us-east-1: those of eu-west-1 do not come with Kerf; kerf aws instance-types reads them',
  )
  const chosen = await openTypes({ instanceTypes: 'aws', region: 'sa-east-1' }, [inZones('eu-west-1a')])
  expect(chosen.regionNote).toBe('region sa-east-1, as --region says')
})

test('an unknown region is refused, with the remedy', async () => {
  await expect(openTypes({ instanceTypes: 'aws', region: 'eu-west-9' })).rejects.toThrow(
    /^--region eu-west-9: the instance types of eu-west-9 do not come with Kerf; write what aws says of it to a file/,
  )
  await expect(openTypes({ instanceTypes: 'aws' }, [inZones('us-gov-west-1a')])).rejects.toThrow(
    /^NodePool web is in us-gov-west-1: /,
  )
  await expect(openTypes({ region: 'eu-west-1' })).rejects.toThrow(
    '--region is for providers with regions, and kwok has none',
  )
})

test('a file of one region has the prices of that region, and is refused for another region', async () => {
  const type = { InstanceType: 'm5.large', VCpuInfo: { DefaultVCpus: 2 }, MemoryInfo: { SizeInMiB: 8192 } }
  const prices = { onDemand: new Map([['m5.large', 0.1]]), spot: new Map() }
  const account = accountFile({ region: 'us-east-1', types: [{ type, zones: ['us-east-1a'] }], prices })
  const file = fileOf('account.json', JSON.parse(account))
  const opened = await openTypes({ instanceTypes: file })
  expect([priceMarkOf(opened), foreignPricesNote(opened)]).toEqual(['', undefined])
  await expect(openTypes({ instanceTypes: file, region: 'eu-west-1' })).rejects.toThrow(
    'has the instance types of us-east-1',
  )
})

test('a file may be the response of a running controller, by pool', async () => {
  const [first, second] = (await openTypes({})).types
  if (first === undefined || second === undefined) throw new Error('there are types')
  const lists = [[instanceTypeToJson(first)], [instanceTypeToJson(second)]]
  const file = fileOf('answer.json', { lists, pools: { a: 0, b: 1 }, wellKnownLabels: [] })
  const { types, byPool } = await openTypes({ instanceTypes: file })
  expect(types.map(({ name }) => name).sort()).toEqual([first.name, second.name].sort())
  expect(byPool?.get('b')?.[0]?.capacity).toEqual(second.capacity)
  await expect(openTypes({ instanceTypes: file, region: 'eu-west-1' })).rejects.toThrow('are taken as they stand')
  const wrong = fileOf('wrong.json', { lists, pools: { a: 7 } })
  await expect(openTypes({ instanceTypes: wrong })).rejects.toThrow('pools.a names no list')
})

test('or a file may have the format of the KWOK provider; other files are refused with the reason', async () => {
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
  expect((await openTypes({ instanceTypes: fileOf('own.json', [entry]) })).types.map(({ name }) => name)).toEqual([
    'own',
  ])
  await expect(openTypes({ instanceTypes: fileOf('object.json', { kind: 'Other' }) })).rejects.toThrow(
    'expected a list',
  )
  await expect(openTypes({ instanceTypes: join(directory, 'missing.json') })).rejects.toThrow('cannot be read')
  await expect(
    openTypes({ instanceTypes: fileOf('old.json', { kind: 'EC2InstanceTypes', version: 9 }) }),
  ).rejects.toThrow('version 9 is not 1')
})
