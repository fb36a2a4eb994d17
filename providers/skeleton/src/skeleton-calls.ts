/** An instance of the cloud. */
export interface Instance {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly state: 'running' | 'stopping'
  readonly tags: Readonly<Record<string, string>>
  /** RFC 3339. */
  readonly createdAt: string
}

/** The cloud knows no instance with that id, or no longer. */
export class NoSuchInstanceError extends Error {}

/** The calls of the cloud that the provider makes. A real one is made on the cloud's SDK. */
export interface SkeletonCalls {
  /** @throws NoSuchInstanceError */
  describe(id: string, signal: AbortSignal): Promise<Instance>
  /** Every instance with the tag; a page that fails fails the call. */
  list(tag: readonly [key: string, value: string], signal: AbortSignal): Promise<readonly Instance[]>
  /** @throws NoSuchInstanceError */
  stop(id: string, signal: AbortSignal): Promise<void>
}
