import type { HostId } from '../model/ids.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { TemplateDevices } from './device-templates.ts'

/** An existing node, or a claim to launch, for which devices are searched. */
export interface Target {
  readonly id: HostId
  /** The name of the node; `undefined` for a node to launch. */
  readonly node: string | undefined
  /** Whether the node is initialized. Only then are its devices published. */
  readonly isSettled: boolean
  readonly requirements: Requirements
  readonly types: readonly TargetType[]
  accepts(current: Requirements, wanted: Requirements): boolean
}

export interface TargetType {
  readonly name: string
  readonly promised: TemplateDevices
  /** Returns whether the instance type has an offering that satisfies these requirements. */
  admits(requirements: Requirements): boolean
}
