import { labels, type NodeClaim } from '@kerf/apis'
import { defineMetrics } from '@kerf/runtime'
import type { AzureInstance } from '../instances/azure-instance.ts'

/** The error code of a failure without a code. */
export const UNKNOWN_CODE = 'UnknownError'

const ABOUT = ['image', 'size', 'zone', 'capacity_type', 'nodepool'] as const

/** The metrics of VM creation, with upstream's names (`providers/azure/docs/spec/azure.md#error-classification`). */
export const vmMetrics = defineMetrics({
  starts: {
    name: 'karpenter_instance_vm_create_start_total',
    type: 'counter',
    help: 'VMs requested from Azure.',
    labels: ABOUT,
  },
  failures: {
    name: 'karpenter_instance_vm_create_failure_total',
    type: 'counter',
    help: 'VMs that Azure rejected (phase sync), or accepted but could not create (phase async), by error code.',
    labels: [...ABOUT, 'phase', 'error_code'],
  },
})

/** Returns the labels of a VM. Two metrics use them. */
export const vmLabels = (
  { metadata }: Pick<NodeClaim, 'metadata'>,
  { imageId, size, zone, capacityType }: Pick<AzureInstance, 'imageId' | 'size' | 'zone' | 'capacityType'>,
) => ({
  ...{ image: imageId, size, zone, capacity_type: capacityType },
  nodepool: metadata.labels?.[labels.nodePool] ?? '',
})
