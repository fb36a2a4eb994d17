import { type CapacityType, capacityTypes, labels, labelValueProblem, type Taint, type UsdPerHour } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { capacityTypeOf } from './capacity-type.ts'
import { knownCapacityOf } from './known-capacity.ts'
import type { MachineFacts } from './machine-facts.ts'
import { mayGrow } from './max-size.ts'
import { nodeLabelsOf } from './node-labels.ts'
import { platformOf, undeclaredZone } from './platform.ts'
import { hourlyPriceOf } from './price.ts'
import { type DeploymentProblem, problemOf, type Reading, read } from './problem.ts'
import { declaredTaintsOf } from './taints.ts'

export type Labels = Readonly<Record<string, string>>

/** The machines of one MachineDeployment, as it describes them. */
export interface OfferedMachine {
  /** Name of their instance type. */
  readonly typeName: string
  /** All labels that their Nodes will have, the name of the type among them; without those of `zone` and `capacityTypes`. */
  readonly labels: Labels
  /** The keys of those that nobody said. */
  readonly assumed: readonly string[]
  /** Nothing where nobody says one: their Nodes have no label for it then, as far as is known. */
  readonly zone: string | undefined
  /** Both where nobody knows which it is. */
  readonly capacityTypes: readonly CapacityType[]
  /** What deployments of one type must agree on; nothing where only Nodes say it. */
  readonly declared: Resources | undefined
  readonly capacity: Resources
  /** What is left to pods. */
  readonly allocatable: Resources
  /** Whether one more can be had. */
  readonly available: boolean
}

/** What a MachineDeployment offers. Where `machine` is missing, `problems` says why. */
export interface DeploymentOffer {
  readonly deployment: MachineDeployment
  readonly machine: OfferedMachine | undefined
  /** `undefined` when nobody said it. */
  readonly price: UsdPerHour | undefined
  /** What its Nodes register with. They decide nothing here. */
  readonly taints: readonly Taint[]
  readonly problems: readonly DeploymentProblem[]
}

/**
 * What a MachineDeployment says of its machines (`docs/spec/cluster-api.md#instance-types`). Never throws; all problems of the
 * deployment are reported together. Without `mayLaunch`, as while it is paused, no machine can be had.
 */
export const deploymentOffer = (
  deployment: MachineDeployment,
  mayLaunch: boolean,
  facts: MachineFacts = {},
): DeploymentOffer => {
  const capacity = knownCapacityOf(deployment, facts)
  const nodeLabels = nodeLabelsOf(deployment)
  const name = typeNameOf(deployment, nodeLabels.value)
  const capacityType = capacityTypeOf(deployment, nodeLabels.value)
  const growth = mayGrow(deployment)
  const price = hourlyPriceOf(deployment)
  const platform = platformOf(deployment, nodeLabels.value, facts)
  const taints = declaredTaintsOf(deployment)
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

/** A text that nobody understands must not make nodes drift that were launched before it was written. */
const EITHER: readonly CapacityType[] = [capacityTypes.onDemand, capacityTypes.spot]

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
