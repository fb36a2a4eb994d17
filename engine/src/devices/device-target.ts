import type { HostId } from '../model/ids.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { TemplateDevices } from './device-templates.ts'

/** What a claim to launch, or a node, is asked for. */
export interface Target {
  readonly id: HostId
  /** Name of the node; `undefined` for one to launch. */
  readonly node: string | undefined
  /** An initialised node: what it has is published. */
  readonly isSettled: boolean
  readonly requirements: Requirements
  readonly types: readonly TargetType[]
  accepts(current: Requirements, wanted: Requirements): boolean
}

export interface TargetType {
  readonly name: string
  readonly promised: TemplateDevices
  /** Whether the type can still be had with these requirements. */
  admits(requirements: Requirements): boolean
}
