import { formatResources, labels, ownValue, type Quantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { DeploymentOffer, Labels, OfferedMachine } from './deployment-offer.ts'
import { type Consequence, type DeploymentProblem, deploymentProblem } from './problem.ts'

/** An offer with machines. */
export type MachineOffer = DeploymentOffer & { readonly machine: OfferedMachine }

const REMEDY = `correct one of the two, set a different ${labels.instanceType} in the labels annotation of one, or select them with different ClusterAPINodeClasses`

/** The annotation with the amount of each resource. */
const annotationOf: Readonly<Record<string, string>> = {
  cpu: clusterApiAnnotations.cpu,
  memory: clusterApiAnnotations.memory,
  pods: clusterApiAnnotations.maxPods,
  'ephemeral-storage': clusterApiAnnotations.ephemeralDisk,
}

/**
 * Sorts the offers of one instance type name by the age of the MachineDeployment, oldest first, then by name. If a newer deployment
 * conflicts with the oldest one, the oldest one keeps its offer
 * (`providers/cluster-api/docs/spec/cluster-api.md#several-deployments-with-one-type-name`).
 */
export const bySeniority = (offers: readonly MachineOffer[]): readonly MachineOffer[] =>
  offers.toSorted(
    (a, b) =>
      (a.deployment.createdAt ?? 0) - (b.deployment.createdAt ?? 0) ||
      byText(machineDeploymentName(a.deployment), machineDeploymentName(b.deployment)),
  )

/**
 * Returns a label in which two machines with the same instance type name differ, or undefined. Ignores labels of the offering, which may
 * differ.
 */
export const differingLabel = (one: Labels, other: Labels): string | undefined =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .toSorted(byText)
    .find((key) => key !== labels.region && ownValue(one, key) !== ownValue(other, key))

/**
 * Returns the problem of a MachineDeployment that has another value of the label than the oldest MachineDeployment of the instance type.
 */
export const labelClash = (first: MachineOffer, offer: MachineOffer, key: string): DeploymentProblem => {
  const others = ownValue(first.machine.labels, key)
  const text = others === undefined ? 'does not have this label' : `has ${JSON.stringify(others)}`
  const found = ownValue(offer.machine.labels, key)
  return clash(first, offer, { key, ...(found === undefined ? {} : { found }), text, consequence: 'no-launch' })
}

/** Returns a problem for each resource whose amount differs from that of the oldest MachineDeployment of the instance type. */
export const capacityClashes = (first: MachineOffer, offer: MachineOffer): readonly DeploymentProblem[] => {
  const [ours, theirs] = [offer.machine.declared, first.machine.declared]
  if (ours === undefined || theirs === undefined) return []
  return resourceNames(ours, theirs)
    .filter((name) => ownValue(ours, name) !== ownValue(theirs, name))
    .map((name) => {
      const [found, others] = [ownValue(ours, name), ownValue(theirs, name)]
      return clash(first, offer, {
        key: ownValue(annotationOf, name) ?? clusterApiAnnotations.gpuCount,
        ...(found === undefined ? {} : { found: textOf(name, found) }),
        text: others === undefined ? 'has none' : `has ${textOf(name, others)}`,
        consequence: 'smaller',
      })
    })
}

/**
 * Returns the problem of a MachineDeployment whose price differs from that of the oldest one, although the scheduler cannot distinguish
 * their machines.
 */
export const priceClash = (first: DeploymentOffer, offer: DeploymentOffer): DeploymentProblem | undefined => {
  if (first.price === undefined || offer.price === undefined || first.price === offer.price) return undefined
  return deploymentProblem(offer.deployment, {
    reason: 'PriceClash',
    consequence: 'dearer',
    key: clusterApiAnnotations.hourlyPrice,
    found: String(offer.price),
    detail: `MachineDeployment ${machineDeploymentName(first.deployment)} offers the same instance type, zone and capacity type for ${first.price}`,
    remedy: `set one price for both, or a different ${labels.instanceType} in the labels annotation of one`,
  })
}

interface Clash {
  readonly key: string
  readonly found?: string
  readonly text: string
  readonly consequence: Consequence
}

const clash = (first: MachineOffer, offer: MachineOffer, { text, ...rest }: Clash): DeploymentProblem =>
  deploymentProblem(offer.deployment, {
    ...rest,
    reason: 'NameClash',
    detail: `MachineDeployment ${machineDeploymentName(first.deployment)} has the same instance type ${JSON.stringify(offer.machine.typeName)} and ${text}`,
    remedy: REMEDY,
  })

const resourceNames = (one: Resources, other: Resources): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted(byText)

const textOf = (name: string, amount: Quantity): string => ownValue(formatResources({ [name]: amount }), name) ?? ''

const machineDeploymentName = ({ namespace, name }: MachineDeployment): string => `${namespace}/${name}`

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
