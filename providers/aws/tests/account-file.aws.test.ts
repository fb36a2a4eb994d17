import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceType } from '@kerf/engine'
import { SystemClock } from '@kerf/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTypes } from '../../../packages/cli/src/cluster/instance-types.ts'
import { runAwsInstanceTypes } from '../src/verbs/run-instance-types.ts'
import { AwsAccount } from './aws-story.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-account-'))
let account: AwsAccount
beforeAll(async () => {
  account = await AwsAccount.open('nothing')
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await account.close()
})

/** Returns the instance types sorted by name and without prices. */
const shapes = (types: readonly InstanceType[]): readonly unknown[] =>
  types
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((type) => ({ ...type, offerings: type.offerings.map(({ price: _, ...offering }) => offering) }))

test('kerf aws instance-types, through the SDK, writes the types and zones of the tables with the prices of the account', async () => {
  account.proxy.types = ['c5.xlarge', 'm5.large', 'm7g.2xlarge', 'g5.xlarge', 'u7i-12tb.224xlarge']
  account.proxy.priceOf = (_, capacityType) => (capacityType === 'spot' ? 3 : 7)
  let [out, err] = ['', '']
  await runAwsInstanceTypes(
    { region: 'us-east-1' },
    { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) }, env: {} },
    { clock: new SystemClock(), api: () => account.api(account.proxy.endpoint) },
  )
  expect(err).toBe('')
  const file = join(directory, 'us-east-1.json')
  writeFileSync(file, out)
  const [asked, bundled] = [await openTypes({ instanceTypes: file }), await openTypes({ instanceTypes: 'aws' })]
  const names = new Set(account.proxy.types)
  expect(asked.types.length).toBe(names.size)
  expect(shapes(asked.types)).toEqual(shapes(bundled.types.filter(({ name }) => names.has(name))))
  expect(new Set(asked.types.flatMap(({ offerings }) => offerings.map(({ price }) => price)))).toEqual(new Set([3, 7]))
})

test('an access error of the emulated API names the missing permission', async () => {
  account.proxy.fault = (action) =>
    action === 'GetProducts' ? { status: 400, code: 'AccessDeniedException', message: 'not allowed' } : undefined
  const streams = { stdout: { write: () => true }, stderr: { write: () => true }, env: {} }
  await expect(
    runAwsInstanceTypes({ region: 'us-east-1' }, streams, {
      clock: new SystemClock(),
      api: () => account.api(account.proxy.endpoint),
    }),
  ).rejects.toThrow(/on-demand prices of us-east-1 \(AccessDenied.*need pricing:GetProducts$/)
})
