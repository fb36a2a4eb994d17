import { type CapacityType, labels, labelValueProblem, type Taint, type UsdPerHour, wellKnownLabels } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { clusterApiAnnotations, clusterApiWellKnownLabels } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { capacityOf } from './capacity.ts'
import { capacityTypeOf } from './capacity-type.ts'
import { mayGrow } from './max-size.ts'
import { nodeLabelsOf } from './node-labels.ts'
import { hourlyPriceOf } from './price.ts'
import { type DeploymentProblem, problemOf, type Reading, read } from './problem.ts'
import { declaredTaintsOf } from './taints.ts'

type Labels = Readonly<Record<string, string>>

/** What a MachineDeployment offers. Where `type` is missing, `problems` says why. */
export interface OfferedType {
  readonly type: InstanceType | undefined
  /** `undefined` when nobody said it: the offering's price is then 0 until a NodeOverlay replaces it. */
  readonly price: UsdPerHour | undefined
  /** What its Nodes register with. They decide nothing here. */
  readonly taints: readonly Taint[]
  readonly problems: readonly DeploymentProblem[]
}

/**
 * A MachineDeployment as an instance type (`docs/spec/cluster-api.md#instance-types`). Never throws; all problems of the
 * deployment are reported together.
 */
export const offeredTypeOf = (deployment: MachineDeployment): OfferedType => {
  const capacity = capacityOf(deployment)
  const nodeLabels = nodeLabelsOf(deployment)
  const name = typeNameOf(deployment, nodeLabels.value)
  const capacityType = capacityTypeOf(deployment, nodeLabels.value)
  const growth = mayGrow(deployment)
  const price = hourlyPriceOf(deployment)
  const taints = declaredTaintsOf(deployment)
  const readings: readonly Reading<unknown>[] = [capacity, nodeLabels, name, capacityType, growth, price, taints]
  const rest = { price: price.value, taints: taints.value, problems: readings.flatMap(({ problems }) => problems) }
  if (capacity.value === undefined || name.value === undefined || capacityType.value === undefined) {
    return { type: undefined, ...rest }
  }
  const offeringLabels = offeringLabelsOf(nodeLabels.value, capacityType.value)
  const type: InstanceType = {
    name: name.value,
    requirements: requirementsOf({ ...nodeLabels.value, ...offeringLabels, [labels.instanceType]: name.value }),
    offerings: [{ requirements: exactly(offeringLabels), price: price.value ?? 0, available: growth.value }],
    capacity: capacity.value,
    overhead: {},
  }
  return { type, ...rest }
}

/** A dot, because a slash may not be in a label value, and a namespace has none. */
const typeNameOf = (deployment: MachineDeployment, nodeLabels: Labels): Reading<string | undefined> => {
  const labelled = nodeLabels[labels.instanceType]
  if (labelled !== undefined && labelled !== '') return read(labelled)
  const name = `${deployment.namespace}.${deployment.name}`
  const detail = labelValueProblem(name)
  if (detail === undefined) return read(name)
  const remedy = `add ${labels.instanceType}=NAME to the annotation, with a name of at most 63 characters`
  return read(
    undefined,
    problemOf(deployment, {
      reason: 'NameInvalid',
      consequence: 'no-type',
      key: clusterApiAnnotations.labels,
      found: deployment.annotations[clusterApiAnnotations.labels] ?? '',
      detail: `without an instance type the deployment would be called ${name}, and ${detail}`,
      remedy,
    }),
  )
}

/** Each offering has one value of both, the zone an empty one where nobody names it. */
const offeringLabelsOf = (nodeLabels: Labels, capacityType: CapacityType): Labels => ({
  [labels.zone]: nodeLabels[labels.zone] ?? '',
  [labels.capacityType]: capacityType,
})

const exactly = (values: Labels): readonly RequirementSpec[] =>
  Object.entries(values).map(([key, value]) => ({ key, operator: 'In', values: [value] }))

/** One entry for each label that a Node has, and one for each well-known label that it has not. */
const requirementsOf = (values: Labels): readonly RequirementSpec[] => {
  // The NodePool's name is on every Node, whatever the type.
  const absent = [...wellKnownLabels, ...clusterApiWellKnownLabels].filter(
    (key) => key !== labels.nodePool && values[key] === undefined,
  )
  return [...exactly(values), ...absent.map((key): RequirementSpec => ({ key, operator: 'DoesNotExist' }))]
}
