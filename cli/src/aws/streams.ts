import type { Output } from '../terminal/output.ts'

/** Where the commands of `kerf aws` write, and what they read AWS's usual settings from. */
export interface AwsStreams {
  readonly stdout: Output
  readonly env: Readonly<Record<string, string | undefined>>
}
