/** An error of a Google API, or of the connection to it. */
export class GcpApiError extends Error {
  override readonly name = 'GcpApiError'
  /** The reason of Compute Engine, such as `notFound`, or the status name of other services, such as `NOT_FOUND`. */
  readonly reason: string
  /** The HTTP status. Undefined if there was no response. */
  readonly status: number | undefined

  constructor(
    fields: { readonly reason: string; readonly message: string; readonly status?: number | undefined },
    options?: ErrorOptions,
  ) {
    super(fields.message, options)
    this.reason = fields.reason
    this.status = fields.status
  }
}

/** Returns true if the resource does not exist. After any other error, the resource may still exist. */
export const isGcpNotFound = (error: unknown): boolean => error instanceof GcpApiError && error.status === 404
