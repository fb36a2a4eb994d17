import { afterEach, beforeEach, expect, test } from 'vitest'
import { AwsAccount, openSandbox, startAwsStory } from './aws-story.ts'
import { runNginxStory } from './nginx-on-ec2.ts'

const never = new AbortController().signal

let account: AwsAccount
// For each attempt its own: what one that failed left running is nobody else's.
beforeEach(async () => {
  account = await AwsAccount.open()
}, 10 * 60_000)
afterEach(() => account.close())

test('through the SDK, in the sandbox, ten nginx pods get instances, and leave nothing behind', {
  timeout: 180_000,
}, async () => {
  const cluster = await openSandbox(1)
  const story = await startAwsStory(cluster.client, account, { seed: 1 })
  try {
    await runNginxStory(story)
  } finally {
    await story.close()
    await cluster.close()
  }
})

test('every instance type of the emulator is read', { timeout: 240_000 }, async () => {
  const { proxy } = account
  const only = proxy.types
  proxy.types = []
  try {
    const types = await account.api(proxy.endpoint).ec2.describeInstanceTypes(never)
    expect(types.length).toBeGreaterThan(1_300)
    // Only what decisions are made from is kept.
    expect(Object.keys(types[0] ?? {})).not.toContain('SupportedRootDeviceTypes')
  } finally {
    proxy.types = only
  }
})
