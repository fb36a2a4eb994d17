import { isConditionTrue, karpenterKinds, kinds } from '@kerf/apis'
import { clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import { expect } from 'vitest'
import { ClusterApiStory } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'
import { clusterApiKinds } from '../src/kinds.ts'
import type { KerfInHand } from './management-away.ts'

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/'

/**
 * Creates MachineDeployments with invalid annotations. The status of the node class reports them, and pods still get nodes from a
 * valid MachineDeployment.
 */
export const runNonsenseStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'nonsense', {
    deployments: {
      'nonsense-good': { price: '0.5' },
      'nonsense-cpu': { annotations: { [`${CAPACITY}cpu`]: 'lots' } },
      'nonsense-gpu': { price: '0.9', annotations: { [`${CAPACITY}gpu-count`]: '1' } },
      'nonsense-size': {
        annotations: { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': 'as many as you like' },
      },
      'nonsense-price': { price: 'a fortune' },
    },
  })
  await story.reports('MembersClear=False', [
    'MachineDeployment default/nonsense-cpu',
    '"lots"',
    'MachineDeployment default/nonsense-gpu',
    'gpu-type',
    'MachineDeployment default/nonsense-size',
    '"as many as you like"',
  ])
  await story.reports('PricesKnown=False', ['default/nonsense-price', '"a fortune"'])
  expect(isConditionTrue(await story.nodeClass(), 'Ready')).toBe(true)
  await story.deploy(1, '3')
  await story.settledAt(1)
  const [machine] = await story.bound()
  expect(machine?.metadata.labels?.['cluster.x-k8s.io/deployment-name']).toBe('nonsense-good')
  // After the annotation is corrected, Kerf uses this MachineDeployment, because it is the cheapest.
  const cpu = { metadata: { annotations: { [`${CAPACITY}cpu`]: '4' } } }
  await harness.workload.change('nonsense-cpu', cpu)
  await story.scale(2)
  await story.settledAt(2)
  expect(await harness.machines('nonsense-cpu')).toHaveLength(1)
  expect(await harness.machines('nonsense-size')).toEqual([])
}

/** Two node classes select the same MachineDeployment: both report it, both launch from it, and no machine belongs to two NodeClaims. */
export const runTwoClassesStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'twice')
  await story.addClass('twice-too')
  for (const [name, other] of [
    ['twice', 'twice-too'],
    ['twice-too', 'twice'],
  ] as const) {
    const texts = [
      'SelectedTwice',
      `ClusterAPINodeClass ${other} also selects it`,
      'make their selectors mutually exclusive',
    ]
    await story.reports('MembersClear=False', texts, { name })
  }
  await story.deploy(1, '3')
  await story.settledAt(1)
  const { group, kind } = clusterApiNodeClassKind
  await story.patchPool({ template: { spec: { nodeClassRef: { group, kind, name: 'twice-too' } } } })
  await story.scale(2)
  await story.until(
    'two pods at work',
    async () => (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === 2,
  )
  // The changed reference is drift, so Kerf may already be replacing the first node. Each NodeClaim must have its own machine.
  const holders = (await story.machines()).flatMap(
    ({ metadata }) => metadata.annotations?.['kerf.sh/nodeclaim-uid'] ?? [],
  )
  expect(new Set(holders).size).toBe(holders.length)
  await story.scale(0)
  await story.patchPool({ disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' } })
  await story.machinesSettledAt(0)
  await story.replicasAt(0)
}

/** A user deletes a Machine: its NodeClaim ends, the pod runs on the replacement, and Kerf requests no additional replica. */
export const runDeletedByHandStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'by-hand')
  await story.deploy(2, '3')
  await story.settledAt(2)
  const [deleted, other] = await story.bound()
  const { namespace } = harness.workload
  await harness.client.delete(clusterApiKinds.Machine, { namespace, name: deleted?.metadata.name ?? '' })
  await story.until('the machine to be gone', async () =>
    (await story.machines()).every(({ metadata }) => metadata.uid !== deleted?.metadata.uid),
  )
  await story.settledAt(2)
  await story.machinesSettledAt(2)
  const bound = await story.bound()
  expect(bound).toHaveLength(2)
  expect(bound.map(({ metadata }) => metadata.uid)).toContain(other?.metadata.uid)
  await story.replicasAt(2)
}

/**
 * A paused MachineDeployment: the node class reports it, Kerf does not scale it, and pods run on a more expensive one. After the pause,
 * Kerf uses the deployment again.
 */
export const runPausedDeploymentStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'paused', {
    deployments: { 'paused-cheap': { price: '0.1' }, 'paused-dear': { price: '0.9' } },
  })
  const pause = (value: string | null) =>
    harness.workload.change('paused-cheap', { metadata: { annotations: { 'cluster.x-k8s.io/paused': value } } })
  await pause('true')
  await story.reports('MembersClear=False', [
    'Paused',
    'MachineDeployment default/paused-cheap: it is paused',
    'remove the annotation cluster.x-k8s.io/paused',
    'Until then no machine is launched from it',
  ])
  await story.deploy(1, '3')
  await story.settledAt(1)
  expect((await story.deployment('paused-cheap')).spec.replicas).toBe(0)
  expect(await harness.machines('paused-dear')).toHaveLength(1)
  await pause(null)
  await story.reports('MembersClear=True', [], { event: false })
  await story.scale(2)
  await story.settledAt(2)
  expect(await harness.machines('paused-cheap')).toHaveLength(1)
}

/**
 * The whole Cluster is paused. The node class reports the pause, Kerf scales nothing, and the pod runs after the pause. Meanwhile a user
 * deletes a Machine object without its machine. Its Node stays, and a condition reports the Node and the remedy. This story runs alone
 * because the pause stops every other story.
 */
export const runPausedClusterStory = async (harness: ClusterApiHarness, kerf: KerfInHand): Promise<void> => {
  // A Cluster that stays paused would block all later stories.
  await tellPausedCluster(harness, kerf).finally(() => harness.pause(false))
}

const tellPausedCluster = async (harness: ClusterApiHarness, { clock }: KerfInHand): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'halted')
  await story.deploy(1, '3')
  await story.settledAt(1)
  const [lost] = await story.bound()
  await harness.pause(true)
  await story.reports('MembersClear=False', [
    'ClusterPaused',
    `Cluster default/${harness.workload.name}: it is paused`,
    'set spec.paused to false',
  ])
  await story.scale(2)
  const name = lost?.metadata.name ?? ''
  await harness.forgetMachine(name)
  await clock.pass(60_000)
  const [claim] = await story.claims()
  await story.reports('MembersClear=False', [
    `Node ${name}: no Machine has its provider ID ${lost?.spec.providerID}`,
    `delete NodeClaim ${claim?.metadata.name}`,
  ])
  // The pod of the node still runs, and Kerf did not scale the paused Cluster.
  expect((await story.pods()).filter(({ status }) => status?.phase === 'Running')).toHaveLength(1)
  expect((await story.deployment()).spec.replicas).toBe(1)
  await harness.pause(false)
  await harness.nodes.delete(karpenterKinds.NodeClaim, { name: claim?.metadata.name ?? '' })
  await story.settledAt(2)
  const bound = await story.bound()
  expect(bound).toHaveLength(2)
  await story.machinesSettledAt(2)
  await story.replicasAt(2)
  await harness.endForgotten(name)
  await harness.until('the node to be gone', async () =>
    (await harness.nodes.list(kinds.Node)).items.every(({ metadata }) => metadata.name !== name),
  )
}
