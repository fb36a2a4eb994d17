import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountFile } from '@kerf/provider-aws'
import { awsLabels } from '@kerf/provider-aws/node-class'
import { nodePool } from '@kerf/testing'
import { afterAll, expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { foreignPricesNote, typesPriceMark } from '../../../../packages/cli/src/cluster/opened-types.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const fileOf = (name: string, document: unknown): string => {
  const file = join(directory, name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

const inZones = (...values: readonly string[]) =>
  nodePool('web', { requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [...values] }] })

test('the types are those of EC2, with estimated spot prices', async () => {
  const { types, priceNote } = await openTypes({ instanceTypes: 'aws' })
  expect(types.map(({ name }) => name)).toContain('m7g.2xlarge')
  expect(types[0]?.requirements.map(({ key }) => key)).toContain(awsLabels.category)
  expect(priceNote).toMatch(/spot is estimated/)
})

test('the region is the one of the objects, with a note; only its prices need no mark', async () => {
  const usual = await openTypes({ instanceTypes: 'aws' })
  expect(usual.regionNote).toBe('using region us-east-1 (no region found; set --region)')
  expect(typesPriceMark(usual)).toBe('')
  expect(foreignPricesNote(usual)).toBeUndefined()
  const ireland = await openTypes({ instanceTypes: 'aws' }, [inZones('eu-west-1a')])
  expect(ireland.regionNote).toBe('region eu-west-1, from NodePool web')
  expect(ireland.offer?.region.region).toBe('eu-west-1')
  expect(typesPriceMark(ireland)).toBe('~')
  expect(foreignPricesNote(ireland)).toBe(
    '~ prices of us-east-1: Kerf does not include those of eu-west-1; kerf aws instance-types reads them',
  )
  const chosen = await openTypes({ instanceTypes: 'aws', region: 'sa-east-1' }, [inZones('eu-west-1a')])
  expect(chosen.regionNote).toBe('region sa-east-1 (--region)')
})

test('a region that no table has is refused', async () => {
  await expect(openTypes({ instanceTypes: 'aws' }, [inZones('us-gov-west-1a')])).rejects.toThrow(
    /^NodePool web is in us-gov-west-1: /,
  )
})

test('a file of one region has the prices of that region, and is refused for another region', async () => {
  const type = { InstanceType: 'm5.large', VCpuInfo: { DefaultVCpus: 2 }, MemoryInfo: { SizeInMiB: 8192 } }
  const prices = { onDemand: new Map([['m5.large', 0.1]]), spot: new Map() }
  const account = accountFile({ region: 'us-east-1', types: [{ type, zones: ['us-east-1a'] }], prices })
  const file = fileOf('account.json', JSON.parse(account))
  const opened = await openTypes({ instanceTypes: file })
  expect([typesPriceMark(opened), foreignPricesNote(opened)]).toEqual(['', undefined])
  await expect(openTypes({ instanceTypes: file, region: 'eu-west-1' })).rejects.toThrow(
    'has the instance types of us-east-1',
  )
})

test('a file of another version is refused', async () => {
  const file = fileOf('old.json', { kind: 'EC2InstanceTypes', version: 9 })
  await expect(openTypes({ instanceTypes: file })).rejects.toThrow('version 9 is not supported')
})
