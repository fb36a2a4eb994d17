import { defaultFeatureGates } from '@kerf/runtime'
import { type InstanceTypesChoice, openTypes } from '../../cluster/instance-types.ts'
import { parseManifests } from '../../manifests/parse-manifests.ts'
import type { PlanStreams } from '../../plan/run-plan.ts'
import { ProgressLine } from '../../terminal/progress-line.ts'
import { readPlan } from '../plan/read-plan.ts'
import { rehearsalHtml, rehearsalProblems, rehearsalText } from './rehearsal-report.ts'
import { rehearseMigration } from './rehearse-migration.ts'

export interface RehearseOptions extends InstanceTypesChoice {
  readonly seed: number
  readonly output: 'table' | 'html' | 'json'
}

/** `kerf migrate rehearse`: touches no cluster. 3 when something is wrong with the plan. */
export const runRehearse = async (path: string, options: RehearseOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const folder = await readPlan(path)
  const pools = parseManifests(folder.files.get('nodepools.yaml') ?? '', 'nodepools.yaml').map(({ object }) => object)
  const isAws = (folder.files.get('nodeclasses.yaml') ?? '').includes('EC2NodeClass')
  const opened = await openTypes({ instanceTypes: isAws ? 'aws' : 'kwok', ...options }, pools)
  const rehearsal = await rehearseMigration(
    folder,
    {
      seed: options.seed,
      instanceTypes: opened.types,
      featureGates: { ...defaultFeatureGates, CapacityBuffer: folder.files.has('buffers.yaml') },
    },
    (name) => progress.say(`rehearsing: ${name}`),
  )
  progress.clear()
  switch (options.output) {
    case 'table':
      streams.stdout.write(rehearsalText(rehearsal))
      break
    case 'html':
      streams.stdout.write(rehearsalHtml(rehearsal))
      break
    case 'json':
      streams.stdout.write(`${JSON.stringify(rehearsal, null, 2)}\n`)
  }
  return rehearsalProblems(rehearsal).length === 0 ? 0 : 3
}
