import { freePort } from '@kerf/control-plane'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { afterAll, beforeAll, test } from 'vitest'
import { KerfProcess } from './kerf-process.ts'
import { stories } from './node-life-stories.ts'
import { scrape } from './scrape.ts'
import { realStory, type StoryCluster } from './story-cluster.ts'

// The stories use separate NodePools and namespaces, and run in parallel with one Kerf process.
describeWithCustomResources('the life of nodes, on a real control plane', (shared) => {
  let cluster: StoryCluster | undefined
  beforeAll(async () => {
    const port = await freePort()
    cluster = await realStory(
      shared(),
      async () => {
        const flags = [
          '--disable-leader-election',
          '--log-format=json',
          `--metrics-port=${port}`,
          '--feature-gates=StaticCapacity=true',
        ]
        const kerf = KerfProcess.start(shared().kubeconfig, flags)
        return async () => {
          await kerf.stop()
        }
      },
      () => scrape(port),
    )
  })
  afterAll(() => cluster?.close())

  test.concurrent.each(stories)('%s', async (_name, tell) => {
    if (cluster === undefined) throw new Error('no cluster')
    await tell(cluster)
  })
})
