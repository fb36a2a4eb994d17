import { describe, test } from 'vitest'
import { policyStories } from './policy-stories.ts'
import { sandboxStory } from './story-cluster.ts'

describe('policies, in the sandbox', () => {
  test.each(policyStories)('%s', async (_name, tell) => {
    const cluster = await sandboxStory()
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})
