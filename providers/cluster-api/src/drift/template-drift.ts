import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineSet } from '../objects/machine-set.ts'

/** The drift reason of a node whose Machine was created from an older template of its MachineDeployment. */
export const MACHINE_TEMPLATE_DRIFT = 'MachineTemplateDrift'

/** Cluster API's reasons for a Machine that must be replaced, and for one that it updates in place. */
const NOT_UP_TO_DATE = 'NotUpToDate'

export type TemplateComparison = 'current' | 'older' | 'not-known'

/**
 * Compares a Machine with the template of its MachineDeployment (`providers/cluster-api/docs/spec/cluster-api.md#drift`). Cluster API's own
 * condition takes precedence, because it also considers which fields Cluster API updates in place. If the condition is missing, as before
 * 1.9, the revision of the Machine's MachineSet decides.
 *
 * @param sets all MachineSets of the deployment
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
  // If the condition is False for another reason, Cluster API updates the Machine in place, after which it is up to date.
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
