import { type CapacityType, capacityTypes, labels, labelValueProblem, type Taint, type UsdPerHour } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { readCapacityType } from './capacity-type.ts'
import { findKnownCapacity } from './known-capacity.ts'
import type { MachineFacts } from './machine-facts.ts'
import { mayGrow } from './max-size.ts'
import { readNodeLabels } from './node-labels.ts'
import { readPlatform, undeclaredZone } from './platform.ts'
import { readHourlyPrice } from './price.ts'
import { type DeploymentProblem, deploymentProblem, type Reading, read } from './problem.ts'
import { readDeclaredTaints } from './taints.ts'

export type Labels = Readonly<Record<string, string>>

/** The machines of one MachineDeployment, as the deployment describes them. */
export interface OfferedMachine {
  /** The name of the instance type of the MachineDeployment's machines. */
  readonly typeName: string
  /**
   * All labels that the MachineDeployment's Nodes will have, including the instance type name, except those that `zone` and `capacityTypes`
   * describe.
   */
  readonly labels: Labels
  /** The keys of labels whose values are assumed. */
  readonly assumed: readonly string[]
  /** The zone. If it is undefined, Kerf expects the Nodes to have no zone label. */
  readonly zone: string | undefined
  /** The capacity type. If it is unknown, the list contains both. */
  readonly capacityTypes: readonly CapacityType[]
  /**
   * The declared capacity, which must be equal for all MachineDeployments of one instance type. Undefined if only Nodes show the capacity.
   */
  readonly declared: Resources | undefined
  readonly capacity: Resources
  /** The amounts available to pods. */
  readonly allocatable: Resources
  /** Whether another machine can be created. */
  readonly available: boolean
}

/** The offer of a MachineDeployment. If `machine` is undefined, `problems` contains the reason. */
export interface DeploymentOffer {
  readonly deployment: MachineDeployment
  readonly machine: OfferedMachine | undefined
  /** `undefined` if unknown. */
  readonly price: UsdPerHour | undefined
  /**
   * The taints with which the MachineDeployment's Nodes register. This provider only reports them. Scheduling uses the taints of the
   * NodePool.
   */
  readonly taints: readonly Taint[]
  readonly problems: readonly DeploymentProblem[]
}

/**
 * Returns the offer of a MachineDeployment (`providers/cluster-api/docs/spec/cluster-api.md#instance-types`). Never throws. Reports all
 * problems of the deployment together. If `mayLaunch` is false, for example while the deployment is paused, no machine is available.
 */
export const deploymentOffer = (
  deployment: MachineDeployment,
  mayLaunch: boolean,
  facts: MachineFacts = {},
): DeploymentOffer => {
  const capacity = findKnownCapacity(deployment, facts)
  const nodeLabels = readNodeLabels(deployment)
  const name = deploymentTypeName(deployment, nodeLabels.value)
  const capacityType = readCapacityType(deployment, nodeLabels.value)
  const growth = mayGrow(deployment)
  const price = readHourlyPrice(deployment)
  const platform = readPlatform(deployment, nodeLabels.value, facts)
  const taints = readDeclaredTaints(deployment)
  const readings: readonly Reading<unknown>[] = [
    capacity,
    nodeLabels,
    name,
    capacityType,
    growth,
    price,
    platform,
    taints,
  ]
  const { [labels.zone]: declaredZone, [labels.capacityType]: _, ...others } = nodeLabels.value
  const zone = declaredZone === '' ? undefined : declaredZone
  const problems = [...readings.flatMap((reading) => reading.problems), ...undeclaredZone(deployment, zone, facts)]
  const rest = { deployment, price: price.value, taints: taints.value, problems }
  if (capacity.value === undefined || name.value === undefined) return { ...rest, machine: undefined }
  const { isReadable, ...amounts } = capacity.value
  const machine: OfferedMachine = {
    typeName: name.value,
    labels: { ...others, ...platform.value.labels, [labels.instanceType]: name.value },
    assumed: platform.value.assumed,
    zone,
    capacityTypes: capacityType.value === undefined ? EITHER : [capacityType.value],
    ...amounts,
    available: mayLaunch && isReadable && growth.value && capacityType.value !== undefined,
  }
  return { ...rest, machine }
}

/** The capacity types of a MachineDeployment whose capacity type Kerf cannot read. With both types, existing nodes do not drift. */
const EITHER: readonly CapacityType[] = [capacityTypes.onDemand, capacityTypes.spot]

/**
 * Returns the name of the instance type. A dot separates namespace and name, because label values cannot contain slashes, and namespaces
 * cannot contain dots.
 */
const deploymentTypeName = (deployment: MachineDeployment, nodeLabels: Labels): Reading<string | undefined> => {
  const labelled = nodeLabels[labels.instanceType]
  if (labelled !== undefined && labelled !== '') return read(labelled)
  const name = `${deployment.namespace}.${deployment.name}`
  const detail = labelValueProblem(name)
  if (detail === undefined) return read(name)
  const remedy = `add ${labels.instanceType}=NAME to the annotation, with a name of at most 63 characters`
  return read(
    undefined,
    deploymentProblem(deployment, {
      reason: 'NameInvalid',
      consequence: 'no-type',
      key: clusterApiAnnotations.labels,
      found: deployment.annotations[clusterApiAnnotations.labels] ?? '',
      detail: `without the annotation, the instance type would be named ${name}, but ${detail}`,
      remedy,
    }),
  )
}
