import type { Output } from '../terminal/output.ts'

/** The outputs of the `kerf aws` commands, and the environment with AWS's usual settings. */
export interface AwsStreams {
  readonly stdout: Output
  readonly env: Readonly<Record<string, string | undefined>>
}
