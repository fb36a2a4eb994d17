import { sampled } from '@kerf/testing'
import { describe, test } from 'vitest'
import { stories } from './node-life-stories.ts'
import { sandboxStory } from './story-cluster.ts'

describe('the life of nodes, in the sandbox', () => {
  test.each(sampled(stories, 4, 'the life of nodes'))('%s', async (_name, tell) => {
    const cluster = await sandboxStory()
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})
