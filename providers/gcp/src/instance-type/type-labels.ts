import { labels } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { diskTypeLabel, gcpLabels, readinessLabels } from '../label-names.ts'
import { diskTypes, diskTypesOfFamily } from '../tables/disk-types.ts'
import { gpusOfType, type TypeFacts } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const orNone = (key: string, value: string | undefined): RequirementSpec =>
  value === undefined ? { key, operator: 'DoesNotExist' } : is(key, value)

/** Returns a requirement with all values that a label has in the available offerings, in the order of the offerings. */
const offered = (key: string, offerings: readonly Offering[]): RequirementSpec => {
  const values = new Set<string>()
  for (const { available, requirements } of offerings) {
    if (!available) continue
    for (const value of requirements.find((each) => each.key === key)?.values ?? []) values.add(value)
  }
  return values.size === 0 ? { key, operator: 'DoesNotExist' } : is(key, ...values)
}

/**
 * Returns the requirements that describe nodes of an instance type, one for every well-known label
 * (`providers/gcp/docs/spec/gcp.md#labels-resources-names`).
 */
export const typeRequirements = (
  facts: TypeFacts,
  offerings: readonly Offering[],
  region: string,
): readonly RequirementSpec[] => {
  const name = parseTypeName(facts.name)
  const gpus = gpusOfType(facts)
  const attachable = new Set(diskTypesOfFamily(name?.family ?? ''))
  return [
    is(labels.instanceType, facts.name),
    orNone(labels.arch, name === undefined ? undefined : facts.arch),
    is(labels.os, 'linux'),
    is(labels.region, region),
    { key: labels.windowsBuild, operator: 'DoesNotExist' },
    offered(labels.zone, offerings),
    offered(labels.capacityType, offerings),
    offered(gcpLabels.zoneId, offerings),
    orNone(gcpLabels.family, name?.family),
    orNone(gcpLabels.shape, name?.shape),
    orNone(gcpLabels.size, name?.size),
    orNone(gcpLabels.generation, name?.generation),
    is(gcpLabels.cpu, `${facts.vcpus}`),
    is(gcpLabels.memory, `${facts.memoryMiB}`),
    orNone(gcpLabels.gpuName, gpus?.type),
    orNone(gcpLabels.gpuCount, gpus && `${gpus.count}`),
    orNone(gcpLabels.gpuManufacturer, undefined),
    orNone(gcpLabels.gpuMemory, undefined),
    orNone(gcpLabels.accelerator, gpus?.type),
    orNone(gcpLabels.cpuScalingLevel, gpus && `${facts.vcpus}`),
    // Whether a node has these labels depends on the cluster, so both `true` and `false` are possible. Plans therefore include
    // DaemonSets that select the labels. NodeClaims get no label that has two possible values.
    ...readinessLabels.map((label) => is(label, 'true', 'false')),
    ...diskTypes.map((type) => orNone(diskTypeLabel(type), attachable.has(type) ? 'true' : undefined)),
  ]
}
