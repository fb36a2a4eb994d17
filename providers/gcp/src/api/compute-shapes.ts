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
  /** The creation time in RFC 3339, with the UTC offset that Google reports. */
  readonly createdAt: string | undefined
  readonly isSpot: boolean
  /** The name of the boot disk. The image is recorded on the disk, not on the instance. */
  readonly bootDisk: string | undefined
}

/** An error of an operation: the service accepted the request, but the change failed. */
export interface OperationError {
  readonly code: string
  readonly message: string
  /** Zones that have capacity at the moment, if the service lists any. */
  readonly zonesAvailable: readonly string[]
}

/** A zonal operation: a change that Compute Engine accepted and performs asynchronously. */
export interface ZoneOperation {
  readonly name: string
  readonly zone: string
  readonly isDone: boolean
  /** The errors of a failed operation. Empty if the operation has not failed. */
  readonly errors: readonly OperationError[]
}

export interface GceImage {
  /** The path of the image, in the form `projects/PROJECT/global/images/NAME`. */
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
