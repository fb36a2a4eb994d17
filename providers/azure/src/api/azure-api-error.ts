/** What Azure refused, or what kept it from answering. */
export class AzureApiError extends Error {
  override readonly name = 'AzureApiError'
  /** As Azure calls it, such as `SkuNotAvailable`. Azure writes codes in one case, and they are compared so. */
  readonly code: string
  /** The status of HTTP; undefined where nothing answered, and where a change failed that had been accepted. */
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

/** Nothing is known of what is in a group that is looked for under a wrong name. */
export const NO_GROUP = 'ResourceGroupNotFound'

/** Whether the resource does not exist. Never true of a call that could not be made, was not allowed, or named no group that is there. */
export const isAzureNotFound = (error: unknown): boolean =>
  error instanceof AzureApiError &&
  error.code !== NO_GROUP &&
  (error.status === 404 || error.code === 'ResourceNotFound')
