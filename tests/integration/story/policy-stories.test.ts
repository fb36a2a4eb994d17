import { freePort } from '@kerf/control-plane'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { test } from 'vitest'
import { KerfProcess } from './kerf-process.ts'
import { policyStories } from './policy-stories.ts'
import { scrape } from './scrape.ts'
import { emptied, realStory } from './story-cluster.ts'

describeWithCustomResources('policies, on a real control plane', (shared) => {
  test.each(policyStories)('%s', async (_name, tell) => {
    const port = await freePort()
    const cluster = await realStory(
      await emptied(shared()),
      async () => {
        const flags = ['--disable-leader-election', '--log-format=json', `--metrics-port=${port}`]
        const kerf = KerfProcess.start(shared().kubeconfig, flags, { SYSTEM_NAMESPACE: 'kube-system' })
        return async () => {
          await kerf.stop()
        }
      },
      () => scrape(port),
    )
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})
