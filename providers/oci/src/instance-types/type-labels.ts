import { labels } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { communityLabels, oracleLabels, type Upstream } from '../names.ts'
import { architecture, isBareMetal, isDenseIo } from './shape-facts.ts'
import type { SizedShape } from './sized-shape.ts'

/** The values of one label of an instance type. Empty if its nodes do not have the label. */
type LabelValues = readonly string[]

const requirement = (key: string, values: LabelValues): RequirementSpec =>
  values.length === 0 ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values: [...new Set(values)] }

/** Converts a text to a valid label value in the same way as zoom/karpenter-oci [interop]. */
const labelValue = (text: string): string => {
  const value = text.slice(0, 63).replace(/[^-A-Za-z0-9_.]/g, '_')
  if (value === '') return value
  const begun = /^[A-Za-z0-9]/.test(value) ? value : `a_${value}`
  return /[A-Za-z0-9]$/.test(begun) ? begun : `${begun}_z`
}

const ifTrue = (value: boolean): LabelValues => (value ? ['true'] : [])
const whole = (value: number | undefined, factor = 1): LabelValues =>
  value === undefined ? [] : [`${Math.trunc(value) * factor}`]

const communityValues = ({ facts, vcpus, memoryInGBs, maxVnics, bandwidthInGbps }: SizedShape) => ({
  [communityLabels.shape]: [facts.name],
  [communityLabels.cpu]: whole(vcpus),
  [communityLabels.memory]: whole(memoryInGBs, 1024),
  [communityLabels.gpu]: facts.gpus === 0 ? [] : [`${facts.gpus}`],
  [communityLabels.gpuDescription]: facts.gpus === 0 ? [] : [labelValue(facts.gpuDescription ?? facts.name)],
  [communityLabels.networkBandwidth]: whole(bandwidthInGbps, 1024),
  [communityLabels.maxVnics]: whole(maxVnics),
  [communityLabels.isFlexible]: [`${facts.flexible !== undefined}`],
})

const oracleValues = ({ facts }: SizedShape) => ({
  [oracleLabels.shape]: [facts.name],
  [oracleLabels.gpu]: ifTrue(facts.gpus > 0),
  [oracleLabels.bareMetal]: ifTrue(isBareMetal(facts.name)),
  [oracleLabels.denseIo]: ifTrue(isDenseIo(facts.name)),
  [oracleLabels.flexible]: ifTrue(facts.flexible !== undefined),
})

/** Returns the values that a label has in the offerings, in the order of the offerings. */
const offered = (key: string, offerings: readonly Offering[]): LabelValues =>
  offerings.flatMap(({ requirements }) => requirements.find((each) => each.key === key)?.values ?? [])

/**
 * Returns the requirements that describe nodes of a type, one for every well-known label (`providers/oci/docs/spec/oci.md#labels`). For
 * labels of the other upstream, the operator is DoesNotExist.
 */
export const typeRequirements = (
  size: SizedShape,
  upstream: Upstream,
  nodeClass: string,
  offerings: readonly Offering[],
  region: string,
): readonly RequirementSpec[] => {
  const { facts, name } = size
  const available = offerings.filter((offering) => offering.available)
  const values: Readonly<Record<string, LabelValues>> =
    upstream === 'community'
      ? { ...communityValues(size), [communityLabels.nodeClass]: [nodeClass] }
      : {
          ...oracleValues(size),
          [oracleLabels.nodeClass]: [nodeClass],
          [oracleLabels.reservationId]: offered(oracleLabels.reservationId, available),
          [oracleLabels.faultDomain]: offered(oracleLabels.faultDomain, available),
        }
  return [
    // With an OciNodeClass, Nodes of all sizes of a flexible shape have the shape's name as instance type.
    requirement(labels.instanceType, upstream === 'community' ? [facts.name, name] : [name]),
    requirement(labels.arch, [architecture(facts.name)]),
    requirement(labels.os, ['linux']),
    requirement(labels.region, [region]),
    requirement(labels.windowsBuild, []),
    requirement(labels.zone, offered(labels.zone, offerings)),
    requirement(labels.capacityType, offered(labels.capacityType, available)),
    ...[...Object.values(communityLabels), ...Object.values(oracleLabels)].map((key) =>
      requirement(key, values[key] ?? []),
    ),
  ]
}
