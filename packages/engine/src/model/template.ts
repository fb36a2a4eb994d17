import type { NodePool, Taint } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { DaemonGroup } from './daemon.ts'
import type { InstanceTypeOptions, OfferingEntry, TypeEntry } from './instance-type-options.ts'

/**
 * A NodePool prepared for launching nodes: its requirements and taints, the instance types that they allow, and the available offerings by
 * price, then type, zone and capacity type (`docs/spec/scheduling.md#reading-pools`, `docs/spec/instance-types.md`).
 */
export interface Template {
  readonly index: number
  readonly pool: NodePool
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly requirements: Requirements
  /** Types and offerings, shared with other pools if possible. The lists below are parts of this object. */
  readonly typeOptions: InstanceTypeOptions
  readonly types: readonly TypeEntry[]
  readonly offerings: readonly OfferingEntry[]
  readonly daemonGroups: readonly DaemonGroup[]
  readonly minValuesRelaxed: boolean
  /** The commitment that covers the nodes. Absent for a template whose nodes cost their full price. */
  readonly commitment?: string
}

/** A pool whose requirements exclude all of its instance types. */
export interface EmptyTemplate {
  readonly pool: NodePool
  readonly name: string
  readonly problem: 'catalogue-empty' | 'filtered-out' | 'min-values' | 'invalid'
  readonly detail: string
  readonly requirements: Requirements
  readonly typeOptions: InstanceTypeOptions
  readonly taints: readonly Taint[]
}
