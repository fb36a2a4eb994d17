import type { Quantity } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { readCapacity } from './capacity.ts'
import type { MachineFacts } from './machine-facts.ts'
import { type DeploymentProblem, deploymentProblem, type Reading, read } from './problem.ts'

/** The capacity of a machine, as far as Kerf knows it. */
export interface KnownCapacity {
  /**
   * The capacity that annotations and the machine template declare, which must be equal for all MachineDeployments of one instance type.
   * Nodes of different zones may report slightly more or less. Undefined if only Nodes show cpu and memory.
   */
  readonly declared: Resources | undefined
  readonly capacity: Resources
  /** The amounts available to pods. */
  readonly allocatable: Resources
  /** Whether Kerf can read the annotations. If not, Kerf launches nothing. */
  readonly isReadable: boolean
}

/**
 * Returns the known capacity. Annotations take precedence over the machine template, and the template over Nodes. If both a declared amount
 * and the Nodes' amount are known, the smaller one counts (`providers/cluster-api/docs/spec/cluster-api.md#capacity-from-nodes`). The
 * result's `value` is undefined if a required amount is missing. If Kerf cannot read an annotation, it uses the Nodes' capacity, so that
 * existing Nodes still have a known instance type.
 */
export const findKnownCapacity = (
  deployment: MachineDeployment,
  facts: MachineFacts,
): Reading<KnownCapacity | undefined> => {
  const { observed, template } = facts
  const { value, problems: found } = readCapacity(deployment, { ...observed?.capacity, ...template?.capacity })
  const problems = [...found, ...forbiddenTemplate(deployment, facts, found)]
  if (value !== undefined) {
    const capacity = lowered(value, observed?.capacity)
    const allocatable = lowered(capacity, observed?.allocatable)
    const declared = readCapacity(deployment, template?.capacity).value
    return { value: { declared, capacity, allocatable, isReadable: true }, problems }
  }
  if (observed === undefined || !hasBasics(observed.capacity)) return { value: undefined, problems }
  const { capacity } = observed
  const allocatable = lowered(capacity, observed.allocatable)
  const known = { declared: undefined, capacity, allocatable, isReadable: false }
  return read(
    known,
    ...problems.map((problem) =>
      problem.consequence === 'no-type' ? { ...problem, consequence: 'no-launch' as const } : problem,
    ),
  )
}

/** If an amount is missing and Kerf is not allowed to read the machine template, returns the missing permission as a problem. */
const forbiddenTemplate = (
  deployment: MachineDeployment,
  { isTemplateForbidden = false }: MachineFacts,
  found: readonly DeploymentProblem[],
): readonly DeploymentProblem[] => {
  const { infrastructure } = deployment
  const isMissing = found.some(({ reason }) => reason === 'CapacityMissing')
  if (!isTemplateForbidden || !isMissing || infrastructure === undefined) return []
  const { kind, group, namespace, name } = infrastructure
  return [
    deploymentProblem(deployment, {
      reason: 'TemplateForbidden',
      consequence: 'left-out',
      key: clusterApiAnnotations.cpu,
      detail: `the ${kind} ${namespace}/${name} may contain it, but Kerf cannot read it`,
      remedy: `grant get on ${kind.toLowerCase()}s.${group} in the management cluster, or annotate the MachineDeployment`,
    }),
  ]
}

const hasBasics = (amounts: Resources): boolean =>
  ['cpu', 'memory', 'pods'].every((name) => ownValue(amounts, name) !== undefined)

const lowered = (amounts: Resources, limits: Resources = {}): Resources =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]): [string, Quantity] => {
      const limit = ownValue(limits, name)
      return [name, limit !== undefined && limit < amount ? limit : amount]
    }),
  )
