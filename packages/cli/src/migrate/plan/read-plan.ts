import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { isLoose } from '@kerf/provider-kit/documents'
import { yamlDocuments } from '../../manifests/yaml-documents.ts'
import { YamlError } from '../../manifests/yaml-error.ts'
import type { MigrationPlan, PlanStep } from './migration-plan.ts'

/** A folder that `kerf migrate cas` has written. */
export interface PlanFolder {
  readonly folder: string
  readonly plan: MigrationPlan
  /** Contents by file name: the files that steps apply, and `cluster.yaml`. */
  readonly files: ReadonlyMap<string, string>
}

const STEPS: readonly PlanStep['do'][] = [
  'apply',
  'patch',
  'roll out',
  'cordon',
  'drain',
  'wait until gone',
  'wait until given back',
  'wait until calm',
  'by hand',
]

const checked = (value: unknown, file: string): MigrationPlan => {
  const wrong = (what: string): UsageError =>
    new UsageError(`${file}: ${what}; it is not in the form that kerf migrate cas writes`)
  if (!isLoose(value) || value['version'] !== 1) throw wrong('version is not 1')
  const { phases, groups } = value
  if (!Array.isArray(phases) || !Array.isArray(groups)) throw wrong('phases or groups are missing')
  for (const phase of phases) {
    if (!isLoose(phase) || typeof phase['phase'] !== 'number' || !Array.isArray(phase['steps']))
      throw wrong('a phase has no number or no steps')
    for (const step of phase['steps'])
      if (!isLoose(step) || !STEPS.some((each) => each === step['do']))
        throw wrong(`phase ${phase['phase']} has a step that does nothing known`)
  }
  // If the plan has no `kept`, no group is kept.
  return { kept: [], ...value } as unknown as MigrationPlan
}

/**
 * Reads a migration folder.
 *
 * @throws UsageError if the folder has no plan or an invalid one
 */
export const readPlan = async (folder: string): Promise<PlanFolder> => {
  const textOf = async (name: string): Promise<string> =>
    await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      throw new UsageError(
        `${join(folder, name)} cannot be read: ${error instanceof Error ? error.message : String(error)}; name a folder that kerf migrate cas wrote`,
      )
    })
  const text = await textOf('plan.yaml')
  let plan: MigrationPlan
  try {
    plan = checked(yamlDocuments(text)[0]?.value, join(folder, 'plan.yaml'))
  } catch (error) {
    if (error instanceof YamlError) throw new UsageError(`${join(folder, 'plan.yaml')}:${error.line}: ${error.message}`)
    throw error
  }
  const files = new Map<string, string>()
  for (const { steps } of plan.phases)
    for (const step of steps) if (step.do === 'apply') files.set(step.file, await textOf(step.file))
  files.set('cluster.yaml', await textOf('cluster.yaml'))
  return { folder, plan, files }
}
