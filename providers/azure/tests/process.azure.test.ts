import { karpenterKinds, kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import { CLUSTER, LOCATION, readCustomData, variablesIn } from '@kerf/provider-azure/testing'
import { expect, test } from 'vitest'
import { AzureProcess } from './azure-process.ts'

describeWithCustomResources('kerf run --provider=azure', (shared) => {
  test('ten pods get VMs, and nothing is left after they are deleted', async () => {
    const story = await AzureProcess.open(shared())
    const { client, nodes, served, until } = story
    const { azure } = served
    try {
      await story.launchTenPods()
      for (const claim of await story.claims()) {
        const vm = nodes.vms().find(({ name }) => name === claim.status?.nodeName)
        expect(claim.metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': vm?.properties.hardwareProfile?.vmSize,
          'topology.kubernetes.io/zone': `${LOCATION}-${vm?.zones?.[0]}`,
        })
        expect(vm?.tags).toMatchObject({
          team: 'web',
          'karpenter.azure.com_cluster': CLUSTER,
          'karpenter.sh_nodepool': 'general',
        })
        const variables = variablesIn(readCustomData(azure, vm?.name ?? ''))
        expect(variables.get('TLS_BOOTSTRAP_TOKEN')).toBe(served.env['KUBELET_BOOTSTRAP_TOKEN'])
        expect(claim.status?.imageID).toMatch(/202601\.05\.0$/)
      }
      expect(served.tokensShown()).toBe(1)

      await client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: 0 } } },
      )
      await until('every VM, interface and disk gone', async () => azure.resources().length === 0)
      await until('every claim gone', async () => (await story.claims()).length === 0)
      await client.delete(karpenterKinds.NodePool, { name: 'general' })
      await client.delete(aksNodeClassKind, { name: 'default' })
      await until('the class gone', async () => (await client.list(aksNodeClassKind)).items.length === 0)
      await story.stop()
    } finally {
      await story.close()
    }
  })
})
