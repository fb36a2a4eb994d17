import type { Quantity } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { capacityOf } from './capacity.ts'
import type { MachineFacts } from './machine-facts.ts'
import { type DeploymentProblem, problemOf, type Reading, read } from './problem.ts'

/** What a machine has, as far as is known. */
export interface KnownCapacity {
  /**
   * As annotations and template have it: what deployments of one type must agree on. Nodes of different zones may have a
   * little more or less. Nothing where it takes Nodes to know cpu and memory.
   */
  readonly declared: Resources | undefined
  readonly capacity: Resources
  /** What is left to pods. */
  readonly allocatable: Resources
  /** Whether the annotations are readable; nothing is launched until they are. */
  readonly isReadable: boolean
}

/**
 * Annotations first, the machine template where they say nothing, Nodes where neither does; of what is declared and what Nodes
 * have, the smaller amount (`docs/spec/cluster-api.md#what-nodes-show`). Nothing when an amount is missing that a type needs. An
 * annotation that nobody can read gives the capacity of the Nodes, so that those do not look like nodes of an unknown type.
 */
export const knownCapacityOf = (
  deployment: MachineDeployment,
  facts: MachineFacts,
): Reading<KnownCapacity | undefined> => {
  const { observed, template } = facts
  const { value, problems: found } = capacityOf(deployment, { ...observed?.capacity, ...template?.capacity })
  const problems = [...found, ...forbiddenTemplate(deployment, facts, found)]
  if (value !== undefined) {
    const capacity = lowered(value, observed?.capacity)
    const allocatable = lowered(capacity, observed?.allocatable)
    const declared = capacityOf(deployment, template?.capacity).value
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

/** Where an amount is missing, the permission that may help is named too. */
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
    problemOf(deployment, {
      reason: 'TemplateForbidden',
      consequence: 'left-out',
      key: clusterApiAnnotations.cpu,
      detail: `the ${kind} ${namespace}/${name} may say it, but Kerf may not read it`,
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
