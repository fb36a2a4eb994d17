/** A server of the cloud. */
export interface Server {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly isSpot: boolean
  readonly state: 'running' | 'stopping'
  readonly tags: Readonly<Record<string, string>>
  /** The creation time, in RFC 3339. */
  readonly createdAt: string
}

export interface ServerRequest {
  /** An idempotency token. If it was used before, the cloud returns the server of the earlier request. */
  readonly token: string
  readonly image: string
  readonly type: string
  readonly zone: string
  readonly isSpot: boolean
  readonly tags: Server['tags']
}

/** Thrown when the cloud has no such server in stock. */
export class OutOfStockError extends Error {}

/** Thrown when the cloud has no server with this id. */
export class NoSuchServerError extends Error {}

/** The calls to the cloud that the provider makes. A real provider would use the cloud's SDK. */
export interface ServerApi {
  /** @throws OutOfStockError */
  create(request: ServerRequest, signal: AbortSignal): Promise<Server>
  /** @throws NoSuchServerError */
  describe(id: string, signal: AbortSignal): Promise<Server>
  /** Lists every server with the tag. If one page fails, the call fails. */
  list(tag: readonly [key: string, value: string], signal: AbortSignal): Promise<readonly Server[]>
  /** @throws NoSuchServerError */
  stop(id: string, signal: AbortSignal): Promise<void>
}
