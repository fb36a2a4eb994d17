import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineSet } from '../objects/machine-set.ts'

/** The drift reason of a node whose Machine was made from an older template of its MachineDeployment. */
export const MACHINE_TEMPLATE_DRIFT = 'MachineTemplateDrift'

/** Cluster API's words for a Machine that has to be replaced, and for one that it changes in its place. */
const NOT_UP_TO_DATE = 'NotUpToDate'

export type TemplateComparison = 'current' | 'older' | 'not-known'

/**
 * Whether a Machine is as the template of its MachineDeployment says (`docs/spec/cluster-api.md#drift`). Cluster API's own
 * judgement counts, because it knows which fields it changes in place; where it gives none, as before 1.9, the revision of
 * the Machine's set.
 *
 * @param sets all sets of the deployment
 */
export const templateComparison = (
  machine: Machine,
  deployment: Pick<MachineDeployment, 'revision'>,
  sets: readonly MachineSet[],
): TemplateComparison => {
  const { upToDate } = machine
  if (upToDate === undefined) return byRevision(machine, deployment, sets)
  if (upToDate.status === 'True') return 'current'
  if (upToDate.status !== 'False') return 'not-known'
  // False for another reason: an update in place is under way, which ends with a Machine that is up to date.
  return upToDate.reason === NOT_UP_TO_DATE ? 'older' : 'current'
}

const byRevision = (
  { setName }: Machine,
  { revision: wanted }: Pick<MachineDeployment, 'revision'>,
  sets: readonly MachineSet[],
): TemplateComparison => {
  const own = sets.find(({ name }) => name === setName)
  if (own?.revision === undefined) return 'not-known'
  const newest = sets.reduce((latest, { revision = 0 }) => Math.max(latest, revision), wanted ?? 0)
  return own.revision < newest ? 'older' : 'current'
}
