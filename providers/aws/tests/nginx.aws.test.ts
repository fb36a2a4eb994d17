import { findComponents } from '@kerf/control-plane'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { httpClient } from '../../../tests/integration/story/story-cluster.ts'
import { AwsAccount, openSandbox, startAwsStory } from './aws-story.ts'
import { runNginxStory } from './nginx-on-ec2.ts'

let account: AwsAccount
beforeEach(async () => {
  account = await AwsAccount.open()
})
afterEach(() => account.close())

describeWithCustomResources('ten nginx pods on EC2, on a real control plane', (shared) => {
  test('get instances, and leave nothing behind', async () => {
    const client = httpClient(shared())
    const story = await startAwsStory(client, account)
    try {
      await runNginxStory(story)
    } finally {
      await story.close()
      await client.close()
    }
  })
})

describe.runIf('missing' in findComponents())('ten nginx pods on EC2, in the sandbox', () => {
  test('get instances, and leave nothing behind', async () => {
    const cluster = await openSandbox(1)
    const story = await startAwsStory(cluster.client, account, { seed: 1 })
    try {
      await runNginxStory(story)
    } finally {
      await story.close()
      await cluster.close()
    }
  })
})
