/** Where the commands of `kerf aws` write, and what they read AWS's usual settings from. */
export interface AwsStreams {
  readonly stdout: { write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
}
