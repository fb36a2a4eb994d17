import { type FailureKind, kindOfText } from './failure-kind.ts'

/** A task of Proxmox that failed. */
export class FailedTaskError extends Error {
  override readonly name = 'FailedTaskError'
  readonly kind: FailureKind

  constructor(step: string, exitStatus: string) {
    super(`${step} failed: ${exitStatus}`)
    this.kind = kindOfText(exitStatus)
  }
}
