import { karpenterKinds, kinds, labels, type Pod } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createDeployment, createPodDisruptionBudget, createPool, Harness } from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

const ZONE = 'test-zone-b'
/**
 * Each pod needs its own node. The node of the zonal pod is the largest, so it opens first. Without `Successions`, kube-scheduler would
 * bind another pod to it.
 */
const APPS = { large: 3, zonal: 1 }
const PODS = APPS.large + APPS.zonal

const objectNames = (objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name)
const pods = async (): Promise<readonly Pod[]> => (await harness.admin.list(kinds.Pod)).items
const running = async (): Promise<readonly Pod[]> =>
  (await pods()).filter(
    ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running',
  )

const passUntil = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (let step = 0; !(await isSo()); step++) {
    if (step > 600) throw new Error(`waited in vain for: ${what}`)
    await harness.pass(100)
  }
}

/** Deletes all nodes. PodDisruptionBudgets delay the evictions until shortly before the new nodes open. */
const moveAll = async (seed: number): Promise<void> => {
  harness = await Harness.create({ cluster: 'whole', seed })
  await createPool(harness, 'general', {
    disruption: { consolidateAfter: 'Never' },
    template: {
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [
          { key: labels.instanceType, operator: 'In', values: ['c-4x-amd64-linux'] },
          { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  })
  await createDeployment(harness, 'large', APPS.large, '3500m')
  await createDeployment(harness, 'zonal', APPS.zonal, '3800m', { nodeSelector: { [labels.zone]: ZONE } })
  await passUntil('all pods to run', async () => (await running()).length === PODS)
  for (const app of Object.keys(APPS)) {
    await createPodDisruptionBudget(harness, app, { selector: { matchLabels: { app } }, minAvailable: '99%' })
  }
  await harness.pass(1_000)
}

test.each([1, 2])(
  'a replacement pod takes the place of the pod it replaces, and no additional node is launched (seed %i)',
  async (seed) => {
    await moveAll(seed)
    const old = objectNames(await harness.claims())
    const body = { spec: { nodeRegistrationDelay: '10s' } }
    await harness.admin.patch(kwokNodeClassKind, { name: nodeClassRef.name }, { type: 'merge', body })
    for (const name of old) await harness.admin.delete(karpenterKinds.NodeClaim, { name })
    const news = async (): Promise<readonly string[]> =>
      objectNames(await harness.claims()).filter((name) => !old.includes(name))
    await passUntil('new nodes to be ordered', async () => (await news()).length > 0)
    await harness.pass(9_400)
    const planned = await news()
    expect(planned.length).toBe(PODS)
    for (const app of Object.keys(APPS))
      await harness.admin.delete(kinds.PodDisruptionBudget, { name: app, namespace: 'default' })
    await passUntil('the old nodes to be gone', async () =>
      objectNames(await harness.claims()).every((name) => !old.includes(name)),
    )
    await passUntil('all pods to run', async () => (await running()).length === PODS)
    await harness.pass(20_000)
    expect(await news()).toEqual(planned)
    // Each pod gets one Nominated Event, like other planned pods.
    for (const { metadata, spec } of await running()) {
      const told = harness.messages('Nominated', metadata.name)
      expect(told.length).toBe(1)
      expect(told[0]).toMatch(new RegExp(`^Pod should schedule on: nodeclaim/\\S+, node/${spec.nodeName}$`))
    }
  },
)
