import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { ClusterApiStory, EMPTY_GO } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'

const WANTED = 'kerf.sh/replicas-wanted'
const OF_OTHERS = 'kerf.sh/replicas-of-others'

const uidsOf = (items: readonly { readonly metadata: { readonly uid?: string } }[]): readonly string[] =>
  items.map(({ metadata }) => metadata.uid ?? '').toSorted()

/**
 * First, ten pods are pending. Kerf scales the MachineDeployment, Machines become Nodes, and the pods run. Then the test reduces the number
 * of pods, and Kerf deletes exactly the Machines of the empty nodes. Finally it reduces the number to zero. A Machine that someone else
 * requested exists from the start, and must remain.
 */
export const runTenPodsStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'ten', {
    deployments: { ten: { replicas: 1 } },
    disruption: EMPTY_GO,
  })
  await harness.until('the machine of others', async () => {
    const [machine] = await story.machines()
    return machine?.status?.phase === 'Running'
  })
  const others = await story.machines()
  await story.deploy(10)
  await story.settledAt(10)
  const bound = await story.bound()
  expect(bound).toHaveLength(5)
  expect(uidsOf(await story.machines())).toEqual(uidsOf([...bound, ...others]))
  const up = await story.deployment()
  expect(up.spec.replicas).toBe(6)
  expect(up.metadata.annotations).toMatchObject({ [WANTED]: '6', [OF_OTHERS]: '1' })
  const nodes = await story.nodes()
  expect(nodes.map(({ spec }) => spec.providerID).toSorted()).toEqual(
    bound.map(({ spec }) => spec.providerID).toSorted(),
  )
  for (const { spec } of nodes) expect(spec.taints?.some(({ key }) => key.startsWith('karpenter.sh/'))).not.toBe(true)
  await story.reports('MembersClear=True', ['MachineDeployment default/ten', '1 of its 6 replicas', 'Kerf keeps them'])

  // These Machines are neither the oldest nor the newest, and do not have the first names. Without Kerf, Cluster API would choose others.
  const chosen = [bound[1], bound[3]].flatMap((machine) => machine?.status?.nodeRef?.name ?? [])
  const going = new Set(chosen)
  await story.markToGo(going)
  await story.scale(6)
  await story.machinesSettledAt(4)
  const staying = bound.filter(({ status }) => !going.has(status?.nodeRef?.name ?? ''))
  expect(uidsOf(await story.machines())).toEqual(uidsOf([...staying, ...others]))
  await story.settledAt(6)
  expect(uidsOf(await story.bound())).toEqual(uidsOf(staying))
  await story.replicasAt(4)

  await story.scale(0)
  await story.until('no claim', async () => (await story.claims()).length === 0)
  // If several Machines of a set are deleted together, Cluster API may create a replacement for one, which is deleted too.
  await story.until('only the machine of others is left', async () => {
    const [machines, left] = [await story.machines(), await story.nodes()]
    const isSettled = machines.every(({ metadata }) => metadata.deletionTimestamp === undefined)
    return isSettled && isDeepStrictEqual(uidsOf(machines), uidsOf(others)) && left.length === 0
  })
  await story.replicasAt(1)

  // The user scales the workload down. The user's Machine goes too, and Kerf does not request it again.
  await harness.workload.scale('ten', 0)
  await story.machinesSettledAt(0)
  await harness.until('nothing of others is remembered', async () => {
    const { spec, metadata } = await story.deployment()
    return spec.replicas === 0 && metadata.annotations?.[OF_OTHERS] === '0'
  })
}
