import { type KubeObject, karpenterKinds, kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import {
  CLUSTER,
  customDataOf,
  FakeAzure,
  LOCATION,
  type ServedAzure,
  serveAzure,
  variablesIn,
} from '@kerf/provider-azure/testing'
import { SystemClock } from '@kerf/runtime'
import { aksNodeClass } from '@kerf/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nginx, nodePool } from '../aws/manifests.ts'
import { KerfProcess } from '../story/kerf-process.ts'
import { running } from '../story/nginx-story.ts'
import { httpClient, installCrds } from '../story/story-cluster.ts'
import { realUntil } from '../story/until.ts'
import { AzureNodes } from './azure-nodes.ts'
import { startUpgradedServer } from './upgraded-server.ts'

const NEWER = { name: '202602.02.0', publishedDate: '2026-02-02T00:00:00+00:00' }
const UPGRADED = 'v1.37.1'

let served: ServedAzure
// For each attempt its own: what one that failed left running is nobody else's.
beforeEach(async () => {
  const durations = { nic: 200, creation: 2_000, deletion: 1_000 }
  served = await serveAzure((endpoint) => new FakeAzure(new SystemClock(), { endpoint, durations }))
})
afterEach(() => served.close())

describeWithCustomResources('kerf run --provider=azure', (shared) => {
  test('ten pods get VMs, a new image and a new version replace these, and nothing is left', {
    timeout: 400_000,
  }, async () => {
    const { azure } = served
    const cluster = shared()
    const client = httpClient(cluster)
    await installCrds(client)
    const start = (kubeconfig: string): KerfProcess =>
      KerfProcess.start(kubeconfig, ['--provider=azure', '--disable-leader-election'], {
        ...served.env,
        SYSTEM_NAMESPACE: 'kube-system',
      })
    let kerf = start(cluster.kubeconfig)
    const nodes = new AzureNodes(client, azure)
    nodes.start()
    const until = realUntil(client, () => kerf.output)
    const claims = async () => (await client.list(karpenterKinds.NodeClaim)).items
    /** Ten pods run, and there is a VM for each claim and no other. */
    const isSettled = async (): Promise<boolean> =>
      (await running(client)).length === 10 && (await claims()).length === nodes.vms().length
    const restart = async (kubeconfig: string): Promise<void> => {
      expect(await kerf.stop()).toBe(0)
      kerf = start(kubeconfig)
    }
    const upgraded = await startUpgradedServer(cluster.kubeconfig, UPGRADED)
    try {
      // A definition that has just been installed needs a moment.
      await until('the class served', async () => {
        const kindsServed = [karpenterKinds.AKSNodeClass, karpenterKinds.NodePool, karpenterKinds.NodeClaim]
        const answers = await Promise.allSettled(kindsServed.map((kind) => client.list<KubeObject>(kind)))
        return answers.every(({ status }) => status === 'fulfilled')
      })
      await client.create(karpenterKinds.AKSNodeClass, aksNodeClass('default', { spec: { tags: { team: 'web' } } }))
      const classRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' }
      await client.create(
        karpenterKinds.NodePool,
        nodePool({ template: { spec: { nodeClassRef: classRef, expireAfter: 'Never', requirements: [] } } }),
      )
      await client.create(kinds.Deployment, nginx(10))

      await until('ten nginx pods running', isSettled)
      for (const claim of await claims()) {
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
        const variables = variablesIn(customDataOf(azure, vm?.name ?? ''))
        expect(variables.get('TLS_BOOTSTRAP_TOKEN')).toBe(served.env['KUBELET_BOOTSTRAP_TOKEN'])
        expect(claim.status?.imageID).toMatch(/202601\.05\.0$/)
      }
      expect(served.tokensShown()).toBe(1)

      azure.offer.imageVersions = [NEWER, ...azure.offer.imageVersions]
      await restart(cluster.kubeconfig)
      await until(
        'every node of the new image',
        async () =>
          (await claims()).every(({ status }) => status?.imageID?.endsWith(NEWER.name)) && (await isSettled()),
      )

      await restart(upgraded.kubeconfig)
      await until('every node of the new version', async () => {
        const { items } = await client.list(kinds.Node)
        const isNew = items.every(({ status }) => status?.nodeInfo?.kubeletVersion === UPGRADED)
        return isNew && items.length === nodes.vms().length && (await isSettled())
      })

      await client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: 0 } } },
      )
      await until('every VM, interface and disk gone', async () => azure.resources().length === 0)
      await until('every claim gone', async () => (await claims()).length === 0)
      await client.delete(karpenterKinds.NodePool, { name: 'general' })
      await client.delete(karpenterKinds.AKSNodeClass, { name: 'default' })
      await until('the class gone', async () => (await client.list(karpenterKinds.AKSNodeClass)).items.length === 0)
      expect(await kerf.stop()).toBe(0)
    } finally {
      await kerf.kill()
      await nodes.stop()
      upgraded.close()
      await client.close()
    }
  })
})
