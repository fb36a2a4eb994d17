import type { RepairPolicy } from '@kerf/provider-contract'
import { readinessPolicies } from '@kerf/provider-kit'

const MINUTE = 60_000

/**
 * The conditions under which a Node counts as unhealthy: its readiness, and the conditions of GKE's node problem detector
 * (`providers/gcp/docs/spec/gcp.md#repair`).
 */
export const repairPolicies: readonly RepairPolicy[] = [
  ...readinessPolicies(10 * MINUTE),
  { conditionType: 'KernelDeadlock', conditionStatus: 'True', toleration: 5 * MINUTE },
  { conditionType: 'ReadonlyFilesystem', conditionStatus: 'True', toleration: 5 * MINUTE },
  { conditionType: 'FrequentKubeletRestart', conditionStatus: 'True', toleration: 30 * MINUTE },
  { conditionType: 'FrequentContainerdRestart', conditionStatus: 'True', toleration: 30 * MINUTE },
]
