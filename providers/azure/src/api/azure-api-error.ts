/** An error of Azure, or of the connection to it. */
export class AzureApiError extends Error {
  override readonly name = 'AzureApiError'
  /** The error code of Azure, such as `SkuNotAvailable`. Kerf compares codes case-sensitively, because Azure always uses the same case. */
  readonly code: string
  /** The HTTP status. Undefined if there was no answer, or if an accepted change failed later. */
  readonly status: number | undefined

  constructor(
    fields: { readonly code: string; readonly message: string; readonly status?: number | undefined },
    options?: ErrorOptions,
  ) {
    super(fields.message, options)
    this.code = fields.code
    this.status = fields.status
  }
}

/** The resource group does not exist, for example because its name is wrong. This code does not show that a resource is gone. */
export const NO_GROUP = 'ResourceGroupNotFound'

/**
 * Returns true if the error shows that the resource does not exist. Returns false for every other failure, including a refused call and a
 * missing resource group.
 */
export const isAzureNotFound = (error: unknown): boolean =>
  error instanceof AzureApiError &&
  error.code !== NO_GROUP &&
  (error.status === 404 || error.code === 'ResourceNotFound')
