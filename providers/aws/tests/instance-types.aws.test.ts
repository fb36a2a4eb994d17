import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTables, motoResources } from '../../../tools/aws-instance-types.ts'
import { AwsAccount } from './aws-story.ts'

test('the built-in tables equal the output of the script for the emulator', () => {
  const tables = Object.entries(makeTables(motoResources()))
  expect(tables.map(([file]) => file)).toEqual(['instance-types.ts', 'region-offers.ts'])
  for (const [file, text] of tables) {
    const path = new URL(`../src/tables/generated/${file}`, import.meta.url)
    expect(readFileSync(path, 'utf8') === text, file).toBe(true)
  }
})

test('every instance type of the emulator is read', async () => {
  const account = await AwsAccount.open()
  try {
    account.proxy.types = []
    const { ec2 } = account.api(account.proxy.endpoint)
    const types = await ec2.describeInstanceTypes(new AbortController().signal)
    expect(types.length).toBeGreaterThan(1_300)
    // Only the fields that decisions need are kept.
    expect(Object.keys(types[0] ?? {})).not.toContain('SupportedRootDeviceTypes')
  } finally {
    await account.close()
  }
})
