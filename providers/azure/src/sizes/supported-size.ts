import { findGpuSize } from '../tables/gpu-sizes.ts'
import type { VmSize } from './vm-size.ts'

/** Sizes that AKS does not allow for nodes, and two more that upstream excludes. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['Standard_A0', 'Standard_A1', 'Standard_A1_v2', 'Standard_B1s', 'Standard_B1ms', 'Standard_F1', 'Standard_F1s'],
  ...['Basic_A0', 'Basic_A1', 'Basic_A2', 'Basic_A3', 'Basic_A4'],
  ...['Standard_E64i_v3', 'Standard_E64is_v3'],
])

const LEAST_CPUS = 2
const LEAST_MEMORY_GIB = 3.5

/** Returns true if nodes can have the size, for any node class (`providers/azure/docs/spec/azure.md#global-filters`). */
export const isSupportedSize = (size: VmSize): boolean =>
  !REFUSED.has(size.name) &&
  size.vcpus >= LEAST_CPUS &&
  size.memoryGiB >= LEAST_MEMORY_GIB &&
  !size.parts.isConstrained &&
  // Confidential VMs.
  !/^Standard_(DC|EC)/.test(size.name) &&
  (size.gpus === 0 || findGpuSize(size.name) !== undefined)
