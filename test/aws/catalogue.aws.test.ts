import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeCatalogue, motoResources } from '../../scripts/aws-catalogue.ts'

test('the instance types that come with Kerf are what the script makes of the emulator’s', { timeout: 600_000 }, () => {
  const file = new URL('../../providers/aws/src/tables/generated/instance-catalogue.ts', import.meta.url)
  expect(readFileSync(file, 'utf8') === makeCatalogue(motoResources())).toBe(true)
})
