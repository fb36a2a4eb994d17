import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describeError } from '@kerf/provider-kit/command-line'
import { parse } from 'yaml'
import { errorExitCode } from '../../../packages/cli/src/exit-code.ts'
import type { PlanDocument } from '../../../packages/cli/src/plan/plan-document.ts'
import { type PlanOptions, runPlan } from '../../../packages/cli/src/plan/run-plan.ts'
import { providerFiles } from '../../support/provider-files.ts'

/** The facts that an answer contains, independent of the output format. */
export interface Facts {
  readonly exit: 0 | 1 | 2 | 3
  /** The number of pods on new nodes, on existing nodes, and without a node. */
  readonly planned?: number
  readonly onExisting?: number
  readonly unschedulable?: number
  /** The number of new nodes, their cheapest instance types in order, and the zone of each node that is limited to one zone. */
  readonly nodes?: number
  readonly types?: readonly string[]
  readonly zones?: readonly string[]
  /** The hourly cost in US dollars. */
  readonly cost?: number
  /** Texts that standard output or standard error must contain. */
  readonly says?: readonly string[]
}

export interface Question {
  readonly question: string
  readonly options?: Partial<PlanOptions>
  readonly facts: Facts
  /** Whether to run the question on the real control plane as well. There, Kerf must launch exactly what the plan says. */
  readonly onCluster?: boolean
}

const folders = new Map(
  [join(import.meta.dirname, '*'), ...providerFiles('tests/questions/*')]
    .flatMap((pattern) => globSync(join(pattern, 'question.yaml')))
    .toSorted()
    .map((path) => [basename(dirname(path)), `${dirname(path)}/`]),
)

/** The names of all questions: those in this folder and those of the providers. */
export const questionNames: readonly string[] = [...folders.keys()].toSorted()

/**
 * Returns the path of a question's folder, with a slash at its end.
 * @throws Error for a name that is not in `questionNames`
 */
export const questionFolder = (name: string): string => {
  const folder = folders.get(name)
  if (folder === undefined) throw new Error(`there is no question ${name}`)
  return folder
}

export const readQuestion = (name: string): Question =>
  parse(readFileSync(`${questionFolder(name)}question.yaml`, 'utf8')) as Question

/** The output of `kerf plan -f cluster.yaml` in a question's folder. */
export interface PlanResult {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

const defaults = {
  output: 'table',
  diff: false,
  explainCost: false,
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
} as const

/** Runs the question like the command line in a terminal with 120 columns and without colors. */
export const ask = async (
  name: string,
  { options = {} }: Question,
  output: 'table' | 'json' = 'table',
): Promise<PlanResult> => {
  const folder = questionFolder(name)
  let stdout = ''
  let stderr = ''
  const streams = {
    stdout: { write: (part: string) => (stdout += part), isTTY: true, columns: 120 },
    stderr: { write: (part: string) => (stderr += part) },
    env: { NO_COLOR: '1' },
  }
  const exit = await runPlan({ ...defaults, ...options, output, filename: [`${folder}cluster.yaml`] }, streams).catch(
    (error: unknown) => {
      stderr += `kerf: ${describeError(error, false)}\n`
      return errorExitCode(error)
    },
  )
  return { exit, stdout: stdout.replaceAll(folder, ''), stderr: stderr.replaceAll(folder, '') }
}

const podsIn = (lists: readonly { readonly pods: readonly string[] }[]): number =>
  lists.reduce((sum, { pods }) => sum + pods.length, 0)

/** Returns the facts in a result. If there is no plan, the only fact is the exit code. */
export const readFacts = ({ exit, stdout }: PlanResult): Required<Omit<Facts, 'says'>> | Pick<Facts, 'exit'> => {
  if (stdout === '') return { exit: exit as Facts['exit'] }
  const { nodeClaims, existingNodes, unschedulable, hourlyCost } = JSON.parse(stdout) as PlanDocument
  return {
    exit: exit as Facts['exit'],
    planned: podsIn(nodeClaims),
    onExisting: podsIn(existingNodes),
    unschedulable: unschedulable.length,
    nodes: nodeClaims.length,
    types: nodeClaims.map(({ cheapest }) => cheapest.instanceType).sort(),
    zones: nodeClaims.flatMap(({ zones = [] }) => (zones.length === 1 ? zones : [])).sort(),
    cost: Number(hourlyCost.toFixed(4)),
  }
}
