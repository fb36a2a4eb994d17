import { labels } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes } from '@kerf/provider-contract'
import { imageFor, nodeClassImages } from '../discovery/images.ts'
import { isKnownFamily, nodeClassAmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { kubeletExpressions, setKubeletFields } from '../node-class/kubelet-fields.ts'
import { kubeletProblems, unsupportedKubeletFields } from '../node-class/validate-kubelet.ts'
import { USUAL_REGION } from '../regions.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { type OfflineMarket, offlineMarket } from './offline-market.ts'

/** Returns the problems that the controller would report about the node class's fields. Needs no access to the account. */
const classProblems = ({ spec }: EC2NodeClass): readonly string[] => {
  const family = nodeClassAmiFamily(spec)
  if (!isKnownFamily(family)) return [`spec.amiFamily: unknown family ${family}`]
  const problems = kubeletProblems(spec.kubelet)
  if (problems.length === 0 && kubeletExpressions(setKubeletFields(spec.kubelet)).length > 0)
    return ['spec.kubelet contains expressions, which Kerf does not evaluate']
  return [...problems, ...unsupportedKubeletFields(family, spec.kubelet)].map((text) => `spec.kubelet.${text}`)
}

/**
 * Returns descriptions of the properties that need access to the account and therefore were not checked. If the node class has a status, a
 * controller has already resolved it in the account.
 */
const notLookedAt = ({ metadata, spec, status }: EC2NodeClass): readonly string[] => {
  const of = `of EC2NodeClass ${metadata.name}`
  const isOwnImage = (status?.amis ?? []).length === 0 && spec.amiSelectorTerms.some(({ alias }) => alias === undefined)
  return [
    ...((status?.subnets ?? []).length > 0 ? [] : [`the subnets ${of} (assuming every zone)`]),
    ...(isOwnImage ? [`the images ${of} (assuming any architecture)`] : []),
    ...((spec.capacityReservationSelectorTerms ?? []).length > 0 ? [`the capacity reservations ${of}`] : []),
    ...(spec.placementGroupSelector === undefined ? [] : [`the placement group ${of}`]),
  ]
}

/** Returns true if the family has images for the instance type. Windows has images for amd64 only. */
const hasSystem = ({ requirements }: InstanceType): boolean =>
  requirements.find(({ key }) => key === labels.os)?.values?.length !== 0

/**
 * Returns the EC2 instance types that a node class offers to its NodePools, without access to the account. From the spec it uses the image
 * family, kubelet, volumes, instance store, network interfaces and CPU options. From the status it uses the zones of the subnets, and the
 * images.
 */
export const offlineClassTypes = (
  nodeClass: EC2NodeClass,
  market: OfflineMarket = offlineMarket(USUAL_REGION),
): OfflineClassTypes => {
  const problems = classProblems(nodeClass)
  if (problems.length > 0) return { types: [], notLookedAt: [], problems }
  const images = nodeClassImages(nodeClass)
  const subnets = nodeClass.status?.subnets ?? []
  const isElsewhere = subnets.length > 0 && subnets.every(({ zone }) => !zone.startsWith(market.region))
  const here = isElsewhere ? { ...nodeClass, status: { ...nodeClass.status, subnets: [] } } : nodeClass
  const types = offlineInstanceTypes(here, market).filter((type) =>
    images.length > 0 ? imageFor(type, images) !== undefined : hasSystem(type),
  )
  const zones = isElsewhere
    ? [
        `the zones of EC2NodeClass ${nodeClass.metadata.name} (${[...new Set(subnets.map(({ zone }) => zone))].sort().join(', ')}; these are the types and zones of ${market.region})`,
      ]
    : []
  return { types, notLookedAt: [...zones, ...notLookedAt(nodeClass)], problems }
}
