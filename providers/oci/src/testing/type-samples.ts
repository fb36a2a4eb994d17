import type { Taint } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { zoneOfDomain } from '../availability-domain.ts'
import { apiShapeFacts } from '../instance-types/api-shape-facts.ts'
import { type OciType, ociTypes, type TypeSettings } from '../instance-types/instance-types.ts'
import type { Market } from '../instance-types/offerings.ts'
import { COMMUNITY_NOT_PREEMPTIBLE, COMMUNITY_PREEMPTIBLE } from '../instance-types/shape-lists.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import type { CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import { resolveCommunityClass } from '../node-class/community-resolution.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { resolveOracleClass } from '../node-class/oracle-resolution.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { knownRates, knownShapes } from '../tables/known-shapes.ts'
import { fakeShapes } from './fake-oci/fake-shapes.ts'
import { AVAILABILITY_DOMAINS } from './fake-oci/names.ts'

const { spec: communitySpec } = communityNodeClassDescriptor.example
const { spec: oracleSpec } = oracleNodeClassDescriptor.example
if (communitySpec === undefined || oracleSpec === undefined) throw new Error('the examples have no spec')

/** Returns the example OciNodeClass with changed fields, in the provider's internal model. */
export const communityClass = (changes: Partial<CommunityNodeClassSpec> = {}): ResolvedClass =>
  resolveCommunityClass({ ...communityNodeClassDescriptor.example, spec: { ...communitySpec, ...changes } })

/** Returns the example OCINodeClass with changed fields, in the provider's internal model. */
export const oracleClass = (changes: Partial<OracleNodeClassSpec> = {}): ResolvedClass =>
  resolveOracleClass({ ...oracleNodeClassDescriptor.example, spec: { ...oracleSpec, ...changes } })

/** Settings with the default sizes in the chart of zoom/karpenter-oci. */
export const typeSettings: TypeSettings = {
  memoryOverhead: 0,
  defaultIpCount: 32,
  preemptible: { included: COMMUNITY_PREEMPTIBLE, excluded: COMMUNITY_NOT_PREEMPTIBLE },
  sizes: { ocpus: [1, 2, 4, 8, 16, 32, 48, 64, 96, 128], memoryRatios: [2, 4, 8], sizes: [] },
}

/** A market in which every shape is sold in two zones of Phoenix, with Kerf's built-in prices. */
export const market: Market = {
  region: 'us-phoenix-1',
  zones: () => ['PHX-AD-1', 'PHX-AD-2'],
  rates: (shape) => knownRates.get(shape),
  reservedSizes: () => [],
}

interface Sample {
  readonly taints?: readonly Taint[]
  readonly market?: Market
  readonly settings?: TypeSettings
}

/** Returns the instance types of some of Kerf's built-in shapes for a class. */
export const sampleTypes = (
  shapes: readonly string[],
  nodeClass: ResolvedClass,
  sample: Sample = {},
): readonly OciType[] =>
  ociTypes(
    shapes.flatMap((name) => knownShapes.get(name) ?? []),
    nodeClass,
    sample.taints ?? [],
    sample.market ?? market,
    sample.settings ?? typeSettings,
  )

/** The sizes of flexible shapes in simulated clusters. */
export const simulatedSizes = [
  { ocpus: 1, memoryInGbs: 8 },
  { ocpus: 2, memoryInGbs: 16 },
  { ocpus: 4, memoryInGbs: 32 },
  { ocpus: 8, memoryInGbs: 64 },
] as const

/** Returns the instance types that the fake tenancy offers for an OCINodeClass with these sizes. */
export const fakeTypes = (): readonly InstanceType[] =>
  ociTypes(
    fakeShapes.map(apiShapeFacts),
    oracleClass({ shapeConfigs: simulatedSizes }),
    [],
    { ...market, zones: () => AVAILABILITY_DOMAINS.map(zoneOfDomain) },
    typeSettings,
  ).map(({ type }) => type)
