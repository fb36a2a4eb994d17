import type { Pod } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { HostPort } from './host-port.ts'

/** A daemon's pod, ready for the question where it runs. */
export interface Daemon {
  readonly name: string
  /** Equal texts mean daemons that ask for the same. */
  readonly identity: string
  readonly pod: Pod
  readonly alternatives: readonly Requirements[]
  readonly requests: Amounts
  readonly ports: readonly HostPort[]
}

/** Instance types on which the same daemons run, and what those take (`docs/spec/pending-pods.md#daemonset-pods`). */
export interface DaemonGroup {
  readonly daemons: readonly Daemon[]
  readonly overhead: Amounts
  readonly ports: readonly HostPort[]
}
