/** A server of the cloud. */
export interface Server {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly isSpot: boolean
  readonly state: 'running' | 'stopping'
  readonly tags: Readonly<Record<string, string>>
  /** RFC 3339. */
  readonly createdAt: string
}

export interface ServerRequest {
  /** A request with the token of an earlier one answers the server of that one. */
  readonly token: string
  readonly image: string
  readonly type: string
  readonly zone: string
  readonly isSpot: boolean
  readonly tags: Server['tags']
}

/** The cloud has no such server in stock now. */
export class OutOfStockError extends Error {}

/** The cloud knows no server with that id, or no longer. */
export class NoSuchServerError extends Error {}

/** The calls of the cloud that the provider makes. A real one is made on the cloud's SDK. */
export interface ServerApi {
  /** @throws OutOfStockError */
  create(request: ServerRequest, signal: AbortSignal): Promise<Server>
  /** @throws NoSuchServerError */
  describe(id: string, signal: AbortSignal): Promise<Server>
  /** Every server with the tag; a page that fails fails the call. */
  list(tag: readonly [key: string, value: string], signal: AbortSignal): Promise<readonly Server[]>
  /** @throws NoSuchServerError */
  stop(id: string, signal: AbortSignal): Promise<void>
}
