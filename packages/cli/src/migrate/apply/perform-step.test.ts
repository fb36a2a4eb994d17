import { kinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { KindDirectory } from '../../manifests/kind-directory.ts'
import type { PlanStep } from '../plan/migration-plan.ts'
import { performStep, recordStep, type StepTools, undoStep } from './perform-step.ts'

const step: PlanStep = { do: 'cordon', group: 'workers' }

const stepTools = (): StepTools => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  const group = { name: 'workers', pool: 'workers', min: 0, max: 3, nodeLabels: { group: 'workers' } }
  const details = { instanceTypes: [], capacityType: 'on-demand', zones: [], labels: {}, taints: [] } as const
  return {
    ...{ client, clock, kinds: new KindDirectory(client), signal: new AbortController().signal },
    plan: {
      ...{ version: 1, variant: 'faithful', autoscaler: { flags: {} } },
      ...{ groups: [{ ...group, ...details }], kept: [], phases: [], questions: [] },
    },
    file: () => '',
    print: () => undefined,
    byHand: async () => undefined,
  }
}

test('undoing a cordon leaves nodes cordoned that were cordoned before', async () => {
  const tools = stepTools()
  const { client } = tools
  const labels = { group: 'workers' }
  await client.create(kinds.Node, node('open', { labels }))
  await client.create(kinds.Node, node('cordoned', { labels, spec: { unschedulable: true } }))
  const cordoned = async (): Promise<readonly string[]> =>
    (await client.list(kinds.Node)).items
      .filter(({ spec }) => spec.unschedulable === true)
      .map(({ metadata }) => metadata.name)
  const record = await recordStep(tools, step, 0)
  await performStep(tools, step)
  expect(await cordoned()).toEqual(['cordoned', 'open'])
  await undoStep(tools, step, record)
  expect(await cordoned()).toEqual(['cordoned'])
})
