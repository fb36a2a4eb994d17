import type { TypeFacts } from '../type-facts.ts'

/** An instance, as Compute Engine returns it. */
export interface GceInstance {
  readonly name: string
  readonly zone: string
  /** The name of the instance type. */
  readonly type: string
  /** PROVISIONING, STAGING, RUNNING, STOPPING, TERMINATED, … */
  readonly status: string
  readonly labels: Readonly<Record<string, string>>
  /** RFC 3339, with the zone of Google's clock. */
  readonly createdAt: string | undefined
  readonly isSpot: boolean
  /** The name of the boot disk. Only the disk says which image it has. */
  readonly bootDisk: string | undefined
}

/** An error of a change that the service accepted. */
export interface OperationError {
  readonly code: string
  readonly message: string
  /** Zones that have capacity now, if the service names some. */
  readonly zonesAvailable: readonly string[]
}

/** A change that the service accepted. */
export interface ZoneOperation {
  readonly name: string
  readonly zone: string
  readonly isDone: boolean
  /** Why the change failed. Empty if it has not failed. */
  readonly errors: readonly OperationError[]
}

export interface GceImage {
  /** As `projects/PROJECT/global/images/NAME`. */
  readonly path: string
  readonly name: string
  /** Undefined for an image without architecture. */
  readonly arch: 'amd64' | 'arm64' | undefined
  /** RFC 3339. */
  readonly createdAt: string
  /** Whether the image is deprecated, obsolete or deleted. */
  readonly isDeprecated: boolean
}

export interface InstanceTemplate {
  readonly name: string
  /** RFC 3339. */
  readonly createdAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

/** An instance type in one zone. */
export interface ZonalType {
  readonly zone: string
  readonly facts: TypeFacts
}
