import { expect, test } from 'vitest'
import { awsTables } from '../tables/generator.ts'
import { importTables } from '../tables/import.ts'
import { AwsAccount } from './aws-story.ts'

test('the published tables equal those of the emulator', () => {
  const tables = Object.entries(importTables())
  expect(tables.map(([name]) => name)).toEqual(['instance-types', 'region-offers'])
  for (const [name, text] of tables) expect(awsTables.published(name) === text, name).toBe(true)
})

test('every instance type of the emulator is read', async () => {
  const account = await AwsAccount.open()
  try {
    account.proxy.types = []
    const { ec2 } = account.api(account.proxy.endpoint)
    const types = await ec2.describeInstanceTypes(new AbortController().signal)
    expect(types.length).toBeGreaterThan(1_300)
    // Kerf keeps only the fields that its decisions need.
    expect(Object.keys(types[0] ?? {})).not.toContain('SupportedRootDeviceTypes')
  } finally {
    await account.close()
  }
})
