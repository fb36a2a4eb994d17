import { labels } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import { parseTypeName } from '../ecs-types/type-name.ts'
import { alibabaLabels } from '../label-names.ts'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const orAbsent = (key: string, value: string | undefined): RequirementSpec =>
  value === undefined ? { key, operator: 'DoesNotExist' } : is(key, value)

/** Returns a requirement with all values that a label has in the available offerings, in the order of the offerings. */
const offered = (key: string, offerings: readonly Offering[]): RequirementSpec => {
  const values = new Set(
    offerings
      .filter(({ available }) => available)
      .flatMap(({ requirements }) => requirements.find((each) => each.key === key)?.values ?? []),
  )
  return values.size === 0 ? { key, operator: 'DoesNotExist' } : is(key, ...values)
}

/** Returns `intel` or `amd`, or undefined for any other model. Upstream sets an empty label for Arm. */
const cpuModel = (model: string | undefined): string | undefined =>
  model?.includes('AMD') ? 'amd' : model?.includes('Intel') ? 'intel' : undefined

const gpuName = (model: string): string | undefined =>
  model.includes(' ') ? model.toLowerCase().replaceAll(/[ /*]/g, '-') : undefined

/**
 * Returns the requirements that describe nodes of an instance type, one for every well-known label
 * (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`).
 */
export const typeRequirements = (
  type: EcsType,
  offerings: readonly Offering[],
  region: string,
): readonly RequirementSpec[] => {
  const { category, generation, family, size } = parseTypeName(type.name)
  const { model, count, memoryGB } = type.gpus ?? {}
  return [
    is(labels.instanceType, type.name),
    is(labels.arch, type.arch),
    is(labels.os, 'linux'),
    is(labels.region, region),
    { key: labels.windowsBuild, operator: 'DoesNotExist' },
    offered(labels.zone, offerings),
    offered(labels.capacityType, offerings),
    offered(alibabaLabels.zoneId, offerings),
    is(alibabaLabels.cpu, `${type.vcpus}`),
    // Upstream formats this value as a float. From about 1000 GiB on, the text has an exponent and is not a valid label value.
    is(alibabaLabels.memory, `${Math.trunc(type.memoryGiB * 1024)}`),
    orAbsent(alibabaLabels.cpuModel, cpuModel(type.processorModel)),
    orAbsent(alibabaLabels.category, category),
    orAbsent(alibabaLabels.generation, generation),
    orAbsent(alibabaLabels.family, family),
    orAbsent(alibabaLabels.size, size),
    orAbsent(alibabaLabels.gpuName, model === undefined ? undefined : gpuName(model)),
    orAbsent(alibabaLabels.gpuManufacturer, model?.split(' ')[0]),
    orAbsent(alibabaLabels.gpuCount, count === undefined ? undefined : `${count}`),
    orAbsent(alibabaLabels.gpuMemory, memoryGB === undefined ? undefined : `${memoryGB}`),
  ]
}
