import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTables, motoResources } from '../../scripts/aws-instance-types.ts'

test('the tables that come with Kerf are what the script makes of the emulator’s', { timeout: 600_000 }, () => {
  const tables = Object.entries(makeTables(motoResources()))
  expect(tables.map(([file]) => file)).toEqual(['instance-types.ts', 'region-offers.ts'])
  for (const [file, text] of tables) {
    const path = new URL(`../../providers/aws/src/tables/generated/${file}`, import.meta.url)
    expect(readFileSync(path, 'utf8') === text, file).toBe(true)
  }
})
