/** An instance of the cloud. */
export interface Instance {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly state: 'running' | 'stopping'
  readonly tags: Readonly<Record<string, string>>
  /** In RFC 3339. */
  readonly createdAt: string
}

/** Thrown when the cloud knows no instance with that id. */
export class NoSuchInstanceError extends Error {}

/** The calls of the cloud that the provider makes. A real provider uses the cloud's SDK. */
export interface SkeletonCalls {
  /** @throws NoSuchInstanceError */
  describe(id: string, signal: AbortSignal): Promise<Instance>
  /** Lists every instance with the tag. A failed page fails the call. */
  list(tag: readonly [key: string, value: string], signal: AbortSignal): Promise<readonly Instance[]>
  /** @throws NoSuchInstanceError */
  stop(id: string, signal: AbortSignal): Promise<void>
}
