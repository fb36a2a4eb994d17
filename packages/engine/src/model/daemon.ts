import type { Pod } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { HostPort } from './host-port.ts'

/** The pod of a DaemonSet, prepared for deciding where it runs. */
export interface Daemon {
  readonly name: string
  /** Equal for daemons with the same requirements, requests and ports. */
  readonly identity: string
  readonly pod: Pod
  readonly alternatives: readonly Requirements[]
  readonly requests: Amounts
  readonly ports: readonly HostPort[]
}

/** Instance types that run the same daemons, and the requests of these daemons (`docs/spec/pending-pods.md#daemonset-pods`). */
export interface DaemonGroup {
  readonly daemons: readonly Daemon[]
  readonly overhead: Amounts
  readonly ports: readonly HostPort[]
}
