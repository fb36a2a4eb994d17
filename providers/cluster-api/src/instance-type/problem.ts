import type { MachineDeployment } from '../objects/machine-deployment.ts'

/** A problem in the description of a MachineDeployment's machines (`providers/cluster-api/docs/spec/cluster-api.md#problems`). */
export type ProblemReason =
  | 'CapacityMissing'
  | 'CapacityUnreadable'
  | 'CapacityOutOfRange'
  | 'GpuIncomplete'
  | 'GpuTypeInvalid'
  | 'LabelInvalid'
  | 'LabelRestricted'
  | 'CapacityTypeUnknown'
  | 'NameInvalid'
  | 'PriceUnreadable'
  | 'MaxSizeUnreadable'
  | 'MaxSizeExceeded'
  | 'TaintInvalid'
  | 'NameClash'
  | 'PriceClash'
  | 'LabelContradicted'
  | 'ZoneUndeclared'
  | 'TemplateForbidden'

/**
 * The effect until the problem is fixed: the MachineDeployment has no instance type; the type cannot be launched; the type lacks the
 * invalid value; the smaller of two amounts counts; the higher of two prices counts; or the amounts of the Nodes count.
 */
export type Consequence = 'no-type' | 'no-launch' | 'left-out' | 'smaller' | 'dearer' | 'corrected'

export interface DeploymentProblem {
  readonly reason: ProblemReason
  readonly consequence: Consequence
  readonly namespace: string
  /** The name of the MachineDeployment. */
  readonly name: string
  /** The annotation or label to correct. */
  readonly key: string
  /** The current value of the annotation or label. Absent if there is none. */
  readonly found?: string
  /** A description of the problem. */
  readonly detail: string
  /** What to do. */
  readonly remedy: string
}

/** A value read from annotations, with the problems found while reading. `value` can be used despite the problems. */
export interface Reading<T> {
  readonly value: T
  readonly problems: readonly DeploymentProblem[]
}

export const read = <T>(value: T, ...problems: readonly DeploymentProblem[]): Reading<T> => ({ value, problems })

/** Returns a problem of this MachineDeployment. */
export const deploymentProblem = (
  { namespace, name }: Pick<MachineDeployment, 'namespace' | 'name'>,
  problem: Omit<DeploymentProblem, 'namespace' | 'name'>,
): DeploymentProblem => ({ namespace, name, ...problem })

const consequences: Readonly<Record<Consequence, string>> = {
  'no-type': 'Until then the deployment has no instance type.',
  'no-launch': 'Until then no machine is launched from it.',
  'left-out': 'Until then it is ignored.',
  smaller: 'Until then the instance type has the smaller amount.',
  corrected: 'Until then Kerf uses the values that they report.',
  dearer: 'Until then Kerf uses the higher price.',
}

/** Returns the problem as text, for conditions, events and logs. */
export const describeProblem = (problem: DeploymentProblem): string => {
  const found = problem.found === undefined ? 'is missing' : `is ${JSON.stringify(problem.found)}`
  const object = `MachineDeployment ${problem.namespace}/${problem.name}`
  return `${object}: ${problem.key} ${found}: ${problem.detail}; ${problem.remedy}. ${consequences[problem.consequence]}`
}
