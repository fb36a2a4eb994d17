import { kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { AzureProcess } from './azure-process.ts'
import { startUpgradedServer } from './upgraded-server.ts'

const NEWER = { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' }
const UPGRADED = 'v1.37.1'

describeWithCustomResources('kerf run --provider=azure, after a restart', (shared) => {
  test('a new image and a new version replace the VMs of ten pods', async () => {
    const cluster = shared()
    const story = await AzureProcess.open(cluster)
    const { client, nodes, until } = story
    const { azure } = story.served
    const upgraded = await startUpgradedServer(cluster.kubeconfig, UPGRADED)
    try {
      await story.launchTenPods()

      azure.offer.imageVersions = [NEWER, ...azure.offer.imageVersions]
      await story.restart(cluster.kubeconfig)
      await until(
        'every node of the new image',
        async () =>
          (await story.claims()).every(({ status }) => status?.imageID?.endsWith(NEWER.name)) &&
          (await story.isSettled()),
      )

      await story.restart(upgraded.kubeconfig)
      await until('every node of the new version', async () => {
        const { items } = await client.list(kinds.Node)
        const isNew = items.every(({ status }) => status?.nodeInfo?.kubeletVersion === UPGRADED)
        return isNew && items.length === nodes.vms().length && (await story.isSettled())
      })
      expect(await story.claims()).not.toEqual([])
      await story.stop()
    } finally {
      await story.close()
      upgraded.close()
    }
  })
})
