import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import { onTestFinished } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { type FakeAzureStory, startFakeAzureStory } from './kerf-on-fake-azure.ts'

type Options = Parameters<typeof startFakeAzureStory>[0]

/** Starts Kerf with an in-memory Azure, which is closed when the test ends. Returns the story with the queries that the tests use. */
export const story = async (options: Options = {}) => {
  const harness = await startFakeAzureStory(options)
  onTestFinished(() => harness.close())
  const { client } = harness
  const run = async (): Promise<number> => (await running(client)).length
  return {
    ...harness,
    run,
    runs: (count = 3, seconds = 600) =>
      harness.until(`${count} pods running`, async () => (await run()) === count, seconds),
    told: async (type: string, name = 'default'): Promise<string> => {
      const { status, reason, message } = findCondition(await client.get(aksNodeClassKind, { name }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    /** Returns the Launched condition of each NodeClaim as text. */
    launches: async (): Promise<readonly string[]> =>
      (await client.list(karpenterKinds.NodeClaim)).items.map((claim) => {
        const { status, reason, message } = findCondition(claim, 'Launched') ?? {}
        return `${status} ${reason}: ${message}`
      }),
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    sizes: (): readonly string[] => [
      ...new Set(harness.vms().map(({ properties }) => properties.hardwareProfile?.vmSize ?? '')),
    ],
    images: async (): Promise<readonly string[]> => [
      ...new Set(
        (await client.list(karpenterKinds.NodeClaim)).items.map(
          ({ status }) => status?.imageID?.split('/').at(-1) ?? '',
        ),
      ),
    ],
  }
}

export const scale = ({ client }: Pick<FakeAzureStory, 'client'>, replicas: number): Promise<unknown> =>
  client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

/** Scales to zero, and waits until everything that Kerf created in Azure is deleted. */
export const leavesNothing = async (harness: FakeAzureStory): Promise<void> => {
  await scale(harness, 0)
  await harness.until(
    'no VM, interface, disk or claim left',
    async () => {
      const { items } = await harness.client.list(karpenterKinds.NodeClaim)
      return items.length === 0 && harness.azure.resources().length === 0
    },
    1_800,
  )
}

export type Story = Awaited<ReturnType<typeof story>>
