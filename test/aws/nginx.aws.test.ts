import { describeOnCluster } from '@kerf/control-plane/testing'
import { afterEach, beforeEach, test } from 'vitest'
import { emptied, httpClient } from '../story/story-cluster.ts'
import { AwsAccount, startAwsStory } from './aws-story.ts'
import { runNginxStory } from './nginx-on-ec2.ts'

let account: AwsAccount
// For each attempt its own: what one that failed left running is nobody else's.
beforeEach(async () => {
  account = await AwsAccount.open()
}, 10 * 60_000)
afterEach(() => account.close())

describeOnCluster('ten nginx pods on EC2, on a real control plane', (shared) => {
  test('get instances, and leave nothing behind', { timeout: 300_000 }, async () => {
    const client = httpClient(await emptied(shared()))
    const story = await startAwsStory(client, account)
    try {
      await runNginxStory(story)
    } finally {
      await story.close()
      await client.close()
    }
  })
})
