import { labels } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { azureLabels, HYPER_V_GENERATION_LABEL } from '../label-names.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import { findGpuSize } from '../tables/gpu-sizes.ts'
import type { ClassTraits } from './class-traits.ts'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const orNone = (key: string, value: string | undefined): RequirementSpec =>
  value === undefined ? { key, operator: 'DoesNotExist' } : is(key, value)

const LONGEST_LABEL = 63

/**
 * Returns the node resource group as a valid label value
 * (`providers/azure/docs/spec/azure.md#node-only-labels-written-at-bootstrap-not-simulated`).
 */
export const clusterLabelValue = (resourceGroup: string): string => {
  const text = resourceGroup.replaceAll(/[()]/g, '-').slice(0, LONGEST_LABEL)
  if (!/[-_.]$/.test(text)) return text
  return text.length === LONGEST_LABEL ? `${text.slice(0, -1)}z` : `${text}z`
}

/** Returns a requirement with the values that a label has in the available offerings, in the offerings' order. */
const offered = (key: string, offerings: readonly Offering[]): RequirementSpec => {
  const values = new Set<string>()
  for (const { available, requirements } of offerings) {
    if (!available) continue
    for (const value of requirements.find((each) => each.key === key)?.values ?? []) values.add(value)
  }
  return values.size === 0 ? { key, operator: 'DoesNotExist' } : is(key, ...values)
}

/**
 * Returns the requirements that describe nodes of a size, one for every well-known label
 * (`providers/azure/docs/spec/azure.md#requirements-on-each-type`).
 */
export const typeRequirements = (
  size: VmSize,
  traits: ClassTraits,
  offerings: readonly Offering[],
  { location, nodeResourceGroup }: { readonly location: string; readonly nodeResourceGroup: string },
): readonly RequirementSpec[] => {
  const { parts, vcpus, memoryGiB } = size
  const cpu = `${vcpus}`
  const memory = `${Math.trunc(memoryGiB * 1024)}`
  const gpu = findGpuSize(size.name)
  return [
    is(labels.instanceType, size.name),
    is(labels.arch, size.arch),
    is(labels.os, 'linux'),
    is(labels.region, location),
    { key: labels.windowsBuild, operator: 'DoesNotExist' },
    offered(labels.zone, offerings),
    offered(labels.capacityType, offerings),
    offered(azureLabels.placementScope, offerings),
    offered(azureLabels.ultraSsd, offerings),
    is(azureLabels.skuName, size.name),
    is(azureLabels.skuFamily, parts.family),
    is(azureLabels.skuSeries, parts.series),
    is(azureLabels.skuVersion, parts.version),
    is(azureLabels.skuCpu, cpu),
    is(azureLabels.skuMemory, memory),
    is(azureLabels.aksCpu, cpu),
    is(azureLabels.aksMemory, memory),
    is(azureLabels.acceleratedNetworking, `${size.acceleratedNetworking}`),
    is(azureLabels.premiumStorage, `${size.premiumStorage}`),
    orNone(azureLabels.ephemeralOsDiskSize, size.ephemeralOsDisk && `${size.ephemeralOsDisk.sizeGB}`),
    is(azureLabels.gpuCount, gpu === undefined ? '0' : `${size.gpus}`),
    orNone(azureLabels.gpuManufacturer, gpu?.manufacturer),
    orNone(azureLabels.gpuName, gpu === undefined ? undefined : parts.accelerator),
    is(azureLabels.cluster, clusterLabelValue(nodeResourceGroup)),
    is(azureLabels.mode, 'system', 'user'),
    is(azureLabels.scaleSetPriority, 'regular', 'spot'),
    is(azureLabels.priority, 'regular', 'spot'),
    is(azureLabels.osSku, traits.imageFamily === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu'),
    orNone(azureLabels.fipsEnabled, traits.fips ? 'true' : undefined),
    size.generations.length === 0
      ? { key: HYPER_V_GENERATION_LABEL, operator: 'DoesNotExist' }
      : is(HYPER_V_GENERATION_LABEL, ...size.generations),
  ]
}
