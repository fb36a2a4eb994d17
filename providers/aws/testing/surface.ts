import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { karpenterKinds } from '@kerf/apis'
import { FakeAws } from '@kerf/provider-aws/testing'
import { VirtualClock } from '@kerf/runtime'
import { printedJson } from '../../../tests/integration/surface/printed-json.ts'
import type { ProviderSurface } from '../../../tests/integration/surface/provider-surface.ts'
import { runPolicy } from '../src/verbs/run-policy.ts'
import { runPrices } from '../src/verbs/run-prices.ts'
import { startFakeAwsStory } from '../tests/kerf-on-fake-aws.ts'
import { nodePool } from '../tests/node-pool.ts'

const prices = () => {
  const clock = new VirtualClock()
  const cloud = new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' })
  const options = { namespace: 'kube-system', region: 'us-east-1', type: ['m5.large'], zone: [], live: true } as const
  const readers = { clock, remembered: async () => undefined, api: () => cloud }
  return printedJson((streams) => runPrices({ ...options, output: 'json' }, streams, readers))
}

const policyCheck = async (folder: string) => {
  const file = join(folder, 'policy.json')
  await writeFile(file, JSON.stringify({ Version: '2012-10-17', Statement: [] }))
  return printedJson((streams) => runPolicy({ capability: [], check: file, output: 'json' }, streams))
}

/** This provider's additions to the public surface. */
export const surface: ProviderSurface = {
  provider: 'aws',
  ofTheProcess: /^aws_sdk_go_/,
  documents: async (folder) => [
    { title: 'kerf aws policy --check -o json', printed: [await policyCheck(folder)], maps: [] },
    { title: 'kerf aws prices -o json', printed: [await prices()], maps: [] },
  ],
  start: async () => {
    const story = await startFakeAwsStory(1)
    await story.client.create(karpenterKinds.NodePool, nodePool())
    await story.pass(30)
    return story
  },
}
