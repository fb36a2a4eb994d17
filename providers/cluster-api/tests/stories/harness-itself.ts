import { kinds, type Node } from '@kerf/apis'
import { overConflicts } from '@kerf/runtime/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ClusterApiHarness } from '../src/harness.ts'
import { clusterApiKinds } from '../src/kinds.ts'

const DEPLOYMENT = 'small'
const UNREGISTERED = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const
const TIER = 'node.cluster.x-k8s.io/tier'

/** Defines tests of the harness itself. */
export const defineHarnessTests = (harnessOf: () => ClusterApiHarness): void => {
  describe('the harness', () => {
    let harness: ClusterApiHarness
    beforeAll(async () => {
      harness = harnessOf()
      await harness.workload.addWorkers({
        name: DEPLOYMENT,
        replicas: 0,
        annotations: {
          'capacity.cluster-autoscaler.kubernetes.io/cpu': '3',
          'capacity.cluster-autoscaler.kubernetes.io/memory': '5Gi',
        },
        machineLabels: { [TIER]: 'web' },
        taints: [UNREGISTERED],
        nodeLabels: { 'node.kubernetes.io/instance-type': 'small' },
      })
    })

    const workers = async (): Promise<readonly Node[]> =>
      (await harness.nodes.list(kinds.Node, { labelSelector: TIER })).items
    const settledAt = async (count: number): Promise<void> => {
      await harness.until(`${count} running machines`, async () => {
        const machines = await harness.machines(DEPLOYMENT)
        return machines.length === count && machines.every(({ status }) => status?.phase === 'Running')
      })
      await harness.until(`${count} nodes on the real control plane`, async () => (await workers()).length === count)
    }

    test('both API versions are served, and v1beta2 is the preferred one', async () => {
      const group = (await harness.client.raw('/apis/cluster.x-k8s.io')) as {
        readonly versions: readonly { readonly version: string }[]
        readonly preferredVersion: { readonly version: string }
      }
      expect(group.versions.map(({ version }) => version)).toEqual(['v1beta2', 'v1beta1'])
      expect(group.preferredVersion.version).toBe('v1beta2')
    })

    test('the admission webhooks refuse invalid changes as Cluster API does', async () => {
      const { namespace } = harness.workload
      const body = { spec: { clusterName: 'another' } }
      const moved = harness.client.patch(
        clusterApiKinds.MachineDeployment,
        { namespace, name: DEPLOYMENT },
        { type: 'merge', body },
      )
      await expect(moved).rejects.toThrow(/spec.clusterName: .*immutable/)
    })

    test('a scaled deployment gets machines whose nodes are mirrored', async () => {
      await harness.workload.scale(DEPLOYMENT, 3)
      await settledAt(3)
      const machines = await harness.machines(DEPLOYMENT)
      await harness.until('ready nodes', async () =>
        (await workers()).every(({ status }) =>
          status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'),
        ),
      )
      for (const node of await workers()) {
        const machine = machines.find(({ spec }) => spec.providerID === node.spec.providerID)
        expect(machine?.status?.nodeRef?.name).toBe(node.metadata.name)
        expect(node.metadata.labels).toMatchObject({ [TIER]: 'web', 'node.kubernetes.io/instance-type': 'small' })
        expect(node.spec.taints).toContainEqual(expect.objectContaining(UNREGISTERED))
        expect(node.status?.allocatable).toMatchObject({ cpu: '3', memory: '5Gi' })
      }
      // Cluster API removes the taint after it has written the labels of the Node.
      await harness.until('initialised nodes', async () =>
        (await workers()).every(({ spec }) =>
          spec.taints?.every(({ key }) => key !== 'node.cluster.x-k8s.io/uninitialized'),
        ),
      )
    })

    test('changes of labels, cordons and conditions are mirrored, and what others wrote stays', async () => {
      const [first] = await workers()
      const name = first?.metadata.name ?? ''
      const here = () => harness.nodes.get(kinds.Node, { name })
      await harness.nodes.patch(
        kinds.Node,
        { name },
        { type: 'merge', body: { metadata: { labels: { own: 'kept' } } } },
      )
      const labelled = { metadata: { labels: { [TIER]: 'cache' } } }
      const { namespace } = harness.workload
      await harness.client.patch(clusterApiKinds.Machine, { namespace, name }, { type: 'merge', body: labelled })
      // The in-memory API server responds with a conflict if its own controller writes at the same time.
      const cordon = { type: 'merge', body: { spec: { unschedulable: true } } } as const
      await overConflicts(() => harness.inMemory.patch(kinds.Node, { name }, cordon))
      await harness.until('the cordon', async () => (await here()).spec.unschedulable === true)
      expect((await here()).metadata.labels).toMatchObject({ own: 'kept' })
      expect((await here()).spec.taints).toContainEqual(expect.objectContaining(UNREGISTERED))
    })

    test('a pod that tolerates the taints runs', async () => {
      await harness.nodes.create(kinds.Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'default' },
        spec: {
          nodeSelector: { [TIER]: 'web' },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '2' } } }],
        },
      })
      const ref = { name: 'web', namespace: 'default' }
      await harness.until('the pod', async () => (await harness.nodes.get(kinds.Pod, ref)).status?.phase === 'Running')
      await harness.nodes.delete(kinds.Pod, ref)
    })

    test('the marked machine is deleted first when the deployment is scaled down', async () => {
      const { namespace } = harness.workload
      const machines = await harness.machines(DEPLOYMENT)
      const marked = machines.map(({ metadata }) => metadata.name).toSorted()[1] ?? ''
      const body = { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': 'true' } } }
      await harness.client.patch(clusterApiKinds.Machine, { namespace, name: marked }, { type: 'merge', body })
      await harness.workload.scale(DEPLOYMENT, 2)
      await settledAt(2)
      const left = machines.filter(({ metadata }) => metadata.name !== marked).map(({ metadata }) => metadata.name)
      expect((await harness.machines(DEPLOYMENT)).map(({ metadata }) => metadata.name).toSorted()).toEqual(
        left.toSorted(),
      )
      expect((await workers()).map(({ metadata }) => metadata.name).toSorted()).toEqual(left.toSorted())
    })

    test('a machine whose node is not ready is replaced', async () => {
      const { namespace } = harness.workload
      await harness.client.create(clusterApiKinds.MachineHealthCheck, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineHealthCheck',
        metadata: { namespace, name: DEPLOYMENT },
        spec: {
          clusterName: harness.workload.name,
          selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': DEPLOYMENT } },
          checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 1 }] },
        },
      })
      const failed = (await harness.machines(DEPLOYMENT))[0]?.metadata.name ?? ''
      await harness.failNode(failed)
      await harness.until('another machine', async () => {
        const machines = await harness.machines(DEPLOYMENT)
        return machines.length === 2 && machines.every(({ metadata }) => metadata.name !== failed)
      })
      await settledAt(2)
      await harness.client.delete(clusterApiKinds.MachineHealthCheck, { namespace, name: DEPLOYMENT })
    })

    test('the nodes survive a restart of the provider that holds them in its memory', async () => {
      const uids = async () => (await workers()).map(({ metadata }) => metadata.uid).toSorted()
      const before = await uids()
      await harness.managers.end('development-infrastructure')
      harness.managers.start('development-infrastructure')
      await harness.managers.untilReady('development-infrastructure')
      await harness.until('the nodes in memory', async () => {
        const nodes = await harness.inMemory.list(kinds.Node).catch(() => undefined)
        return nodes?.items.length === 3
      })
      expect(await uids()).toEqual(before)
    })

    test('the deployment scales down to zero', async () => {
      await harness.workload.scale(DEPLOYMENT, 0)
      await settledAt(0)
      // The remaining node belongs to the control plane machine.
      expect((await harness.nodes.list(kinds.Node)).items).toHaveLength(1)
    })
  })
}

/** Asserts at the end that no object of the workload cluster is left. */
export const expectNothingLeft = async (harness: ClusterApiHarness): Promise<void> => {
  await harness.deleteWorkload()
  expect(await harness.machines()).toEqual([])
  expect((await harness.nodes.list(kinds.Node)).items).toEqual([])
}
