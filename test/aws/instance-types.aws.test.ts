import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTable, motoResources } from '../../scripts/aws-instance-types.ts'

test('the instance types that come with Kerf are what the script makes of the emulator’s', { timeout: 600_000 }, () => {
  const file = new URL('../../providers/aws/src/tables/generated/instance-types.ts', import.meta.url)
  expect(readFileSync(file, 'utf8') === makeTable(motoResources())).toBe(true)
})
